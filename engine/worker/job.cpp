// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/job.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "base/error.h"
#include "config/inputs/check_resume.h"
#include "profile/marks.h"
#include "run/idle_time.h"
#include "run/paths.h"
#include "worker/log.h"
#include "worker/profile.h"
#include "worker/reports.h"
#include "worker/requests.h"
#include "worker/samples.h"
#include "worker/saves.h"

namespace trainyard::worker {

namespace {

constexpr auto kPausedInterval = std::chrono::milliseconds(100);  ///< between two looks at requests

/// The loop. What asks, tells, saves and records beside it has a file of its own each.
class Job {
  public:
    Job(const RankEnvironment& environment, const config::Recipe& recipe, train::Trainer& trainer,
        ControlChannel& channel)
        : recipe_(recipe),
          paths_(environment.run_directory),
          trainer_(trainer),
          channel_(channel),
          reports_(environment, recipe, trainer, channel),
          requests_(recipe, environment.place.rank, channel, reports_),
          profile_(paths_, environment, recipe, trainer, reports_, requests_),
          saves_(recipe, paths_, trainer, channel, reports_, requests_),
          samples_(recipe) {}

    int run() {
        const std::int64_t steps = recipe_.training.steps;
        reports_.predict_memory();
        if (reports_.speaks_for_run())
            for (const auto& remark : trainer_.remarks_on_data())
                reports_.event("warning", remark);
        if (trainer_.position().step >= steps)
            end_without_a_step();
        else
            profile_.begin_of_recipe();
        while (trainer_.position().step < steps) {
            const train::StepReport report = trainer_.step(requests_.take());
            profile_.after_step(report.seconds);
            reports_.step(report);
            const bool last = report.step == steps;
            if (is_broken(report))
                end_broken_run(report.stop_reason);
            if (reports_.speaks_for_run() && !report.stop_reason.empty() && !last)
                channel_.send_stopping(report.stop_reason);
            const bool evaluate = last || due(recipe_.training.evaluate_every, report.step);
            const bool save = last || due(recipe_.checkpoint.every, report.step);
            if (auto code = fulfil(report.agreed, evaluate, save, last, report.stop_reason))
                return *code;
            if (report.agreed.pause && !last)
                if (auto code = pause())
                    return *code;
        }
        reports_.measure_memory();
        profile_.finish();
        saves_.tell();
        reports_.finished();
        return kExitDone;
    }

  private:
    /// Whether the health checks end the run because it only computes values that are not finite. A run whose recipe
    /// asks to stop at the first of them (health.on_non_finite) is stopped instead, and can be resumed.
    bool is_broken(const train::StepReport& report) const {
        return !report.stop_reason.empty() && recipe_.health.on_non_finite != HealthAction::stop &&
               !(std::isfinite(report.loss) && std::isfinite(report.gradient_norm));
    }

    /// Throws UserError, after the state was saved as a checkpoint that is marked as not good.
    [[noreturn]] void end_broken_run(const Message& reason) {
        save(false);
        saves_.tell();
        profile_.finish();
        reports_.progress(true);
        const config::ModelRecipe& model = recipe_.model;
        const bool from_weights = !model.weights.empty() && recipe_.checkpoint.resume_from.empty();
        throw UserError(from_weights ? Message("{}: look for values that are not finite in the weights (trainyard "
                                               "checkpoints verify {}) and in the data, or lower optimizer.lr",
                                               reason, model.weights)
                                     : Message("{}: look for values that are not finite in the data, or lower "
                                               "optimizer.lr and resume from a good checkpoint",
                                               reason));
    }

    /// Does everything that is due or was agreed after a step. Returns the exit code if the run ends here.
    std::optional<int> fulfil(const train::StepRequests& agreed, bool evaluate_now, bool save_now, bool last,
                              const Message& stop_reason = {}) {
        const std::int64_t step = trainer_.position().step;
        if (agreed.lr)
            tell_rate(*agreed.lr);
        if (agreed.profile)
            profile_.begin(*agreed.profile);
        if (evaluate_now || agreed.evaluate)
            evaluate();
        if ((reports_.speaks_for_run() || trainer_.writes_together()) && due(recipe_.generation.every, step) &&
            !agreed.pause) {
            const std::vector<Sample> samples = samples_.write(trainer_, step);
            if (reports_.speaks_for_run())
                reports_.samples(samples);
        }
        requests_.answer(Ask::evaluate, true, Message("evaluated at step {}", step));
        const bool save_last = agreed.stop && !agreed.without_saving;
        bool saved = false;
        if (last || agreed.stop || !recipe_.saves_in_background())
            saved = (save_now || agreed.checkpoint || save_last) && save(last);
        else if (save_now || agreed.checkpoint)
            reports_.timed("phase/save", [&] {
                const profile::Scope work(
                    [] { return profile::work_mark("checkpoint", "begin to save a checkpoint"); });
                return saves_.begin(), true;
            });
        saves_.tell();
        if (agreed.stop && !last)
            return stop(saved, agreed.without_saving, stop_reason);
        return std::nullopt;
    }

    void evaluate() {
        const profile::Scope work([] { return profile::work_mark("evaluation", "evaluate"); });
        reports_.evaluation(reports_.timed("phase/evaluate", [&] { return trainer_.evaluate(); }));
    }

    bool save(bool last) {
        const profile::Scope work([] { return profile::work_mark("checkpoint", "save a checkpoint"); });
        return reports_.timed("phase/save", [&] { return saves_.save(last); });
    }

    void tell_rate(double highest) {
        const Message text =
            Message("the highest learning rate is {:.6g} from step {} on; the schedule makes it {:.6g} there", highest,
                    trainer_.position().step + 1, trainer_.rates().lr());
        if (reports_.speaks_for_run())
            reports_.event("rate", text, {}, highest);
        requests_.answer(Ask::rate, true, text);
    }

    /// All ranks wait here, and do what is asked for meanwhile, until nobody wants the pause any more.
    std::optional<int> pause() {
        const std::int64_t step = trainer_.position().step;
        trainer_.set_phase("paused");
        reports_.progress(true);
        if (reports_.speaks_for_run())
            reports_.event("phase", run::paused_message(step));
        requests_.answer(Ask::pause, true, run::paused_message(step));
        requests_.stand_still();
        for (;;) {
            std::this_thread::sleep_for(kPausedInterval);
            const train::StepRequests agreed = trainer_.agree(requests_.take());
            if (agreed.lr)
                trainer_.set_lr(*agreed.lr);
            if (auto code = fulfil(agreed, false, false, false))
                return code;
            if (!agreed.pause)
                break;
            trainer_.set_phase("paused");
        }
        requests_.go_on();
        if (reports_.speaks_for_run())
            reports_.event("phase", run::continued_message(step));
        return std::nullopt;
    }

    int stop(bool saved, bool without_saving, const Message& reason) {
        profile_.finish();
        const std::int64_t step = trainer_.position().step;
        const Message stopped = reason.empty() ? Message("stopped after step {}", step)
                                               : Message("stopped after step {} because {}", step, reason);
        const Message text = saved            ? Message("{}, its checkpoint is saved", stopped)
                             : without_saving ? Message("{}, without a checkpoint as asked", stopped)
                                              : Message("{}, without a checkpoint: {}", stopped, saves_.problem());
        log_info(text.text());
        requests_.answer(Ask::stop, true, text);
        reports_.progress(true);
        return saved || without_saving ? kExitResumable : kExitFailed;
    }

    /// Called if the checkpoint that the run resumes from already has all steps. Adds to the folder what every finished
    /// run has: an evaluation and a last checkpoint.
    void end_without_a_step() {
        if (reports_.speaks_for_run())
            reports_.event("note", inputs::no_rest_message(trainer_.position().step, recipe_.training.steps));
        evaluate();
        save(true);
    }

    const config::Recipe& recipe_;
    const run::RunPaths paths_;
    train::Trainer& trainer_;
    ControlChannel& channel_;
    Reports reports_;
    Requests requests_;
    Profile profile_;
    Saves saves_;
    Samples samples_;
};

}  // namespace

int run_job(const RankEnvironment& environment, const run::RunSpec& spec, train::Trainer& trainer,
            ControlChannel& channel) {
    return Job(environment, spec.recipe, trainer, channel).run();
}

}  // namespace trainyard::worker
