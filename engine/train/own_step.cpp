// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/own_step.h"

#include <string_view>
#include <utility>

#include "base/error.h"
#include "models/plugins/plugins.h"
#include "models/spec/tasks.h"

namespace trainyard::train {

namespace {

constexpr const char *kTokens = "input_ids", *kLabels = "labels", *kMask = "attention_mask";

plugin::Inputs inputs_of(const Batch& batch) {
    plugin::Inputs inputs;
    for (const auto& [name, tensor] :
         {std::pair(kTokens, batch.tokens), {kLabels, batch.labels}, {kMask, batch.attention_mask}})
        if (tensor.defined())
            inputs.emplace(name, tensor);
    inputs.insert(batch.inputs.begin(), batch.inputs.end());
    return inputs;
}

}  // namespace

OwnStep::OwnStep(const config::Recipe& recipe)
    : name_(recipe.training.step_function),
      seed_(recipe.training.seed),
      step_(plugins::make_step(recipe.training.step_function)) {
    if (!step_->has_loss())
        return;
    if (!recipe.model.loss.empty())
        throw UserError("training.step_function: the step '{}' has a loss, and model.loss is {}: leave one out", name_,
                        recipe.model.loss);
    if (recipe.model.task == families::kSentenceEmbedding)
        throw UserError("training.step_function: the step '{}' has a loss, which {} does not take: leave it out", name_,
                        recipe.model.task);
}

Batch OwnStep::prepare(const Batch& batch, std::int64_t step, bool training) const {
    plugin::Inputs inputs = inputs_of(batch);
    // A tensor of the loader may be that of another batch, too.
    for (auto& [name, tensor] : inputs)
        tensor = tensor.clone();
    plugins::call_part(plugins::Part::step, name_, [&] {
        step_->prepare(inputs, {training ? step : -1, batch.first_sample, seed_, training});
    });
    for (const auto& [name, tensor] : inputs)
        if (!tensor.defined() || tensor.dim() == 0 || tensor.size(0) != batch.labels.size(0))
            throw UserError("the step '{}' made {} of other rows than the batch has, which are {}", name_, name,
                            batch.labels.size(0));
    Batch made = batch;
    const auto take = [&](const char* name, at::Tensor& target) {
        const auto found = inputs.find(name);
        if (found == inputs.end() && target.defined() && name != std::string_view(kMask))
            throw UserError("the step '{}' took {} out of the batch", name_, name);
        target = found == inputs.end() ? at::Tensor() : found->second;
        inputs.erase(name);
    };
    take(kTokens, made.tokens);
    take(kLabels, made.labels);
    take(kMask, made.attention_mask);
    made.inputs.assign(inputs.begin(), inputs.end());
    return made;
}

void OwnStep::set_loss(parallel::StepContext& context, const Batch& batch) const {
    if (step_->has_loss())
        context.own_loss = [step = step_, name = name_, inputs = inputs_of(batch)](const at::Tensor& outputs,
                                                                                   const at::Tensor& labels) {
            return plugins::summed_loss(*step, name, outputs, labels, inputs);
        };
}

}  // namespace trainyard::train
