// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/external/external_model.h"

#include <stdexcept>

#include <fmt/format.h>

#include "models/nn/external/module_unit.h"
#include "models/plugins/plugins.h"
#include "models/spec/tasks.h"

namespace trainyard::models {

namespace {

class PluginUnit final : public ModuleUnit {
  public:
    explicit PluginUnit(const families::ModelConfig& config)
        : ModuleUnit(fmt::format("the model {}", config.plugin), config),
          plugin_(config.plugin),
          module_(plugins::make_model(config.plugin, config.arguments.text)) {
        NamedTensors parameters, buffers;
        for (const auto& item : module_->named_parameters())
            parameters.emplace_back(item.key(), item.value());
        for (const auto& item : module_->named_buffers())
            buffers.emplace_back(item.key(), item.value());
        adopt(parameters, buffers);
    }

  private:
    at::Tensor run(const NamedTensors& inputs) override {
        return plugins::call_part(plugins::Part::model, plugin_, [&] {
            return module_->forward({inputs.begin(), inputs.end()});
        });
    }
    void set_training(bool training) override { module_->train(training); }

    std::string plugin_;  ///< the model's name in its plug-in
    std::shared_ptr<plugin::Model> module_;
};

class PluginModel final : public ExternalModel {
  public:
    explicit PluginModel(const families::ModelConfig& config)
        : ExternalModel(config, std::make_unique<PluginUnit>(config)) {}
};

}  // namespace

ExternalModel::ExternalModel(const families::ModelConfig& config, std::unique_ptr<ModuleUnit> unit) : Model(config) {
    units_.push_back(std::move(unit));
}

parallel::Tensors ExternalModel::empty_streams(const parallel::Unit&, const parallel::StepContext&, at::Device) const {
    throw std::logic_error(config_.model_type + " is not cut into pipeline stages");
}

double ExternalModel::count_targets(const parallel::StepContext& context) const {
    if (config_.task == families::kCausalLm && config_.loss.empty())
        return Model::count_targets(context);
    return plugins::counted_labels(context.labels).sum().item<double>();
}

void ExternalModel::start_values(const parallel::FlatArena& arena) {
    for (const auto& unit : units_)
        static_cast<ModuleUnit&>(*unit).start_values(arena);
}

std::unique_ptr<Model> make_plugin_model(const families::ModelConfig& config) {
    return std::make_unique<PluginModel>(config);
}

}  // namespace trainyard::models
