// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Loads the plug-ins of a recipe and finds the parts that they register by name. These parts extend the tables of the
// engine: models in models/nn/external, data sets in train/sample_set, losses in models/nn/kernels/class_loss, steps in
// train/own_step, metrics in train/held_out_metrics, trackers in worker/plugin_trackers.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <trainyard/plugin.h>

#include "base/message.h"

namespace trainyard::plugins {

enum class Part { model, data_set, loss, step, metric, tracker };

/// Loads libraries for the rest of the process; those that are loaded already stay. Throws UserError with one sentence:
/// missing, no shared library, without the entry, of another version, with a name that is taken.
void load(const std::vector<std::string>& files);

/// Of a recipe's arguments (JSON). Throws UserError if no plug-in has the name, or with what the plug-in threw.
std::shared_ptr<plugin::Model> make_model(const std::string& name, const std::string& arguments);
std::unique_ptr<plugin::DataSet> make_data_set(const std::string& name, const std::string& arguments);
std::unique_ptr<plugin::Step> make_step(const std::string& name);
std::unique_ptr<plugin::Metric> make_metric(const std::string& name);
/// Returns the loss of this name. Throws UserError listing the available names if no plug-in has it.
const plugin::Loss& loss_named(const std::string& name);

std::unique_ptr<plugin::Tracker> make_tracker(const std::string& name, const plugin::TrackerContext& context);
/// Returns the names of this part that the loaded plug-ins have registered.
std::vector<std::string> names_of(Part part);
/// Throws UserError listing the available names if no plug-in has the part.
void require(Part part, const std::string& name);
/// Returns the name of the plug-in that has registered a part.
std::string plugin_of(Part part, const std::string& name);

/// Returns the text of the exception that is being handled.
Message current_message();
/// Throws the exception that is being handled as a UserError with the names of the plug-in and the part.
[[noreturn]] void rethrow_with_names(Part part, const std::string& name);
/// Calls code of a plug-in. Throws UserError with the names of the plug-in and the part for whatever that code throws.
template <class Call>
auto call_part(Part part, const std::string& name, Call&& call) {
    try {
        return std::forward<Call>(call)();
    } catch (...) {
        rethrow_with_names(part, name);
    }
}

/// The sum of a loss of a plug-in over the labels that count, 0-dim float64.
at::Tensor summed_loss(const std::string& name, const at::Tensor& outputs, const at::Tensor& labels);
/// The same of the step of this name.
at::Tensor summed_loss(const plugin::Step& step, const std::string& name, const at::Tensor& outputs,
                       const at::Tensor& labels, const plugin::Inputs& batch);
/// Labels that count: neither -100 nor NaN; bool, of their shape.
at::Tensor counted_labels(const at::Tensor& labels);

}  // namespace trainyard::plugins
