#pragma once
// The parameters of a GPT-2 recipe by Hugging Face name and shape: for counting them, and for saying before anything starts
// that a weights file does not fit. Linear weights are [in, out] (GPT-2's Conv1D). The head shares `transformer.wte.weight`.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fnmatch.h>

#include "config/recipe.h"

namespace trainyard::config {

struct ParameterShape {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// In the order of GPT2LMHeadModel.named_parameters().
inline std::vector<ParameterShape> gpt2_shapes(const ModelRecipe& model) {
    std::int64_t width = model.n_embd;
    std::int64_t inner = model.n_inner > 0 ? model.n_inner : 4 * width;
    std::vector<ParameterShape> shapes{{"transformer.wte.weight", {model.vocab_size, width}},
                                       {"transformer.wpe.weight", {model.n_positions, width}}};
    for (std::int64_t layer = 0; layer < model.n_layer; ++layer) {
        std::string block = "transformer.h." + std::to_string(layer) + ".";
        shapes.insert(shapes.end(), {{block + "ln_1.weight", {width}},
                                     {block + "ln_1.bias", {width}},
                                     {block + "attn.c_attn.weight", {width, 3 * width}},
                                     {block + "attn.c_attn.bias", {3 * width}},
                                     {block + "attn.c_proj.weight", {width, width}},
                                     {block + "attn.c_proj.bias", {width}},
                                     {block + "ln_2.weight", {width}},
                                     {block + "ln_2.bias", {width}},
                                     {block + "mlp.c_fc.weight", {width, inner}},
                                     {block + "mlp.c_fc.bias", {inner}},
                                     {block + "mlp.c_proj.weight", {inner, width}},
                                     {block + "mlp.c_proj.bias", {width}}});
    }
    shapes.insert(shapes.end(), {{"transformer.ln_f.weight", {width}}, {"transformer.ln_f.bias", {width}}});
    return shapes;
}

/// Products of each block in a forward, multiplications for one token of a sequence of `seq`; the head's are added to the last block's. What
/// pipeline stages are balanced by (pipeline/split.h).
inline std::vector<double> gpt2_block_costs(const ModelRecipe& model, std::int64_t seq) {
    auto width = static_cast<double>(model.n_embd);
    double inner = model.n_inner > 0 ? static_cast<double>(model.n_inner) : 4 * width;
    std::vector<double> costs(static_cast<std::size_t>(model.n_layer),
                              4 * width * width + 2 * width * inner + 2 * width * static_cast<double>(seq));
    if (!costs.empty())
        costs.back() += width * static_cast<double>(model.vocab_size);
    return costs;
}

/// Whether one of the patterns of model.freeze (fnmatch: * and ? match dots, too) is of this parameter.
inline bool is_frozen(const ModelRecipe& model, const std::string& name) {
    return std::any_of(model.freeze.begin(), model.freeze.end(),
                       [&](const std::string& pattern) { return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0; });
}

}  // namespace trainyard::config
