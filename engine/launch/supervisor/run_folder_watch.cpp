#include "launch/supervisor/run_folder_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "base/process.h"
#include "run/state.h"

namespace trainyard::launch {

namespace {

/// Somebody who started a run in the same place writes there now. A folder without a state is being deleted or made.
bool belongs_to_another_run(const run::RunPaths& paths) {
    try {
        std::optional<run::RunState> state = run::read_state(paths);
        return state && state->supervisor != this_process() && is_alive(state->supervisor);
    } catch (const UserError&) {
        return false;
    }
}

}  // namespace

void RunFolderWatch::begin(const run::RunPaths& paths) {
    folder_ = FileDescriptor(::open(paths.root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

RunFolderWatch::Look RunFolderWatch::look(const run::RunPaths& paths) const {
    struct stat held {
    }, found{};
    if (!folder_ || ::fstat(folder_.get(), &held) != 0)
        return {};
    const std::string name = paths.root().string();
    const bool there = ::stat(name.c_str(), &found) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR)
        return {};
    const bool same = there && held.st_ino == found.st_ino && held.st_dev == found.st_dev;
    std::error_code error;
    if (same) {
        // A removal that is under way, or was kept from its end by a file of ours that came back.
        bool emptied = !fs::exists(paths.spec(), error) && !error && !fs::exists(paths.logs(), error) && !error;
        return emptied
                   ? Look{State::deleted, Message("the files in the run's folder {} were deleted while it ran", name)}
                   : Look{};
    }
    if (there && belongs_to_another_run(paths))
        return {State::taken, Message("the run's folder {} belongs to another run now", name)};
    const std::string now = fs::read_symlink(fmt::format("/proc/self/fd/{}", folder_.get()), error).string();
    if (held.st_nlink == 0 || now.ends_with(" (deleted)"))
        return {State::deleted, Message("the run's folder {} was deleted while it ran", name)};
    if (!error && now != name && fs::exists(now, error) && fs::exists(fs::path(now) / "run.yaml", error))
        return {State::moved, Message("the run's folder {} was moved to {} while it ran", name, now)};
    return {};  // its file system is not to be seen, or gives other numbers now
}

}  // namespace trainyard::launch
