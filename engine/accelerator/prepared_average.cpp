// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <string>
#include <utility>

#include <trainyard/prepared_average.h>

namespace trainyard::accelerator {

namespace {

/// A state of whole averages, or of this rank's elements of them, as a state of this rank's elements alone.
Tree with_held_elements(const Tree& state, const PreparedModel& model) {
    std::map<std::string, at::Tensor> parameters(model.parameters().begin(), model.parameters().end());
    const Tree& saved = state.at("average");
    Tree average = Tree::dict();
    for (const auto& [name, values] : model.held_values()) {
        const at::Tensor &parameter = parameters.at(name), &stored = saved.at(name).as_tensor();
        const bool is_whole = stored.sizes() == parameter.sizes();
        average.set(name,
                    is_whole ? stored.reshape({-1}).narrow(0, model.held(parameter).begin, values.numel()) : stored);
    }
    for (const auto& [name, buffer] : model.buffers())
        average.set(name, saved.at(name));
    Tree held = state;
    held.set("average", std::move(average));
    return held;
}

}  // namespace

PreparedAverage::PreparedAverage(std::shared_ptr<PreparedModel> model, const train::WeightAverageOptions& options)
    : model_(std::move(model)), average_(model_->held_values(), options, model_->buffers()) {}

NamedTensors PreparedAverage::averages() const {
    return model_->whole(average_.averages());
}

Tree PreparedAverage::state_dict() const {
    NamedTensors tensors = model_->whole(average_.tensors());
    if (tensors.empty())  // another rank than the main process, which has the whole ones
        tensors = average_.tensors();
    Tree average = Tree::dict();
    for (const auto& [name, tensor] : tensors)
        average.set(name, tensor.detach().clone());
    Tree state = average_.counts();
    state.set("average", std::move(average));
    return state;
}

void PreparedAverage::load_state_dict(const Tree& state) {
    average_.load_state_dict(model_->divides_weights() ? with_held_elements(state, *model_) : state);
}

void PreparedAverage::wait_for_readers() {
    if (model_->gradients() != nullptr)
        model_->gradients()->wait_for_readers();
}

void PreparedAverage::publish() {
    if (model_->gradients() != nullptr)
        model_->gradients()->publish_values();
}

}  // namespace trainyard::accelerator
