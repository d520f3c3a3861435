#pragma once
// Checks of this machine before a run starts: side by side, those that need others after them. What has passed is not asked again by the
// next run(). The results are those of the table that RemoteLauncher fills for hosts.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "remote/remote_run.h"
#include "remote/session.h"

namespace trainyard::remote {

class Preflight {
  public:
    struct Step {
        std::string check;
        std::vector<std::string> needs;  ///< checks that must not have failed
        /// `cancelled`: a descriptor that becomes readable. Fills state, text, mend and command.
        std::function<CheckResult(int cancelled)> run;
    };

    Preflight(std::string host, std::vector<Step> steps);
    /// Called on the threads of the checks, one at a time.
    std::function<void(const CheckResult&)> on_check;

    /// Runs all steps that have not passed, a thread each; true when nothing failed. Blocks.
    bool run();
    /// From any thread: run() returns soon; what had not ended is `waiting` again.
    void cancel() { cancelled_->set(); }
    std::vector<CheckResult> results() const;

  private:
    void tell(std::size_t step, CheckResult result);
    std::string host_;
    std::vector<Step> steps_;
    std::shared_ptr<Cancel> cancelled_ = std::make_shared<Cancel>();
    mutable std::mutex mutex_;
    std::mutex telling_;
    std::vector<CheckResult> results_;
};

/// A run on this machine, as far as it can be checked before it starts.
struct LocalTask {
    std::filesystem::path recipe;                    ///< or
    std::vector<std::string> program;                ///< argv of a rank: `python3 train.py --lr 1`, `./train`
    bool is_script = false;                          ///< program[0] is a Python that runs the rest
    std::filesystem::path directory;                 ///< that the program starts in; empty: where this process is
    std::map<std::string, std::string> environment;  ///< of the program, besides this process's
    int ranks = 1;
    std::filesystem::path settings_file;  ///< with which the recipe is launched; empty: none
    int port = 0;                         ///< of the rendezvous; 0: a free one
    std::filesystem::path place;          ///< where runs are kept; empty: run::runs_root()
    std::filesystem::path worker;         ///< empty: launch::worker_path()
};
/// Checks in their order, with what people call them.
std::vector<std::pair<std::string, std::string>> local_checks(const LocalTask& task);
std::vector<Preflight::Step> local_steps(const LocalTask& task);
/// What a host that takes part in a run finds out about itself (launch_checks.h), beside what keeps a launch from starting anywhere
/// (launch::check_spec): memory, room, ports; interpreter, torch and script of a program. `ports` must be free; 0: any.
std::vector<Preflight::Step> host_steps(const run::RunSpec& spec, const std::filesystem::path& run_dir, int ranks,
                                        const std::vector<int>& ports);

}  // namespace trainyard::remote
