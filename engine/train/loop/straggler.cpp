// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/straggler.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/text.h"
#include "train/loop/gather_numbers.h"

namespace trainyard::train {

Message Straggler::sentence(std::int64_t step) const {
    return Message(
        "step {}: rank {} holds up the others: {} of its own for a step, the others {} (median), "
        "{} rounds in a row",
        step, rank, text::duration(seconds), text::duration(median), rounds);
}

std::vector<Straggler> StragglerDetector::observe(std::span<const double> seconds_of_ranks) {
    slow_rounds_.resize(seconds_of_ranks.size());
    std::vector<Straggler> told;
    for (std::size_t rank = 0; seconds_of_ranks.size() > 1 && rank < seconds_of_ranks.size(); ++rank) {
        std::vector<double> others;
        for (std::size_t other = 0; other < seconds_of_ranks.size(); ++other)
            if (other != rank)
                others.push_back(seconds_of_ranks[other]);
        // The lower of two middle ones: half of the others may be slow themselves.
        const auto middle = others.begin() + static_cast<std::ptrdiff_t>((others.size() - 1) / 2);
        std::nth_element(others.begin(), middle, others.end());
        const double seconds = seconds_of_ranks[rank];
        const bool slow = seconds > options_.factor * *middle && seconds > *middle + options_.least_seconds;
        slow_rounds_[rank] = slow ? slow_rounds_[rank] + 1 : 0;
        if (slow && slow_rounds_[rank] % std::max<std::int64_t>(options_.persistence, 1) == 0)
            told.push_back({static_cast<int>(rank), seconds, *middle, slow_rounds_[rank]});
    }
    return told;
}

StragglerWatch::StragglerWatch(parallel::Communicator& communicator, StragglerOptions options)
    : communicator_(communicator), options_(options), detector_(options) {}

std::vector<Straggler> StragglerWatch::step(double seconds, double waited_seconds) {
    own_ += std::max(0.0, seconds - waited_seconds);
    if (options_.every <= 0 || ++steps_ < options_.every)
        return {};
    newest_.clear();
    for (const auto& row :
         gather_numbers(std::vector<double>{own_ / static_cast<double>(steps_)}, communicator_, "step times"))
        newest_.push_back(row.front());
    own_ = 0;
    steps_ = 0;
    return detector_.observe(newest_);
}

}  // namespace trainyard::train
