// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/trainer.h"

#include <utility>

#include <ATen/ops/full.h>

#include "base/error.h"
#include "checkpoint/send_files.h"
#include "distributed/parallel/collectives.h"
#include "distributed/parallel/tensor_part.h"
#include "train/loop/gather_numbers.h"
#include "train/loop/roll_back.h"
#include "train/parameter_boxes.h"

namespace trainyard::train {

Trainer::Trainer(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device, TrainerOptions options)
    : options_(std::move(options)),
      training_(recipe, mesh, device, options_.ranks_here, options_.memory_room),
      state_(training_),
      step_(training_, [this] { return roll_back(); }),
      evaluator_(training_) {}

Message Trainer::start() {
    const OffloadedState::Passing passing(training_.optimizer.offloaded());
    const Message text = state_.start(start_notices_);
    const config::Recipe& recipe = training_.recipe;
    const std::int64_t every = recipe.checkpoint.every;
    if (recipe.saves_in_background() && every > 0 &&
        training_.position.step / every * every + every < recipe.training.steps &&
        (state_.saves_together() ? options_.one_disk : training_.mesh.rank() == 0))
        saver().prepare(state_.files_to_save());
    return text;
}

Message Trainer::roll_back() {
    const OffloadedState::Passing passing(training_.optimizer.offloaded());
    try {
        if (saver_)
            saver_->flush();
    } catch (const UserError&) {  // ended_saves() reports it; the checkpoint before is taken
    }
    const auto load = [this](const std::filesystem::path& here) { state_.go_back_to(here); };
    return train::roll_back(
        training_.position.step, options_.one_disk || options_.reach ? checkpoints_ : std::filesystem::path(),
        training_.mesh.everyone(),
        [&](const std::filesystem::path& folder) { options_.one_disk ? load(folder) : options_.reach(folder, load); });
}

checkpoint::Saver& Trainer::saver() {
    if (!saver_) {
        checkpoint::SaverOptions options;
        options.background = true;
        options.retention = checkpoint::retention_of(training_.recipe.checkpoint);
        options.fence = options_.fence;
        options.on_result = [this](const checkpoint::SaveResult& result) {
            std::lock_guard lock(saves_mutex_);
            ended_saves_.push_back(result);
        };
        // Without files of their own, or a disk to write them to, the other ranks need not know of a save.
        const bool together = options_.one_disk && state_.saves_together();
        saver_ =
            std::make_unique<checkpoint::Saver>(std::move(options), together ? &training_.mesh.everyone() : nullptr);
    }
    return *saver_;
}

bool Trainer::hand_to_saver(const std::filesystem::path& checkpoints, bool wait) {
    const OffloadedState::Passing passing(training_.optimizer.offloaded());
    parallel::Mesh& mesh = training_.mesh;
    const checkpoint::Position& position = training_.position;
    training_.model.share_buffers();
    training_.set_phase("save");
    checkpoints_ = checkpoints;
    if (parallel::ArenaLocalSgd* local = training_.model.local_sgd())
        local->settle();
    training_.optimizer.settle();
    const bool together = state_.saves_together();
    if (mesh.rank() > 0 && !together)
        return false;
    checkpoint::SaveRequest request;
    request.files = state_.files_to_save();
    if (together && !options_.one_disk) {
        request.files = checkpoint::files_on_first(std::move(request.files), mesh.everyone());
        if (mesh.rank() > 0)
            return false;
    }
    request.folder = checkpoints / ("checkpoint_" + std::to_string(position.step));
    request.number = position.step;
    request.metric = training_.metric;
    request.may_be_infinite = false;
    if (const std::int64_t bad = training_.health.non_finite_in_a_row(); bad > 0)
        request.not_good = bad == 1 ? Message("the step before it was not finite")
                                    : Message("the {} steps before it were not finite", bad);
    request.mesh = mesh.describe();
    request.world_size = mesh.world_size();  // of files_on_first() one rank saves
    request.position = checkpoint::to_json(position);
    request.wait = wait;
    saver().save(std::move(request));
    return true;
}

std::vector<checkpoint::SaveResult> Trainer::ended_saves() {
    std::lock_guard lock(saves_mutex_);
    return std::exchange(ended_saves_, {});
}

checkpoint::Saved Trainer::save(const std::filesystem::path& checkpoints) {
    checkpoint::Saved saved;
    Message problem;
    try {
        if (hand_to_saver(checkpoints, true)) {
            checkpoint::SaveResult result = saver().last_result().value();
            saved = {result.folder, result.bytes};
            problem = result.error;
        }
    } catch (const UserError& error) {
        problem = error.message();
    }
    const auto options = at::TensorOptions().dtype(at::kDouble).device(training_.device);
    const at::Tensor failed = at::full({1}, problem.empty() ? 0.0 : 1.0, options);
    training_.mesh.everyone().all_reduce(failed, "checkpoint saved").wait();
    if (!problem.empty())
        throw UserError(problem);
    if (failed.item<double>() > 0)
        throw UserError("another rank could not save the checkpoint");
    return saved;
}

double Trainer::epoch() const {
    return static_cast<double>(position().samples) / static_cast<double>(position().training_blocks);
}

std::int64_t Trainer::parameter_count() const {
    std::int64_t count = 0;
    for (const parallel::Unit* unit : model().units())
        for (const parallel::Parameter* parameter : unit->parameters())
            count += whole_elements(*parameter);
    return count;
}

std::uint64_t Trainer::bytes_on_disk() const {
    const OffloadedState* state = training_.optimizer.offloaded();
    return (state != nullptr ? state->bytes() : 0) + training_.model.base().on_disk;
}

std::uint64_t Trainer::bytes_cached() const {
    const OffloadedState* state = training_.optimizer.offloaded();
    return state != nullptr ? state->cached() : 0;
}

std::uint64_t Trainer::bytes_of_shared_rooms() const {
    return static_cast<std::uint64_t>(training_.model.arena().shared_bytes());
}

at::Tensor Trainer::next_logits(const at::Tensor& tokens, parallel::KeyValueCache& cache) {
    if (!next_tokens_)
        next_tokens_.emplace(training_);
    return next_tokens_->next(tokens, cache);
}

NamedTensors Trainer::weights() const {
    NamedTensors result;
    visit_weights([&](const parallel::Parameter& parameter, const at::Tensor& value) {
        result.emplace_back(parameter.name(), shares_weights() ? value.clone() : value);
    });
    return result;
}

NamedTensors Trainer::gradients() const {
    const FlatModel& model = training_.model;
    const parallel::FlatArena& arena = model.arena();
    at::Tensor whole = arena.gradients();
    if (model.is_sharded()) {
        const at::Tensor own = arena.new_state();
        for (const parallel::Parameter* parameter : training_.optimizer.trained())
            arena.state_view(own, *parameter).copy_(arena.owned_gradient(*parameter));
        whole =
            model.sync() != nullptr ? model.sync()->gather_state_on_first(own, "gradients to be looked at", true) : own;
    }
    // Ranks other than the first one have gathered their experts alone.
    const bool experts_alone = model.is_sharded() && divides_experts() && training_.mesh.shards().rank() > 0;
    NamedTensors result;
    if (whole.defined() && arena.keeps_gradients())
        for (const parallel::Parameter* parameter : training_.optimizer.trained()) {
            if (experts_alone && model.model().expert_of(*parameter) < 0)
                continue;
            const at::Tensor own = arena.view(whole, *parameter);
            result.emplace_back(parameter->name(), is_divided(*parameter)
                                                       ? parameter->part()->gather(own, "gradient to be looked at")
                                                       : own);
        }
    return result;
}

std::vector<Tree> Trainer::from_first_pipeline(const Tree& mine, const std::string& name) const {
    Tree all = mine;
    if (const parallel::ExpertShare* experts = training_.model.experts()) {
        if (training_.mesh.data().rank() >= experts->ranks->size())
            return {};
        for (const Tree& part : parallel::all_gather_objects(*experts->ranks, mine, name))
            for (const Tree::Entry& entry : part.entries())
                all.set(entry.key, entry.value);
    }
    if (training_.mesh.data().rank() > 0)
        return {};
    return parallel::all_gather_objects(training_.pipeline(), all, name);
}

std::vector<std::vector<double>> Trainer::from_all_ranks(std::vector<double> mine, const std::string& name) {
    return gather_numbers(std::move(mine), training_.mesh.everyone(), name);
}

std::string Trainer::describe_held_out(std::int64_t sample, std::int64_t position) const {
    const SampleSet* samples = training_.data.samples();
    return samples != nullptr && sample < samples->validation_samples() ? samples->describe(true, sample, position)
                                                                        : std::string();
}

}  // namespace trainyard::train
