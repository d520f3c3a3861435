// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A bench that does the same with every family, ours and transformers in turns, both with the same config.json, weights
// and inputs.

#include <functional>
#include <memory>
#include <string>

#include <nlohmann/json.hpp>

#include "bench/engine/figure.h"
#include "bench/models/mini_models.h"
#include "distributed/tensors/tree.h"
#include "models/nn/model.h"

namespace trainyard::bench {

/// Our model of a family, and its measurement.
class FamilyRun {
  public:
    virtual ~FamilyRun() = default;
    virtual const models::Model& model() const = 0;
    /// Returns the inputs of the peer's computation, without the weights.
    virtual NamedTensors inputs() const = 0;
    virtual double measure() = 0;
    /// The peer's value of a figure. Throws where it did not compute the same.
    virtual double compared(const nlohmann::json& answer) const = 0;
    /// Returns a text for the figure that names the result that both computed.
    virtual std::string same() const = 0;
};

struct FamilyBench {
    std::string program, about, peer_script;
    nlohmann::json asked;  ///< of the peer, besides the model
    int rounds = 5;
    std::function<bool(const MiniModel&)> takes;
    std::function<Figure(const MiniModel&)> figure;  ///< with a target if it is compared with a peer
    std::function<std::unique_ptr<FamilyRun>(const families::ModelConfig&)> make;
};

/// A model of a family with random weights.
std::unique_ptr<models::Model> mini_model(const families::ModelConfig& config);

/// Runs the benchmark program with the options --peer PYTHON, --family NAME, --rounds N and --json. A family that fails
/// is reported at the end; the others are still measured.
int run_family_bench(const FamilyBench& bench, int argc, char** argv);

}  // namespace trainyard::bench
