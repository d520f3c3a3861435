// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folder of a sweep as others see it that do not continue it: its state and trials, requests to its process,
// deletion. Files besides those of sweep.h:
//
//     .lock         locked while a process continues the sweep
//     asked         pause or stop: what that process shall do
//     ended.json    why it ended before all trials were over
//     log.txt       what it printed, if it has no terminal

#include "base/choice.h"
#include "base/file_descriptor.h"
#include "sweep/sweep.h"

namespace trainyard::sweep {

enum class SweepState : unsigned char {
    running,
    pausing,      ///< asked to, and a process continues it still
    stopping,     ///< likewise
    paused,       ///< no trial starts; running trials finish
    stopped,      ///< its trials were ended, too
    interrupted,  ///< its process is gone
    failed,       ///< it cannot be continued
    finished
};
constexpr auto choice_names(SweepState) {
    return std::array{"running", "pausing", "stopping", "paused", "stopped", "interrupted", "failed", "finished"};
}
/// Whether a process continues it.
inline bool is_live(SweepState state) {
    return state == SweepState::running || state == SweepState::pausing || state == SweepState::stopping;
}

struct StoredSweep {
    std::filesystem::path folder;
    SweepFile file;
    std::map<std::int64_t, Trial> trials;
    SweepState state = SweepState::interrupted;
    Message problem;  ///< of failed

    std::string id() const { return folder.filename().string(); }
    std::optional<std::int64_t> best() const { return best_trial(file, trials); }
    std::int64_t over() const;  ///< number of trials that are over
};

/// The folder of all sweeps, in the folder of the runs.
inline std::filesystem::path sweeps_in(const std::filesystem::path& runs) {
    return runs / ".sweeps";
}
/// Folders of the sweeps in it, the newest first. A missing folder has none. Throws UserError if it cannot be read.
std::vector<std::filesystem::path> sweep_folders(const std::filesystem::path& place);
/// Throws UserError, or InvalidInput with all problems of its files.
StoredSweep read_sweep(const std::filesystem::path& folder);
/// A value that changes whenever read_sweep() would return another result.
std::string sweep_signature(const std::filesystem::path& folder);

/// Held by the process that continues a sweep.
class SweepLock {
  public:
    /// Throws UserError when another process has it.
    explicit SweepLock(const std::filesystem::path& folder);

  private:
    FileDescriptor file_;
};

/// Asks the process of a sweep to end: no more trials begin. `stop_trials`: those that run are ended, too, and begin
/// again when the sweep continues. Throws UserError when no process continues the sweep.
void ask_to_end(const std::filesystem::path& folder, bool stop_trials);
/// paused or stopped, if the process of the sweep is asked to end.
std::optional<SweepState> asked_end(const std::filesystem::path& folder);
/// Removes requests and the reason of an earlier end: the sweep continues.
void begin_again(const std::filesystem::path& folder);
/// paused, stopped, or failed with the reason.
void write_end(const std::filesystem::path& folder, SweepState state, const Message& problem = {});

/// Deletes the folder. The runs of its trials stay. Throws UserError while a process continues the sweep.
void delete_sweep(const std::filesystem::path& folder);

}  // namespace trainyard::sweep
