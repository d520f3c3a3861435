#pragma once
// Event files of a run's further machines, on their way to the run's folder: the agent follows those in its own folder's metrics/ (what its
// ranks write, and links to what programs write, event_files.h) and sends what has grown; the head appends it to files of the same names,
// with the machine's name behind them. Curves of all machines lie in one place then, and are mirrored like any other.
//
// Bounded on both sides: so many files of a machine, so many bytes of one. What is too much stays on the machine.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace trainyard::launch {

struct FarFileLimits {
    std::size_t files = 256;             ///< of one machine
    std::uint64_t bytes = 256ull << 20;  ///< of one file
};

inline constexpr std::size_t kLongestEventPart = 32u << 10;  ///< bytes in one frame

/// A piece of one file.
struct EventPart {
    std::string file;  ///< its name, behind that of its folder where it is a rank's or a host's (events/event_layout.h)
    std::uint64_t offset = 0;
    std::string bytes;
};

std::string event_part_payload(const EventPart& part);
/// Throws WireError when it is none, or names what is no event file.
EventPart parse_event_part(std::string_view payload);

/// The agent's side.
class EventFileSender {
  public:
    explicit EventFileSender(std::filesystem::path metrics, const FarFileLimits& limits = {});

    /// Another head, or another connection: all is told from the beginning. What is there already is passed over at the other end.
    void start_over() { sent_.clear(); }
    /// Looks which files are there. Then next() until it has nothing; sent() for each part that the connection took.
    void look();
    std::optional<EventPart> next();
    void sent(const EventPart& part);
    /// Of next(): bytes that are left, for a word when the machine leaves.
    std::uint64_t unsent() const;

  private:
    void look_in(const std::string& folder);

    std::filesystem::path metrics_;
    FarFileLimits limits_;
    std::map<std::string, std::uint64_t> sizes_;  ///< of files that are there
    std::map<std::string, std::uint64_t> sent_;
};

/// The head's side.
class EventFileReceiver {
  public:
    explicit EventFileReceiver(std::filesystem::path metrics, const FarFileLimits& limits = {});

    /// Appends what is new. The file's name when this is its first part, else empty. Throws UserError when it cannot be written; the file
    /// is passed over from then on.
    std::string take(const std::string& host, const EventPart& part);

  private:
    struct File {
        std::uint64_t size = 0;
        bool given_up = false;
    };
    std::filesystem::path metrics_;
    FarFileLimits limits_;
    std::map<std::string, std::map<std::string, File>> files_;  ///< of each host
};

}  // namespace trainyard::launch
