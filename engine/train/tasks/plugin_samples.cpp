// SPDX-License-Identifier: GPL-3.0-or-later
// The samples of a plug-in's data set (models/plugins/trainyard/plugin.h), of any task: tensors of its own names, one
// row each.

#include <ATen/ops/stack.h>

#include <fmt/format.h>

#include "base/error.h"
#include "models/plugins/plugins.h"
#include "train/tasks/task_table.h"

namespace trainyard::train {

namespace {

class PluginSamples final : public SampleSet {
  public:
    explicit PluginSamples(const config::Recipe& recipe) : name_(recipe.data.plugin) {
        plugins::load(recipe.plugins);
        set_ = plugins::make_data_set(name_, recipe.data.arguments);
        const std::int64_t samples = plugins::call_part(plugins::Part::data_set, name_, [&] { return set_->size(); });
        if (samples < 1)
            throw UserError("data.plugin: the data set '{}' has no samples", name_);
        cut_ = Cut(samples, recipe.data.validation_fraction);
        const std::map<std::string, at::Tensor> first = sample(0);
        const auto labels = first.find("labels");
        if (labels == first.end() || first.size() < 2)
            throw UserError(
                "data.plugin: a sample of the data set '{}' must have labels and at "
                "least one input of the model",
                name_);
        targets_ = std::max<std::int64_t>(1, labels->second.numel());
    }
    std::int64_t training_samples() const override { return cut_.training; }
    std::int64_t validation_samples() const override { return cut_.held_out; }
    std::int64_t targets_per_sample(std::int64_t) const override { return targets_; }

    Tree batch(bool held_out, std::span<const std::int64_t> indices, std::int64_t) const override {
        std::map<std::string, std::vector<at::Tensor>> columns;
        for (const std::int64_t index : indices)
            for (auto& [name, tensor] : sample(cut_.place(held_out, index)))
                columns[name].push_back(std::move(tensor));
        Tree made = Tree::dict({});
        for (const auto& [name, rows] : columns) {
            for (const at::Tensor& row : rows)
                if (rows.size() != indices.size() || !row.sizes().equals(rows.front().sizes()))
                    throw UserError(
                        "data.plugin: samples of the data set '{}' differ in what they have, or in "
                        "the shape of '{}': fill them up to one shape",
                        name_, name);
            made.set(name == "input_ids" ? "tokens" : name, at::stack(rows));
        }
        const at::Tensor labels = made.at("labels").as_tensor();
        made.set("targets", plugins::counted_labels(labels).view({labels.size(0), -1}).sum(1));
        return made;
    }

  private:
    std::map<std::string, at::Tensor> sample(std::int64_t index) const {
        return plugins::call_part(plugins::Part::data_set, name_, [&] {
            try {
                return set_->sample(index);
            } catch (const std::exception& error) {
                throw std::runtime_error(fmt::format("sample {}: {}", index, error.what()));
            }
        });
    }

    std::string name_;
    std::unique_ptr<plugin::DataSet> set_;
    std::int64_t targets_ = 1;
    Cut cut_;
};

}  // namespace

std::unique_ptr<SampleSet> open_plugin_samples(const config::Recipe& recipe) {
    return std::make_unique<PluginSamples>(recipe);
}

}  // namespace trainyard::train
