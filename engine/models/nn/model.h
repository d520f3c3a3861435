// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A network as a list of units. This code is mathematics only; ranks, sharding, devices and storage dtypes are handled
// elsewhere.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"
#include "distributed/parallel/flat_group.h"
#include "distributed/parallel/unit.h"

namespace trainyard::families {
struct SampleSize;
}

namespace trainyard::models {

class RouterStep;

class Model {
  public:
    explicit Model(families::ModelConfig config) : config_(std::move(config)) {}
    virtual ~Model() = default;

    std::vector<parallel::Unit*> units() const;
    /// One parameter group per unit, in the order of the units.
    std::vector<parallel::GroupRequest> groups() const;
    /// Runs all units. With labels: returns the root of backward, loss_scale * summed loss (0-dim); see
    /// next_token_loss() for when its value is known. Without labels: returns the last hidden states.
    at::Tensor forward(parallel::StepContext& context) const;
    /// The repeated units, which hold most activations, in order: activation checkpointing recomputes them, and
    /// pipelines are split between them.
    virtual std::vector<parallel::Unit*> blocks() const = 0;
    /// Relative cost of each block for a sequence of `seq` tokens, including the head in the last block.
    std::vector<double> block_costs(std::int64_t seq) const;
    /// Empty tensors with the shapes and dtypes of what a block takes, other than the first one; `context` has the inputs of the micro-batch.
    virtual parallel::Tensors empty_streams(const parallel::Unit& block, const parallel::StepContext& context,
                                            at::Device device) const = 0;

    /// Positions of the residual stream that this rank has.
    static std::int64_t stream_length(const parallel::StepContext& context);

    /// After the parameters' initialisers: models whose values are made with them (models/nn/external) copy these into
    /// `arena`.
    virtual void start_values(const parallel::FlatArena& /*arena*/) {}

    /// Number of the expert of its block that a parameter belongs to; -1: of none.
    virtual std::int64_t expert_of(const parallel::Parameter& /*parameter*/) const { return -1; }
    /// Experts of each block that has some; 0: there are none.
    virtual std::int64_t experts() const { return 0; }
    /// For StepContext::router; null where no loss of routers is trained. `data`: the ranks whose tokens count
    /// together, null: this rank alone.
    virtual std::shared_ptr<RouterStep> make_router_step(parallel::Communicator* /*data*/,
                                                         at::Device /*device*/) const {
        return nullptr;
    }

    /// Labels of the micro-batch that its loss counts. The loss of a step is a mean over them.
    virtual double count_targets(const parallel::StepContext& context) const;

    const families::ModelConfig& config() const { return config_; }
    /// Floating-point operations of forward and backward for a sample (models/spec/family.h).
    double flops_per_sample(const families::SampleSize& size) const;
    /// Hugging Face's config.json of the trained model.
    std::string config_json() const;

  protected:
    families::ModelConfig config_;
    std::vector<std::unique_ptr<parallel::Unit>> units_;
};

std::unique_ptr<Model> make_model(const config::ModelRecipe& recipe);

}  // namespace trainyard::models
