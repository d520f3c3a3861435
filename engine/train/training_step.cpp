// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/training_step.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>

#include "base/clock.h"
#include "base/counted.h"
#include "base/error.h"
#include "distributed/parallel/collectives.h"
#include "models/spec/family.h"
#include "profile/marks.h"
#include "train/loop/gather_numbers.h"

namespace trainyard::train {

namespace {

pipeline::Schedule schedule_of(const config::Recipe& recipe, const RankStages& part) {
    const int micro_batches = static_cast<int>(recipe.training.gradient_accumulation_steps);
    if (part.ranks == 1)
        return pipeline::plain_schedule(micro_batches);
    return pipeline::make_schedule(recipe.parallel.pipeline_schedule, part.ranks, micro_batches,
                                   static_cast<int>(part.rank_of_stage.size()) / part.ranks);
}

/// Collective. Returns the name of the first tensor with an element that is not finite on any rank; empty: all are
/// finite. `own` has this rank's elements of the tensors.
std::string agreed_first_non_finite(Training& training, const NamedTensors& own) {
    const std::optional<std::size_t> first = first_non_finite(own);
    std::int64_t number = first ? static_cast<std::int64_t>(*first) : std::ssize(own);
    std::string name = first ? own[*first].first : std::string();
    // Ranks that have other elements, experts or layers.
    const bool differ = training.model.is_sharded() || training.model.experts() != nullptr;
    for (parallel::Communicator* others :
         {differ ? &training.mesh.data() : nullptr, training.model.part().ranks > 1 ? &training.pipeline() : nullptr,
          training.model.tensor_ranks().size() > 1 ? &training.model.tensor_ranks() : nullptr})
        if (others != nullptr)
            for (const Tree& other :
                 parallel::all_gather_objects(*others, Tree::dict({{"number", number}, {"name", name}}), "not finite"))
                if (const std::string theirs = other.at("name").as_text();
                    !theirs.empty() && (name.empty() || other.at("number").as_integer() < number)) {
                    number = other.at("number").as_integer();
                    name = theirs;
                }
    return name;
}

/// Collective: as agreed_first_non_finite(), of the weights, frozen ones included.
std::string first_weight_not_finite(Training& training) {
    NamedTensors own;
    for (const parallel::FlatGroup& group : training.model.arena().groups())
        for (const parallel::Parameter* parameter : group.parameters())
            own.emplace_back(parameter->name(), training.model.arena().held_value(*parameter));
    return agreed_first_non_finite(training, own);
}

/// Numbers of ranks within the group, which has found the same on all of them, become those of the run. Collective.
void number_in_run(std::optional<Divergence>& found, const parallel::Mesh& mesh, parallel::Communicator& group) {
    if (!found)
        return;
    const auto ranks = gather_numbers(std::vector<std::int64_t>{mesh.rank()}, group, "ranks that differ");
    for (int& rank : found->ranks)
        rank = static_cast<int>(ranks[static_cast<std::size_t>(rank)].front());
}

void merge(std::optional<Divergence>& found, const std::optional<Divergence>& other) {
    if (!other)
        return;
    if (!found)
        found.emplace().parameter = other->parameter;
    found->parameters += other->parameters;
    for (const int rank : other->ranks)
        if (std::ranges::find(found->ranks, rank) == found->ranks.end())
            found->ranks.push_back(rank);
}

/// Collective: `found` becomes what all of the ranks have found.
void merge_over(std::optional<Divergence>& found, parallel::Communicator& ranks) {
    if (ranks.size() == 1)
        return;
    Tree mine = Tree::list();
    if (found) {
        mine.append(found->parameter);
        mine.append(found->parameters);
        for (const int rank : found->ranks)
            mine.append(static_cast<std::int64_t>(rank));
    }
    found.reset();
    for (const Tree& part : parallel::all_gather_objects(ranks, mine, "ranks that differ")) {
        const Tree::List& items = part.items();
        if (items.empty())
            continue;
        Divergence other{{}, items[0].as_text(), items[1].as_integer()};
        for (std::size_t i = 2; i < items.size(); ++i)
            other.ranks.push_back(static_cast<int>(items[i].as_integer()));
        merge(found, other);
    }
}

}  // namespace

TrainingStep::TrainingStep(Training& training, std::function<Message()> roll_back)
    : training_(training),
      roll_back_(std::move(roll_back)),
      executor_(schedule_of(training.recipe, training.model.part()), training.pipeline(), *this),
      router_(training.model.model().make_router_step(
          training.model.local_sgd() != nullptr ? nullptr : &training.mesh.data(), training.device)) {
    if (const std::int64_t count = training.recipe.training.gradient_accumulation_steps; router_ && count > 1)
        counting_executor_.emplace(
            pipeline::forward_schedule(training.model.part().rank_of_stage, static_cast<int>(count)),
            training.pipeline(), static_cast<parallel::PipelineStages&>(*this));
    parallel::Communicator& replicas = training.mesh.data();
    const config::HealthRecipe& health = training.recipe.health;
    if (replicas.size() > 1 && health.straggler_every > 0) {
        StragglerOptions options;
        options.every = health.straggler_every;
        stragglers_.emplace(replicas, options);
    }
    if (equal_ranks().size() > 1 && health.divergence_every > 0)
        divergence_.emplace(equal_ranks(), health.divergence_every);
    if (training.recipe.training.cuda_graph)
        graph_.emplace(training.device, training.recipe.training.gradient_accumulation_steps, training.model.arena());
}

parallel::Communicator& TrainingStep::equal_ranks() {
    return training_.model.shares_values() ? training_.mesh.copies() : training_.mesh.data();
}

const Batch& TrainingStep::read_batch(int micro_batch) {
    training_.set_phase("data");
    training_.flow.phases().enter(Phase::data);
    const auto known = batches_.find(micro_batch);
    if (known != batches_.end())
        return known->second;
    Batch batch = training_.data.training_batch(training_.position.samples, micro_batch);
    for (const auto& [name, tensor] : batch.inputs)
        if (name == "pixel_values")
            image_size_ = {tensor.size(2), tensor.size(3)};
    return batches_[micro_batch] = training_.changed(std::move(batch), training_.position.step, true);
}

parallel::StepContext TrainingStep::context(const Batch& batch) const {
    parallel::StepContext context = training_.context(batch, true, training_.flow.loss_sum());
    context.router = router_.get();
    if (graph_ && graph_->is_capturing())  // the gradient of the root has the scale
        context.counters = graph_->counters(batch.micro_batch);
    else
        context.loss_scale = training_.flow.loss_factor(expected_targets());
    return context;
}

parallel::Tensors TrainingStep::empty_inputs(int stage, int micro_batch) {
    const Batch& batch = read_batch(micro_batch);
    training_.flow.phases().enter(Phase::communicate);
    return training_.model.model().empty_streams(*training_.model.part().stages.at(stage).front(), context(batch),
                                                 training_.device);
}

parallel::Tensors TrainingStep::forward(int stage, int micro_batch, const parallel::Tensors& inputs) {
    const RankStages& part = training_.model.part();
    if (graph_ && graph_->is_capturing()) {
        parallel::StepContext step = context(graph_->batch(micro_batch));
        return training_.model.run(stage, inputs, step);
    }
    const Batch batch = read_batch(micro_batch);
    const bool counts = router_ && router_->pass() == models::RouterStep::Pass::count;
    if (stage == part.stages.rbegin()->first && !counts)
        batches_.erase(micro_batch);
    if (part.is_last_stage(stage) && !counts && training_.model.counts_loss())
        training_.flow.count_targets(static_cast<double>(batch.targets));
    training_.set_phase("forward");
    training_.flow.phases().enter(Phase::forward);
    parallel::StepContext step = context(batch);
    return training_.model.run(stage, inputs, step);
}

void TrainingStep::count_choices() {
    using Pass = models::RouterStep::Pass;
    if (!router_)
        return;
    router_->begin(counting_executor_ ? Pass::count : Pass::learn);
    if (!counting_executor_)
        return;
    at::NoGradGuard no_grad;
    counting_executor_->run();
    if (training_.model.part().has_last_stage())
        router_->settle();
    router_->set_pass(Pass::learn);
}

/// Updates while backward runs cannot be corrected after it. They need one micro-batch, whose targets are known.
double TrainingStep::expected_targets() const {
    return training_.model.backward_update() != nullptr ? std::max(1.0, training_.flow.targets())
                                                        : static_cast<double>(training_.data.targets_per_step());
}

at::Tensor TrainingStep::root_gradient() {
    return graph_ && graph_->is_capturing() ? graph_->loss_factor() : at::Tensor();
}

void TrainingStep::before_backward(int, int, bool last) {
    if (graph_ && graph_->is_capturing())  // the gradients travel after the replay
        return training_.flow.begin_backward(false);
    training_.set_phase("backward");
    if (BackwardUpdate* update = training_.model.backward_update()) {
        training_.optimizer.set_lr(0, training_.rates.lr());
        training_.optimizer.set_momentum(0, training_.rates.momentum());
        update->begin(training_.flow.targets() > 0 && std::isfinite(training_.flow.loss_sum().item<double>()));
    }
    training_.flow.begin_backward(last);
}

void TrainingStep::after_backward(int, int) {
    training_.flow.end_backward();
}

double TrainingStep::waited_seconds() const {
    double seconds = 0;
    const parallel::SequenceShare* sequence = training_.model.sequence();
    const parallel::ExpertShare* experts = training_.model.experts();
    for (const parallel::Communicator* group :
         std::set{&training_.mesh.data(), &training_.model.shards(), &training_.pipeline(),
                  sequence != nullptr ? sequence->ranks : &training_.mesh.data(),
                  sequence != nullptr && sequence->keys != nullptr ? sequence->keys->ranks : &training_.mesh.data(),
                  experts != nullptr ? experts->ranks : &training_.mesh.data(),
                  experts != nullptr ? experts->copies : &training_.mesh.data(),
                  experts != nullptr ? experts->shards : &training_.mesh.data(), &training_.model.tensor_ranks(),
                  &training_.mesh.everyone()})
        seconds += group->stats().waited_seconds;
    return seconds;
}

void TrainingStep::reduce(StepReport& report, const StepRequests& requests) {
    training_.set_phase("reduce");
    UpdateFlow& flow = training_.flow;
    if (!training_.model.counts_loss())
        flow.loss_sum().zero_();
    const double own = flow.targets();
    const StepControl::Agreed& agreed = flow.finish_counted(expected_targets(), requests);
    report.targets = std::llround(agreed.targets);
    report.agreed = agreed.requests;
    report.loss = agreed.targets > 0 ? agreed.loss_sum / agreed.targets : std::nan("");
    counted_ = counted_ || agreed.targets > 0;
    report.own_loss = own > 0 ? flow.loss_sum().item<double>() / own : std::nan("");
    report.loss_scale = flow.scaler().scale_value();
    flow.unscale(training_.optimizer);
    const double norm = flow.measure(training_.model);
    flow.clip(training_.model, norm, training_.recipe.training.max_grad_norm);
    // Of gradients that differ the root of the mean of squares: not finite where one is not, so that all ranks skip
    // together.
    report.gradient_norm = training_.model.is_local() ? std::sqrt(agreed.squares / training_.mesh.data().size()) : norm;
}

std::string TrainingStep::name_of_first_non_finite() {
    if (const BackwardUpdate* update = training_.model.backward_update())
        return update->first_non_finite();
    NamedTensors own;
    for (const parallel::Parameter* parameter : training_.optimizer.trained())
        own.emplace_back(parameter->name(), training_.model.arena().owned_gradient(*parameter));
    return agreed_first_non_finite(training_, own);
}

void TrainingStep::judge(StepReport& report) {
    UpdateFlow& flow = training_.flow;
    const std::int64_t step = training_.position.step + 1;
    report.overflow = flow.overflowed(report.loss, report.gradient_norm);
    if (report.targets == 0)
        report.notices.push_back({"warning", Message("step {} was skipped: none of its labels is counted", step)});
    if (report.overflow || report.targets == 0)
        return flow.skip_update();
    HealthVerdict verdict = flow.judge(training_.health, step, report.loss, report.gradient_norm, [&] {
        // Gradients of all layers are bad where a weight is: the weight is the cause.
        if (const std::string weight = first_weight_not_finite(training_); !weight.empty()) {
            report.first_non_finite = weight;
            return Message("the weights {}", weight);
        }
        report.first_non_finite = name_of_first_non_finite();
        return Message::verbatim(report.first_non_finite);
    });
    for (Message& problem : verdict.problems)
        report.notices.push_back({verdict.non_finite ? "nan" : "spike", std::move(problem)});
    report.rolls_back = verdict.action == HealthAction::rollback;
    report.agreed.pause |= verdict.action == HealthAction::pause;
    report.agreed.stop |= verdict.action == HealthAction::stop;
    report.stop_reason = std::move(verdict.stop_reason);
}

void TrainingStep::update(StepReport& report) {
    training_.set_phase("optimizer");
    report.lr = training_.rates.lr();
    judge(report);
    training_.optimizer.set_lr(0, report.lr);
    training_.optimizer.set_momentum(0, training_.rates.momentum());
    report.skipped = !training_.flow.update(training_.optimizer);
}

void TrainingStep::compare_ranks(StepReport& report) {
    if (stragglers_) {
        const double waited = waited_seconds();
        for (const Straggler& straggler : stragglers_->step(report.seconds, waited - waited_seconds_))
            report.notices.push_back({"straggler", straggler.sentence(report.step)});
        waited_seconds_ = waited_seconds();
    }
    if (!divergence_ || !divergence_->is_due(report.step))
        return;
    report.diverged = false;
    if (const std::optional<Divergence> divergence = find_divergence(report.step)) {
        report.notices.push_back({"warning", divergence->sentence(report.step)});
        report.diverged = std::ranges::find(divergence->ranks, training_.mesh.rank()) != divergence->ranks.end();
    }
}

std::optional<Divergence> TrainingStep::find_divergence(std::int64_t step) {
    const parallel::FlatArena& arena = training_.model.arena();
    const parallel::ExpertShare* experts = training_.model.experts();
    // With whole values on each rank, fewer ranks have the same experts than have the same other parameters.
    const bool compares_experts = experts != nullptr && !training_.model.shares_values();
    NamedTensors held, of_experts;
    for (const parallel::FlatGroup& group : arena.groups())
        for (const parallel::Parameter* parameter : group.parameters())
            (compares_experts && group.is_of_experts() ? of_experts : held)
                .emplace_back(parameter->name(), arena.held_value(*parameter));
    std::optional<Divergence> found = divergence_->step(step, held);
    number_in_run(found, training_.mesh, equal_ranks());
    if (compares_experts) {
        if (experts->ranks->rank() > 0)  // all ranks that divide experts have found the same of all else
            found.reset();
        std::optional<Divergence> own = train::find_divergence(of_experts, *experts->copies);
        number_in_run(own, training_.mesh, *experts->copies);
        merge(found, own);
        merge_over(found, *experts->ranks);
    }
    // The ranks of other parts of the model have compared theirs.
    merge_over(found, training_.mesh.group({parallel::Dimension::pp, parallel::Dimension::tp}));
    return found;
}

void TrainingStep::advance() {
    checkpoint::Position& position = training_.position;
    position.step += 1;
    training_.steps_done.store(position.step, std::memory_order_relaxed);
    const std::int64_t samples = training_.data.samples_after(position.samples);
    position.tokens += (samples - position.samples) * training_.recipe.data.sequence_length;
    position.samples = samples;
    if (position.step == training_.recipe.training.steps && !counted_)
        throw UserError(
            "nothing was learnt: no label of the last {} is counted. Check the labels of data.path, "
            "data.sequence_length, and for masked_lm data.mlm_probability",
            text::steps(position.step - first_step_));
}

void TrainingStep::run_passes() {
    executor_.run([&](const parallel::Action& action) {
        using Kind = pipeline::ActionKind;
        if (action.kind == Kind::receive_forward || action.kind == Kind::receive_backward)
            training_.flow.phases().enter(Phase::communicate);
        else if (action.kind == Kind::backward_weight)
            training_.flow.phases().enter(Phase::backward);
    });
}

void TrainingStep::replay_passes() {
    std::vector<Batch> batches;
    for (int micro_batch = 0; micro_batch < executor_.schedule().micro_batches; ++micro_batch) {
        batches.push_back(read_batch(micro_batch));
        training_.flow.count_targets(static_cast<double>(batches.back().targets));
    }
    batches_.clear();
    training_.set_phase("forward");
    // Moves the loss scale of the update before, which is not a part of the passes.
    training_.flow.begin_backward(false);
    graph_->set_inputs(batches, training_.position.step, training_.flow.loss_factor(expected_targets()));
    if (!graph_->is_captured())
        graph_->capture([this] { run_passes(); });
    graph_->replay();
    training_.flow.end_backward();
}

StepReport TrainingStep::run(const StepRequests& requests) {
    UpdateFlow& flow = training_.flow;
    if (first_step_ < 0)
        first_step_ = training_.position.step;
    const double begin = monotonic_seconds(), waited = waited_seconds();
    StepReport report;
    flow.phases().begin_step(begin);
    batches_.clear();
    count_choices();
    flow.begin_update();
    training_.model.begin_update();
    if (graph_ && graph_->is_due())
        replay_passes();
    else
        run_passes();
    const auto mark = [](const char* name) {
        return [name] { return profile::Mark{profile::Row::micro_batches, "action", name}; };
    };
    {
        const profile::Scope scope(mark("REDUCE"));
        reduce(report, requests);
    }
    {
        const profile::Scope scope(mark("UPDATE"));
        update(report);
    }
    advance();
    if (report.rolls_back)
        report.notices.push_back({"warning", roll_back_()});
    if (report.agreed.lr)
        training_.rates.set_highest(*report.agreed.lr);
    report.step = training_.position.step;
    const double end = monotonic_seconds();
    report.phases = flow.phases().end_step(end);
    if (profile::marking())
        profile::add_mark(profile::step_mark(report.step, begin, end));
    report.seconds = end - begin;
    report.waited_seconds = waited_seconds() - waited;
    training_.own_step_seconds = report.seconds - report.waited_seconds;
    compare_ranks(report);
    return report;
}

double TrainingStep::flops() const {
    families::SampleSize size = config::sample_size(training_.recipe);
    if (size.height == 0) {
        size.height = image_size_[0];
        size.width = image_size_[1];
    }
    return training_.model.model().flops_per_sample(size) * static_cast<double>(training_.data.samples_per_step());
}

}  // namespace trainyard::train
