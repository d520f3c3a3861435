// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/parallel/schedule_executor.h"

#include <optional>
#include <stdexcept>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/zeros_like.h>
#include <torch/csrc/autograd/autograd.h>

#include <fmt/format.h>

#include "distributed/pipeline/check_schedule.h"
#include "distributed/tensors/memory_meter.h"
#include "profile/marks.h"

namespace trainyard::parallel {

namespace {

/// Whether a gradient travels back for a tensor that travelled forwards: the same on both sides of a message.
bool may_have_gradient(const at::Tensor& tensor) {
    return tensor.defined() && tensor.is_floating_point();
}

/// Cut off from the graph that made them; numbers that can have a gradient get one.
Tensors as_leaves(const Tensors& tensors) {
    Tensors leaves;
    for (const at::Tensor& tensor : tensors) {
        leaves.push_back(tensor.detach());
        if (at::GradMode::is_enabled() && may_have_gradient(tensor))
            leaves.back().set_requires_grad(true);
    }
    return leaves;
}

/// Returns the gradients of a stage's inputs; zeros for inputs that backward did not reach.
Tensors gradients_of(const Tensors& inputs) {
    Tensors gradients;
    for (const at::Tensor& input : inputs)
        if (may_have_gradient(input))
            gradients.push_back(input.grad().defined() ? input.grad().contiguous() : at::zeros_like(input.detach()));
    return gradients;
}

profile::Mark action_mark(const Action& action) {
    profile::Mark mark{profile::Row::micro_batches, "action", to_text(action)};
    if (action.micro_batch >= 0)
        mark.arguments = fmt::format("\"stage\": {}, \"micro-batch\": {}", action.stage, action.micro_batch);
    return mark;
}

}  // namespace

ScheduleExecutor::ScheduleExecutor(Schedule schedule, Communicator& pipeline, PipelineStages& stages)
    : schedule_(std::move(schedule)), pipeline_(pipeline), stages_(stages) {
    pipeline::check_schedule(schedule_);
    if (static_cast<int>(schedule_.ranks.size()) != pipeline_.size())
        throw std::invalid_argument("the schedule is for " + std::to_string(schedule_.ranks.size()) +
                                    " ranks, the pipeline has " + std::to_string(pipeline_.size()));
    for (const Action& action : schedule_.ranks[static_cast<std::size_t>(pipeline_.rank())])
        for (Action& part : pipeline::parts_of(action))
            row_.push_back(std::move(part));
    count_arrivals();
}

void ScheduleExecutor::count_arrivals() {
    using enum pipeline::ActionKind;
    arrived_at_.assign(row_.size(), 0);
    for (std::size_t i = 0; i < row_.size(); ++i) {
        const Action& action = row_[i];
        bool forwards = action.kind == receive_forward;
        if (!forwards && action.kind != receive_backward)
            continue;
        // Count the messages that the other rank had received from here when it sent this one.
        Action sent{forwards ? send_forward : send_backward, action.stage + (forwards ? -1 : 1), action.micro_batch};
        const RankActions& theirs = schedule_.ranks[static_cast<std::size_t>(rank_of(sent.stage))];
        for (const Action& earlier : theirs) {
            if (earlier == sent)
                break;
            bool from_here = (earlier.kind == receive_forward && is_own(earlier.stage - 1)) ||
                             (earlier.kind == receive_backward && is_own(earlier.stage + 1));
            arrived_at_[i] += from_here ? 1 : 0;
        }
    }
}

void ScheduleExecutor::send(const Action& action, int to, Tensors tensors) {
    Message message;
    for (const at::Tensor& tensor : tensors) {
        message.tensors.push_back(tensor.detach().contiguous());
        message.parts.push_back(pipeline_.send(message.tensors.back(), to, to_text(action)));
    }
    under_way_[to].push_back(std::move(message));
}

void ScheduleExecutor::receive(const Action& action, int from, const Tensors& tensors, std::size_t arrived) {
    for (const at::Tensor& tensor : tensors)
        pipeline_.receive(tensor, from, to_text(action)).wait();
    for (std::deque<Message>& messages = under_way_[from]; arrived_[from] < arrived; ++arrived_[from]) {
        for (Pending& part : messages.front().parts)
            part.wait();
        messages.pop_front();
    }
}

void ScheduleExecutor::run_forward(const Action& action) {
    Slot& own = slot(action);
    const MemoryUseScope scope(MemoryUse::activations);
    own.outputs = stages_.forward(action.stage, action.micro_batch, own.inputs);
    if (is_own(action.stage + 1))
        slots_[{action.stage + 1, action.micro_batch}].inputs = as_leaves(own.outputs);
    if (!at::GradMode::is_enabled())
        own.inputs.clear();
}

void ScheduleExecutor::run_backward(const Action& action, bool last) {
    Slot& own = slot(action);
    stages_.before_backward(action.stage, action.micro_batch, last);
    // Outputs that nothing trained was needed for have no way back.
    Tensors outputs, gradients;
    bool last_stage = action.stage + 1 == schedule_.stages;
    std::size_t next = 0;
    for (const at::Tensor& output : std::exchange(own.outputs, {})) {
        if (!may_have_gradient(output))
            continue;
        at::Tensor gradient = last_stage ? stages_.root_gradient() : own.output_gradients.at(next++);
        if (!output.requires_grad())
            continue;
        outputs.push_back(output);
        gradients.push_back(std::move(gradient));
    }
    own.output_gradients.clear();
    {
        const MemoryUseScope memory(MemoryUse::workspace);
        std::optional<DeferredGradients::Scope> scope;
        if (action.kind == pipeline::ActionKind::backward_input)
            scope.emplace(own.weights);
        if (!outputs.empty())
            torch::autograd::backward(outputs, gradients);
    }
    outputs.clear();
    stages_.after_backward(action.stage, action.micro_batch);
    if (is_own(action.stage - 1)) {
        slots_[{action.stage - 1, action.micro_batch}].output_gradients = gradients_of(own.inputs);
        own.inputs.clear();
    }
}

void ScheduleExecutor::execute(std::size_t position) {
    using enum pipeline::ActionKind;
    const Action& action = row_[position];
    switch (action.kind) {
        case forward:
            run_forward(action);
            break;
        case backward:
        case backward_input:
            run_backward(action, is_last_backward(row_, position));
            break;
        case backward_weight: {
            at::NoGradGuard no_grad;
            slot(action).weights.run();
            break;
        }
        case send_forward:
            send(action, rank_of(action.stage + 1), slot(action).outputs);
            break;
        case send_backward:
            send(action, rank_of(action.stage - 1), gradients_of(slot(action).inputs));
            slot(action).inputs.clear();
            break;
        case receive_forward: {
            Tensors inputs = stages_.empty_inputs(action.stage, action.micro_batch);
            receive(action, rank_of(action.stage - 1), inputs, arrived_at_[position]);
            slot(action).inputs = as_leaves(inputs);
            break;
        }
        case receive_backward: {
            Tensors gradients;
            for (const at::Tensor& output : slot(action).outputs)
                if (may_have_gradient(output))
                    gradients.push_back(at::empty_like(output.detach(), at::MemoryFormat::Contiguous));
            receive(action, rank_of(action.stage + 1), gradients, arrived_at_[position]);
            slot(action).output_gradients = std::move(gradients);
            break;
        }
        default:  // the stages' hooks gather weights and reduce gradients
            break;
    }
}

void ScheduleExecutor::run(const std::function<void(const Action&)>& before) {
    slots_.clear();
    under_way_.clear();
    arrived_.clear();
    for (std::size_t i = 0; i < row_.size(); ++i) {
        const profile::Scope scope([&] { return action_mark(row_[i]); });
        before(row_[i]);
        execute(i);
    }
    for (auto& [rank, messages] : under_way_)
        for (Message& message : messages)
            for (Pending& part : message.parts)
                part.wait();
    slots_.clear();
    under_way_.clear();
}

}  // namespace trainyard::parallel
