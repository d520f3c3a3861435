// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/module_rooms.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <utility>

#include <c10/core/GradMode.h>

#include <fmt/format.h>

namespace trainyard::accelerator {

using parallel::Tensors;

Tensors ModuleUnit::forward(const Tensors&, parallel::StepContext&) {
    throw std::logic_error("a unit of a program's module has no forward");
}

namespace {

/// The longest common beginning of dotted names that ends before a dot: "layers.0".
std::string common_prefix(const std::vector<std::string>& names) {
    std::string prefix = names.empty() ? "" : names.front().substr(0, names.front().rfind('.') + 1);
    for (const std::string& name : names)
        while (!prefix.empty() && !name.starts_with(prefix)) {
            prefix.pop_back();
            prefix.resize(prefix.rfind('.') + 1);
        }
    if (!prefix.empty())
        prefix.pop_back();
    return prefix;
}

}  // namespace

ModuleCut cut_module(const NamedTensors& parameters, const std::vector<Block*>& blocks) {
    std::vector<std::set<const void*>> tensors;
    for (const Block* block : blocks) {
        std::set<const void*>& own = tensors.emplace_back();
        for (const at::Tensor& parameter : block->parameters())
            own.insert(parameter.unsafeGetTensorImpl());
    }
    ModuleCut cut;
    std::vector<std::vector<std::string>> names(blocks.size());
    for (const auto& [name, parameter] : parameters) {
        std::vector<std::size_t> having;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (tensors[i].contains(parameter.unsafeGetTensorImpl()))
                having.push_back(i);
        std::ranges::stable_sort(having, {}, [&](std::size_t i) { return tensors[i].size(); });
        bool nested = !having.empty();
        for (std::size_t i = 0; i + 1 < having.size(); ++i)
            nested = nested && std::ranges::includes(tensors[having[i + 1]], tensors[having[i]]);
        cut.unit_of.push_back(nested ? having.front() + 1 : 0);
        if (nested)
            names[having.front()].push_back(name);
    }
    cut.names.emplace_back("root");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::string prefix = common_prefix(names[i]);
        cut.names.push_back(prefix.empty() ? fmt::format("{} {}", blocks[i]->class_name(), i) : prefix);
    }
    return cut;
}

/// Opens and closes the rooms of a block.
class BlockRooms final : public BlockRunner, public std::enable_shared_from_this<BlockRooms> {
  public:
    BlockRooms(parallel::UnitRooms& rooms, parallel::Unit& unit) : rooms_(rooms), unit_(unit) {}

    Tensors run(const Tensors& inputs, const std::function<Tensors(const Tensors&)>& forward) override {
        parallel::StepContext context;
        context.training = c10::GradMode::is_enabled();
        const auto call = context.training ? std::make_shared<Call>() : nullptr;
        if (call != nullptr)
            watch_inputs(inputs, call);
        Tensors outputs = inputs;
        rooms_.before(unit_, outputs, context);
        try {
            outputs = forward(inputs);
        } catch (...) {
            rooms_.after(unit_, outputs, context);
            throw;
        }
        if (call != nullptr)
            watch_outputs(outputs, call);
        rooms_.after(unit_, outputs, context);
        return outputs;
    }

    /// Backwards of the block whose end no tensor has shown: no input needed a gradient.
    void end_backward() {
        for (const std::shared_ptr<Call>& call : std::exchange(open_, {}))
            leave(*call);
    }

  private:
    /// A forward of the block.
    struct Call {
        bool is_open = false;  ///< its backward runs
    };

    void watch_outputs(const Tensors& outputs, const std::shared_ptr<Call>& call) {
        for (const at::Tensor& output : outputs)
            if (output.defined() && output.requires_grad())
                output.register_hook([self = weak_from_this(), call](const at::Tensor&) {
                    if (const std::shared_ptr<BlockRooms> block = self.lock())
                        block->enter(call);
                });
    }

    /// Autograd runs nodes in the reverse order of their making: when the gradient of a tensor that was made before the
    /// block is complete, all of the block's nodes have run. Leaves are excepted: their nodes run at once. Before the
    /// forward, which may change the tensors in place.
    void watch_inputs(const Tensors& inputs, const std::shared_ptr<Call>& call) {
        for (const at::Tensor& input : inputs)
            if (input.defined() && input.requires_grad() && !input.is_leaf())
                input.register_hook([self = weak_from_this(), call](const at::Tensor&) {
                    if (const std::shared_ptr<BlockRooms> block = self.lock())
                        block->leave(*call);
                });
    }

    void enter(const std::shared_ptr<Call>& call) {
        if (call->is_open)  // by another output
            return;
        call->is_open = true;
        open_.push_back(call);
        rooms_.before_backward(unit_, {}, 0);
    }

    void leave(Call& call) {
        if (!std::exchange(call.is_open, false))
            return;
        std::erase_if(open_, [&](const std::shared_ptr<Call>& each) { return each.get() == &call; });
        rooms_.after_backward(unit_, {}, 0);
    }

    parallel::UnitRooms& rooms_;
    parallel::Unit& unit_;
    std::vector<std::shared_ptr<Call>> open_;
};

ModuleRooms::ModuleRooms(parallel::UnitRooms& rooms, const std::vector<std::unique_ptr<ModuleUnit>>& units,
                         const std::vector<Block*>& blocks)
    : rooms_(rooms), root_(*units.front()) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks_.push_back(std::make_shared<BlockRooms>(rooms, *units[i + 1]));
        blocks[i]->set_runner(blocks_.back());
    }
}

ModuleRooms::~ModuleRooms() = default;

void ModuleRooms::begin_forward() {
    parallel::StepContext context;
    context.training = c10::GradMode::is_enabled();
    Tensors none;
    rooms_.before(root_, none, context);
}

void ModuleRooms::end_forward() {
    parallel::StepContext context;
    context.training = c10::GradMode::is_enabled();
    Tensors none;
    rooms_.after(root_, none, context);
}

void ModuleRooms::begin_backward() {
    rooms_.before_backward(root_, {}, 0);
}

void ModuleRooms::end_backward() {
    for (const std::shared_ptr<BlockRooms>& block : blocks_)
        block->end_backward();
    rooms_.after_backward(root_, {}, 0);
}

}  // namespace trainyard::accelerator
