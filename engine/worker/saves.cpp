// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/saves.h"

#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"

namespace trainyard::worker {

/// A save of the newest step is about to begin: who waits for it and what it is judged by. Returns the step.
std::int64_t Saves::note() {
    const std::int64_t step = trainer_.position().step;
    channel_.send_heartbeat();
    if (!reports_.speaks_for_run())
        return step;
    Waiting& waiting = waiting_[step];
    std::vector<std::string> asked = requests_.hand_over(Ask::checkpoint);
    std::move(asked.begin(), asked.end(), std::back_inserter(waiting.requests));
    waiting.metric = trainer_.metric();
    return step;
}

void Saves::begin() {
    const std::int64_t step = note();
    try {
        trainer_.begin_save(paths_.checkpoints());
    } catch (const UserError& error) {
        failed(step, message_of(error));
    }
}

bool Saves::save(bool last) {
    trainer_.set_phase("save");
    const std::int64_t step = note();
    bool saved = true;
    try {
        trainer_.save(paths_.checkpoints());
    } catch (const UserError& error) {
        problem_ = message_of(error);
        saved = false;
    }
    tell();
    if (!saved && waiting_.contains(step))  // no result reports it
        failed(step, problem_);
    if (!saved && last)
        throw UserError(problem_);
    return saved;
}

void Saves::tell() {
    for (const checkpoint::SaveResult& result : trainer_.ended_saves())
        result.ok() ? saved(result) : failed(result.number, result.error);
}

void Saves::saved(const checkpoint::SaveResult& result) {
    for (const Message& note : result.notes)
        reports_.event("warning", Message("checkpoint {}: {}", result.number, note), {}, 0, result.number);
    const bool is_good = result.not_good.empty();
    reports_.event("checkpoint",
                   is_good ? Message("checkpoint {}, {} in {}, training paused for {}", result.number,
                                     text::file_size(result.bytes), text::duration(result.write_seconds),
                                     text::duration(result.pause_seconds))
                           : Message("checkpoint {}, {} in {}, training paused for {}, is marked as not good: {}; no "
                                     "run resumes from it automatically, and no earlier one is removed for it",
                                     result.number, text::file_size(result.bytes), text::duration(result.write_seconds),
                                     text::duration(result.pause_seconds), result.not_good),
                   std::filesystem::relative(result.folder, paths_.root()).string(), static_cast<double>(result.bytes),
                   result.number);
    const Waiting waiting = std::exchange(waiting_[result.number], {});
    waiting_.erase(result.number);
    tell_best(result, waiting.metric);  // noted before: the folder may be gone already
    requests_.answer(
        waiting.requests, true,
        is_good ? Message("checkpoint_{} is saved", result.number)
                : Message("checkpoint_{} is saved, is marked as not good: {}", result.number, result.not_good));
}

/// Where the best checkpoints are kept (checkpoint.keep_best): that this is the best so far.
void Saves::tell_best(const checkpoint::SaveResult& result, const std::optional<double>& metric) {
    if (recipe_.keep_best == 0 || !result.not_good.empty() || !metric || std::isnan(*metric))
        return;
    if (best_ && (recipe_.best_mode == config::BestMode::max ? *metric <= *best_ : *metric >= *best_))
        return;
    best_ = metric;
    reports_.event("best",
                   Message("checkpoint {} is the best so far: {} {:.6g}", result.number, recipe_.best_metric, *metric),
                   std::filesystem::relative(result.folder, paths_.root()).string(), *metric, result.number);
}

void Saves::failed(std::int64_t step, const Message& problem) {
    problem_ = problem;
    if (reports_.speaks_for_run())
        reports_.event("warning", Message("checkpoint {} was not saved: {}", step, problem));
    requests_.answer(waiting_[step].requests, false, problem);
    waiting_.erase(step);
}

}  // namespace trainyard::worker
