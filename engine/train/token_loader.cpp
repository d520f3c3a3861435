// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/token_loader.h"

#include <utility>

#include "base/error.h"

namespace trainyard::train {

namespace {

Tree tree_of_batch(const Batch& batch, std::int64_t step) {
    Tree made = Tree::dict({{"labels", batch.labels},
                            {"targets", batch.targets},
                            {"step", step},
                            {"micro_batch", batch.micro_batch},
                            {"first_sample", batch.first_sample}});
    if (batch.tokens.defined())
        made.set("tokens", batch.tokens);
    if (batch.attention_mask.defined())
        made.set("attention_mask", batch.attention_mask);
    for (const auto& [name, tensor] : batch.inputs)
        made.set(name, tensor);
    return made;
}

}  // namespace

BatchPasses::~BatchPasses() {
    if (under_way_ && observer_ != nullptr)
        observer_->pass_ends(*this);
}

void BatchPasses::begin() {
    if (under_way_)
        end_pass();
    under_way_ = true;
    if (observer_ != nullptr)
        observer_->pass_begins(*this);
}

std::optional<Tree> BatchPasses::next() {
    if (!under_way_)
        return std::nullopt;
    if (next_ >= batches()) {
        end_pass();
        ++passes_;
        return std::nullopt;
    }
    return batch(next_++);
}

void BatchPasses::end_pass() {
    under_way_ = false;
    next_ = 0;
    if (observer_ != nullptr)
        observer_->pass_ends(*this);
}

Tree BatchPasses::state_dict() const {
    return Tree::dict({{"next", next_}, {"passes", passes_}});
}

void BatchPasses::load_state_dict(const Tree& state) {
    const std::int64_t next = state.at("next").as_integer(), passes = state.at("passes").as_integer();
    if (next < 0 || next > batches())
        throw UserError(
            "the saved place of the data is batch {} of a pass that has {}: give the "
            "training.steps that it was saved with, or more",
            next, batches());
    next_ = next;
    passes_ = passes;
}

TokenLoader::TokenLoader(std::shared_ptr<DataLoader> data, const config::TrainingRecipe& training)
    : data_(std::move(data)), steps_(training.steps), accumulation_(training.gradient_accumulation_steps) {}

Tree TokenLoader::batch(std::int64_t number) {
    const std::int64_t step = number / accumulation_;
    return tree_of_batch(data_->training_batch(data_->samples_of_steps(step), static_cast<int>(number % accumulation_)),
                         step);
}

Tree HeldOutLoader::batch(std::int64_t number) {
    return tree_of_batch(data_->evaluation_batch(number), 0);
}

}  // namespace trainyard::train
