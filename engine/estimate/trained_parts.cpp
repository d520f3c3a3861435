// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/trained_parts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/recipe/module_targets.h"
#include "models/spec/family.h"
#include "models/spec/module_parameters.h"

namespace trainyard::estimate {

namespace {

using families::TensorShape;

bool is_matrix(const TensorShape& tensor) {
    return tensor.shape.size() == 2 && tensor.name.ends_with(".weight");
}

/// Inputs and outputs of the blocks' matrices that have adapters.
struct AdaptedMatrices {
    double dense = 0, experts = 0;
    std::int64_t first_block = 0;
};

AdaptedMatrices adapted_matrices(const config::ModelRecipe& model, const std::vector<TensorShape>& tensors,
                                 std::int64_t blocks) {
    config::ModelRecipe usual = model;
    if (model.lora.r == 0)
        usual.lora = config::LoraRecipe();
    const config::LoraRecipe& lora = usual.lora;
    AdaptedMatrices adapted{.first_block = blocks};
    const auto add = [&](const TensorShape& tensor, std::int64_t sides) {
        (families::is_of_expert(tensor.name) ? adapted.experts : adapted.dense) += static_cast<double>(sides);
        adapted.first_block = std::min(adapted.first_block, tensor.block);
    };
    for (const TensorShape& tensor : config::adapted_matrices(usual))
        if (tensor.part == families::Part::block)
            add(tensor, tensor.shape[0] + tensor.shape[1]);
    if (lora.target_parameters.empty())
        return adapted;
    std::map<std::string, const TensorShape*> matrices;
    for (const TensorShape& tensor : tensors)
        if (tensor.part == families::Part::block && is_matrix(tensor))
            matrices[tensor.name] = &tensor;
    for (const families::ModuleParameter& parameter : families::module_parameters(model)) {
        if (std::ranges::none_of(lora.target_parameters, [&](const std::string& entry) {
                return config::names_parameter(entry, parameter.name);
            }))
            continue;
        for (const std::vector<std::string>& stacked : parameter.matrices) {
            std::int64_t inputs = 0;  // once for all matrices below each other
            for (const std::string& name : stacked)
                if (const auto found = matrices.find(name); found != matrices.end()) {
                    add(*found->second, found->second->shape[0] + (inputs == 0 ? found->second->shape[1] : 0));
                    inputs = found->second->shape[1];
                }
        }
    }
    return adapted;
}

/// `adapted`: the first block with an adapter, or the number of blocks. `chosen`: of the experts, those that a token is
/// sent to.
TrainedWeights weights_trained(const std::vector<TensorShape>& tensors, std::int64_t adapted, double chosen,
                               const std::function<bool(const std::string&)>& is_trained) {
    TrainedWeights trained{.parameters = 0, .products = 0, .head = 0, .first_block = adapted};
    struct Share {
        double trained = 0, all = 0;
        void add(double count, bool counts) {
            all += count;
            trained += counts ? count : 0;
        }
        double value() const { return all > 0 ? trained / all : 0; }
    } parameters, products, head;
    std::vector<bool> which;
    for (const TensorShape& tensor : tensors) {
        which.push_back(is_trained(tensor.name));
        const auto elements = static_cast<double>(tensor.elements());
        parameters.add(elements, which.back());
        if (tensor.tied_to_head || (tensor.part == families::Part::head && is_matrix(tensor)))
            head.add(elements, which.back());
        if (which.back() && tensor.part != families::Part::head)
            trained.first_block =
                std::min(trained.first_block, tensor.part == families::Part::block ? tensor.block : 0);
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (const TensorShape& tensor = tensors[i];
            tensor.part == families::Part::block && tensor.block >= trained.first_block && is_matrix(tensor))
            products.add(static_cast<double>(tensor.elements()) * (families::is_of_expert(tensor.name) ? chosen : 1),
                         which[i]);
    trained.parameters = parameters.value();
    trained.products = products.value();
    trained.head = head.value();
    return trained;
}

}  // namespace

void set_trained_parts(TrainingSetup& setup, const ModelParts& parts, const config::ModelRecipe& model) {
    const std::vector<TensorShape> tensors = families::family_of(model).tensors(model);
    double chosen = 1;
    for (const BlockShape& block : parts.blocks)
        if (block.expert_share > 0)
            chosen = block.expert_share;
    const AdaptedMatrices adapted = adapted_matrices(model, tensors, parts.layers());
    config::ModelRecipe plain = model;
    plain.lora.r = 0;
    setup.trained = weights_trained(tensors, parts.layers(), chosen,
                                    [&](const std::string& name) { return !config::is_frozen(plain, name); });
    const std::vector<std::string> whole = config::modules_to_save(model);
    setup.beside_adapters = weights_trained(tensors, adapted.first_block, chosen,
                                            [&](const std::string& name) { return config::is_in_module(name, whole); });
    double dense = 0, experts = 0;
    std::int64_t end = 0;
    for (const BlockShape& block : parts.blocks) {
        const std::int64_t begin = std::max(std::exchange(end, end + block.count), setup.beside_adapters.first_block);
        const auto blocks = static_cast<double>(std::max<std::int64_t>(0, end - begin));
        dense += blocks * block.matrix_inputs;
        experts += blocks * block.expert_inputs;
    }
    setup.adapted_share = dense > 0 ? adapted.dense / dense : 0;
    setup.adapted_expert_share = experts > 0 ? adapted.experts / experts : 0;
}

}  // namespace trainyard::estimate
