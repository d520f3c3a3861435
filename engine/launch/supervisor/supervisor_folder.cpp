// Supervisor: somebody takes the run's folder away. Nobody could see or stop the run any more, and what it learns would be lost: it stops at
// once, with a checkpoint in a folder that is made anew in the same place, and ends as failed.

#include <cstdio>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "launch/supervisor/supervisor.h"
#include "run/listing.h"

namespace trainyard::launch {

void Supervisor::watch_folder() {
    RunFolderWatch::Look look = folder_.look(paths_);
    if (look.state == RunFolderWatch::State::there || !folder_is_ours_)
        return;
    std::fprintf(stderr, "%s %s\n", iso_time(wall_seconds()).c_str(), look.sentence.text().c_str());
    bool was_asked_to_stop = is_stop_asked(lifecycle_);
    bool remade = look.state != RunFolderWatch::State::taken && !is_queued() && make_folder_anew();
    folder_is_ours_ = remade;
    folder_problem_ = look.sentence;
    fail(look.sentence);
    if (remade)
        folder_.begin(paths_);
    if (!remade || all_ended())
        return kill_all();
    if (!was_asked_to_stop) {
        run::Request request;
        request.id = "signal-of-lost-folder";
        request.kind = "stop";
        request.from = "supervisor";
        stop(request);
    }
    set_status(run::Status::stopping, Message("{}: it is stopped", look.sentence));
}

bool Supervisor::make_folder_anew() {
    try {
        for (const fs::path& part : {paths_.requests_done(), paths_.logs(), paths_.metrics(), paths_.checkpoints()})
            make_private_folder(part);
        run::write_spec(paths_, spec_);
        write_file_atomically(paths_.generation(), std::to_string(state_.generation) + "\n", false);
        for (Rank& rank : ranks_) {
            std::unique_ptr<RankLog>& log = logs_[rank.state->rank];
            log = std::make_unique<RankLog>(paths_.rank_log(rank.state->rank));
            rank.log = log.get();
        }
    } catch (const UserError& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return false;
    }
    if (inotify_)
        ::inotify_add_watch(inotify_.get(), paths_.requests().c_str(), IN_MOVED_TO | IN_CLOSE_WRITE);
    if (!options_.foreground) {  // what we print is the supervisor's log
        FileDescriptor log(::open(paths_.supervisor_log().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
        for (int stream : {STDOUT_FILENO, STDERR_FILENO})
            if (log)
                ::dup2(log.get(), stream);
    }
    state_changed_ = true;
    return true;
}

/// The failure's sentence, when it is known what could be kept.
Message Supervisor::how_the_folder_was_lost() const {
    if (!folder_is_ours_)
        return Message("{}: its ranks were ended, nothing more was written there", folder_problem_);
    const Message where = spec_.program ? Message("its ranks were asked to end")
                          : run::has_checkpoint(paths_)
                              ? Message("it was stopped at step {}, its checkpoint is in {}", state_.progress.step,
                                        paths_.checkpoints().string())
                              : Message("it was stopped at step {} without a checkpoint", state_.progress.step);
    return Message("{}: {}; what was in the folder before is not there", folder_problem_, where);
}

}  // namespace trainyard::launch
