#pragma once
// The event files of one log folder as they grow, read in the order of their names: a later file when the earlier one has nothing more,
// so that a restart it tells of cuts what is already there. The one place that knows how files join; curves are made by whoever
// listens.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "io/event_file.h"

namespace trainyard::io {

/// Hears what a folder's files say, in order.
class EventListener {
  public:
    virtual ~EventListener() = default;
    virtual void scalar(const std::string& group, const Scalar& scalar) = 0;
    /// The run went on from `step`: what was heard of the group at or after it is void.
    virtual void restart(const std::string& group, std::int64_t step) = 0;
    /// A file was replaced, and which points came from it is not known: all that was heard is void and comes again.
    virtual void reset() = 0;
};

class EventFolder {
  public:
    /// Group of a file by its name: files of one group follow each other. Nothing: the file is not of interest.
    using GroupOf = std::function<std::optional<std::string>(const std::string& name)>;
    /// Follows the files of `folder`, not of folders inside.
    EventFolder(std::filesystem::path folder, GroupOf group_of)
        : folder_(std::move(folder)), group_of_(std::move(group_of)) {}
    /// Training curves: every file whose name begins with `prefix`, as one group without a name.
    explicit EventFolder(std::filesystem::path folder, const std::string& prefix = "events.out.tfevents");

    /// Tells what is new, at most `limit_bytes` of each file. False: there is more, call again.
    bool poll(EventListener& listener, std::uint64_t limit_bytes = 64ull << 20);
    /// What cannot be read, one sentence each.
    std::vector<std::string> problems() const;

  private:
    struct File {
        EventFileReader reader;
        std::string group;
    };
    void find_files();
    static bool has_more(const File& file, bool read_something);

    std::filesystem::path folder_;
    GroupOf group_of_;
    std::map<std::string, File> files_;  ///< by name
};

}  // namespace trainyard::io
