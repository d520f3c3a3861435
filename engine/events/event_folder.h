#pragma once
// The event files of one log folder as they grow, read in the order of their names: a later file when the earlier one has nothing more,
// so that a restart it tells of cuts what is already there. The one place that knows how files join; curves are made by whoever
// listens.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "events/event_file.h"
#include "events/tag_table.h"

namespace trainyard::events {

/// Hears what a folder's files say, in order. `tag` is a number: EventFolder::tag_name() and group() tell what it stands for.
class EventListener {
  public:
    virtual ~EventListener() = default;
    virtual void scalar(int tag, std::int64_t step, double wall_time, double value) = 0;
    /// Everything else that a record holds (media, notes, parameters); its scalars have been told. `payload` lies at byte `at` of `file`.
    virtual void record(const std::string& /*group*/, const EventRecord& /*record*/, std::string_view /*payload*/,
                        const std::filesystem::path& /*file*/, std::uint64_t /*at*/) {}
    /// The run went on from `step`: what was heard of the group at or after it is void.
    virtual void restart(const std::string& group, std::int64_t step) = 0;
    /// A file was replaced, and which points came from it is not known: all that was heard is void and comes again.
    virtual void reset() = 0;
};

class EventFolder {
  public:
    /// Group of a file by its name: files of one group follow each other. Nothing: the file is not of interest.
    using GroupOf = std::function<std::optional<std::string>(const std::string& name)>;
    /// Files of `folder` alone, or also those of the folders right in it, whose names are then `inside/file`.
    enum class Depth { files, folders };
    EventFolder(std::filesystem::path folder, GroupOf group_of, Depth depth = Depth::files)
        : folder_(std::move(folder)), group_of_(std::move(group_of)), depth_(depth) {}
    /// Training curves: every file whose name begins with `prefix`, as one group without a name.
    explicit EventFolder(std::filesystem::path folder, const std::string& prefix = "events.out.tfevents");

    /// Tells what is new, at most some `limit_bytes` of each file. False: there is more, call again.
    bool poll(EventListener& listener, std::uint64_t limit_bytes = 64ull << 20);
    const std::string& tag_name(int tag) const { return names_[static_cast<std::size_t>(tag)].tag; }
    const std::string& group(int tag) const { return names_[static_cast<std::size_t>(tag)].group; }
    int tags() const { return static_cast<int>(names_.size()); }
    /// What cannot be read, one sentence each.
    std::vector<std::string> problems() const;
    std::size_t files() const { return files_.size(); }
    std::uint64_t skipped() const;  ///< values of kinds that nobody here shows

  private:
    struct Name {
        std::string tag, group;
    };
    /// Of one group: its tags' numbers in the file are not those in the folder.
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
    std::string problem_;
    bool was_there_ = false;
};

}  // namespace trainyard::events
