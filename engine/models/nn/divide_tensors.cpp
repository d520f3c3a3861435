// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/divide_tensors.h"

#include <map>
#include <memory>
#include <utility>

#include "base/error.h"
#include "distributed/parallel/tensor_part.h"
#include "models/spec/tensor_plan.h"

namespace trainyard::models {

namespace {

using families::Placement;
using families::TensorCut;
using parallel::Parameter;

/// Of adapters of parameters (LowRank::of_parameter), which may have several matrices: the side is divided that these
/// are
/// divided on, and of the other one the gradients are added.
std::map<const Parameter*, TensorCut> cuts_of_shared_adapters(const Model& model,
                                                              const std::vector<families::PlacementRow>& plan) {
    std::map<const Parameter*, TensorCut> cuts;
    for (const parallel::Unit* unit : model.units())
        for (const Parameter* weight : unit->parameters()) {
            const TensorCut cut = families::cut_of(plan, weight->name(), weight->shape());
            for (const parallel::LowRank& adapter : weight->adapters()) {
                if (!adapter.of_parameter || adapter.expert > 0)
                    continue;
                if (cut.placement != Placement::column && cut.placement != Placement::row) {
                    cuts[adapter.a] = cuts[adapter.b] = {cut.placement};  // as the matrix, whatever its name is
                    continue;
                }
                // B A has the layout of the matrix.
                const bool divides_a = cut.dimension == 1;
                TensorCut& divided = cuts[divides_a ? adapter.a : adapter.b];
                divided.placement = cut.placement;
                divided.dimension = cut.dimension;
                divided.heads = cut.heads;
                divided.sections.insert(divided.sections.end(), cut.sections.begin(), cut.sections.end());
                cuts[divides_a ? adapter.b : adapter.a] = {Placement::summed};
            }
        }
    return cuts;
}

}  // namespace

void divide_tensors(const Model& model, parallel::Communicator& ranks, bool divides_positions,
                    std::int64_t overlap_chunks) {
    const std::vector<families::PlacementRow> plan = families::tensor_plan(model.config(), divides_positions);
    if (plan.empty())
        throw UserError(
            "parallel.tp_size: ranks cannot share the layers of this model (model_type {}, task {}): set it to 1",
            model.config().model_type, model.config().task);
    const std::map<const Parameter*, TensorCut> adapters = cuts_of_shared_adapters(model, plan);
    for (const parallel::Unit* unit : model.units())
        for (Parameter* parameter : unit->parameters()) {
            const auto adapter = adapters.find(parameter);
            TensorCut cut = adapter != adapters.end() ? adapter->second
                                                      : families::cut_of(plan, parameter->name(), parameter->shape());
            if (cut.placement == Placement::replicated)
                continue;
            const std::int64_t copies = cut.heads > 0 && cut.heads < ranks.size() ? ranks.size() / cut.heads : 1;
            parameter->divide(std::make_shared<parallel::TensorPart>(
                parallel::TensorPart{&ranks, cut.placement, parameter->shape(), cut.dimension, std::move(cut.sections),
                                     static_cast<int>(copies),
                                     // Experts get the rows of all positions.
                                     divides_positions && model.expert_of(*parameter) < 0, overlap_chunks}));
        }
}

}  // namespace trainyard::models
