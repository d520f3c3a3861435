// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/sharded_optimizer.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include <ATen/core/grad_mode.h>

#include <fmt/format.h>

#include "base/error.h"
#include "config/recipe/optimizer_kinds.h"

namespace trainyard::accelerator {

namespace {

/// Elements at a multiple of which the states of a parameter begin, so that no two share a page.
constexpr std::int64_t kStateAlignment = 1 << 14;

}  // namespace

ShardedOptimizer::ShardedOptimizer(std::unique_ptr<optim::SliceableOptimizer> inner, std::shared_ptr<FlatModule> module,
                                   const train::StateOffload& offload)
    : inner_(std::move(inner)), module_(std::move(module)), whole_(inner_->parameters()) {
    for (const at::Tensor& parameter : whole_) {
        places_.push_back(module_->find(parameter));
        if (places_.back() == nullptr && parameter.requires_grad())
            throw UserError(
                "the optimizer updates parameters of several models, or of none that is prepared: where ranks share "
                "out "
                "optimizer state (zero_stage), give each prepared model an optimizer of its own");
    }
    at::NoGradGuard no_grad;
    const Tree before = inner_->state_dict();  // Adagrad's begins with the optimizer
    const parallel::FlatArena& arena = module_->arena();
    std::vector<optim::OwnedSlice> slices;
    std::map<const void*, std::size_t> first;  // a parameter that is named several times has one slice and one state
    for (std::size_t i = 0; i < whole_.size(); ++i) {
        const auto [known, is_new] = first.emplace(whole_[i].unsafeGetTensorImpl(), i);
        is_repeated_.push_back(!is_new);
        if (!is_new) {
            owned_.push_back(owned_[known->second]);
            slices.push_back(slices[known->second]);
            continue;
        }
        optim::OwnedSlice slice{whole_[i], whole_[i].sizes().vec()};
        if (places_[i] != nullptr) {
            const parallel::Range own = arena.owned_of(*places_[i]);
            slice.values = arena.owned_value(*places_[i]);
            slice.begin = own.begin;
        }
        owned_.push_back(slice.values);
        slices.push_back(std::move(slice));
    }
    inner_->replace_parameters(slices);
    inner_->load_state_dict(before);
    if (!offload.folder.empty())
        lay_out_states(offload);
    module_->set_optimizer(this);
}

void ShardedOptimizer::lay_out_states(const train::StateOffload& offload) {
    std::size_t buffers = 0;
    std::int64_t elements = 0;
    for (std::size_t i = 0; i < owned_.size(); ++i) {
        state_begins_.push_back(elements);
        if (places_[i] == nullptr || is_repeated_[i])
            continue;
        buffers = std::max(buffers, inner_->state_count(i));
        // A parameter of which this rank owns nothing has a place, too: its updates are counted.
        elements +=
            std::max<std::int64_t>(1, (owned_[i].numel() + kStateAlignment - 1) / kStateAlignment) * kStateAlignment;
    }
    if (buffers == 0)
        throw UserError("sharding.offload_optimizer_folder: {}",
                        Message("this optimizer has no state to offload: leave the folder out"));
    StateSlice slice;
    for (std::size_t i = 0; i <= owned_.size(); ++i) {
        const std::int64_t end = i < owned_.size() ? state_begins_[i] : elements;
        if (i == owned_.size() || end - slice.elements.begin >= train::OffloadedState::kSlice) {
            slice.end = i;
            slice.elements.end = end;
            if (slice.elements.size() > 0)
                state_slices_.push_back(slice);
            slice = {i, i, {end, end}};
        }
    }
    offloaded_ = std::make_unique<train::OffloadedState>(offload, elements, buffers);
    const train::OffloadedState::Passing passing(offloaded_.get());
    for (std::size_t i = 0; i < owned_.size(); ++i)
        place_states(i);
}

void ShardedOptimizer::place_states(std::size_t parameter) {
    if (places_[parameter] == nullptr || is_repeated_[parameter])
        return;
    inner_->replace_states(parameter, [&](std::size_t number, const at::Tensor& state) {
        const at::Tensor place =
            offloaded_->buffers()[number].narrow(0, state_begins_[parameter], state.numel()).view(state.sizes());
        if (place.data_ptr() != state.data_ptr())
            place.copy_(state);
        return place;
    });
}

ShardedOptimizer::~ShardedOptimizer() {
    module_->set_optimizer(nullptr);
}

parallel::Range ShardedOptimizer::owned(std::size_t parameter) const {
    return places_[parameter] != nullptr ? module_->arena().owned_of(*places_[parameter])
                                         : parallel::Range{0, whole_[parameter].numel()};
}

void ShardedOptimizer::step() {
    if (!module_->has_gradients()) {  // as an optimizer of torch whose parameters have none
        gradient_divisor_ = 1;
        return;
    }
    at::NoGradGuard no_grad;
    if (offloaded_ == nullptr) {
        update(0, owned_.size());
    } else {
        std::vector<parallel::Range> slices;
        for (const StateSlice& slice : state_slices_)
            slices.push_back(slice.elements);
        offloaded_->walk(slices, [&](std::size_t number) {
            const StateSlice& slice = state_slices_[number];
            update(slice.begin, slice.end);
            for (std::size_t i = slice.begin; i < slice.end; ++i)
                place_states(i);
        });
    }
    gradient_divisor_ = 1;
}

/// Parameters without a gradient are left alone.
void ShardedOptimizer::update(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        if (places_[i] == nullptr || is_repeated_[i])
            continue;
        const at::Tensor gradient = module_->arena().owned_gradient(*places_[i]);
        owned_[i].mutable_grad() = gradient_divisor_ == 1 ? gradient : gradient.div_(gradient_divisor_);
    }
    inner_->step();
    for (std::size_t i = begin; i < end; ++i)
        owned_[i].mutable_grad() = at::Tensor();
}

void ShardedOptimizer::load_state_dict(const Tree& state) {
    const train::OffloadedState::Passing passing(offloaded_.get());
    inner_->load_state_dict(state);
    for (std::size_t i = 0; offloaded_ != nullptr && i < owned_.size(); ++i)
        place_states(i);
}

void ShardedOptimizer::zero_grad(bool) {
    module_->forget_gradients();
}

Tree ShardedOptimizer::whole_state_dict() const {
    const train::OffloadedState::Passing passing(offloaded_.get());
    Tree state = inner_->state_dict();
    const parallel::FlatArena& arena = module_->arena();
    // The numbers of parameters in torch's dictionary count them in the order of the groups.
    std::map<std::string, std::vector<std::size_t>> tensors;
    for (const Tree::Entry& entry : state.at("state").entries())
        for (const Tree::Entry& value : entry.value.entries())
            if (value.value.is_tensor() && !config::is_scalar_state(to_string(value.key)))
                tensors[std::get<std::string>(value.key)].push_back(
                    static_cast<std::size_t>(std::get<std::int64_t>(entry.key)));
    at::NoGradGuard no_grad;
    for (const auto& [name, numbers] : tensors) {
        const at::Tensor own = arena.new_state();
        const auto value = [&](std::size_t number) -> Tree& {
            return *state.find("state")->find(static_cast<std::int64_t>(number))->find(name);
        };
        for (std::size_t number : numbers)
            if (places_[number] != nullptr)
                arena.state_view(own, *places_[number]).copy_(value(number).as_tensor().reshape({-1}));
        const at::Tensor whole = module_->sync()->gather_state_on_first(own, fmt::format("optimizer state {}", name));
        if (!whole.defined())
            continue;
        for (std::size_t number : numbers)
            if (places_[number] != nullptr)
                value(number) = arena.view(whole, *places_[number]).clone();
    }
    return state;
}

}  // namespace trainyard::accelerator
