#include "parallel/unit.h"

#include <torch/csrc/autograd/custom_function.h>

namespace trainyard::parallel {

/// Identity whose backward tells the unit that backward enters (placed on the output) or leaves it (placed on the input).
struct BackwardMark : torch::autograd::Function<BackwardMark> {
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& hidden, Unit* unit,
                              bool entering) {
        context->saved_data["unit"] = reinterpret_cast<std::int64_t>(unit);
        context->saved_data["entering"] = entering;
        return hidden.view_as(hidden);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        auto* unit = reinterpret_cast<Unit*>(context->saved_data["unit"].toInt());
        if (context->saved_data["entering"].toBool())
            unit->run_before_backward();
        else
            unit->run_after_backward();
        return {gradients[0], at::Tensor(), at::Tensor()};
    }
};

at::Tensor Unit::operator()(const at::Tensor& hidden, StepContext& context) {
    for (UnitHook* hook : hooks_)
        hook->before(*this, context);
    bool marked = context.training && !hooks_.empty();
    at::Tensor input = hidden;
    if (marked && input.defined() && input.requires_grad())
        input = BackwardMark::apply(input, this, false);
    at::Tensor output = forward(input, context);
    if (marked && output.requires_grad())
        output = BackwardMark::apply(output, this, true);
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        (*hook)->after(*this, context);
    return output;
}

void Unit::finish_backward() {
    if (backward_open_)
        run_after_backward();
}

Parameter& Unit::add_parameter(std::string name, std::vector<std::int64_t> shape, Initialiser initialiser) {
    owned_.push_back(std::make_unique<Parameter>(std::move(name), std::move(shape), initialiser));
    parameters_.push_back(owned_.back().get());
    return *owned_.back();
}

void Unit::run_before_backward() {
    backward_open_ = true;
    for (UnitHook* hook : hooks_)
        hook->before_backward(*this);
}

void Unit::run_after_backward() {
    backward_open_ = false;
    for (auto hook = hooks_.rbegin(); hook != hooks_.rend(); ++hook)
        (*hook)->after_backward(*this);
}

}  // namespace trainyard::parallel
