#pragma once
// A network as a list of units. What is here is mathematics; ranks, shards, devices and dtypes of storage are elsewhere.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "config/recipe.h"
#include "parallel/flat_group.h"
#include "parallel/unit.h"

namespace trainyard::models {

class Model {
  public:
    explicit Model(families::ModelConfig config) : config_(std::move(config)) {}
    virtual ~Model() = default;

    std::vector<parallel::Unit*> units() const;
    /// One group of parameters per unit, in the order of the units.
    std::vector<parallel::GroupRequest> groups() const;
    /// Runs all units. With labels: the root of backward, loss_scale * summed loss (0-dim), see next_token_loss() on when it is known;
    /// without: the last hidden states.
    at::Tensor forward(parallel::StepContext& context) const;
    /// Units that repeat and hold most activations, in their order: what activation checkpointing recomputes and pipelines cut between.
    virtual std::vector<parallel::Unit*> blocks() const = 0;
    /// What each block costs for a token of a sequence of `seq` tokens, beside each other, with what goes before the first and behind the last one.
    std::vector<double> block_costs(std::int64_t seq) const;
    /// Empty tensors of the shapes and dtypes that flow between blocks.
    virtual parallel::Tensors empty_streams(std::int64_t batch, std::int64_t seq, at::Device device) const = 0;

    /// Floating-point operations of forward and backward for one token of a sequence of `seq` tokens (families/family.h).
    double flops_per_token(std::int64_t seq) const;
    /// Hugging Face's config.json of what is trained.
    std::string config_json() const;

  protected:
    families::ModelConfig config_;
    std::vector<std::unique_ptr<parallel::Unit>> units_;
};

std::unique_ptr<Model> make_model(const config::ModelRecipe& recipe);

}  // namespace trainyard::models
