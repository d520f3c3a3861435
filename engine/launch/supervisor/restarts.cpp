// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/restarts.h"

#include <algorithm>

#include "base/error.h"

namespace trainyard::launch {

namespace {
constexpr double kLongestBackoff = 30;
constexpr int kFruitlessGenerations = 2;
}  // namespace

void Restarts::await_machines(double now, double wait_s) {
    joining_since_ = now;
    enough_since_ = 0;
    start_time_ = now + wait_s;
}

bool Restarts::are_enough(std::size_t machines, double now) {
    const std::size_t wanted = run::machines_of(spec_.launch).size();
    const std::size_t fewest =
        spec_.launch.min_machines > 0 ? static_cast<std::size_t>(spec_.launch.min_machines) : wanted;
    if (machines < fewest)
        enough_since_ = 0;
    else if (enough_since_ == 0)
        enough_since_ = now;
    return machines >= wanted || (machines >= fewest && now - enough_since_ >= options_.last_call_s);
}

bool Restarts::may_grow(std::size_t machines, std::int64_t newest_step, double now) const {
    return machines < run::machines_of(spec_.launch).size() &&
           (spec_.program ? now - began_ >= options_.short_life_s : newest_step >= 1);
}

std::optional<std::int64_t> Restarts::smaller_batch(const run::Failure& failure, int ranks, std::int64_t limit) const {
    // What a rank needs before its first micro-batch does not depend on it. The phase of a killed rank may be outdated.
    const bool needed_by_batch = failure.signal || (!failure.phase.empty() && failure.phase != "init");
    if (spec_.program || !spec_.recipe.training.auto_find_batch_size || !failure.out_of_memory || !needed_by_batch)
        return std::nullopt;
    for (std::int64_t size = config::on_ranks(spec_.recipe, ranks, limit).training.batch_size / 2; size > 0; size /= 2)
        try {
            return config::on_ranks(spec_.recipe, ranks, size).training.batch_size;
        } catch (const UserError&) {  // not a number of micro-batches that the schedule of a pipeline can have
        }
    return 0;
}

Message Restarts::why_not(const run::Failure& failure, bool ends_for_good, int restarts) const {
    if (ends_for_good)
        return "the run was asked to stop";
    if (restarts >= spec_.launch.max_restarts)
        return spec_.launch.max_restarts == 0 ? Message()
               : restarts == 1                ? Message("its only restart is used up")
                                              : Message("{} restarts are used up", restarts);
    if (spec_.program)
        return {};
    if (failure.exit_code == kExitUsage)
        return "it would fail again";
    if (without_step_ >= kFruitlessGenerations)
        return Message("{} times in a row it failed before the first step", without_step_);
    return {};
}

Restarts::Decision Restarts::after_failure(const run::Failure& failure, bool ends_for_good, int restarts,
                                           std::int64_t newest_step, double now) {
    short_lives_ = now - began_ < options_.short_life_s ? short_lives_ + 1 : 0;
    without_step_ = newest_step > 0 ? 0 : without_step_ + 1;
    Decision decision{.why_not = why_not(failure, ends_for_good, restarts)};
    decision.again = decision.why_not.empty() && spec_.launch.max_restarts != 0;
    if (decision.again && short_lives_ > 1)
        decision.wait_s = std::min(kLongestBackoff, options_.backoff_s * (1 << std::min(short_lives_ - 2, 10)));
    return decision;
}

}  // namespace trainyard::launch
