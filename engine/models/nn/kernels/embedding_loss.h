// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses of sentence embeddings, as sentence-transformers defines them.
//   multiple_negatives_ranking: the second text of every pair is discriminated from those of the other pairs of the
//     micro-batch. Henderson et al., "Efficient natural language response suggestion for Smart Reply", 2017; scores are
//     20 * cosine. Labels -100: the pair is left out, also as a negative.
//   cosine_similarity: squared difference of the cosine and the label. Labels NaN: the pair is left out.

#include <string>

#include <ATen/core/Tensor.h>

namespace trainyard::models {

inline constexpr double kRankingScale = 20;

/// Cosines of the pairs, of unit vectors [pairs, 2, width].
at::Tensor pair_cosines(const at::Tensor& embeddings);

/// The sum over pairs, 0-dim float64. `loss`: a name of models/spec/labels.h.
at::Tensor embedding_loss(const std::string& loss, const at::Tensor& embeddings, const at::Tensor& labels);

}  // namespace trainyard::models
