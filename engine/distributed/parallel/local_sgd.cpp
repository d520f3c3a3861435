// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/local_sgd.h"

#include <vector>

#include "base/error.h"
#include "distributed/parallel/coalesced.h"
#include "distributed/parallel/flat_group.h"

namespace trainyard::parallel {

LocalSgd::LocalSgd(DataParallel& module, LocalSgdOptions options) : module_(module), options_(options) {
    if (options_.steps < 1)
        throw UserError("local_sgd_steps is {}: it must be at least 1", options_.steps);
    if (module_.communicator().size() == 1)
        options_.enabled = false;
    if (options_.enabled)
        no_sync_.emplace(module_.no_sync());
}

LocalSgd::~LocalSgd() = default;

void LocalSgd::step() {
    if (no_sync_ && ++step_ % options_.steps == 0)
        average();
}

void LocalSgd::finish() {
    if (no_sync_)
        average();
    no_sync_.reset();
}

void LocalSgd::average() {
    Communicator& communicator = module_.communicator();
    std::vector<at::Tensor> parameters;
    for (const auto& [name, parameter] : module_.parameters())
        parameters.push_back(parameter);
    average_over_ranks(parameters, communicator, "parameters of Local SGD");
    if (options_.optimizer == nullptr)
        return;
    // A state dictionary may hold the optimizer's own tensors: average copies, and hand them back.
    Tree state = options_.optimizer->state_dict().map_tensors([](const at::Tensor& tensor) { return tensor.clone(); });
    std::vector<at::Tensor> tensors;
    state.for_each_tensor([&](const std::string&, const at::Tensor& tensor) { tensors.push_back(tensor); });
    average_over_ranks(tensors, communicator, "optimizer state of Local SGD");
    options_.optimizer->load_state_dict(state);
}

ArenaLocalSgd::ArenaLocalSgd(FlatArena& arena, Communicator& ranks, std::int64_t steps)
    : arena_(arena), ranks_(ranks), steps_(steps) {
    if (steps_ < 1)
        throw UserError("local_sgd_steps is {}: it must be at least 1", steps_);
}

void ArenaLocalSgd::step() {
    if (++since_ == steps_)
        settle();
}

void ArenaLocalSgd::settle() {
    if (since_ == 0)
        return;
    since_ = 0;
    // Frozen parameters come after the trainable ones, and are equal on all ranks.
    average_over_ranks({arena_.slice(arena_.values(), {0, arena_.trainable_elements()})}, ranks_,
                       "weights of Local SGD");
    arena_.refresh_compute();
}

}  // namespace trainyard::parallel
