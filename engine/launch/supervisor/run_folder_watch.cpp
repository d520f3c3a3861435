// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/run_folder_watch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/filesystem.h"
#include "base/process.h"
#include "run/listing.h"
#include "run/state.h"

namespace trainyard::launch {

namespace {

/// A run that was started in the same place writes there now. A folder without a state is being deleted or made.
bool belongs_to_another_run(const run::RunPaths& paths) {
    try {
        std::optional<run::RunState> state = run::read_state(paths);
        return state && state->supervisor != this_process() && is_alive(state->supervisor);
    } catch (const UserError&) {
        return false;
    }
}

}  // namespace

void RunFolderWatch::begin() {
    folder_ = FileDescriptor(::open(paths_.root().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

RunFolderWatch::Look RunFolderWatch::look() const {
    struct stat held {
    }, found{};
    if (!is_ours_ || !folder_ || ::fstat(folder_.get(), &held) != 0)
        return {};
    const std::string name = paths_.root().string();
    const bool there = ::stat(name.c_str(), &found) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR)
        return {};
    const bool same = there && held.st_ino == found.st_ino && held.st_dev == found.st_dev;
    std::error_code error;
    if (same) {
        // A removal that is under way, or was kept from its end by a file of ours that came back.
        bool emptied = !fs::exists(paths_.spec(), error) && !error && !fs::exists(paths_.logs(), error) && !error;
        return emptied
                   ? Look{State::deleted, Message("the files in the run's folder {} were deleted while it ran", name)}
                   : Look{};
    }
    if (there && belongs_to_another_run(paths_))
        return {State::taken, Message("the run's folder {} belongs to another run now", name)};
    const std::string now = fs::read_symlink(fmt::format("/proc/self/fd/{}", folder_.get()), error).string();
    if (held.st_nlink == 0 || now.ends_with(" (deleted)"))
        return {State::deleted, Message("the run's folder {} was deleted while it ran", name)};
    if (!error && now != name && fs::exists(now, error) && fs::exists(fs::path(now) / "run.yaml", error))
        return {State::moved, Message("the run's folder {} was moved to {} while it ran", name, now)};
    return {};  // its file system is not to be seen, or gives other numbers now
}

void RunFolderWatch::make_again(const Message& problem, const run::RunSpec& spec, int generation) {
    problem_ = problem;
    for (const fs::path& part : {paths_.requests_done(), paths_.logs(), paths_.metrics(), paths_.checkpoints()})
        make_private_folder(part);
    run::write_spec(paths_, spec);
    write_file_atomically(paths_.generation(), std::to_string(generation) + "\n", false);
    begin();
}

void RunFolderWatch::abandon(const Message& problem) {
    problem_ = problem;
    is_ours_ = false;
}

Message RunFolderWatch::sentence(bool is_program, std::int64_t step) const {
    if (!is_ours_)
        return Message("{}: its ranks were ended, nothing more was written there", problem_);
    const Message where =
        is_program ? Message("its ranks were asked to end")
        : run::has_checkpoint(paths_)
            ? Message("it was stopped at step {}, its checkpoint is in {}", step, paths_.checkpoints().string())
            : Message("it was stopped at step {} without a checkpoint", step);
    return Message("{}: {}; what was in the folder before is not there", problem_, where);
}

}  // namespace trainyard::launch
