// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/divide_tensors.h"

#include <memory>
#include <utility>

#include "base/error.h"
#include "distributed/parallel/tensor_part.h"
#include "models/spec/tensor_plan.h"

namespace trainyard::models {

void divide_tensors(const Model& model, parallel::Communicator& ranks, bool divides_positions) {
    const std::vector<families::PlacementRow> plan = families::tensor_plan(model.config(), divides_positions);
    if (plan.empty())
        throw UserError(
            "parallel.tp_size: ranks cannot share the layers of this model (model_type {}, task {}): set it to 1",
            model.config().model_type, model.config().task);
    for (const parallel::Unit* unit : model.units())
        for (parallel::Parameter* parameter : unit->parameters()) {
            families::TensorCut cut = families::cut_of(plan, parameter->name(), parameter->shape());
            if (cut.placement == families::Placement::replicated)
                continue;
            const std::int64_t copies = cut.heads > 0 && cut.heads < ranks.size() ? ranks.size() / cut.heads : 1;
            parameter->divide(std::make_shared<parallel::TensorPart>(
                parallel::TensorPart{&ranks, cut.placement, parameter->shape(), cut.dimension, std::move(cut.sections),
                                     static_cast<int>(copies),
                                     // Experts get the rows of all positions.
                                     divides_positions && model.expert_of(*parameter) < 0}));
        }
}

}  // namespace trainyard::models
