// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/flat_module.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <c10/util/StringUtil.h>

#include "base/error.h"
#include "distributed/parallel/coalesced.h"
#include "distributed/parallel/module_start.h"
#include "distributed/parallel/shared_memory.h"

namespace trainyard::accelerator {

namespace {

parallel::ArenaOptions arena_of(const parallel::DataParallelOptions& options, const ModuleSharding& how,
                                parallel::Communicator& ranks, at::Device device) {
    const auto bytes = [](double mb) { return static_cast<std::int64_t>(std::llround(mb * (1 << 20))); };
    return {.bucket_bytes = bytes(options.bucket_cap_mb),
            .first_bucket_bytes = bytes(std::min(options.first_bucket_mb, options.bucket_cap_mb)),
            .sharding = how.sharding,
            .rank = ranks.rank(),
            .ranks = ranks.size(),
            .offload_folder = how.offload_folder,
            .room_sharers = device.is_cpu() && parallel::shares_memory(ranks) ? &ranks : nullptr};
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

FlatModule::FlatModule(const NamedTensors& parameters, NamedTensors buffers, parallel::Communicator& data,
                       const ModuleSharding& how, const parallel::DataParallelOptions& options)
    : FlatGradients(data, how.shards != nullptr ? *how.shards : data),
      buffers_(parallel::without_repetitions(std::move(buffers))),
      broadcast_buffers_(options.broadcast_buffers),
      counts_unused_(options.find_unused_parameters) {
    const NamedTensors all = parallel::without_repetitions(parameters);
    if (!how.forward_only)
        parallel::check_trained(all);
    check_flat(all, how.sharding, options);
    if (options.check_same)
        parallel::check_same_module(all, buffers_, data);
    if (how.sends_values)
        parallel::broadcast_buffers(buffers_, 0, data);

    ModuleCut cut;
    if (how.sharding.values) {
        cut = cut_module(parameters, how.blocks, how.persistent);
    } else {  // one group for each parameter
        for (const auto& [name, leaf] : all) {
            cut.unit_of.push_back(cut.names.size());
            cut.names.push_back(name);
        }
    }
    lay_out(all, cut, how, options);
    if (how.sharding.values && sync_->rooms() != nullptr)
        rooms_ = std::make_unique<ModuleRooms>(*sync_->rooms(), units_, how.blocks, how.forward_only);
    if (cut.has_persistent)
        sync_->publish_values();  // opens their room
}

void FlatModule::lay_out(const NamedTensors& all, const ModuleCut& cut, const ModuleSharding& how,
                         const parallel::DataParallelOptions& options) {
    std::vector<parallel::GroupRequest> requests;
    for (const std::string& name : cut.names) {
        units_.push_back(std::make_unique<ModuleUnit>(name));
        requests.push_back({name, {}});
    }
    if (cut.has_persistent)
        requests[1].persistent = true;
    trained_.assign(units_.size(), 0);
    for (const auto& [name, leaf] : all) {
        const std::size_t group = cut.unit_of[leaves_.size()];
        parallel::Parameter& parameter =
            units_[group]->add_extra_parameter(name, leaf.sizes().vec(), parallel::Initialiser{});
        if (leaf.requires_grad() && !how.forward_only)
            ++trained_[group];
        else
            parameter.freeze();
        requests[group].parameters.push_back(&parameter);
        leaf_of_[leaf.unsafeGetTensorImpl()] = leaves_.size();
        group_of_.push_back(group);
        laid_out_.push_back(&parameter);
        leaves_.push_back(leaf);
    }
    arena_ = std::make_unique<parallel::FlatArena>(requests, at::kFloat, leaves_.front().device(), true,
                                                   arena_of(options, how, shards_, leaves_.front().device()));
    parallel::GroupSyncOptions sync;
    sync.hook = options.comm_hook;
    sync.find_unused_parameters = options.find_unused_parameters;
    sync.check_reduction = options.check_reduction;
    sync.copies = how.copies != nullptr && how.copies->size() > 1 ? how.copies : nullptr;
    sync.data = sync.copies != nullptr ? &data_ : nullptr;
    sync.rooms = {.reshard_after_forward = how.reshard_after_forward,
                  .most_ahead = how.gathered_ahead,
                  .secondary_shards = how.secondary_shards,
                  .root = units_.front().get()};
    std::vector<parallel::Unit*> units;
    for (const std::unique_ptr<ModuleUnit>& unit : units_)
        units.push_back(unit.get());
    sync_ = std::make_unique<parallel::GroupSync>(*arena_, units, shards_, sync);
    take_values(how.sends_values);
}

/// A few leaves at a time: those of ranks that have read no weights have memory for as long as it takes.
void FlatModule::take_values(bool sent) {
    constexpr std::int64_t kSentAtOnce = 1 << 24;  // elements
    const at::NoGradGuard no_grad;
    for (std::size_t begin = 0, end = 0; begin < leaves_.size(); begin = end) {
        std::vector<at::Tensor> values;
        for (std::int64_t elements = 0; end < leaves_.size() && elements < kSentAtOnce; ++end) {
            values.push_back(leaves_[end].detach());
            elements += leaves_[end].numel();
        }
        if (sent)
            parallel::broadcast_coalesced(values, 0, data_, "start values of the model");
        values.clear();
        for (std::size_t i = begin; i < end; ++i) {
            arena_->set_value(*laid_out_[i], leaves_[i]);
            leaves_[i].set_data(laid_out_[i]->value());
            if (laid_out_[i]->trains())
                arrivals_.watch(leaves_[i], [this, i] { arrived(i); });
        }
    }
}

/// On autograd's thread.
void FlatModule::arrived(std::size_t leaf) {
    at::NoGradGuard no_grad;
    at::Tensor& gradient = leaves_[leaf].mutable_grad();
    if (!in_backward_)
        throw UserError(
            "parameter {} got a gradient outside of Accelerator::backward(): where ranks "
            "share out optimizer state (zero_stage), call accelerator.backward(loss) "
            "instead of loss.backward()",
            laid_out_[leaf]->name());
    if (!gradient.defined())
        return;
    take_part();
    const std::size_t group = group_of_[leaf];
    laid_out_[leaf]->add_gradient(gradient);
    gradient = at::Tensor();
    if (!has_arrived_[leaf]) {
        has_arrived_[leaf] = true;
        --missing_[group];
    }
    if (missing_[group] == 0)
        sync_->complete(group);
}

void FlatModule::before_forward() {
    if (broadcast_buffers_ && buffers_stale_) {
        parallel::broadcast_buffers(buffers_, 0, data_);
        buffers_stale_ = false;
    }
    if (rooms_ != nullptr)
        rooms_->begin_forward();
}

void FlatModule::after_forward() {
    if (rooms_ != nullptr)
        rooms_->end_forward();
}

void FlatModule::begin_backward(bool last) {
    in_backward_ = true;
    takes_part_ = false;
    is_last_ = last;
    missing_ = trained_;
    has_arrived_.assign(leaves_.size(), false);
    if (!one_of_several_ || counts_unused_)
        take_part();
    if (rooms_ != nullptr)
        rooms_->begin_backward();
}

void FlatModule::take_part() {
    if (!std::exchange(takes_part_, true))
        FlatGradients::begin_backward(is_last_);
}

void FlatModule::end_backward() {
    if (rooms_ != nullptr)
        rooms_->end_backward();
    in_backward_ = false;
    if (takes_part_)
        FlatGradients::end_backward();
}

void FlatModule::finish_gradients() {
    FlatGradients::finish_gradients();
    has_gradients_ = true;
}

void FlatModule::forget_gradients() {
    arena_->forget_gradients();
    has_gradients_ = false;
}

void FlatModule::send_as_float8(const std::vector<at::Tensor>& weights) {
    if (arena_->value_rooms() == nullptr)
        return;
    std::vector<const parallel::Parameter*> matrices;
    for (const at::Tensor& weight : weights)
        if (const auto leaf = leaf_of_.find(weight.unsafeGetTensorImpl()); leaf != leaf_of_.end())
            matrices.push_back(laid_out_[leaf->second]);
    arena_->value_rooms()->send_as_float8(matrices);
}

const parallel::Parameter* FlatModule::find(const at::Tensor& parameter) const {
    const auto found = leaf_of_.find(parameter.unsafeGetTensorImpl());
    return found != leaf_of_.end() && laid_out_[found->second]->trains() ? laid_out_[found->second] : nullptr;
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
