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
    virtual ~Model() = default;

    std::vector<parallel::Unit*> units() const;
    /// One group of parameters per unit, in the order of the units.
    std::vector<parallel::GroupRequest> groups() const;
    /// Runs all units; returns the root of backward, loss_scale * summed loss (0-dim).
    at::Tensor forward(parallel::StepContext& context) const;

    /// Floating-point operations of forward and backward for one token of a sequence of `seq` tokens: 6 per weight that is multiplied,
    /// 12 * layers * width * seq of attention (Chowdhery et al., "PaLM", 2022, appendix B).
    virtual double flops_per_token(std::int64_t seq) const = 0;
    /// Hugging Face's config.json.
    virtual std::string config_json() const = 0;

  protected:
    std::vector<std::unique_ptr<parallel::Unit>> units_;
};

std::unique_ptr<Model> make_model(const config::ModelRecipe& recipe);

}  // namespace trainyard::models
