#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/failpoint.h"
#include "distributed/parallel/collectives.h"
#include "models/nn/kernels/cross_entropy.h"
#include "models/spec/family.h"
#include "models/spec/labels.h"
#include "models/spec/tasks.h"
#include "profile/marks.h"
#include "train/gather_numbers.h"

namespace trainyard::train {

namespace {

optim::GradScalerOptions scaler_options(const config::TrainingRecipe& training) {
    optim::GradScalerOptions options;
    options.init_scale = training.loss_scale;
    options.growth_interval = training.loss_scale_window;
    options.enabled = training.mixed_precision == "fp16";
    return options;
}

StateOffload state_offload(const config::Recipe& recipe, const parallel::Mesh& mesh) {
    StateOffload offload;
    if (!recipe.offloads_optimizer())
        return offload;
    offload.folder = recipe.parallel.offload_optimizer_nvme_path;
    offload.rank = mesh.rank();
    offload.ranks_here = mesh.world_size();
    return offload;
}

}  // namespace

Trainer::Trainer(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device)
    : recipe_(recipe),
      mesh_(mesh),
      device_(device),
      flat_(recipe, mesh, device, config::make_optimizer_plan(recipe.optimizer).in_backward()),
      model_(&flat_.model()),
      part_(flat_.part()),
      arena_(&flat_.arena()),
      sync_(flat_.sync()),
      optimizer_(std::make_unique<FlatOptimizer>(*arena_, recipe.optimizer, state_offload(recipe, mesh))),
      data_(std::make_unique<DataLoader>(recipe, mesh.batch(), device)),
      rates_(recipe),
      flow_(scaler_options(recipe.training), device, mesh.everyone()),
      scaler_(flow_.scaler()),
      health_(health_options(recipe.health)),
      metrics_(recipe) {
    for (const Message& warning : flat_.base().warnings)
        start_notices_.push_back({"warning", warning});
    if (BackwardUpdate* update = flat_.backward_update())
        update->set_optimizer(*optimizer_);
    flow_.add(flat_);
    flow_.add(*optimizer_);
    flow_.follow(*optimizer_, [this] {
        rates_.advance();
        updates_ += 1;
        if (average_)
            average_->update();
    });
    int micro_batches = static_cast<int>(recipe.training.gradient_accumulation_steps);
    executor_ = std::make_unique<parallel::ScheduleExecutor>(
        part_.stages == 1 ? pipeline::plain_schedule(micro_batches)
                          : pipeline::make_schedule(recipe.parallel.pipeline_schedule, part_.stages, micro_batches),
        pipeline(), std::map<int, parallel::PipelineStage*>{{part_.stage, this}});
    evaluator_ =
        std::make_unique<parallel::ScheduleExecutor>(pipeline::forward_schedule(part_.stages, 1), pipeline(),
                                                     std::map<int, parallel::PipelineStage*>{{part_.stage, this}});
    if (mesh_.data().size() > 1 && recipe.health.straggler_every > 0) {
        StragglerOptions options;
        options.every = recipe.health.straggler_every;
        stragglers_.emplace(mesh_.data(), options);
    }
    if (mesh_.data().size() > 1 && recipe.health.divergence_every > 0)
        divergence_.emplace(mesh_.data(), recipe.health.divergence_every);
    if (recipe.model.task == families::kMaskedLm)
        masks_.emplace(recipe);
    position_.seed = recipe.training.seed;
    position_.training_blocks = data_->training_blocks();
    position_.samples_per_step = data_->samples_per_step();
    data_->require_targets();
}

void Trainer::set_ranks_here(int ranks) {
    if (OffloadedState* state = optimizer_->offloaded())
        state->set_ranks_here(ranks);
}

std::uint64_t Trainer::bytes_on_disk() const {
    const OffloadedState* state = optimizer_->offloaded();
    return (state != nullptr ? state->bytes() : 0) + flat_.base().on_disk;
}

void Trainer::set_phase(const char* phase) {
    phase_.store(phase, std::memory_order_relaxed);
    if (failpoints_on())
        failpoint(("phase." + std::to_string(mesh_.rank()) + "." + phase).c_str());
}

parallel::StepContext Trainer::context(const Batch& batch, bool training) const {
    parallel::StepContext context;
    context.tokens = batch.tokens;
    context.labels = batch.labels;
    context.attention_mask = batch.attention_mask;
    context.inputs = batch.inputs;
    context.training = training;
    context.seed = recipe_.training.seed;
    context.step = position_.step;
    context.micro_batch = batch.micro_batch;
    context.first_sample = batch.first_sample;
    context.loss_sum = flow_.loss_sum();
    context.loss_scale = flow_.loss_factor(expected_targets());
    return context;
}

const Batch& Trainer::training_batch(int micro_batch) {
    const auto known = batches_.find(micro_batch);
    if (known != batches_.end())
        return known->second;
    Batch batch = data_->training_batch(position_.samples, micro_batch);
    for (const auto& [name, tensor] : batch.inputs)
        if (name == "pixel_values")
            image_size_ = {tensor.size(2), tensor.size(3)};
    return batches_[micro_batch] = masks_ ? (*masks_)(batch, position_.step) : std::move(batch);
}

parallel::Tensors Trainer::empty_inputs(int micro_batch) {
    const parallel::Unit& block = *part_.units.front();
    if (held_out_)
        return model_->empty_streams(block, context(*held_out_, false), device_);
    set_phase("data");
    flow_.phases().enter(Phase::data);
    const Batch& batch = training_batch(micro_batch);
    flow_.phases().enter(Phase::communicate);
    return model_->empty_streams(block, context(batch, true), device_);
}

parallel::Tensors Trainer::forward(int micro_batch, const parallel::Tensors& inputs) {
    if (held_out_) {
        parallel::StepContext step = context(*held_out_, false);
        step.logits = logits_;
        return flat_.run(inputs, step);
    }
    set_phase("data");
    flow_.phases().enter(Phase::data);
    training_batch(micro_batch);
    const Batch batch = std::move(batches_.extract(micro_batch).mapped());
    if (part_.is_last())
        flow_.count_targets(static_cast<double>(batch.targets));
    set_phase("forward");
    flow_.phases().enter(Phase::forward);
    parallel::StepContext step = context(batch, true);
    return flat_.run(inputs, step);
}

/// What is updated while backward runs cannot be corrected behind it, and has one micro-batch, whose targets are known.
double Trainer::expected_targets() const {
    return flat_.backward_update() != nullptr ? std::max(1.0, flow_.targets())
                                              : static_cast<double>(data_->targets_per_step());
}

void Trainer::before_backward(int, bool last) {
    set_phase("backward");
    if (BackwardUpdate* update = flat_.backward_update()) {
        optimizer_->set_lr(0, rates_.lr());
        optimizer_->set_momentum(0, rates_.momentum());
        update->begin(flow_.targets() > 0 && std::isfinite(flow_.loss_sum().item<double>()));
    }
    flow_.begin_backward(last);
}

void Trainer::after_backward(int) {
    flow_.end_backward();
}

double Trainer::waited_seconds() {
    double seconds = 0;
    for (const parallel::Communicator* group : std::set{&mesh_.data(), &pipeline(), &mesh_.everyone()})
        seconds += group->stats().waited_seconds;
    return seconds;
}

void Trainer::reduce(StepReport& report, const StepRequests& requests) {
    set_phase("reduce");
    const double own = flow_.targets();
    const StepControl::Agreed& agreed = flow_.finish_counted(expected_targets(), requests);
    report.targets = std::llround(agreed.targets);
    report.agreed = agreed.requests;
    report.loss = agreed.targets > 0 ? agreed.loss_sum / agreed.targets : std::nan("");
    counted_ = counted_ || agreed.targets > 0;
    report.own_loss = own > 0 ? flow_.loss_sum().item<double>() / own : std::nan("");
    report.loss_scale = scaler_.scale_value();
    flow_.unscale(*optimizer_);
    const double norm = flow_.measure(flat_);
    flow_.clip(flat_, norm, recipe_.training.max_grad_norm);
    // Of gradients that differ the root of the mean of squares: not finite where one is not, so that all ranks skip together.
    report.gradient_norm = flat_.is_local() ? std::sqrt(agreed.squares / mesh_.data().size()) : norm;
}

std::string Trainer::name_of_first_non_finite() {
    if (const BackwardUpdate* update = flat_.backward_update())
        return update->first_non_finite();
    const NamedTensors own = owned_gradients();
    const std::optional<std::size_t> first = first_non_finite(own);
    std::int64_t number = first ? static_cast<std::int64_t>(*first) : std::ssize(own);
    if (arena_->sharding().any()) {
        const at::Tensor least = at::full({1}, number, flow_.loss_sum().options().dtype(at::kLong));
        mesh_.data().all_reduce(least, "first gradient not finite", parallel::ReduceOp::min).wait();
        number = least.item<std::int64_t>();
    }
    std::string name = number < std::ssize(own) ? own[static_cast<std::size_t>(number)].first : std::string();
    if (part_.stages > 1)
        for (const Tree& other : parallel::all_gather_objects(pipeline(), Tree(name), "not finite"))
            if (name.empty())
                name = other.as_text();
    return name;
}

void Trainer::judge(StepReport& report) {
    report.overflow = flow_.overflowed(report.loss, report.gradient_norm);
    if (report.targets == 0)
        report.notices.push_back(
            {"warning", Message("step {} was skipped: none of its labels is counted", position_.step + 1)});
    if (report.overflow || report.targets == 0)
        return flow_.skip_update();
    HealthVerdict verdict = flow_.judge(health_, position_.step + 1, report.loss, report.gradient_norm, [&] {
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

void Trainer::update(StepReport& report) {
    set_phase("optimizer");
    report.lr = rates_.lr();
    judge(report);
    optimizer_->set_lr(0, report.lr);
    optimizer_->set_momentum(0, rates_.momentum());
    report.skipped = !flow_.update(*optimizer_);
}

void Trainer::compare_ranks(StepReport& report) {
    if (stragglers_) {
        double waited = waited_seconds();
        for (const Straggler& straggler : stragglers_->step(report.seconds, waited - waited_seconds_))
            report.notices.push_back({"straggler", straggler.sentence(report.step)});
        waited_seconds_ = waited_seconds();
    }
    if (!divergence_ || !divergence_->is_due(report.step))
        return;
    report.diverged = false;
    if (auto divergence = divergence_->step(report.step, weights())) {
        report.notices.push_back({"warning", divergence->sentence(report.step)});
        report.diverged =
            std::find(divergence->ranks.begin(), divergence->ranks.end(), mesh_.rank()) != divergence->ranks.end();
    }
}

StepReport Trainer::step(const StepRequests& requests) {
    if (first_step_ < 0)
        first_step_ = position_.step;
    double begin = monotonic_seconds(), waited = waited_seconds();
    StepReport report;
    flow_.phases().begin_step(begin);
    batches_.clear();
    flow_.begin_update();
    flat_.begin_update();
    executor_->run([&](const parallel::Action& action) {
        using Kind = pipeline::ActionKind;
        if (action.kind == Kind::receive_forward || action.kind == Kind::receive_backward)
            flow_.phases().enter(Phase::communicate);
        else if (action.kind == Kind::backward_weight)
            flow_.phases().enter(Phase::backward);
        else if (action.kind == Kind::reduce)
            reduce(report, requests);
        else if (action.kind == Kind::update)
            update(report);
    });
    position_.step += 1;
    steps_done_.store(position_.step, std::memory_order_relaxed);
    const std::int64_t samples = data_->samples_after(position_.samples);
    position_.tokens += (samples - position_.samples) * recipe_.data.sequence_length;
    position_.samples = samples;
    if (position_.step == recipe_.training.steps && !counted_)
        throw UserError(
            "nothing was learnt: no label of the last {} steps is counted. Check the labels of "
            "data.path, data.sequence_length, and for masked_lm data.mlm_probability",
            position_.step - first_step_);
    if (report.rolls_back)
        roll_back(report);
    if (report.agreed.lr)
        set_lr(*report.agreed.lr);
    report.step = position_.step;
    double end = monotonic_seconds();
    report.phases = flow_.phases().end_step(end);
    if (profile::marking())
        profile::add_mark(profile::step_mark(report.step, begin, end));
    report.seconds = end - begin;
    report.waited_seconds = waited_seconds() - waited;
    own_step_seconds_ = report.seconds - report.waited_seconds;
    compare_ranks(report);
    return report;
}

void Trainer::share_buffers() {
    if (mesh_.data().size() == 1)
        return;
    for (const parallel::Unit* unit : part_.units)
        for (const auto& buffer : unit->buffers())
            mesh_.data().broadcast(buffer->value, 0, "running statistics");
}

namespace {

/// An evaluation masks the same tokens every time.
constexpr std::int64_t kEvaluationStep = -1;

}  // namespace

std::optional<double> Evaluation::accuracy() const {
    for (const auto& [name, value] : metrics)
        if (name == "accuracy")
            return value;
    return std::nullopt;
}

std::optional<double> Trainer::held_out_loss(HeldOutValues* metrics) {
    at::NoGradGuard no_grad;
    share_buffers();
    flow_.begin_update();
    double targets = 0;
    const bool judges = metrics != nullptr && metrics_.any();
    metrics_.reset();
    at::Tensor logits;
    for (std::int64_t index = 0;; ++index) {
        Batch batch = data_->evaluation_batch(index);
        if (!batch.labels.defined())
            break;
        if (masks_)
            batch = (*masks_)(batch, kEvaluationStep);
        if (part_.is_last())
            targets += static_cast<double>(batch.targets);
        held_out_ = std::move(batch);
        logits_ = judges && part_.is_last() ? &logits : nullptr;
        evaluator_->run();
        if (logits_ != nullptr)
            metrics_.update(logits, held_out_->labels);
    }
    logits_ = nullptr;
    held_out_.reset();
    if (judges)
        *metrics = metrics_.values(mesh_.everyone());
    flow_.control().begin(flow_.loss_sum(), targets, {});
    StepControl::Agreed agreed = flow_.control().finish();
    if (agreed.targets == 0)
        return std::nullopt;
    return agreed.loss_sum / agreed.targets;
}

std::optional<Evaluation> Trainer::evaluate() {
    if (data_->evaluation_samples() == 0)
        return std::nullopt;
    set_phase("evaluate");
    if (parallel::ArenaLocalSgd* local = flat_.local_sgd())
        local->settle();
    Evaluation evaluation;
    const std::optional<double> loss = held_out_loss(&evaluation.metrics);
    if (!loss)
        return std::nullopt;
    evaluation.loss = *loss;
    const auto evaluate_average = [&](auto swapped) {
        flat_.publish_values();
        evaluation.average_loss = held_out_loss();
        swapped.reset();
        flat_.publish_values();
    };
    if (average_)
        evaluate_average(std::make_unique<WeightAverage::Swapped>(*average_));
    else if (optimizer_->averages())
        evaluate_average(std::make_unique<FlatOptimizer::Swapped>(*optimizer_));
    if (std::isfinite(evaluation.loss) &&
        (position_.best_validation_loss == 0 || evaluation.loss < position_.best_validation_loss))
        position_.best_validation_loss = evaluation.loss;
    note_metric("eval/loss", evaluation.loss);
    for (const auto& [name, value] : evaluation.metrics)
        note_metric("eval/" + name, value);
    if (evaluation.average_loss)
        note_metric("eval/loss_average", *evaluation.average_loss);
    rates_.observe(evaluation.loss);
    return evaluation;
}

std::vector<std::vector<double>> Trainer::from_all_ranks(std::vector<double> mine, const std::string& name) {
    return gather_numbers(std::move(mine), mesh_.everyone(), name);
}

void Trainer::note_metric(const std::string& name, double value) {
    if (name == recipe_.checkpoint.best_metric)
        metric_ = value;
}

double Trainer::epoch() const {
    return static_cast<double>(position_.samples) / static_cast<double>(position_.training_blocks);
}

std::int64_t Trainer::parameter_count() const {
    std::int64_t count = 0;
    for (const parallel::Unit* unit : model_->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            count += parameter->numel();
    return count;
}

double Trainer::flops_per_step() const {
    families::SampleSize size = config::sample_size(recipe_);
    if (size.height == 0) {
        size.height = image_size_[0];
        size.width = image_size_[1];
    }
    return model_->flops_per_sample(size) * static_cast<double>(data_->samples_per_step());
}

}  // namespace trainyard::train
