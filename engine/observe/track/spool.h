// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What was logged for a service and has not been delivered yet: a file of JSON lines in a folder, and beside it a file
// with the number of bytes that the service has, and what the service returned (ids). Both are private (0600) and
// contain no credentials. A spool has one owner at a time (flock). Inside this library.

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "base/filesystem.h"
#include "observe/track/line_file.h"
#include "observe/track/tracked_values.h"

namespace trainyard::track {

class Spool {
  public:
    /// A new spool, or the one of this name (`<folder>/<name>.jsonl`). Nothing if another process has it. Throws
    /// UserError.
    static std::optional<Spool> open(const fs::path& folder, const std::string& name);
    /// Names of the spools of a folder that begin with `prefix`, oldest first. A missing folder counts as empty.
    static std::vector<std::string> names(const fs::path& folder, const std::string& prefix);
    Spool(Spool&&) noexcept;
    ~Spool();

    const fs::path& file() const { return file_; }
    /// A private folder for files that entries name.
    const fs::path& attachments() const { return attachments_; }

    /// For the thread that logs.
    void add(const Values& entry);
    void flush();

    struct Entries {
        std::vector<Value> values;        ///< a line that is damaged is null
        std::vector<std::uint64_t> ends;  ///< positions in the file after each
    };
    /// The next entries that have not been delivered, at most `most` and about a megabyte.
    Entries next(std::size_t most) const;
    /// Whether next() has entries.
    bool has_more() const { return written_ > delivered_; }
    /// Number of entries that have not been delivered.
    std::size_t count_left() const;
    bool is_new() const { return written_ == 0; }

    /// The service's data about the run.
    Values memory;
    /// The service has all entries up to this position. Writes the file of the state.
    void set_delivered(std::uint64_t end);
    /// Stores an entry that the service does not accept in `<name>.refused.jsonl`; returns that file.
    fs::path refuse(const Value& entry) const;
    /// Removes the entries, which were all delivered; the memory stays, for a run that continues.
    void discard_entries();

  private:
    Spool(fs::path file, FileDescriptor lock);
    void save_state() const;

    fs::path file_, state_, attachments_;
    FileDescriptor lock_, reader_;
    std::optional<LineFile> lines_;
    std::uint64_t added_ = 0;  ///< bytes, with those that were not flushed yet
    std::atomic<std::uint64_t> written_ = 0, delivered_ = 0;
};

}  // namespace trainyard::track
