// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/module_rooms.h"

#include <map>
#include <optional>
#include <stdexcept>
#include <utility>

#include <c10/core/GradMode.h>

#include <fmt/format.h>

#include "base/error.h"
#include "config/recipe/ignored_modules.h"
#include "distributed/parallel/module_start.h"

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

ModuleCut cut_module(const NamedTensors& named, const std::vector<Block*>& blocks,
                     const std::set<const void*>& persistent) {
    using Uses = std::map<const void*, std::size_t>;  // names of a tensor
    std::vector<Uses> uses_in;                        // [block]
    for (const Block* block : blocks) {
        Uses& own = uses_in.emplace_back();
        for (const at::Tensor& parameter : block->parameters())
            ++own[parameter.unsafeGetTensorImpl()];
    }
    Uses uses;
    for (const auto& [name, parameter] : named)
        ++uses[parameter.unsafeGetTensorImpl()];
    ModuleCut cut;
    cut.has_persistent = !persistent.empty();
    const std::size_t first_block = cut.has_persistent ? 2 : 1;
    std::vector<std::vector<std::string>> names(blocks.size());
    for (const auto& [name, parameter] : parallel::without_repetitions(named)) {
        const void* tensor = parameter.unsafeGetTensorImpl();
        if (persistent.contains(tensor)) {
            cut.unit_of.push_back(1);
            continue;
        }
        std::optional<std::size_t> innermost;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            if (const auto own = uses_in[i].find(tensor); own != uses_in[i].end() && own->second == uses.at(tensor))
                if (!innermost || uses_in[i].size() < uses_in[*innermost].size())
                    innermost = i;
        cut.unit_of.push_back(innermost ? *innermost + first_block : 0);
        if (innermost)
            names[*innermost].push_back(name);
    }
    cut.names.emplace_back("root");
    if (cut.has_persistent)
        cut.names.emplace_back("ignored modules");
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        const std::string prefix = common_prefix(names[i]);
        cut.names.push_back(prefix.empty() ? fmt::format("{} {}", blocks[i]->class_name(), i) : prefix);
    }
    return cut;
}

std::set<const void*> ignored_parameters(const NamedTensors& named, const std::vector<Block*>& blocks,
                                         const std::string& pattern, const std::vector<std::string>& classes,
                                         bool must_match) {
    std::set<const void*> ignored;
    const config::IgnoredModules modules(pattern);
    for (const auto& [name, parameter] : named)
        if (modules.have(name))
            ignored.insert(parameter.unsafeGetTensorImpl());
    if (must_match && !pattern.empty() && ignored.empty())
        throw UserError("sharding.ignored_modules: {}", modules.no_match());
    for (const std::string& name : classes) {
        std::size_t found = 0;
        for (const Block* block : blocks)
            if (block->class_name() == name) {
                ++found;
                for (const at::Tensor& parameter : block->parameters())
                    ignored.insert(parameter.unsafeGetTensorImpl());
            }
        if (must_match && found == 0)
            throw UserError("sharding.ignored_classes: no block of the model is of the class '{}'", name);
    }
    return ignored;
}

/// Opens and closes the rooms of a block.
class BlockRooms final : public BlockRunner, public std::enable_shared_from_this<BlockRooms> {
  public:
    BlockRooms(parallel::UnitRooms& rooms, parallel::Unit& unit, bool forward_only)
        : rooms_(rooms), unit_(unit), forward_only_(forward_only) {}

    Tensors run(const Tensors& inputs, const std::function<Tensors(const Tensors&)>& forward) override {
        parallel::StepContext context;
        context.training = c10::GradMode::is_enabled() && !forward_only_;
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
    bool forward_only_;
    std::vector<std::shared_ptr<Call>> open_;
};

ModuleRooms::ModuleRooms(parallel::UnitRooms& rooms, const std::vector<std::unique_ptr<ModuleUnit>>& units,
                         const std::vector<Block*>& blocks, bool forward_only)
    : rooms_(rooms), root_(*units.front()), forward_only_(forward_only) {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        blocks_.push_back(std::make_shared<BlockRooms>(rooms, *units[units.size() - blocks.size() + i], forward_only));
        blocks[i]->set_runner(blocks_.back());
    }
}

ModuleRooms::~ModuleRooms() = default;

parallel::StepContext ModuleRooms::context_of_forward() const {
    parallel::StepContext context;
    context.training = c10::GradMode::is_enabled() && !forward_only_;
    return context;
}

void ModuleRooms::begin_forward() {
    parallel::StepContext context = context_of_forward();
    Tensors none;
    rooms_.before(root_, none, context);
}

void ModuleRooms::end_forward() {
    parallel::StepContext context = context_of_forward();
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
