#include "worker/job.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>

#include <fmt/format.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "estimate/gpt2_memory.h"
#include "run/paths.h"
#include "worker/log.h"
#include "worker/metrics.h"

namespace trainyard::worker {

namespace {

constexpr std::size_t kTimedSteps = 200;   ///< for the median that time left is told from
constexpr double kProgressInterval = 0.1;  ///< seconds between two progress messages
constexpr double kLogInterval = 0.5;       ///< seconds between two lines of the log
constexpr double kPulseInterval = 0.05;    ///< seconds between two heartbeats, so that a death is placed well

/// Medians of the newest steps.
class StepTimes {
  public:
    void add(double seconds) {
        times_.push_back(seconds);
        if (times_.size() > kTimedSteps)
            times_.pop_front();
    }
    double median() const {
        std::vector<double> sorted(times_.begin(), times_.end());
        if (sorted.empty())
            return 0;
        auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        return *middle;
    }

  private:
    std::deque<double> times_;
};

class Job {
  public:
    Job(const RankEnvironment& environment, const run::RunSpec& spec, train::Trainer& trainer, ControlChannel& channel)
        : recipe_(spec.recipe),
          paths_(environment.run_directory),
          trainer_(trainer),
          channel_(channel),
          main_(environment.rank == 0),
          metrics_(paths_.metrics(), environment.rank, main_, first_new_step(trainer.position())),
          tokens_per_step_(recipe_.tokens_per_step(environment.world_size)) {}

    int run() {
        std::int64_t steps = recipe_.training.steps;
        write_estimate(0);
        while (trainer_.position().step < steps) {
            take_requests();
            train::StepReport report = trainer_.step(wishes_);
            wishes_ = {};
            take_report(report);
            bool last = report.step == steps;
            if (due(recipe_.training.evaluate_every, report.step) || last)
                evaluate();
            bool saved = false;
            if (report.agreed.checkpoint || due(recipe_.checkpoint.every, report.step) || last || report.agreed.stop)
                saved = save(last);
            answer_checkpoints(saved);
            if (report.agreed.stop && !last)
                return stop(saved);
        }
        write_estimate(peak_resident_bytes());
        if (main_)
            log_info(fmt::format("finished {} steps, last loss {:.4f}", steps, last_loss_));
        send_progress(true);
        return kExitDone;
    }

  private:
    /// Where a resumed curve begins; 0 for a new run.
    static std::int64_t first_new_step(const checkpoint::Position& position) {
        return position.step > 0 ? position.step + 1 : 0;
    }

    static std::uint64_t peak_resident_bytes() {
        rusage usage{};
        ::getrusage(RUSAGE_SELF, &usage);
        return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    }

    /// What was predicted and, once known (not 0), what was measured on rank 0.
    void write_estimate(std::uint64_t measured) {
        if (!main_)
            return;
        try {
            write_file_atomically(paths_.estimate(),
                                  estimate::to_json(estimate::estimate_memory(recipe_), measured) + "\n", false);
        } catch (const UserError& error) {
            log_warning(error.what());  // a figure to compare with, no reason to end a run
        }
    }

    static bool due(std::int64_t every, std::int64_t step) { return every > 0 && step % every == 0; }

    void event(const std::string& kind, const std::string& text, const std::string& path = {}, double value = 0) {
        run::Event happening;
        happening.time = wall_seconds();
        happening.step = trainer_.position().step;
        happening.kind = kind;
        happening.rank = main_ ? -1 : 0;
        happening.text = text;
        happening.path = path;
        happening.value = std::isfinite(value) ? value : 0;
        channel_.send_event(happening);
        log_info(text);
    }

    void take_requests() {
        for (const run::Request& request : channel_.take_requests()) {
            if (request.kind == "stop") {
                wishes_.stop = true;
                stop_requests_.push_back(request.id);
            } else if (request.kind == "checkpoint") {
                wishes_.checkpoint = true;
                checkpoint_requests_.push_back(request.id);
            } else {
                channel_.send_outcome(
                    request.id, "refused",
                    "the engine of this version cannot do '" + request.kind + "': it takes stop and checkpoint");
            }
        }
    }

    void take_report(const train::StepReport& report) {
        last_loss_ = report.loss;
        times_.add(report.seconds);
        if (double now = monotonic_seconds(); now - last_pulse_ >= kPulseInterval) {
            last_pulse_ = now;
            channel_.send_heartbeat();
        }
        if (report.skipped && main_)
            event("nan", fmt::format("step {} was skipped: {}", report.step,
                                     report.first_non_finite.empty()
                                         ? "the loss is not finite"
                                         : "the gradient of " + report.first_non_finite + " is not finite"));
        double now = monotonic_seconds();
        if (!main_) {
            metrics_problem();
            return;
        }
        double rate = static_cast<double>(tokens_per_step_) / report.seconds;
        if (recipe_.logging.every > 0 && report.step % recipe_.logging.every == 0)
            metrics_.add({report.step,
                          wall_seconds(),
                          {{"train/loss", report.loss},
                           {"train/lr", report.lr},
                           {"train/grad_norm", report.gradient_norm},
                           {"train/tokens_per_s", rate},
                           {"train/step_time_s", report.seconds}}});
        metrics_problem();
        if (now - last_progress_ >= kProgressInterval)
            send_progress(false);
        if (now - last_log_ >= kLogInterval) {
            last_log_ = now;
            log_info(fmt::format("step {} loss {:.4f} lr {:.3g} norm {:.3g} {} tok/s", report.step, report.loss,
                                 report.lr, report.gradient_norm, text::quantity(rate)));
        }
    }

    void metrics_problem() {
        std::string problem = metrics_.take_problem();
        if (!problem.empty())
            event("warning", "curves are not written any more: " + problem);
    }

    void send_progress(bool final) {
        if (!main_)
            return;
        last_progress_ = monotonic_seconds();
        const checkpoint::Position& position = trainer_.position();
        ProgressMessage message;
        message.step = position.step;
        message.of = recipe_.training.steps;
        message.epoch = trainer_.epoch();
        message.tokens = position.tokens;
        message.samples = position.samples;
        message.loss = last_loss_;
        message.step_s = times_.median();
        message.tokens_per_s = message.step_s > 0 ? static_cast<double>(tokens_per_step_) / message.step_s : 0;
        message.validation_loss = validation_loss_;
        channel_.send_progress(message);
        if (final)
            channel_.send_heartbeat();
    }

    void evaluate() {
        auto loss = trainer_.evaluate();
        if (!loss || !main_)
            return;
        validation_loss_ = *loss;
        metrics_.add({trainer_.position().step, wall_seconds(), {{"eval/loss", *loss}}});
        event("evaluation", fmt::format("validation loss {:.4f} at step {}", *loss, trainer_.position().step), {},
              *loss);
        send_progress(false);
    }

    /// True when a checkpoint of this step is on the disk. A failure ends the run only when nothing comes after it.
    bool save(bool last) {
        double begin = monotonic_seconds();
        std::int64_t step = trainer_.position().step;
        trainer_.set_phase("save");
        channel_.send_heartbeat();
        try {
            checkpoint::Saved saved = trainer_.save(paths_.checkpoints());
            if (main_)
                event("checkpoint",
                      fmt::format("checkpoint {}, {} in {}", step, text::file_size(saved.bytes),
                                  text::duration(monotonic_seconds() - begin)),
                      std::filesystem::relative(saved.folder, paths_.root()).string(),
                      static_cast<double>(saved.bytes));
            return true;
        } catch (const UserError& error) {
            problem_ = error.what();
            if (main_)
                event("warning", "checkpoint " + std::to_string(step) + " was not saved: " + problem_);
            if (last)
                throw;
            return false;
        }
    }

    void answer_checkpoints(bool saved) {
        for (const std::string& id : std::exchange(checkpoint_requests_, {}))
            channel_.send_outcome(
                id, saved ? "done" : "failed",
                saved ? "checkpoint_" + std::to_string(trainer_.position().step) + " is saved" : problem_);
    }

    int stop(bool saved) {
        std::string text = fmt::format("stopped after step {}{}", trainer_.position().step,
                                       saved ? ", its checkpoint is saved" : ", without a checkpoint: " + problem_);
        log_info(text);
        for (const std::string& id : stop_requests_)
            channel_.send_outcome(id, "done", text);
        send_progress(true);
        return saved ? kExitResumable : kExitFailed;
    }

    const config::Recipe& recipe_;
    run::RunPaths paths_;
    train::Trainer& trainer_;
    ControlChannel& channel_;
    bool main_;
    MetricsWriter metrics_;
    std::int64_t tokens_per_step_;
    train::Wishes wishes_;
    std::vector<std::string> stop_requests_, checkpoint_requests_;
    StepTimes times_;
    double last_loss_ = 0;
    double validation_loss_ = 0;
    double last_progress_ = 0;
    double last_log_ = 0;
    double last_pulse_ = 0;
    std::string problem_;
};

}  // namespace

int run_job(const RankEnvironment& environment, const run::RunSpec& spec, train::Trainer& trainer,
            ControlChannel& channel) {
    return Job(environment, spec, trainer, channel).run();
}

}  // namespace trainyard::worker
