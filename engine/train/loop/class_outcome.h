// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a classification with one label per sample found: which classes were taken for which, and the samples whose
// label is least likely. Shared by recipes and programs. Inside this library and its users.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <ATen/core/Tensor.h>
#include <ATen/ops/argmax.h>

namespace trainyard::train {

struct ClassOutcome {
    static constexpr std::size_t kWorst = 20;

    struct Sample {
        std::int64_t number = 0;
        std::int64_t label = 0, found = 0;
        double probability = 0;  ///< of the label
    };
    std::int64_t classes = 0;
    std::vector<std::int64_t> counts;  ///< [label, found]
    std::vector<Sample> worst;         ///< lowest probability of the label first

    void reset() {
        counts.assign(static_cast<std::size_t>(classes * classes), 0);
        worst.clear();
    }
};

/// Keeps ClassOutcome::kWorst of them. Equal probabilities are ordered by number, so that the result does not depend on
/// the number of ranks.
inline void keep_worst(std::vector<ClassOutcome::Sample>& samples) {
    const std::size_t kept = std::min(samples.size(), ClassOutcome::kWorst);
    std::ranges::partial_sort(
        samples, samples.begin() + static_cast<std::ptrdiff_t>(kept), {}, [](const ClassOutcome::Sample& sample) {
            return std::pair(std::isnan(sample.probability) ? -1.0 : sample.probability, sample.number);
        });
    samples.resize(kept);
}

/// Counts a batch: logits [samples, classes], labels [samples] of at least 0, or -100: not counted. `first`: number of
/// its first sample.
inline void count_classes(ClassOutcome& outcome, const at::Tensor& logits, const at::Tensor& labels,
                          std::int64_t first) {
    const std::int64_t classes = outcome.classes;
    const at::Tensor wanted = labels.reshape({-1}).to(at::kCPU, at::kLong).contiguous();
    const at::Tensor scores = logits.detach().reshape({-1, classes}).to(at::kCPU, at::kDouble);
    const at::Tensor found = scores.argmax(-1).contiguous();
    const at::Tensor probabilities = scores.softmax(-1).gather(1, wanted.clamp_min(0).unsqueeze(1)).contiguous();
    for (std::int64_t row = 0; row < wanted.numel(); ++row) {
        const std::int64_t label = wanted.const_data_ptr<std::int64_t>()[row];
        if (label < 0)
            continue;
        const std::int64_t taken_for = found.const_data_ptr<std::int64_t>()[row];
        ++outcome.counts[static_cast<std::size_t>(label * classes + taken_for)];
        outcome.worst.push_back({first + row, label, taken_for, probabilities.const_data_ptr<double>()[row]});
    }
    keep_worst(outcome.worst);
}

}  // namespace trainyard::train
