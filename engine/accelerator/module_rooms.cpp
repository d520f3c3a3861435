// SPDX-License-Identifier: GPL-3.0-or-later
#include "accelerator/module_rooms.h"

#include <map>
#include <optional>
#include <utility>

#include <c10/core/GradMode.h>

#include <fmt/format.h>

#include "base/error.h"
#include "config/recipe/ignored_modules.h"
#include "distributed/parallel/module_start.h"

namespace trainyard::accelerator {

using parallel::Tensors;

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

/// Opens and closes the rooms of a block, whose parameters are those of `unit`.
class BlockRooms final : public parallel::UnitHook {
  public:
    BlockRooms(parallel::UnitRooms& rooms, parallel::Unit& unit, const Block& block, bool forward_only)
        : rooms_(rooms), unit_(unit), block_(block.shared_unit()), forward_only_(forward_only) {
        block_->add_hook(this);
    }
    ~BlockRooms() override { block_->remove_hook(this); }
    BlockRooms(const BlockRooms&) = delete;
    BlockRooms& operator=(const BlockRooms&) = delete;

    void before(parallel::Unit&, Tensors& inputs, parallel::StepContext& context) override {
        context.training = context.training && !forward_only_;
        rooms_.before(unit_, inputs, context);
    }
    Tensors around(parallel::Unit&, const Tensors& inputs, parallel::StepContext& context,
                   const parallel::UnitForward& forward) override {
        try {
            return forward(inputs, context);
        } catch (...) {
            Tensors none;
            rooms_.after(unit_, none, context);
            throw;
        }
    }
    void after(parallel::Unit&, Tensors& outputs, parallel::StepContext& context) override {
        rooms_.after(unit_, outputs, context);
    }
    void before_backward(parallel::Unit&, const Tensors& gradients, int) override {
        rooms_.before_backward(unit_, gradients, 0);
    }
    void after_backward(parallel::Unit&, const Tensors& gradients, int) override {
        rooms_.after_backward(unit_, gradients, 0);
    }

  private:
    parallel::UnitRooms& rooms_;
    parallel::Unit& unit_;
    std::shared_ptr<ModuleUnit> block_;
    bool forward_only_;
};

ModuleRooms::ModuleRooms(parallel::UnitRooms& rooms, const std::vector<std::unique_ptr<ModuleUnit>>& units,
                         const std::vector<Block*>& blocks, bool forward_only)
    : rooms_(rooms), root_(*units.front()), forward_only_(forward_only) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
        blocks_.push_back(
            std::make_unique<BlockRooms>(rooms, *units[units.size() - blocks.size() + i], *blocks[i], forward_only));
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
    rooms_.after_backward(root_, {}, 0);
}

}  // namespace trainyard::accelerator
