// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/kernels/embedding_loss.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/matmul.h>

#include "models/nn/kernels/cross_entropy.h"
#include "models/spec/labels.h"

namespace trainyard::models {

at::Tensor pair_cosines(const at::Tensor& embeddings) {
    return embeddings.select(1, 0).mul(embeddings.select(1, 1)).sum(-1);
}

at::Tensor embedding_loss(const std::string& loss, const at::Tensor& embeddings, const at::Tensor& labels) {
    const at::Tensor all = embeddings.to(at::kFloat);
    if (loss == families::kCosineLoss) {
        const at::Tensor counted = labels.isnan().logical_not();
        return pair_cosines(all)
            .sub(labels.to(at::kFloat).nan_to_num(0))
            .mul(counted.to(at::kFloat))
            .square()
            .sum(at::kDouble);
    }
    const at::Tensor places = labels.ne(kIgnoredLabel).nonzero().view({-1});
    const at::Tensor pairs = all.index_select(0, places);
    const at::Tensor scores = at::matmul(pairs.select(1, 0), pairs.select(1, 1).t()).mul(kRankingScale);
    return at::cross_entropy_loss(scores, at::arange(places.numel(), labels.options()), {}, at::Reduction::Sum)
        .to(at::kDouble);
}

}  // namespace trainyard::models
