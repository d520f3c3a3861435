// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Classes of classification tasks in config.json: num_labels, id2label, problem_type.

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "models/spec/family.h"

namespace trainyard::families {

inline constexpr const char* kRegression = "regression";
inline constexpr const char* kSingleLabel = "single_label_classification";
inline constexpr const char* kMultiLabel = "multi_label_classification";

inline constexpr const char* kSpans = "spans";  ///< question_answering: where an answer begins and ends

// Losses of sentence embeddings (model.loss), as sentence-transformers defines them.
inline constexpr const char* kRankingLoss = "multiple_negatives_ranking";
inline constexpr const char* kCosineLoss = "cosine_similarity";

/// What problem_type stands for where it is not given: one label is a regression.
std::string problem_of(const ModelConfig& config);
/// The loss: that of the problem, or the recipe's model.loss.
std::string loss_of(const ModelConfig& config);
/// id2label says how many there are, in files of transformers.
void count_labels(nlohmann::json& config);
/// With the names LABEL_0, LABEL_1, ... where id2label has not as many as num_labels.
ModelConfig with_label_names(const ModelConfig& config);
void check_labels(const ModelConfig& config, std::vector<ConfigProblem>& problems);
/// Names of the classes, in the order of their numbers.
std::vector<std::string> label_names(const ModelConfig& config);

}  // namespace trainyard::families
