// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/trained_parts.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/choice.h"
#include "config/recipe/module_targets.h"
#include "models/spec/family.h"
#include "models/spec/module_parameters.h"
#include "models/spec/tensor_plan.h"

namespace trainyard::estimate {

namespace {

using families::TensorShape;

bool is_matrix(const TensorShape& tensor) {
    return tensor.shape.size() == 2 && tensor.name.ends_with(".weight");
}

/// Inputs plus outputs of matrices with adapters.
struct AdaptedMatrices {
    double dense = 0, experts = 0;  ///< of blocks
    double whole = 0;               ///< of both, those that tensor parallel ranks do not divide
    double keys = 0;                ///< of both, those that BlockShape::key_ranks() divide
    double embedding = 0, outputs = 0;
    std::int64_t first_block = 0;  ///< the first one with an adapter, or the number of blocks

    void add(const TensorShape& tensor, double sides, double divided, const families::TensorCut& cut) {
        if (tensor.part == families::Part::head) {
            outputs += sides;
            return;
        }
        first_block = std::min(first_block, tensor.part == families::Part::block ? tensor.block : 0);
        if (tensor.part == families::Part::embedding) {
            embedding += sides;
            return;
        }
        (families::is_of_expert(tensor.name) ? experts : dense) += sides;
        whole += sides - divided;
        keys += cut.heads > 0 ? divided : 0;
    }
};

bool is_divided(const families::TensorCut& cut) {
    return is_one_of(cut.placement, {families::Placement::column, families::Placement::row});
}

/// Adapters of parameters: B A has the layout of the matrix, and the one side is divided that the matrix is divided on.
/// `stacked`: matrices below each other, which share A.
void add_of_parameter(const std::vector<std::string>& stacked,
                      const std::map<std::string, const TensorShape*>& matrices,
                      const std::vector<families::PlacementRow>& plan, AdaptedMatrices& adapted) {
    std::int64_t inputs = 0;
    for (const std::string& name : stacked) {
        const auto found = matrices.find(name);
        if (found == matrices.end())
            continue;
        const TensorShape& tensor = *found->second;
        const std::int64_t own = inputs == 0 ? tensor.shape[1] : 0;
        const families::TensorCut cut = families::cut_of(plan, tensor.name, tensor.shape);
        const std::int64_t divided = !is_divided(cut) ? 0 : cut.dimension == 1 ? own : tensor.shape[0];
        adapted.add(tensor, static_cast<double>(tensor.shape[0] + own), static_cast<double>(divided), cut);
        inputs = tensor.shape[1];
    }
}

AdaptedMatrices adapted_matrices(const config::ModelRecipe& model, const std::vector<TensorShape>& tensors,
                                 std::int64_t blocks) {
    config::ModelRecipe usual = model;
    if (model.lora.r == 0)
        usual.lora = config::LoraRecipe();
    usual.lora.r = 1;
    const config::LoraRecipe& lora = usual.lora;
    const std::vector<families::PlacementRow> plan = families::tensor_plan(model);
    AdaptedMatrices adapted{.first_block = blocks};
    for (const TensorShape& factor : config::adapter_tensors(usual)) {
        const auto side = static_cast<double>(factor.elements());
        const families::TensorCut cut = families::cut_of(plan, factor.name, factor.shape);
        adapted.add(factor, side, is_divided(cut) ? side : 0, cut);
    }
    if (lora.target_parameters.empty())
        return adapted;
    std::map<std::string, const TensorShape*> matrices;
    for (const TensorShape& tensor : tensors)
        if (is_matrix(tensor))
            matrices[tensor.name] = &tensor;
    for (const families::ModuleParameter& parameter : families::module_parameters(model))
        if (std::ranges::any_of(lora.target_parameters, [&](const std::string& entry) {
                return config::names_parameter(entry, parameter.name);
            }))
            for (const std::vector<std::string>& stacked : parameter.matrices)
                add_of_parameter(stacked, matrices, plan, adapted);
    return adapted;
}

struct Share {
    double trained = 0, all = 0;
    void add(double count, bool counts) {
        all += count;
        trained += counts ? count : 0;
    }
    /// `whole`: counted by the model's parts, which the share is multiplied with.
    double of(double whole) const { return whole > 0 ? trained / whole : 0; }
    double value() const { return of(all); }
};

/// Returns the shares of a model's weights that `is_trained` accepts by name. `plan`: the model's tensor plan.
/// `adapted`: the first block with an adapter, or the number of blocks. `chosen`: of the experts, those that a token is
/// sent to.
TrainedWeights weights_trained(const std::vector<TensorShape>& tensors, const std::vector<families::PlacementRow>& plan,
                               const ModelParts& model, std::int64_t adapted, double chosen,
                               const std::function<bool(const std::string&)>& is_trained) {
    using enum families::Part;
    TrainedWeights trained = TrainedWeights::none();
    trained.first_block = adapted;
    Share products, heads;
    std::map<families::Part, Share> parts, whole;
    std::vector<bool> which;
    for (const TensorShape& tensor : tensors) {
        which.push_back(is_trained(tensor.name));
        const auto elements = static_cast<double>(tensor.elements());
        parts[tensor.part].add(elements, which.back());
        if (tensor.part != block && families::cut_of(plan, tensor.name, tensor.shape).sections.empty())
            whole[tensor.part].add(elements, which.back());
        if (tensor.tied_to_head || (tensor.part == head && is_matrix(tensor)))
            heads.add(elements, which.back());
        if (which.back() && tensor.part != head)
            trained.first_block = std::min(trained.first_block, tensor.part == block ? tensor.block : 0);
    }
    for (std::size_t i = 0; i < tensors.size(); ++i)
        if (const TensorShape& tensor = tensors[i];
            tensor.part == block && tensor.block >= trained.first_block && is_matrix(tensor))
            products.add(static_cast<double>(tensor.elements()) * (families::is_of_expert(tensor.name) ? chosen : 1),
                         which[i]);
    double reached = 0;
    std::int64_t end = 0;
    for (const BlockShape& shape : model.blocks) {
        const std::int64_t begin = std::max(std::exchange(end, end + shape.count), trained.first_block);
        reached += static_cast<double>(std::max<std::int64_t>(0, end - begin)) * shape.parameters;
    }
    trained.embedding = parts[embedding].of(model.embedding_parameters);
    trained.blocks = parts[block].of(reached);
    trained.outputs = parts[head].of(model.head_parameters);
    trained.products = products.value();
    trained.head = heads.value();
    trained.undivided_embedding = whole[embedding].value();
    trained.undivided_outputs = whole[head].value();
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
    const std::vector<families::PlacementRow> plan = families::tensor_plan(model);
    setup.trained = weights_trained(tensors, plan, parts, parts.layers(), chosen,
                                    [&](const std::string& name) { return !config::is_frozen(plain, name); });
    const std::vector<std::string> whole = config::modules_to_save(model);
    setup.beside_adapters = weights_trained(tensors, plan, parts, adapted.first_block, chosen,
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
    const double sides = adapted.dense + adapted.experts;
    setup.adapted_whole = sides > 0 ? adapted.whole / sides : 1;
    setup.adapted_keys = sides > 0 ? adapted.keys / sides : 0;
    setup.adapted_embedding = adapted.embedding;
    setup.adapted_outputs = adapted.outputs;
}

}  // namespace trainyard::estimate
