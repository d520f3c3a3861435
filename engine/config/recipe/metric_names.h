// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Metrics of training.metrics that need no plug-in.

#include <optional>
#include <string>
#include <vector>

#include "models/spec/model_config.h"

namespace trainyard::config {

/// A metric of classifications, as scikit-learn's functions of these names compute it.
struct ClassMetric {
    enum class Figure { f1, precision, recall };
    /// usual: of class 1 if the labels have two classes, else macro.
    enum class Average { usual, macro, micro, weighted };
    std::string name;
    Figure figure = Figure::f1;
    Average average = Average::usual;
};

const std::vector<ClassMetric>& class_metrics();
/// Precision, recall and F1 of entities, overall and by type, under the names of transformers' examples: overall_f1,
/// PER_f1.
inline constexpr const char* kSeqeval = "seqeval";
/// Curves of kSeqeval that do not depend on the data.
const std::vector<std::string>& seqeval_curves();
/// Curves that every evaluation of semantic_segmentation has besides accuracy, the share of the pixels.
inline constexpr const char* kMeanIou = "mean_iou";            ///< mean over the classes of intersection / union
inline constexpr const char* kMeanAccuracy = "mean_accuracy";  ///< mean over the classes of the shares of their pixels
/// Curves that every evaluation of speech_pretraining has besides accuracy, the share of the masked frames whose code
/// is found among those of others.
inline constexpr const char* kContrastiveLoss = "contrastive_loss";            ///< eval/loss without that of the codes
inline constexpr const char* kCodevectorPerplexity = "codevector_perplexity";  ///< codes that are in use, as a number
inline constexpr const char* kPerplexity = "perplexity";                       ///< exp(eval/loss) of language models

/// The name in training.metrics of what computes a curve: seqeval of overall_f1.
std::string metric_of_curve(const std::string& name);
/// Whether this version computes a metric of that name, for one task or another.
bool is_built_in_metric(const std::string& name);
/// What training.metrics may name for the model's task and loss.
std::vector<std::string> built_in_metrics(const families::ModelConfig& model);
/// The metrics of the task that every evaluation computes.
std::vector<std::string> task_metrics(const families::ModelConfig& model);

}  // namespace trainyard::config
