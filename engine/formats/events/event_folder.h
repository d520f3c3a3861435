// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads the event files of one log folder in the order of their names while they grow. A later file is read once the
// earlier ones have no more data, because a restart in it cuts what is already there. Only this class knows how files
// are joined; listeners build curves.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "base/message.h"
#include "formats/events/event_file.h"
#include "formats/events/tag_table.h"

namespace trainyard::events {

/// Receives the content of a folder's files in order. `tag` is an index; see EventFolder::tag_name() and group().
class EventListener {
  public:
    virtual ~EventListener() = default;
    virtual void scalar(int tag, std::int64_t step, double wall_time, double value) = 0;
    /// Everything in a record besides scalars (media, notes, parameters), after its scalars. `payload` is at offset
    /// `at` of `file`.
    virtual void record(const std::string& /*group*/, const EventRecord& /*record*/, std::string_view /*payload*/,
                        const std::filesystem::path& /*file*/, std::uint64_t /*at*/) {}
    /// The run resumed at `step`: points of the group at or after it are invalid.
    virtual void restart(const std::string& group, std::int64_t step) = 0;
    /// A file was replaced, and its points are not known: everything is invalid and is sent again.
    virtual void reset() = 0;
};

class EventFolder {
  public:
    /// Group of a file by its name; the files of one group are read one after the other. std::nullopt: the file is
    /// ignored.
    using GroupOf = std::function<std::optional<std::string>(const std::string& name)>;
    /// Files of `folder` only, or also files of its subfolders (not deeper), whose names are then `subfolder/file`.
    enum class Depth { files, folders };
    EventFolder(std::filesystem::path folder, GroupOf group_of, Depth depth = Depth::files)
        : folder_(std::move(folder)), group_of_(std::move(group_of)), depth_(depth) {}
    /// Training curves: all files whose names begin with `prefix`, as one group without a name.
    explicit EventFolder(std::filesystem::path folder, const std::string& prefix = "events.out.tfevents");

    /// Sends new data, at most about `limit_bytes` of each file. False: there is more; call again.
    bool poll(EventListener& listener, std::uint64_t limit_bytes = 64ull << 20);
    const std::string& tag_name(int tag) const { return names_[static_cast<std::size_t>(tag)].tag; }
    const std::string& group(int tag) const { return names_[static_cast<std::size_t>(tag)].group; }
    int tags() const { return static_cast<int>(names_.size()); }
    /// One sentence for each problem in reading.
    std::vector<Message> problems() const;
    std::size_t files() const { return files_.size(); }
    std::uint64_t skipped() const;  ///< values of unsupported kinds

  private:
    struct Name {
        std::string tag, group;
    };
    /// Of one group. Maps indices of tags within its files to those within the folder.
    struct Group {
        TagTable tags;
        std::vector<int> numbers;
    };
    struct File {
        EventFileReader reader;
        std::string group;
    };
    void find_files();
    std::error_code find_files_in(const std::string& inside);
    int number_of(Group& group, const std::string& name, std::string_view tag);

    std::filesystem::path folder_;
    GroupOf group_of_;
    Depth depth_ = Depth::files;
    std::map<std::string, File> files_;  ///< by name
    std::map<std::string, Group> groups_;
    std::vector<Name> names_;
    Message problem_;
    bool was_there_ = false;
};

}  // namespace trainyard::events
