// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/unit.h"

#include <stdexcept>
#include <utility>

#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/engine.h>

#include <fmt/format.h>

#include "profile/marks.h"

namespace trainyard::parallel {

/// Identity whose backward tells the unit that backward enters (placed on the outputs) or leaves it (placed on the inputs).
struct BackwardMark : torch::autograd::Function<BackwardMark> {
    static torch::autograd::variable_list forward(torch::autograd::AutogradContext* context, at::TensorList tensors,
                                                  Unit* unit, bool entering, int micro_batch) {
        context->saved_data["unit"] = reinterpret_cast<std::int64_t>(unit);
        context->saved_data["entering"] = entering;
        context->saved_data["micro_batch"] = micro_batch;
        context->set_materialize_grads(false);
        torch::autograd::variable_list same;
        for (const at::Tensor& tensor : tensors)
            same.push_back(tensor.view_as(tensor));
        return same;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        auto* unit = reinterpret_cast<Unit*>(context->saved_data["unit"].toInt());
        const int micro_batch = static_cast<int>(context->saved_data["micro_batch"].toInt());
        if (context->saved_data["entering"].toBool())
            unit->run_before_backward(unit->call_, gradients, micro_batch);
        else
            unit->run_after_backward(unit->call_, gradients);
        gradients.resize(gradients.size() + 3);  // for the arguments that are not tensors
        return gradients;
    }
};

namespace {

profile::Mark unit_mark(const Unit& unit, const char* pass, int micro_batch) {
    return {profile::Row::units,
            "unit",
            unit.name() + ' ' + pass,
            0,
            0,
            fmt::format("\"unit\": {}, \"pass\": \"{}\", \"micro-batch\": {}", profile::json_text(unit.name()), pass,
                        micro_batch)};
}

/// The same tensors; backward passes a mark on the way through those that require a gradient.
Tensors marked(const Tensors& tensors, Unit* unit, bool entering, int micro_batch) {
    Tensors wanted;
    for (const at::Tensor& tensor : tensors)
        if (tensor.defined() && tensor.requires_grad())
            wanted.push_back(tensor);
    if (wanted.empty())
        return tensors;
    Tensors through = BackwardMark::apply(at::TensorList(wanted), unit, entering, micro_batch);
    Tensors result = tensors;
    std::size_t next = 0;
    for (at::Tensor& tensor : result)
        if (tensor.defined() && tensor.requires_grad())
            tensor = through[next++];
    return result;
}

}  // namespace

const at::Tensor& StepContext::input(const std::string& name) const {
    std::string there;
    for (const auto& [own, tensor] : inputs) {
        if (own == name)
            return tensor;
        there += (there.empty() ? "" : ", ") + own;
    }
    throw std::invalid_argument("the micro-batch has no input '" + name +
                                "': " + (there.empty() ? "it has none" : "there are " + there));
}

Tensors Unit::run_around(std::size_t hook, const Tensors& inputs, StepContext& context, const UnitForward& forward) {
    if (hook == hooks_.size())
        return forward(inputs, context);
    return hooks_[hook]->around(*this, inputs, context, [this, hook, forward](const Tensors& own, StepContext& its) {
        return run_around(hook + 1, own, its, forward);
    });
}

Tensors Unit::operator()(const Tensors& inputs, StepContext& context) {
    return call(inputs, context, [this](const Tensors& own, StepContext& its) { return forward(own, its); });
}

Tensors Unit::call(const Tensors& inputs, StepContext& context, const UnitForward& forward) {
    const profile::Scope scope([&] { return unit_mark(*this, "forward", context.micro_batch); });
    if (hooks_.empty() && !(profile::marking() && context.training))
        return forward(inputs, context);
    Tensors tensors = inputs;
    for (UnitHook* hook : hooks_)
        hook->before(*this, tensors, context);
    const auto own = std::make_shared<Call>(Call{.micro_batch = context.micro_batch});
    const auto mark = [&](bool entering) {
        if (!context.training)
            return;
        if (marks_ == BackwardMarks::nodes)
            tensors = marked(tensors, this, entering, context.micro_batch);
        else
            watch(tensors, own, entering);
    };
    mark(false);
    tensors = run_around(0, tensors, context, forward);
    mark(true);
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        (*hook)->after(*this, tensors, context);
    return tensors;
}

/// Autograd runs nodes in the reverse order of their making: when the gradient of a tensor that was made before the
/// unit is complete, all of the unit's nodes have run. Leaves are excepted: their nodes run at once. The hooks of
/// inputs
/// are set before forward, which may change the tensors in place.
void Unit::watch(const Tensors& tensors, const std::shared_ptr<Call>& call, bool entering) {
    for (const at::Tensor& tensor : tensors) {
        if (!tensor.defined() || !tensor.requires_grad() || (!entering && tensor.is_leaf()))
            continue;
        tensor.register_hook([self = std::weak_ptr<Unit*>(self_), call, entering](const at::Tensor& gradient) {
            const std::shared_ptr<Unit*> unit = self.lock();
            if (unit == nullptr || call->is_open == entering)  // entered by another output, or not at all
                return;
            if (!entering)
                return (*unit)->run_after_backward(*call, {gradient});
            (*unit)->run_before_backward(*call, {gradient}, call->micro_batch);
            torch::autograd::Engine::get_default_engine().queue_callback([self, call] {
                if (const std::shared_ptr<Unit*> late = self.lock(); late != nullptr && call->is_open)
                    (*late)->run_after_backward(*call, {});
            });
        });
    }
}

void Unit::finish_backward() {
    if (call_.is_open)
        run_after_backward(call_, {});
}

Parameter& Unit::add_parameter(std::string name, std::vector<std::int64_t> shape, Initialiser initialiser) {
    owned_.push_back(std::make_unique<Parameter>(std::move(name), std::move(shape), initialiser));
    parameters_.push_back(owned_.back().get());
    return *owned_.back();
}

Parameter& Unit::tie_parameter(Parameter& parameter) {
    tied_parameters_.push_back(&parameter);
    return parameter;
}

Buffer& Unit::add_buffer(std::string name, at::Tensor start) {
    buffers_.push_back(std::make_unique<Buffer>(Buffer{std::move(name), std::move(start)}));
    return *buffers_.back();
}

void Unit::run_before_backward(Call& call, const Tensors& gradients, int micro_batch) {
    call = {.is_open = true, .micro_batch = micro_batch, .began = profile::marking() ? monotonic_seconds() : 0};
    for (UnitHook* hook : hooks_)
        hook->before_backward(*this, gradients, micro_batch);
}

void Unit::run_after_backward(Call& call, const Tensors& gradients) {
    call.is_open = false;
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        (*hook)->after_backward(*this, gradients, call.micro_batch);
    if (profile::marking() && call.began > 0) {
        profile::Mark mark = unit_mark(*this, "backward", call.micro_batch);
        mark.begin = call.began;
        mark.end = monotonic_seconds();
        profile::add_mark(std::move(mark));
    }
}

Tensors run_units(std::span<Unit* const> units, Tensors inputs, StepContext& context) {
    for (Unit* unit : units)
        inputs = (*unit)(inputs, context);
    return inputs;
}

}  // namespace trainyard::parallel
