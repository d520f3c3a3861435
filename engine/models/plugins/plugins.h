// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Loads the plug-ins of a recipe and finds the parts that they register by name. These parts extend the tables of the
// engine: models in models/nn/external, data sets in train/sample_set, losses in models/nn/kernels/class_loss,
// metrics in train/held_out_metrics.

#include <memory>
#include <string>
#include <vector>

#include <trainyard/plugin.h>

namespace trainyard::plugins {

/// Loads libraries for the rest of the process; those that are loaded already stay. Throws UserError with one sentence:
/// missing, no shared library, without the entry, of another version, with a name that is taken.
void load(const std::vector<std::string>& files);

/// Of a recipe's arguments (JSON). Throws UserError if no plug-in has the name, or with what the plug-in threw.
std::shared_ptr<plugin::Model> make_model(const std::string& name, const std::string& arguments);
std::unique_ptr<plugin::DataSet> make_data_set(const std::string& name, const std::string& arguments);
std::unique_ptr<plugin::Metric> make_metric(const std::string& name);
/// nullptr if no plug-in has it.
const plugin::Loss* find_loss(const std::string& name);
/// Returns the loss of this name. Throws UserError listing the available names if no plug-in has it.
const plugin::Loss& loss_named(const std::string& name);

/// The sum of a loss of a plug-in over the labels that count, 0-dim float64.
at::Tensor summed_loss(const std::string& name, const at::Tensor& outputs, const at::Tensor& labels);
/// Labels that count: neither -100 nor NaN; bool, of their shape.
at::Tensor counted_labels(const at::Tensor& labels);

}  // namespace trainyard::plugins
