// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models that the engine runs and does not compute itself: of a plug-in (models/plugins/trainyard/plugin.h), and
// modules that
// torch.jit.save wrote. A model is one unit. Its module's tensors are views of the unit's parameters and buffers, so
// that everything about a run (flat groups, shards, checkpoints, averages) holds for it, too; autograd's gradients are
// added to the flat buffers as they arrive.

#include <memory>
#include <string>

#include "models/nn/model.h"

namespace trainyard::models {

class ModuleUnit;

class ExternalModel : public Model {
  public:
    std::vector<parallel::Unit*> blocks() const override { return {}; }
    /// It is not cut into pipeline stages: std::logic_error.
    parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                    at::Device device) const override;
    double count_targets(const parallel::StepContext& context) const override;
    void start_values(const parallel::FlatArena& arena) override;

  protected:
    ExternalModel(const families::ModelConfig& config, std::unique_ptr<ModuleUnit> unit);
};

/// Throws UserError: no such model in a plug-in, or what the plug-in threw.
std::unique_ptr<Model> make_plugin_model(const families::ModelConfig& config);
/// Throws UserError: no file of torch.jit.save, parameters that are not fp32.
std::unique_ptr<Model> make_script_model(const families::ModelConfig& config, const std::string& file);

}  // namespace trainyard::models
