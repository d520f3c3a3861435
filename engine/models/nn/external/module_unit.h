// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A torch module as a unit. Inside of models/nn/external.

#include <string>
#include <vector>

#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/unit.h"
#include "models/spec/model_config.h"

namespace trainyard::models {

class ModuleUnit : public parallel::Unit {
  public:
    /// Copies what the module had when it was made into the parameters.
    void start_values(const parallel::FlatArena& arena);

  protected:
    ModuleUnit(std::string name, const families::ModelConfig& config);
    /// The module's tensors, handles of which are kept. Throws UserError for parameters that are not fp32.
    void adopt(const NamedTensors& parameters, const NamedTensors& buffers);
    /// Outputs of a batch: tokens as input_ids, attention_mask, and further inputs.
    virtual at::Tensor run(const NamedTensors& inputs) = 0;
    virtual void set_training(bool training) = 0;

  private:
    parallel::Tensors forward(const parallel::Tensors& inputs, parallel::StepContext& context) override;
    void place_tensors(bool training);
    at::Tensor loss(const at::Tensor& outputs, const parallel::StepContext& context) const;

    struct Own {
        at::Tensor tensor;  ///< of the module
        parallel::Parameter* parameter;
        at::Tensor start;  ///< until start_values()
    };
    struct OwnBuffer {
        at::Tensor tensor;
        parallel::Buffer* buffer;
    };
    families::ModelConfig config_;
    std::vector<Own> own_;
    std::vector<OwnBuffer> own_buffers_;
};

}  // namespace trainyard::models
