// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/unit.h"

#include <stdexcept>
#include <utility>

#include <torch/csrc/autograd/custom_function.h>

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
        int micro_batch = static_cast<int>(context->saved_data["micro_batch"].toInt());
        if (context->saved_data["entering"].toBool())
            unit->run_before_backward(gradients, micro_batch);
        else
            unit->run_after_backward(gradients, micro_batch);
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

Tensors Unit::run_around(std::size_t hook, const Tensors& inputs, StepContext& context) {
    if (hook == hooks_.size())
        return forward(inputs, context);
    return hooks_[hook]->around(*this, inputs, context, [this, hook](const Tensors& own, StepContext& its) {
        return run_around(hook + 1, own, its);
    });
}

Tensors Unit::operator()(const Tensors& inputs, StepContext& context) {
    const profile::Scope scope([&] { return unit_mark(*this, "forward", context.micro_batch); });
    if (hooks_.empty() && !(profile::marking() && context.training))
        return forward(inputs, context);
    Tensors tensors = inputs;
    for (UnitHook* hook : hooks_)
        hook->before(*this, tensors, context);
    if (context.training)
        tensors = marked(tensors, this, false, context.micro_batch);
    tensors = run_around(0, tensors, context);
    if (context.training)
        tensors = marked(tensors, this, true, context.micro_batch);
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        (*hook)->after(*this, tensors, context);
    return tensors;
}

void Unit::finish_backward() {
    if (backward_open_)
        run_after_backward({}, backward_micro_batch_);
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

void Unit::run_before_backward(const Tensors& gradients, int micro_batch) {
    backward_open_ = true;
    backward_micro_batch_ = micro_batch;
    backward_began_ = profile::marking() ? monotonic_seconds() : 0;
    for (UnitHook* hook : hooks_)
        hook->before_backward(*this, gradients, micro_batch);
}

void Unit::run_after_backward(const Tensors& gradients, int micro_batch) {
    backward_open_ = false;
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        (*hook)->after_backward(*this, gradients, micro_batch);
    if (profile::marking() && backward_began_ > 0) {
        profile::Mark mark = unit_mark(*this, "backward", micro_batch);
        mark.begin = backward_began_;
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
