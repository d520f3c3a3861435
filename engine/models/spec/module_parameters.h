// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The matrices of a model as parameters of transformers' modules. Files of weights hold most of them under the same
// names; the experts of a block are one parameter for all of them in transformers 5, and matrices of their own in
// files.

#include <string>
#include <string_view>
#include <vector>

#include "models/spec/model_config.h"

namespace trainyard::families {

struct TensorShape;

// Modules of a block with experts.
inline constexpr const char* kRouter = "mlp.gate.weight";
inline constexpr const char* kGateUp = "mlp.experts.gate_up_proj";
inline constexpr const char* kDown = "mlp.experts.down_proj";

/// Whether a tensor or module belongs to one of the experts of a block, by its name in files. Those that every token
/// is sent to (shared experts) and routers do not.
inline bool is_of_expert(std::string_view name) {
    return name.find(".experts.") != std::string_view::npos;
}

struct ModuleParameter {
    std::string name;  ///< "model.layers.0.mlp.experts.gate_up_proj"
    /// Of each expert the tensors of files that are its matrix [out, in], one below the other. Anything else is one
    /// tensor of one matrix.
    std::vector<std::vector<std::string>> matrices;

    /// The module that has it: "model.layers.0.mlp.experts".
    std::string module() const { return name.substr(0, name.rfind('.')); }
};

/// Whether a tensor is the matrix of a linear layer, which can have an adapter. Tables of embeddings and the output
/// layer over a vocabulary are not.
bool is_linear(const ModelConfig& config, const TensorShape& tensor);

/// In the order of transformers' named_parameters().
std::vector<ModuleParameter> module_parameters(const ModelConfig& config);

}  // namespace trainyard::families
