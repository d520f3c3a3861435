// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/loop/class_outcome.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include <ATen/ops/argmax.h>
#include <ATen/ops/bincount.h>

#include "run/class_report.h"

namespace trainyard::train {

namespace {

void count_pair(ClassOutcome& outcome, std::int64_t label, std::int64_t found) {
    ++outcome.counts[static_cast<std::size_t>(label * outcome.rows() + found)];
}

void count_single(ClassOutcome& outcome, const at::Tensor& scores, const at::Tensor& labels, std::int64_t first) {
    const std::int64_t classes = outcome.classes, samples = std::max<std::int64_t>(1, labels.size(0));
    const std::int64_t positions = labels.numel() / samples;
    const bool has_positions = labels.dim() > 1 && positions > 1;
    const at::Tensor rows = scores.reshape({-1, classes}), wanted = labels.reshape({-1}).contiguous();
    const at::Tensor found = rows.argmax(-1).contiguous();
    const at::Tensor probabilities = rows.softmax(-1).gather(1, wanted.clamp_min(0).unsqueeze(1)).contiguous();
    for (std::int64_t row = 0; row < wanted.numel(); ++row) {
        const std::int64_t label = wanted.const_data_ptr<std::int64_t>()[row];
        if (label < 0)
            continue;
        const std::int64_t taken_for = found.const_data_ptr<std::int64_t>()[row];
        count_pair(outcome, label, taken_for);
        outcome.worst.push_back({first + row / positions, has_positions ? row % positions : -1, label, taken_for,
                                 probabilities.const_data_ptr<double>()[row]});
    }
}

void count_several(ClassOutcome& outcome, const at::Tensor& scores, const at::Tensor& labels, std::int64_t first) {
    const std::int64_t classes = outcome.classes, none = classes;
    const at::Tensor probabilities = scores.reshape({-1, classes}).sigmoid().contiguous();
    const at::Tensor wanted = labels.reshape({-1, classes}).contiguous();
    for (std::int64_t row = 0; row < wanted.numel(); ++row) {
        const double given = wanted.const_data_ptr<double>()[row];
        if (!(given >= 0))  // -100 or NaN
            continue;
        const std::int64_t number = row % classes;
        const double probability = probabilities.const_data_ptr<double>()[row];
        const bool is_label = given > 0, is_found = probability > 0.5;
        if (is_label || is_found)
            count_pair(outcome, is_label ? number : none, is_found ? number : none);
        if (is_label || is_found)
            outcome.worst.push_back({first + row / classes, -1, is_label ? number : none, is_found ? number : none,
                                     is_label ? probability : 1 - probability});
    }
}

void count_pixels(ClassOutcome& outcome, const at::Tensor& logits, const at::Tensor& labels, std::int64_t first) {
    const std::int64_t classes = outcome.classes;
    const at::Tensor found = logits.reshape({labels.size(0), -1, classes}).argmax(-1);
    const at::Tensor wanted = labels.reshape({labels.size(0), -1});
    for (std::int64_t image = 0; image < wanted.size(0); ++image) {
        const at::Tensor counted = wanted[image].ge(0);
        const at::Tensor pairs =
            wanted[image].masked_select(counted).mul(classes).add(found[image].masked_select(counted));
        if (pairs.numel() == 0)
            continue;
        const at::Tensor counts = at::bincount(pairs, {}, classes * classes).contiguous();
        const auto* of_pair = counts.const_data_ptr<std::int64_t>();
        std::int64_t right = 0, worst = -1;
        for (std::int64_t pair = 0; pair < classes * classes; ++pair) {
            outcome.counts[static_cast<std::size_t>(pair)] += of_pair[pair];
            if (pair / classes == pair % classes)
                right += of_pair[pair];
            else if (of_pair[pair] > 0 && (worst < 0 || of_pair[pair] > of_pair[worst]))
                worst = pair;
        }
        // An image is named with the classes that were confused most.
        if (worst >= 0)
            outcome.worst.push_back({first + image, -1, worst / classes, worst % classes,
                                     static_cast<double>(right) / static_cast<double>(pairs.numel())});
    }
}

}  // namespace

void keep_worst(std::vector<ClassOutcome::Sample>& samples) {
    const std::size_t kept = std::min(samples.size(), run::kWorstSamples);
    std::ranges::partial_sort(samples, samples.begin() + static_cast<std::ptrdiff_t>(kept), {},
                              [](const ClassOutcome::Sample& sample) {
                                  return std::tuple(std::isnan(sample.probability) ? -1.0 : sample.probability,
                                                    sample.number, sample.position, sample.label, sample.found);
                              });
    samples.resize(kept);
}

void count_classes(ClassOutcome& outcome, const at::Tensor& logits, const at::Tensor& labels, std::int64_t first) {
    const at::Tensor wanted = labels.to(at::kCPU);
    if (outcome.kind == ClassOutcome::Kind::pixels) {
        count_pixels(outcome, logits.detach().to(at::kCPU), wanted.to(at::kLong), first);
    } else {
        const at::Tensor scores = logits.detach().to(at::kCPU, at::kDouble);
        if (outcome.kind == ClassOutcome::Kind::several)
            count_several(outcome, scores, wanted.to(at::kDouble), first);
        else
            count_single(outcome, scores, wanted.to(at::kLong), first);
    }
    keep_worst(outcome.worst);
}

}  // namespace trainyard::train
