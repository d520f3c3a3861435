// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/reports.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/process_memory.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "distributed/tensors/memory_meter.h"
#include "estimate/calibration.h"
#include "estimate/estimate_file.h"
#include "estimate/known_model.h"
#include "models/spec/labels.h"
#include "run/class_report.h"
#include "worker/log.h"
#include "worker/plugin_trackers.h"

namespace trainyard::worker {

namespace {

constexpr double kProgressInterval = 0.1;  ///< seconds between two progress messages
constexpr double kLogInterval = 0.5;       ///< seconds between two lines of the log
constexpr double kPulseInterval = 0.05;    ///< seconds between two heartbeats, so that a death is placed well

}  // namespace

Reports::Reports(const RankEnvironment& environment, const config::Recipe& recipe, train::Trainer& trainer,
                 ControlChannel& channel)
    : recipe_(recipe),
      paths_(environment.run_directory),
      trainer_(trainer),
      channel_(channel),
      main_(environment.place.rank == 0),
      rank_(environment.place.rank),
      world_size_(environment.place.world_size),
      ranks_here_(environment.place.local_world_size),
      generation_(environment.rendezvous.generation),
      hyper_parameters_(hyper_parameters(recipe, world_size_)),
      metrics_(paths_.metrics(), rank_, main_ ? &hyper_parameters_ : nullptr, first_new_step()),
      trackers_(start_trackers()),
      tokens_per_step_(recipe.tokens_per_step(world_size_)),
      figures_(recipe, trainer, world_size_) {}

Reports::~Reports() {
    if (!trackers_)
        return;
    try {
        trackers_->finish();
        problems_of_curves();
    } catch (const std::exception& error) {
        log_warning(error.what());
    }
}

/// Those of logging.trackers, in trackers/ of the run's folder; nothing on other ranks or when none is named.
std::unique_ptr<track::Trackers> Reports::start_trackers() {
    if (!main_ || recipe_.logging.trackers.empty())
        return nullptr;
    track::TrackersOptions options;
    options.project = recipe_.name;
    options.logging_dir = paths_.root() / "trackers";
    make_private_folder(options.logging_dir);
    options.on_wait = [this](const Message& text) { event("note", text); };
    options.continues = first_new_step() > 0;
    if (!options.continues)
        for (const auto& [name, value] : hyper_parameters_)
            options.configuration.push_back({name, std::visit([](const auto& known) { return Value(known); }, value)});
    std::vector<Problem> problems;
    const Value arguments =
        parse_yaml(recipe_.logging.tracker_arguments, "logging.tracker_arguments", problems, python_rules(problems));
    for (const auto& [tracker, given] : arguments.entries())
        options.arguments[tracker] = given;
    register_plugin_trackers();  // the plug-ins were loaded with the model
    std::vector<track::TrackerChoice> wanted(recipe_.logging.trackers.begin(), recipe_.logging.trackers.end());
    auto trackers = track::Trackers::start(wanted, std::move(options));
    if (std::int64_t first = first_new_step(); first > 0)
        trackers->restart(first);
    return trackers;
}

/// Returns the step at which the curves of a resumed run or of restarted ranks begin; 0 for a new run.
std::int64_t Reports::first_new_step() const {
    std::int64_t step = trainer_.position().step;
    return step > 0 || generation_ > 1 ? step + 1 : 0;
}

void Reports::event(const std::string& kind, const Message& text, const std::string& path, double value,
                    std::int64_t step) {
    send_event(main_ ? -1 : rank_, kind, text, path, value, step);
}

void Reports::event_of_rank(const std::string& kind, const Message& text) {
    send_event(rank_, kind, text, {}, 0, -1);
}

void Reports::send_event(int rank, const std::string& kind, const Message& text, const std::string& path, double value,
                         std::int64_t step) {
    run::Event happening;
    happening.time = wall_seconds();
    happening.step = step < 0 ? trainer_.position().step : step;
    happening.kind = kind;
    happening.rank = rank;
    happening.text = text;
    happening.path = path;
    happening.value = std::isfinite(value) ? value : 0;
    channel_.send_event(happening);
    log_info(text.text());
}

void Reports::step(const train::StepReport& report) {
    if (report.targets > 0)
        last_loss_ = report.loss;
    times_.add(report.seconds);
    figures_.after_step();
    if (double now = monotonic_seconds(); now - last_pulse_ >= kPulseInterval) {
        last_pulse_ = now;
        channel_.send_heartbeat();
    }
    if (main_)
        notices(report);
    const double now = monotonic_seconds();
    curves(report);
    if (!main_)
        return;
    if (now - last_progress_ >= kProgressInterval)
        progress(false);
    if (now - last_log_ >= kLogInterval && report.targets > 0) {
        last_log_ = now;
        log_info(fmt::format("step {} loss {:.4f} lr {:.3g} norm {:.3g} {} tok/s", report.step, report.loss, report.lr,
                             report.gradient_norm,
                             text::quantity(static_cast<double>(tokens_per_step_) / report.seconds)));
    }
}

void Reports::notices(const train::StepReport& report) {
    if (report.overflow)  // the scaler is looking for its scale
        log_info(fmt::format("step {} overflowed in fp16 and was skipped: the loss scale was {:g}", report.step,
                             report.loss_scale));
    for (const train::Notice& notice : report.notices)
        event(notice.kind, notice.text);
}

NamedNumbers Reports::own_figures(const train::StepReport& report) {
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

void Reports::curves(const train::StepReport& report) {
    MetricsPoint point{report.step, wall_seconds(), {}, own_figures(report), {}};
    if (main_ && due(recipe_.logging.every, report.step))
        point.scalars = figures_.numbers(report);
    // Owned parts of gradients, those of layers and experts, and those of pipeline stages, are sent to the first rank.
    const bool together = trainer_.arena().sharding().any() || trainer_.has_pipeline() || trainer_.shares_layers() ||
                          trainer_.divides_experts();
    if ((main_ || together) && due(recipe_.logging.histograms_every, report.step))
        point.histograms = figures_.histograms();
    if (!main_)
        point.histograms.clear();
    log_point(std::move(point));
    problems_of_curves();
}

void Reports::samples(const std::vector<Sample>& samples) {
    MetricsPoint point{trainer_.position().step, wall_seconds(), {}, {}, {}};
    for (const Sample& sample : samples)
        point.texts.emplace_back(sample.tag, sample.text);
    log_point(std::move(point));
}

void Reports::log_point(MetricsPoint point) {
    if (point.scalars.empty() && point.own.empty() && point.histograms.empty() && point.texts.empty())
        return;
    for (const auto& [tag, value] : point.scalars)
        trainer_.note_metric(tag, value);
    if (trackers_ && !point.scalars.empty()) {
        track::Values values;
        for (const auto& [tag, value] : point.scalars)
            values.push_back({tag, value});
        trackers_->log(std::move(values), point.step);
    }
    metrics_.add(std::move(point));
}

void Reports::problems_of_curves() {
    if (trackers_)
        for (const auto& text : trackers_->take_problems())
            event("warning", text);
    const auto problem = metrics_.take_problem();
    if (!problem.empty())
        event("warning", Message("curves are not written any more: {}", problem));
}

void Reports::note_seconds(const char* tag, double seconds) {
    if (main_)
        metrics_.add({trainer_.position().step, wall_seconds(), {{tag, seconds}}, {}, {}});
}

/// Into the run's folder, and as a table to the trackers that keep tables.
void Reports::classes(const train::ClassOutcome& outcome) {
    run::ClassReport report;
    report.step = trainer_.position().step;
    report.classes = families::label_names(recipe_.model);
    report.classes.resize(static_cast<std::size_t>(outcome.classes));
    report.has_none = outcome.rows() > outcome.classes;
    if (report.has_none)
        report.classes.push_back("no label");
    report.counts = run::class_counts(outcome.counts, outcome.rows());
    for (const train::ClassOutcome::Sample& sample : outcome.worst)
        report.worst.push_back({sample.number, trainer_.describe_held_out(sample.number, sample.position), sample.label,
                                sample.found, sample.probability, -std::log(sample.probability)});
    try {
        run::write_class_report(paths_, report);
    } catch (const UserError& error) {
        event("warning", error.message());
    }
    if (!trackers_)
        return;
    try {
        trackers_->log_table(
            {"eval/confusion_matrix", {"label", "found", "count"}, run::confusion_rows(report), report.step});
    } catch (const UserError&) {
        // None of them keeps tables: the folder of the run has the counts.
    }
}

void Reports::evaluation(const std::optional<train::Evaluation>& found) {
    if (!found || !main_)
        return;
    validation_loss_ = found->loss;
    NamedNumbers scalars{{"eval/loss", found->loss}};
    Message text("validation loss {:.4f} at step {}", found->loss, trainer_.position().step);
    if (found->average_loss) {
        scalars.emplace_back("eval/loss_average", *found->average_loss);
        text = Message("{}, {:.4f} with averaged weights", text, *found->average_loss);
    }
    for (const auto& [name, value] : found->metrics) {
        scalars.emplace_back("eval/" + name, value);
        text = name == "accuracy" ? Message("{}, accuracy {:.2f} %", text, 100 * value)
                                  : Message("{}, {} {:.4f}", text, name, value);
    }
    log_point({trainer_.position().step, wall_seconds(), std::move(scalars), {}, {}});
    if (found->classes)
        classes(*found->classes);
    event("evaluation", text, {}, found->loss);
    progress(false);
}

void Reports::progress(bool final) {
    if (!main_)
        return;
    last_progress_ = monotonic_seconds();
    const checkpoint::Position& position = trainer_.position();
    const double step_s = times_.median();
    launch::ProgressReport message;
    message.progress = {.step = position.step,
                        .of = recipe_.training.steps,
                        .epoch = trainer_.epoch(),
                        .tokens = position.tokens,
                        .samples = position.samples,
                        .loss = last_loss_,
                        .tokens_per_s = step_s > 0 ? static_cast<double>(tokens_per_step_) / step_s : 0};
    if (validation_loss_ != 0)  // 0: none yet
        message.progress.validation_loss = validation_loss_;
    message.step_s = step_s;
    channel_.send_progress(message);
    if (final)
        channel_.send_heartbeat();
}

void Reports::finished() {
    if (main_)
        log_info(fmt::format("finished {} steps{}", recipe_.training.steps,
                             last_loss_ ? fmt::format(", last loss {:.4f}", *last_loss_) : ""));
    progress(true);
}

bool Reports::estimates() const {
    return estimate::estimates_training(recipe_.model);
}

void Reports::predict_memory() {
    if (main_ && estimates())
        write_estimate(estimate::estimate_file(recipe_, world_size_,
                                               trainer_.device().is_cpu() ? "cpu" : trainer_.device().str()));
}

void Reports::measure_memory() {
    const MemoryPeaks peaks = memory_peaks();
    const DevicePeaks device = device_peaks(trainer_.device());
    // State of a disk that stays in memory as long as there is some to spare is not needed there.
    const std::uint64_t resident = peak_memory_bytes(ranks_here_),
                        needed = resident - std::min(resident, trainer_.bytes_cached());
    std::vector<double> mine{static_cast<double>(std::max(needed, device.reserved)), static_cast<double>(peaks.step),
                             static_cast<double>(peaks.total), static_cast<double>(trainer_.bytes_on_disk())};
    for (std::size_t i = 0; i < kMemoryUses; ++i)
        mine.push_back(static_cast<double>(peaks.uses[i]));
    const std::vector<std::vector<double>> ranks = trainer_.from_all_ranks(mine, "measured memory");
    if (!main_ || !estimates())
        return;
    const std::vector<double>& most = *std::ranges::max_element(ranks, {}, [](const auto& rank) { return rank[0]; });
    estimate::EstimateFile file =
        estimate::estimate_file(recipe_, world_size_, trainer_.device().is_cpu() ? "cpu" : trainer_.device().str());
    estimate::MeasuredMemory measured;
    measured.peak_resident = static_cast<std::uint64_t>(most[0]);
    measured.step_seconds = times_.median();
    measured.parts = {{"step", static_cast<std::uint64_t>(most[1])}, {"tensors", static_cast<std::uint64_t>(most[2])}};
    for (std::size_t i = 0; i < kMemoryUses; ++i)
        if (most[4 + i] > 0)
            measured.parts.emplace_back(memory_use_key(static_cast<MemoryUse>(i)),
                                        static_cast<std::uint64_t>(most[4 + i]));
    if (most[3] > 0)
        measured.parts.emplace_back(estimate::kOnDisk, static_cast<std::uint64_t>(most[3]));
    file.measured = std::move(measured);
    write_estimate(file);
    estimate::add_to_calibration(file, estimate::calibration_key(file.device), estimate::calibration_file(),
                                 paths_.root().string());
}

void Reports::write_estimate(const estimate::EstimateFile& file) {
    try {
        write_file_atomically(paths_.estimate(), estimate::to_json(file), false);
    } catch (const UserError& error) {
        log_warning(error.what());  // a figure to compare with, no reason to end a run
    }
}

}  // namespace trainyard::worker
