// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trials of a sweep: which are over, which run, which begins next. All of it is in the sweep's folder, so that a
// sweep that was interrupted, or whose process was killed, continues where it was:
//
//     sweep.yaml     what was asked
//     recipe.yaml    the recipe, all keys; none for a program
//     begun.json     what sweep.yaml meant where it was: name and folder; the number of trials if it was raised
//     trials.jsonl   a line for each change of a trial; the last one of a trial counts
//
// A trial depends on the results of those that were over when it began at the latest: with `at_once` n, trial k waits
// for the trials up to k - n and looks at no others. Its values and its early end are therefore the same however long
// trials take, on whatever hosts.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/message.h"
#include "sweep/early_stopping.h"
#include "sweep/sweep_file.h"

namespace trainyard::sweep {

enum class TrialState : unsigned char {
    starting,  ///< decided; whether its run was made is not known yet
    running,
    finished,
    stopped,   ///< early, by the rule of the sweep
    diverged,  ///< its curve has no value that is a number
    failed
};
constexpr auto choice_names(TrialState) {
    return std::array{"starting", "running", "finished", "stopped", "diverged", "failed"};
}
inline bool is_over(TrialState state) {
    return state != TrialState::starting && state != TrialState::running;
}

struct Trial {
    std::int64_t number = 0;
    Point point = {};
    TrialState state = TrialState::starting;
    int attempt = 1;        ///< grows when its host is lost
    std::string host = {};  ///< empty: this machine
    std::string run = {};   ///< id of its run
    int slot = 0;           ///< place among the trials of its host: which accelerators it has
    std::optional<double> value = {};
    std::int64_t step = 0;  ///< of the value
    Message problem = {};

    void fields(auto& field) const {
        field("number", number).required()("point", point).required();
        field("state", state).names(kChoiceNames<TrialState>).required();
        field("attempt", attempt)("host", host)("run", run)("slot", slot);
        field("value", value).real();
        field("step", step)("problem", problem);
    }
};

/// Starts trials and looks at them: runs of this program, or those of a test.
class TrialRunner {
  public:
    virtual ~TrialRunner() = default;

    struct Look {
        enum class State { running, finished, failed, unreachable } state = State::running;
        Curve curve;
        Message message{};  ///< of failed and unreachable
    };
    /// What a host that cannot be reached, or has no place, throws. The trial begins on another one.
    struct HostLost {
        Message message;
    };

    /// The name by which find() knows its run later.
    virtual std::string start(const Trial& trial, const std::string& name) = 0;
    /// The run of that name; empty if there is none.
    virtual std::string find(const std::string& name) = 0;
    virtual Look look(const Trial& trial) = 0;
    /// A trial that is worse than others, or whose host was lost.
    virtual void stop(const Trial& trial) = 0;
};

/// Number of the trial with the best value.
std::optional<std::int64_t> best_trial(const SweepFile& sweep, const std::map<std::int64_t, Trial>& trials);

class Sweep {
  public:
    /// Makes the folder of a new sweep under `place`. Throws UserError when it cannot be written.
    static std::filesystem::path create(const SweepFile& sweep, const std::string& yaml,
                                        const std::filesystem::path& place);
    /// Reads the trials of the folder. Throws UserError, or InvalidInput with all problems of its files.
    Sweep(std::filesystem::path folder, TrialRunner& runner);
    /// The same with its file, as create() or load_begun() gave it.
    Sweep(std::filesystem::path folder, SweepFile file, TrialRunner& runner);

    /// One round: looks at the trials that run, ends some, and begins others. False: all are over. Throws UserError
    /// when there is no point in going on: every trial so far failed, or no host is left.
    bool advance();
    /// Ends the runs of all trials that are not over. They begin again when the sweep continues.
    void stop_trials();
    /// Trials that failed begin again. What others have tried since stays.
    void retry_failed();

    const SweepFile& file() const { return sweep_; }
    const std::filesystem::path& folder() const { return folder_; }
    const std::map<std::int64_t, Trial>& trials() const { return trials_; }
    std::optional<std::int64_t> best() const { return best_trial(sweep_, trials_); }
    /// Why hosts are not used any more.
    const std::map<std::string, Message>& lost_hosts() const { return lost_; }

  private:
    void record(const Trial& trial);
    void look_at(Trial& trial);
    void end(Trial& trial, TrialState state, const Curve& curve, std::optional<std::int64_t> last = {});
    std::int64_t running() const;
    bool may_begin(std::int64_t number) const;
    void begin(std::int64_t number);
    void start(Trial& trial);
    void begin_again(Trial& trial);
    std::string free_host() const;
    int free_slot(const Trial& trial) const;
    std::string run_name(const Trial& trial) const;
    /// The trials that `number` may look at.
    std::vector<const Trial*> known_to(std::int64_t number) const;
    void stop_if_hopeless() const;

    std::filesystem::path folder_;
    TrialRunner& runner_;
    SweepFile sweep_;
    std::map<std::int64_t, Trial> trials_;
    std::map<std::int64_t, Curve> curves_;  ///< of those that are over
    std::map<std::string, Message> lost_;
};

/// sweep.yaml of a sweep that has begun. Throws as Sweep().
SweepFile load_begun(const std::filesystem::path& folder);
/// The trials in the folder. `repair`: removes a line that was not written to its end, which else is left out.
std::map<std::int64_t, Trial> read_trials(const std::filesystem::path& folder, const SweepFile& sweep,
                                          bool repair = false);
/// Raises the number of trials of a sweep that no process continues now. Throws UserError for a grid, and for a number
/// that is not above the present one.
void raise_trials(const std::filesystem::path& folder, std::int64_t trials);

/// A share of the differences between the results that each parameter explains, by the means over its values (of a
/// range: over eight parts of it); they need not add up to one. Nothing for fewer than two results.
std::vector<double> importance(const SweepFile& sweep, const std::map<std::int64_t, Trial>& trials);

}  // namespace trainyard::sweep
