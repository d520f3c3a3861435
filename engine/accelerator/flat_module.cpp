#include "accelerator/flat_module.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <c10/util/StringUtil.h>

#include "base/error.h"
#include "distributed/parallel/module_start.h"

namespace trainyard::accelerator {

namespace {

parallel::ArenaOptions arena_of(const parallel::DataParallelOptions& options, const parallel::Sharding& sharding,
                                const parallel::Communicator& ranks) {
    const auto bytes = [](double mb) { return static_cast<std::int64_t>(std::llround(mb * (1 << 20))); };
    return {.bucket_bytes = bytes(options.bucket_cap_mb),
            .first_bucket_bytes = bytes(std::min(options.first_bucket_mb, options.bucket_cap_mb)),
            .sharding = sharding,
            .rank = ranks.rank(),
            .ranks = ranks.size()};
}

void check_flat(const NamedTensors& parameters, const parallel::Sharding& sharding,
                const parallel::DataParallelOptions& options) {
    std::vector<Message> problems;
    const auto add = [&](Message problem) { problems.push_back(std::move(problem)); };
    const std::string stage = "zero_stage " + std::to_string(sharding.zero_stage);
    for (const auto& [name, tensor] : parameters) {
        if (tensor.scalar_type() != at::kFloat)
            add(
                Message("parameter {} is {}, and {} shares out fp32 parameters alone: keep it in fp32, or "
                        "set zero_stage to 0",
                        name, c10::str(tensor.scalar_type()), stage));
        else if (tensor.device() != parameters.front().second.device())
            add(Message("parameter {} is on {}, others on {}: {} needs all on one device", name, tensor.device().str(),
                        parameters.front().second.device().str(), stage));
    }
    if (sharding.values)
        add(
            Message("{}: weights are gathered for units of the engine's models, not for modules of a program: set "
                    "zero_stage to 2",
                    stage));
    if (options.static_graph)
        add(
            Message("static_graph: {} sums gradients as they come, whatever the graph is: take static_graph "
                    "away",
                    stage));
    if (options.comm_hook != nullptr && sharding.gradients)
        add(
            Message("comm_hook: a communication hook needs whole gradients, which no rank keeps under {}: "
                    "set zero_stage to 1, or take the hook away",
                    stage));
    if (!problems.empty())
        throw UserError(Message::joined(problems));
}

}  // namespace

FlatModule::FlatModule(const NamedTensors& parameters, NamedTensors buffers, parallel::Communicator& ranks,
                       const parallel::Sharding& sharding, const parallel::DataParallelOptions& options)
    : FlatGradients(ranks, ranks),
      buffers_(parallel::without_repetitions(std::move(buffers))),
      broadcast_buffers_(options.broadcast_buffers) {
    const NamedTensors all = parallel::without_repetitions(parameters);
    parallel::check_trained(all);
    check_flat(all, sharding, options);
    if (options.check_same)
        parallel::check_same_module(all, buffers_, ranks);
    parallel::broadcast_module(all, buffers_, 0, ranks);

    // One group a parameter: each is complete by itself.
    std::vector<parallel::GroupRequest> requests;
    for (const auto& [name, leaf] : all) {
        auto parameter = std::make_unique<parallel::Parameter>(name, leaf.sizes().vec(), parallel::Initialiser{});
        if (!leaf.requires_grad())
            parameter->freeze();
        requests.push_back({name, {parameter.get()}});
        laid_out_.push_back(std::move(parameter));
        leaves_.push_back(leaf);
    }
    arena_ = std::make_unique<parallel::FlatArena>(requests, at::kFloat, leaves_.front().device(), true,
                                                   arena_of(options, sharding, ranks));
    parallel::GroupSyncOptions how;
    how.hook = options.comm_hook;
    how.find_unused_parameters = options.find_unused_parameters;
    how.check_reduction = options.check_reduction;
    sync_ = std::make_unique<parallel::GroupSync>(*arena_, std::vector<parallel::Unit*>(leaves_.size(), nullptr), ranks,
                                                  how);
    at::NoGradGuard no_grad;
    for (std::size_t i = 0; i < leaves_.size(); ++i) {
        laid_out_[i]->value().copy_(leaves_[i]);
        leaves_[i].set_data(laid_out_[i]->value());
        if (!laid_out_[i]->trains())
            continue;
        groups_[leaves_[i].unsafeGetTensorImpl()] = i;
        arrivals_.watch(leaves_[i], [this, i] { arrived(i); });
    }
}

/// On autograd's thread.
void FlatModule::arrived(std::size_t group) {
    at::NoGradGuard no_grad;
    at::Tensor& gradient = leaves_[group].mutable_grad();
    if (!in_backward())
        throw UserError(
            "parameter {} got a gradient outside of Accelerator::backward(): where ranks "
            "share out optimizer state (zero_stage), call accelerator.backward(loss) "
            "instead of loss.backward()",
            laid_out_[group]->name());
    if (!gradient.defined())
        return;
    laid_out_[group]->add_gradient(gradient);
    gradient = at::Tensor();
    sync_->complete(group);
}

void FlatModule::before_forward() {
    if (!broadcast_buffers_ || !buffers_stale_)
        return;
    parallel::broadcast_buffers(buffers_, 0, data_);
    buffers_stale_ = false;
}

const parallel::Parameter* FlatModule::find(const at::Tensor& parameter) const {
    const auto found = groups_.find(parameter.unsafeGetTensorImpl());
    return found == groups_.end() ? nullptr : laid_out_[found->second].get();
}

void FlatModule::set_optimizer(const optim::Optimizer* optimizer) {
    if (optimizer != nullptr && optimizer_ != nullptr)
        throw UserError(
            "a second optimizer of the same model is prepared: where ranks share out optimizer state (zero_stage), "
            "give "
            "one optimizer all parameters of the model, in parameter groups");
    optimizer_ = optimizer;
}

void FlatModule::publish_values() {
    FlatGradients::publish_values();
    buffers_stale_ = true;
}

}  // namespace trainyard::accelerator
