#include "worker/job.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "estimate/training_memory.h"
#include "run/paths.h"
#include "track/trackers.h"
#include "train/step_trace.h"
#include "worker/figures.h"
#include "worker/log.h"
#include "worker/metrics.h"
#include "worker/preemption.h"
#include "worker/step_times.h"

namespace trainyard::worker {

namespace {

constexpr double kProgressInterval = 0.1;                         ///< seconds between two progress messages
constexpr double kLogInterval = 0.5;                              ///< seconds between two lines of the log
constexpr auto kPausedInterval = std::chrono::milliseconds(100);  ///< between two looks at requests
constexpr double kPulseInterval = 0.05;  ///< seconds between two heartbeats, so that a death is placed well

class Job {
  public:
    Job(const RankEnvironment& environment, const run::RunSpec& spec, train::Trainer& trainer, ControlChannel& channel)
        : recipe_(spec.recipe),
          paths_(environment.run_directory),
          trainer_(trainer),
          channel_(channel),
          main_(environment.place.rank == 0),
          rank_(environment.place.rank),
          world_size_(environment.place.world_size),
          generation_(environment.rendezvous.generation),
          hyper_parameters_(hyper_parameters(recipe_, environment.place.world_size)),
          metrics_(paths_.metrics(), environment.place.rank, main_ ? &hyper_parameters_ : nullptr, first_new_step()),
          trackers_(start_trackers()),
          tokens_per_step_(recipe_.tokens_per_step(environment.place.world_size)),
          figures_(recipe_, trainer, environment.place.world_size) {}

    int run() {
        std::int64_t steps = recipe_.training.steps;
        write_estimate(0);
        if (main_)
            for (const std::string& remark : trainer_.remarks_on_data())
                event("warning", remark);
        if (trainer_.position().step >= steps)
            end_without_a_step();
        while (trainer_.position().step < steps) {
            take_requests();
            train::StepReport report = trainer_.step(std::exchange(requests_, {}));
            take_report(report);
            bool last = report.step == steps;
            stop_reason_ = report.stop_reason;
            if (main_ && !stop_reason_.empty() && !last)
                channel_.send_stopping(stop_reason_);
            bool evaluated = due(recipe_.training.evaluate_every, report.step) || last;
            bool saved = due(recipe_.checkpoint.every, report.step) || last;
            if (auto code = fulfil(report.agreed, evaluated, saved, last))
                return *code;
            if (report.agreed.pause && !last)
                if (auto code = pause())
                    return *code;
        }
        write_estimate(peak_resident_bytes());
        write_trace();
        tell_saves();
        if (main_)
            log_info(fmt::format("finished {} steps{}", steps,
                                 last_loss_ ? fmt::format(", last loss {:.4f}", *last_loss_) : ""));
        send_progress(true);
        return kExitDone;
    }

  private:
    /// The seconds that training stood still for `work`, as a curve.
    template <class Work>
    auto timed(const char* tag, Work work) {
        const double begin = monotonic_seconds();
        auto result = work();
        if (main_)
            metrics_.add({trainer_.position().step, wall_seconds(), {{tag, monotonic_seconds() - begin}}, {}, {}});
        return result;
    }

    /// The checkpoint that the run goes on from has all steps. Its folder gets what a finished run's folder has: an evaluation and a last checkpoint.
    void end_without_a_step() {
        if (main_)
            event("note",
                  fmt::format("nothing is left to train: the checkpoint is of step {} of {}; its state is saved "
                              "here, and training.steps makes the run longer",
                              trainer_.position().step, recipe_.training.steps));
        evaluate();
        timed("phase/save", [&] { return save(true); });
    }

    /// What is due or was agreed after a step; the exit code where the run ends here.
    std::optional<int> fulfil(const train::StepRequests& agreed, bool evaluate_now, bool save_now, bool last) {
        if (agreed.lr)
            tell_rate(*agreed.lr);
        if (agreed.profile > 0)
            begin_trace(agreed.profile);
        if (evaluate_now || agreed.evaluate)
            evaluate();
        answer(evaluation_requests_, true, "evaluated at step " + std::to_string(trainer_.position().step));
        const bool save_last = agreed.stop && !agreed.without_saving;
        bool saved = false;
        if (last || agreed.stop || !recipe_.checkpoint.background)
            saved = (save_now || agreed.checkpoint || save_last) && timed("phase/save", [&] { return save(last); });
        else if (save_now || agreed.checkpoint)
            timed("phase/save", [&] { return begin_save(), true; });
        tell_saves();
        if (agreed.stop && !last)
            return stop(saved, agreed.without_saving);
        return std::nullopt;
    }

    void begin_trace(std::int64_t steps) {
        const std::int64_t done = trainer_.position().step;
        if (trace_)
            return answer(profile_requests_, false, "another profile is being recorded");
        trace_.emplace(trainer_, rank_, done + 1);
        trace_until_ = std::min(done + steps, recipe_.training.steps);
        if (main_)
            log_info(fmt::format("profiling steps {} to {}", done + 1, trace_until_));
    }

    void write_trace() {
        if (!trace_)
            return;
        const std::int64_t first = trace_->first_step(), last = trainer_.position().step;
        try {
            const train::StepTrace::Written written = trace_->write(paths_.traces(), last);
            if (main_) {
                std::string text = fmt::format("profile of steps {} to {}: phases and {} operators of each rank", first,
                                               last, text::quantity(static_cast<double>(written.operators)));
                if (written.left_out > 0)
                    text += fmt::format(", {} more left out", written.left_out);
                event("profile", text, std::filesystem::relative(written.file, paths_.root()).string());
                answer(profile_requests_, true, text);
            }
        } catch (const UserError& error) {
            log_warning(error.what());
            answer(profile_requests_, false, error.what());
        }
        trace_.reset();
    }

    /// All ranks wait here, and do what is asked for meanwhile, until nobody wants the pause any more.
    std::optional<int> pause() {
        std::int64_t step = trainer_.position().step;
        trainer_.set_phase("paused");
        send_progress(true);
        if (main_)
            event("phase", fmt::format("paused after step {}", step));
        answer(pause_requests_, true, "paused after step " + std::to_string(step));
        for (paused_ = true;;) {
            std::this_thread::sleep_for(kPausedInterval);
            take_requests();
            train::StepRequests mine = std::exchange(requests_, {});
            mine.pause = main_ && paused_;
            train::StepRequests agreed = trainer_.agree(mine);
            if (agreed.lr)
                trainer_.set_lr(*agreed.lr);
            if (auto code = fulfil(agreed, false, false, false))
                return code;
            if (!agreed.pause)
                break;
            trainer_.set_phase("paused");
        }
        if (main_)
            event("phase", fmt::format("training goes on after step {}", step));
        return std::nullopt;
    }

    void answer(std::vector<std::string>& requests, bool done, const std::string& text) {
        for (const std::string& id : std::exchange(requests, {}))
            channel_.send_outcome(id, done ? "done" : "failed", text);
    }

    void tell_rate(double highest) {
        std::string text =
            fmt::format("the highest learning rate is {:.6g} from step {} on; the schedule makes it {:.6g} there",
                        highest, trainer_.position().step + 1, trainer_.rates().lr());
        if (main_)
            event("rate", text, {}, highest);
        answer(rate_requests_, true, text);
    }

    /// Those of logging.trackers, in trackers/ of the run's folder; nothing on other ranks or when none is named.
    std::unique_ptr<track::Trackers> start_trackers() const {
        if (!main_ || recipe_.logging.trackers.empty())
            return nullptr;
        track::TrackersOptions options;
        options.project = recipe_.name;
        options.logging_dir = paths_.root() / "trackers";
        make_private_folder(options.logging_dir);
        std::vector<track::TrackerChoice> wanted(recipe_.logging.trackers.begin(), recipe_.logging.trackers.end());
        auto trackers = track::Trackers::start(wanted, std::move(options));
        if (std::int64_t first = first_new_step(); first > 0)
            trackers->restart(first);
        return trackers;
    }

    /// Where a resumed curve begins, and that of ranks that were started anew; 0 for a new run.
    std::int64_t first_new_step() const {
        std::int64_t step = trainer_.position().step;
        return step > 0 || generation_ > 1 ? step + 1 : 0;
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
                                  estimate::to_json(estimate::estimate_memory(recipe_, world_size_), measured) + "\n",
                                  false);
        } catch (const UserError& error) {
            log_warning(error.what());  // a figure to compare with, no reason to end a run
        }
    }

    static bool due(std::int64_t every, std::int64_t step) { return every > 0 && step % every == 0; }

    /// What rank 0 reports is of the whole run, what another rank reports is of itself.
    void event(const std::string& kind, const std::string& text, const std::string& path = {}, double value = 0,
               std::int64_t step = -1) {
        event_of(main_ ? -1 : rank_, kind, text, path, value, step);
    }

    void event_of(int rank, const std::string& kind, const std::string& text, const std::string& path = {},
                  double value = 0, std::int64_t step = -1) {
        run::Event happening;
        happening.time = wall_seconds();
        happening.step = step < 0 ? trainer_.position().step : step;
        happening.kind = kind;
        happening.rank = rank;
        happening.text = text;
        happening.path = path;
        happening.value = std::isfinite(value) ? value : 0;
        channel_.send_event(happening);
        log_info(text);
    }

    /// This rank's machine is going away: all save and stop after the next step, as if rank 0 had been asked.
    void take_signal() {
        int number = preempted_by();
        if (number == 0 || std::exchange(preempted_, true))
            return;
        requests_.stop = true;
        event_of(rank_, "note",
                 fmt::format("rank {} got {}: all ranks save a checkpoint and stop", rank_,
                             number == SIGTERM ? "SIGTERM" : "SIGUSR1"));
    }

    void take_requests() {
        take_signal();
        for (const run::Request& request : channel_.take_requests())
            take_request(request);
    }

    void take_request(const run::Request& request) {
        if (request.kind == "stop") {
            auto saving = request.values.find("checkpoint");
            requests_.stop = true;
            requests_.without_saving = saving != request.values.end() && saving->second == "false";
            stop_requests_.push_back(request.id);
        } else if (request.kind == "checkpoint") {
            requests_.checkpoint = true;
            checkpoint_requests_.push_back(request.id);
        } else if (request.kind == "evaluate") {
            take_evaluation(request);
        } else if (request.kind == "pause") {
            if (paused_)
                return channel_.send_outcome(request.id, "done", "paused already");
            requests_.pause = true;
            pause_requests_.push_back(request.id);
        } else if (request.kind == "resume") {
            channel_.send_outcome(request.id, paused_ ? "done" : "refused",
                                  paused_ ? "training goes on" : "the run is not paused");
            paused_ = false;
        } else if (request.kind == "set") {
            take_rate(request);
        } else if (request.kind == "profile") {
            take_profile(request);
        } else {
            channel_.send_outcome(request.id, "refused",
                                  "the engine of this version cannot do '" + request.kind +
                                      "': it takes stop, checkpoint, evaluate, pause, resume, set and profile");
        }
    }

    void take_evaluation(const run::Request& request) {
        if (recipe_.data.validation_fraction == 0)
            return channel_.send_outcome(request.id, "refused",
                                         "nothing is held out to evaluate on: data.validation_fraction is 0");
        requests_.evaluate = true;
        evaluation_requests_.push_back(request.id);
    }

    /// The whole of the text as a number.
    template <class Number>
    static std::optional<Number> number_of(const std::map<std::string, std::string>& values, const char* name) {
        auto value = values.find(name);
        if (value == values.end())
            return std::nullopt;
        Number number{};
        const char* end = value->second.data() + value->second.size();
        auto [last, error] = std::from_chars(value->second.data(), end, number);
        return error == std::errc() && last == end ? std::optional(number) : std::nullopt;
    }

    void take_profile(const run::Request& request) {
        constexpr std::int64_t kUsualSteps = 10, kMostSteps = 1000;
        auto steps = request.values.contains("steps") ? number_of<std::int64_t>(request.values, "steps") : kUsualSteps;
        if (!steps || *steps < 1 || *steps > kMostSteps)
            return channel_.send_outcome(request.id, "refused", "profile takes steps, from 1 to 1000");
        if (trace_ || requests_.profile > 0)
            return channel_.send_outcome(request.id, "refused", "another profile is being recorded");
        requests_.profile = *steps;
        profile_requests_.push_back(request.id);
    }

    void take_rate(const run::Request& request) {
        std::optional<double> lr = number_of<double>(request.values, "lr");
        if (!lr || !(*lr > 0 && *lr <= 100) || request.values.size() != 1)
            return channel_.send_outcome(request.id, "refused",
                                         "set takes lr, a number greater than 0 and at most 100, and nothing else");
        requests_.lr = *lr;
        rate_requests_.push_back(request.id);
    }

    void take_report(const train::StepReport& report) {
        last_loss_ = report.loss;
        times_.add(report.seconds);
        figures_.after_step();
        if (trace_ && report.step >= trace_until_)
            write_trace();
        if (double now = monotonic_seconds(); now - last_pulse_ >= kPulseInterval) {
            last_pulse_ = now;
            channel_.send_heartbeat();
        }
        if (main_)
            tell_notices(report);
        double now = monotonic_seconds();
        MetricsPoint point{report.step, wall_seconds(), {}, own_figures(report), {}};
        if (main_ && due(recipe_.logging.every, report.step))
            point.scalars = figures_.of(report);
        const bool together = trainer_.arena().sharding().any();  // what ranks own of gradients is sent to the first
        if ((main_ || together) && due(recipe_.logging.histograms_every, report.step))
            point.histograms = figures_.histograms();
        if (!main_)
            point.histograms.clear();
        log_point(std::move(point));
        metrics_problem();
        if (!main_)
            return;
        if (now - last_progress_ >= kProgressInterval)
            send_progress(false);
        if (now - last_log_ >= kLogInterval) {
            last_log_ = now;
            log_info(fmt::format("step {} loss {:.4f} lr {:.3g} norm {:.3g} {} tok/s", report.step, report.loss,
                                 report.lr, report.gradient_norm,
                                 text::quantity(static_cast<double>(tokens_per_step_) / report.seconds)));
        }
    }

    NamedNumbers own_figures(const train::StepReport& report) {
        NamedNumbers own{{"rank/step_time_s", report.seconds},
                         {"rank/waited_s", report.waited_seconds},
                         {"rank/own_time_s", report.seconds - report.waited_seconds},
                         {"rank/grad_norm", report.gradient_norm}};
        if (trainer_.computes_loss())
            own.emplace_back("rank/loss", report.own_loss);
        NamedNumbers figures = own_means_.add(report.step, own);
        if (report.diverged)
            figures.emplace_back("rank/weights_differ", *report.diverged ? 1 : 0);
        return figures;
    }

    void tell_notices(const train::StepReport& report) {
        if (report.overflow)  // the scaler is looking for its scale
            log_info(fmt::format("step {} overflowed in fp16 and was skipped: the loss scale was {:g}", report.step,
                                 report.loss_scale));
        for (const train::Notice& notice : report.notices)
            event(notice.kind, notice.text);
    }

    void log_point(MetricsPoint point) {
        if (point.scalars.empty() && point.own.empty() && point.histograms.empty())
            return;
        for (const auto& [tag, value] : point.scalars)
            trainer_.note_metric(tag, value);
        if (trackers_ && !point.scalars.empty()) {
            track::Values values;
            for (const auto& [tag, value] : point.scalars)
                values.emplace_back(tag, value);
            trackers_->log(std::move(values), point.step);
        }
        metrics_.add(std::move(point));
    }

    void metrics_problem() {
        if (trackers_)
            for (const std::string& text : trackers_->take_problems())
                event("warning", text);
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
        auto found = timed("phase/evaluate", [&] { return trainer_.evaluate(); });
        if (!found || !main_)
            return;
        validation_loss_ = found->loss;
        std::vector<std::pair<std::string, double>> scalars{{"eval/loss", found->loss}};
        std::string text = fmt::format("validation loss {:.4f} at step {}", found->loss, trainer_.position().step);
        if (found->average_loss) {
            scalars.emplace_back("eval/loss_average", *found->average_loss);
            text += fmt::format(", {:.4f} with averaged weights", *found->average_loss);
        }
        log_point({trainer_.position().step, wall_seconds(), std::move(scalars), {}, {}});
        event("evaluation", text, {}, found->loss);
        send_progress(false);
    }

    void begin_save() {
        channel_.send_heartbeat();
        std::move(checkpoint_requests_.begin(), checkpoint_requests_.end(),
                  std::back_inserter(requests_of_save_[trainer_.position().step]));
        checkpoint_requests_.clear();
        metric_of_save_[trainer_.position().step] = trainer_.metric();
        try {
            trainer_.begin_save(paths_.checkpoints());
        } catch (const UserError& error) {
            save_failed(trainer_.position().step, error.what());
        }
    }

    /// True when a checkpoint of this step is on the disk. A failure ends the run only when nothing comes after it.
    bool save(bool last) {
        std::int64_t step = trainer_.position().step;
        trainer_.set_phase("save");
        channel_.send_heartbeat();
        requests_of_save_[step] = std::exchange(checkpoint_requests_, {});
        metric_of_save_[step] = trainer_.metric();
        bool saved = true;
        try {
            trainer_.save(paths_.checkpoints());
        } catch (const UserError& error) {
            problem_ = error.what();
            saved = false;
        }
        tell_saves();
        if (!saved && requests_of_save_.contains(step))
            save_failed(step, problem_);
        if (!saved && last)
            throw UserError(problem_);
        return saved;
    }

    /// What has become of saves, to those who wait for it.
    void tell_saves() {
        for (const checkpoint::SaveResult& result : trainer_.ended_saves()) {
            if (!result.ok()) {
                save_failed(result.number, result.error);
                continue;
            }
            for (const std::string& note : result.notes)
                event("warning", fmt::format("checkpoint {}: {}", result.number, note), {}, 0, result.number);
            const std::string not_good =
                result.not_good.empty() ? "" : fmt::format(", is marked as not good: {}", result.not_good);
            event(
                "checkpoint",
                fmt::format("checkpoint {}, {} in {}, {} of them without training{}", result.number,
                            text::file_size(result.bytes), text::duration(result.write_seconds),
                            text::duration(result.pause_seconds),
                            not_good.empty() ? ""
                                             : not_good + "; nothing goes on from it by itself, and no earlier one is "
                                                          "removed for it"),
                std::filesystem::relative(result.folder, paths_.root()).string(), static_cast<double>(result.bytes),
                result.number);
            tell_best(result);
            answer(requests_of_save_[result.number], true,
                   fmt::format("checkpoint_{} is saved{}", result.number, not_good));
            requests_of_save_.erase(result.number);
        }
    }

    /// Where the best checkpoints are kept (checkpoint.keep_best): that this is the best so far.
    void tell_best(const checkpoint::SaveResult& result) {
        const config::CheckpointRecipe& recipe = recipe_.checkpoint;
        const std::optional<double> metric = metric_of_save_[result.number];  // its folder may be gone already
        metric_of_save_.erase(metric_of_save_.begin(), metric_of_save_.upper_bound(result.number));
        if (recipe.keep_best == 0 || !result.not_good.empty() || !metric || std::isnan(*metric))
            return;
        if (best_ && (recipe.best_mode == "max" ? *metric <= *best_ : *metric >= *best_))
            return;
        best_ = metric;
        event("best",
              fmt::format("checkpoint {} is the best so far: {} {:.6g}", result.number, recipe.best_metric, *metric),
              std::filesystem::relative(result.folder, paths_.root()).string(), *metric, result.number);
    }

    void save_failed(std::int64_t step, const std::string& problem) {
        problem_ = problem;
        if (main_)
            event("warning", "checkpoint " + std::to_string(step) + " was not saved: " + problem);
        answer(requests_of_save_[step], false, problem);
        requests_of_save_.erase(step);
    }

    int stop(bool saved, bool without_saving) {
        write_trace();
        std::string text = fmt::format("stopped after step {}{}{}", trainer_.position().step,
                                       stop_reason_.empty() ? "" : " because " + stop_reason_,
                                       saved            ? ", its checkpoint is saved"
                                       : without_saving ? ", without a checkpoint as asked"
                                                        : ", without a checkpoint: " + problem_);
        log_info(text);
        for (const std::string& id : stop_requests_)
            channel_.send_outcome(id, "done", text);
        send_progress(true);
        return saved || without_saving ? kExitResumable : kExitFailed;
    }

    const config::Recipe& recipe_;
    run::RunPaths paths_;
    train::Trainer& trainer_;
    ControlChannel& channel_;
    bool main_;
    int rank_, world_size_;
    int generation_;
    events::HyperParameters hyper_parameters_;
    MetricsWriter metrics_;
    std::unique_ptr<track::Trackers> trackers_;
    std::int64_t tokens_per_step_;
    StepFigures figures_;
    OwnMeans own_means_;
    std::optional<train::StepTrace> trace_;  ///< while steps are being profiled
    std::int64_t trace_until_ = 0;
    train::StepRequests requests_;
    std::vector<std::string> stop_requests_, checkpoint_requests_, evaluation_requests_, pause_requests_,
        rate_requests_, profile_requests_;
    std::map<std::int64_t, std::vector<std::string>> requests_of_save_;  ///< by step, until the save has ended
    std::string stop_reason_;  ///< the run's health demands the stop; empty: it does not
    bool preempted_ = false;
    bool paused_ = false;  ///< rank 0: a pause that nobody has ended
    StepTimes times_;
    std::optional<double> last_loss_;  ///< no step yet: none
    double validation_loss_ = 0;
    std::map<std::int64_t, std::optional<double>> metric_of_save_;  ///< by step, until the save has ended
    std::optional<double> best_;  ///< metric of the best checkpoint that this worker has saved
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
