// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/class_loss.h"

#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/zeros_like.h>

#include "models/nn/kernels/cross_entropy.h"
#include "models/plugins/plugins.h"
#include "models/spec/labels.h"

namespace trainyard::models {

namespace {

/// Labels that count.
at::Tensor counted(const std::string& problem, const at::Tensor& labels) {
    if (problem == families::kSingleLabel)
        return labels.ne(kIgnoredLabel);
    if (problem == families::kSpans)
        return labels.select(-1, 0).ne(kIgnoredLabel);
    if (problem == families::kMultiLabel)
        return labels.ge(0);
    return problem == families::kRegression ? labels.isnan().logical_not() : plugins::counted_labels(labels);
}

}  // namespace

double count_class_targets(const std::string& problem, const at::Tensor& labels) {
    return counted(problem, labels).sum().item<double>();
}

at::Tensor class_loss(const std::string& problem, const at::Tensor& logits, const at::Tensor& labels) {
    if (problem == families::kSpans) {
        const at::Tensor scores = logits.to(at::kFloat);
        const auto edge = [&](std::int64_t number) {
            return at::cross_entropy_loss(scores.select(-1, number), labels.select(-1, number), {}, at::Reduction::Sum,
                                          kIgnoredLabel)
                .to(at::kDouble);
        };
        return edge(0).add(edge(1)).div(2);
    }
    if (problem != families::kSingleLabel && problem != families::kMultiLabel && problem != families::kRegression)
        return plugins::summed_loss(problem, logits, labels);
    const at::Tensor rows = logits.to(at::kFloat).reshape({-1, logits.size(-1)});
    if (problem == families::kSingleLabel)
        return at::cross_entropy_loss(rows, labels.reshape({-1}), {}, at::Reduction::Sum, kIgnoredLabel)
            .to(at::kDouble);
    const at::Tensor mask = counted(problem, labels).view_as(rows).to(at::kFloat);
    const at::Tensor wanted = labels.to(at::kFloat).view_as(rows).nan_to_num(0).mul(mask);
    if (problem == families::kMultiLabel)
        return at::binary_cross_entropy_with_logits(rows, wanted, mask, {}, at::Reduction::Sum).to(at::kDouble);
    return rows.sub(wanted).mul(mask).square().sum(at::kDouble);
}

}  // namespace trainyard::models
