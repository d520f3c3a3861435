// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Copies event files of a run's other machines into the run's folder. The agent follows the files in metrics/ of its own folder (what its ranks
// write, and links to what programs write, event_files.h) and sends what has been appended; the head appends it to files of the same names
// with the host's name as a suffix. So the curves of all machines are in one folder, and are mirrored like any other.
//
// Both the number of files per machine and the size of each file are limited. What exceeds a limit stays on the machine.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace trainyard::launch {

struct RemoteFileLimits {
    std::size_t files = 256;             ///< per machine
    std::uint64_t bytes = 256ull << 20;  ///< per file
};

inline constexpr std::size_t kMaxEventPartBytes = 32u << 10;  ///< in one frame

/// A range of one file's bytes.
struct EventPart {
    std::string file;  ///< relative to metrics/: `name`, or `folder/name` for ranks and hosts (event_layout.h)
    std::uint64_t offset = 0;
    std::string bytes;
};

std::string event_part_payload(const EventPart& part);
/// Throws WireError when the payload is malformed or does not name an event file.
EventPart parse_event_part(std::string_view payload);

/// The agent's side.
class EventFileSender {
  public:
    explicit EventFileSender(std::filesystem::path metrics, const RemoteFileLimits& limits = {});

    /// For another head or connection: sends everything again. The receiver skips what it has.
    void start_over() { sent_.clear(); }
    /// Lists the files. Then call next() until it returns nothing, and sent() for each part that the connection accepted.
    void look();
    std::optional<EventPart> next();
    void sent(const EventPart& part);
    /// Bytes that next() has not returned yet; reported when the machine leaves.
    std::uint64_t unsent() const;

  private:
    void look_in(const std::string& folder);

    std::filesystem::path metrics_;
    RemoteFileLimits limits_;
    std::map<std::string, std::uint64_t> sizes_;  ///< by file, at the last look()
    std::map<std::string, std::uint64_t> sent_;
};

/// The head's side.
class EventFileReceiver {
  public:
    explicit EventFileReceiver(std::filesystem::path metrics, const RemoteFileLimits& limits = {});

    /// Appends the bytes that the file lacks. Returns the file's name for its first part, else an empty string. Throws UserError when the
    /// file cannot be written; its later parts are ignored.
    std::string take(const std::string& host, const EventPart& part);

  private:
    struct File {
        std::uint64_t size = 0;
        bool given_up = false;
    };
    std::filesystem::path metrics_;
    RemoteFileLimits limits_;
    std::map<std::string, std::map<std::string, File>> files_;  ///< by host
};

}  // namespace trainyard::launch
