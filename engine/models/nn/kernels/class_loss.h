// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Losses of classification and regression heads, as transformers' ...ForSequenceClassification computes them.

#include <string>

#include <ATen/core/Tensor.h>

namespace trainyard::models {

/// What a step's loss is a mean over: samples with a label other than -100, or numbers.
double count_class_targets(const std::string& problem, const at::Tensor& labels);

/// The sum over targets, 0-dim float64. logits [..., classes]. `problem` is one of models/spec/labels.h:
///   single_label_classification: labels [...] int64, -100: not counted
///   multi_label_classification:  labels [..., classes], 0 or 1; below 0: not counted
///   spans:                       logits [rows, tokens, 2], labels [rows, 2 or more]: the tokens where an answer begins
///                                and ends (-100: not counted); the mean of both losses
///   regression:                  labels [...] or [..., classes]; NaN: not counted
/// Another name is that of a plug-in's loss (models/plugins/trainyard/plugin.h).
at::Tensor class_loss(const std::string& problem, const at::Tensor& logits, const at::Tensor& labels);

}  // namespace trainyard::models
