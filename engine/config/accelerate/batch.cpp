// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/accelerate/batch.h"

#include <algorithm>
#include <cmath>

namespace trainyard::settings {

namespace {

// The product of three of these still fits.
constexpr std::int64_t kMost = std::int64_t{1} << 20;

std::int64_t at_least_one(std::int64_t value) {
    return std::clamp<std::int64_t>(value, 1, kMost);
}

/// Returns the learning rate after the effective batch size changed by `ratio`.
double scaled(double learning_rate, double ratio, LearningRateRule rule) {
    switch (rule) {
        case LearningRateRule::keep:
            return learning_rate;
        case LearningRateRule::linear:
            return learning_rate * ratio;
        case LearningRateRule::square_root:
            return learning_rate * std::sqrt(ratio);
    }
    return learning_rate;
}

}  // namespace

BatchFacts facts(const BatchSetup& setup) {
    BatchFacts facts;
    facts.effective_batch =
        at_least_one(setup.batch_per_rank) * at_least_one(setup.ranks) * at_least_one(setup.accumulation);
    if (setup.samples_per_epoch > 0)
        facts.optimizer_steps_per_epoch = (setup.samples_per_epoch - 1) / facts.effective_batch + 1;
    return facts;
}

std::vector<BatchChoice> choices_on(const BatchSetup& setup, std::int64_t ranks, LearningRateRule rule) {
    ranks = at_least_one(ranks);
    std::int64_t wanted = facts(setup).effective_batch;
    std::vector<BatchChoice> choices;
    auto add = [&](std::int64_t batch, std::int64_t accumulation, Message why) {
        BatchChoice choice{setup, std::move(why)};
        choice.setup.ranks = ranks;
        choice.setup.batch_per_rank = batch;
        choice.setup.accumulation = accumulation;
        double ratio = static_cast<double>(facts(choice.setup).effective_batch) / static_cast<double>(wanted);
        choice.setup.learning_rate = scaled(setup.learning_rate, ratio, rule);
        bool there = std::any_of(choices.begin(), choices.end(), [&](const BatchChoice& other) {
            return other.setup.batch_per_rank == batch && other.setup.accumulation == accumulation;
        });
        if (!there)
            choices.push_back(std::move(choice));
    };
    std::int64_t batch = at_least_one(setup.batch_per_rank);
    // Each rank must take wanted / ranks samples in a step.
    if (wanted % ranks == 0) {
        std::int64_t share = wanted / ranks;
        if (share % batch == 0)
            add(batch, share / batch, Message("same effective batch with accumulation {}", share / batch));
        if (share % at_least_one(setup.accumulation) == 0 && share / at_least_one(setup.accumulation) <= batch)
            add(share / at_least_one(setup.accumulation), at_least_one(setup.accumulation),
                Message("same effective batch with {} per rank", share / at_least_one(setup.accumulation)));
        // The largest batch that needs no more memory than now.
        for (std::int64_t smaller = std::min(batch, share); smaller >= 1; --smaller)
            if (share % smaller == 0) {
                add(smaller, share / smaller,
                    Message("same effective batch with {} per rank and accumulation {}", smaller, share / smaller));
                break;
            }
    }
    Message effect;
    BatchSetup unchanged = setup;
    unchanged.ranks = ranks;
    std::int64_t now = facts(unchanged).effective_batch;
    switch (rule) {
        case LearningRateRule::keep:
            effect = "the learning rate as it is";
            break;
        case LearningRateRule::linear:
            effect = "the learning rate in proportion";
            break;
        case LearningRateRule::square_root:
            effect = "the learning rate with the square root";
            break;
    }
    add(batch, at_least_one(setup.accumulation),
        now == wanted ? Message("nothing changes") : Message("effective batch {}, {}", now, effect));
    return choices;
}

}  // namespace trainyard::settings
