#include "train/trainer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/failpoint.h"
#include "parallel/collectives.h"

namespace trainyard::train {

namespace {

optim::GradScalerOptions scaler_options(const config::TrainingRecipe& training) {
    optim::GradScalerOptions options;
    options.init_scale = training.loss_scale;
    options.growth_interval = training.loss_scale_window;
    options.enabled = training.mixed_precision == "fp16";
    return options;
}

}  // namespace

Trainer::Trainer(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device)
    : recipe_(recipe),
      mesh_(mesh),
      device_(device),
      flat_(recipe, mesh, device),
      model_(&flat_.model()),
      part_(flat_.part()),
      arena_(&flat_.arena()),
      sync_(flat_.sync()),
      optimizer_(std::make_unique<AdamW>(*arena_, recipe.optimizer)),
      data_(std::make_unique<DataLoader>(recipe, mesh.batch(), device)),
      rates_(recipe),
      core_(scaler_options(recipe.training), device, mesh.everyone()),
      scaler_(core_.scaler()),
      health_(health_options(recipe.health)),
      loss_sum_(at::zeros({}, at::TensorOptions().device(device).dtype(at::kDouble))) {
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
    position_.seed = recipe.training.seed;
    position_.training_blocks = data_->training_blocks();
    position_.samples_per_step = data_->samples_per_step();
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
    context.training = training;
    context.seed = recipe_.training.seed;
    context.step = position_.step;
    context.micro_batch = batch.micro_batch;
    context.first_sample = batch.first_sample;
    context.loss_sum = loss_sum_;
    context.loss_scale = core_.loss_factor(static_cast<double>(data_->targets_per_step()));
    return context;
}

parallel::Tensors Trainer::empty_inputs(int) {
    std::int64_t rows = held_out_ ? held_out_->tokens.size(0) : recipe_.training.batch_size;
    return model_->empty_streams(rows, recipe_.data.sequence_length, device_);
}

parallel::Tensors Trainer::forward(int micro_batch, const parallel::Tensors& inputs) {
    if (held_out_) {
        parallel::StepContext step = context(*held_out_, false);
        return flat_.run(inputs, step);
    }
    set_phase("data");
    phases_.enter(Phase::data);
    Batch batch = data_->training_batch(position_.samples, micro_batch);
    if (part_.is_last())
        targets_ += batch.targets;
    set_phase("forward");
    phases_.enter(Phase::forward);
    parallel::StepContext step = context(batch, true);
    return flat_.run(inputs, step);
}

void Trainer::before_backward(int, bool last) {
    set_phase("backward");
    phases_.enter(Phase::backward);
    flat_.begin_backward(last);
}

void Trainer::after_backward(int) {
    flat_.end_backward();
}

double Trainer::waited_seconds() {
    double seconds = 0;
    for (const parallel::Communicator* group : std::set{&mesh_.data(), &pipeline(), &mesh_.everyone()})
        seconds += group->stats().waited_seconds;
    return seconds;
}

void Trainer::measure(const GradientPieces& gradients) {
    core_.unscale(this, gradients);
    norm_ = core_.norm(gradients);
}

void Trainer::reduce(StepReport& report, const Wishes& wishes) {
    set_phase("reduce");
    phases_.enter(Phase::communicate);
    const double own = static_cast<double>(targets_), expected = static_cast<double>(data_->targets_per_step());
    const bool local = flat_.local_sgd() != nullptr;
    if (!local)
        core_.begin_totals(loss_sum_, own, wishes);  // travels while the last gradients do
    flat_.finish_gradients();
    const GradientPieces gradients = flat_.pieces();
    StepControl::Agreed agreed;
    if (local) {  // each rank updates by the mean over its own targets
        core_.set_divisor(std::max(1.0, own) / expected);
        measure(gradients);
        core_.begin_totals(loss_sum_, own, wishes, norm_ * norm_);
        agreed = core_.control().finish();
    } else {
        agreed = core_.finish_totals(expected);
    }
    phases_.enter(Phase::optimizer);
    report.targets = std::llround(agreed.targets);
    report.agreed = agreed.wishes;
    report.loss = agreed.loss_sum / std::max(1.0, agreed.targets);
    report.own_loss = targets_ > 0 ? loss_sum_.item<double>() / static_cast<double>(targets_) : std::nan("");
    report.loss_scale = scaler_.scale_value();
    if (!local)
        measure(gradients);
    // Of gradients that differ the root of the mean of squares: not finite where one is not, so that all ranks skip together.
    report.gradient_norm = local ? std::sqrt(agreed.squares / mesh_.data().size()) : norm_;
}

std::string Trainer::name_of_first_non_finite() {
    const NamedTensors own = owned_gradients();
    const std::optional<std::size_t> first = first_non_finite(own);
    std::int64_t number = first ? static_cast<std::int64_t>(*first) : std::ssize(own);
    if (arena_->sharding().any()) {
        const at::Tensor least = at::full({1}, number, loss_sum_.options().dtype(at::kLong));
        mesh_.data().all_reduce(least, "first gradient not finite", parallel::ReduceOp::min).wait();
        number = least.item<std::int64_t>();
    }
    return number < std::ssize(own) ? own[static_cast<std::size_t>(number)].first : std::string();
}

void Trainer::judge(StepReport& report) {
    bool finite = std::isfinite(report.loss) && std::isfinite(report.gradient_norm);
    report.overflow = scaler_.enabled() && std::isfinite(report.loss) && !finite;
    report.skipped = report.overflow || report.targets == 0;
    if (report.targets == 0)
        report.notices.push_back(
            {"warning", "step " + std::to_string(position_.step + 1) + " was skipped: none of its labels is counted"});
    if (report.skipped)
        return;
    if (!finite)
        report.first_non_finite = name_of_first_non_finite();
    if (!finite && part_.stages > 1)
        for (const Tree& name : parallel::all_gather_objects(pipeline(), Tree(report.first_non_finite), "not finite"))
            if (report.first_non_finite.empty())
                report.first_non_finite = name.as_text();
    HealthVerdict verdict =
        health_.judge(position_.step + 1, report.loss, report.gradient_norm, report.first_non_finite);
    for (std::string& problem : verdict.problems)
        report.notices.push_back({verdict.non_finite ? "nan" : "spike", std::move(problem)});
    report.skipped = verdict.action >= HealthAction::skip;
    report.rolls_back = verdict.action == HealthAction::rollback;
    report.agreed.pause |= verdict.action == HealthAction::pause;
    report.agreed.stop |= verdict.action == HealthAction::stop;
    report.stop_reason = std::move(verdict.stop_reason);
}

void Trainer::update(StepReport& report) {
    set_phase("optimizer");
    report.lr = rates_.lr();
    judge(report);
    if (!report.skipped) {
        optimizer_->set_lr(0, report.lr);
        optimizer_->set_momentum(0, rates_.momentum());
        optimizer_->set_gradient_divisor(core_.divisor(clip_divisor(norm_, recipe_.training.max_grad_norm)));
        optimizer_->step();
        if (arena_->sharding().any()) {
            phases_.enter(Phase::communicate);
            flat_.publish_values();
            phases_.enter(Phase::optimizer);
        }
        if (parallel::ArenaLocalSgd* local = flat_.local_sgd())
            local->step();
        rates_.advance();
        updates_ += 1;
        if (average_)
            average_->update();
    }
    if (scaler_.enabled())
        scaler_.update();
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

StepReport Trainer::step(const Wishes& wishes) {
    double begin = monotonic_seconds(), waited = waited_seconds();
    StepReport report;
    phases_.begin_step(begin);
    loss_sum_.zero_();
    targets_ = 0;
    flat_.begin_update();
    executor_->run([&](const parallel::Action& action) {
        using Kind = pipeline::ActionKind;
        if (action.kind == Kind::receive_forward || action.kind == Kind::receive_backward)
            phases_.enter(Phase::communicate);
        else if (action.kind == Kind::backward_weight)
            phases_.enter(Phase::backward);
        else if (action.kind == Kind::reduce)
            reduce(report, wishes);
        else if (action.kind == Kind::update)
            update(report);
    });
    position_.step += 1;
    steps_done_.store(position_.step, std::memory_order_relaxed);
    const std::int64_t samples = data_->samples_after(position_.samples);
    position_.tokens += (samples - position_.samples) * recipe_.data.sequence_length;
    position_.samples = samples;
    if (report.rolls_back)
        roll_back(report);
    if (report.agreed.lr)
        set_lr(*report.agreed.lr);
    report.step = position_.step;
    double end = monotonic_seconds();
    report.phases = phases_.end_step(end);
    report.seconds = end - begin;
    report.waited_seconds = waited_seconds() - waited;
    own_step_seconds_ = report.seconds - report.waited_seconds;
    compare_ranks(report);
    return report;
}

double Trainer::held_out_loss() {
    at::NoGradGuard no_grad;
    loss_sum_.zero_();
    double targets = 0;
    for (std::int64_t index = 0;; ++index) {
        Batch batch = data_->evaluation_batch(index);
        if (!batch.tokens.defined())
            break;
        if (part_.is_last())
            targets += static_cast<double>(batch.targets);
        held_out_ = std::move(batch);
        evaluator_->run();
    }
    held_out_.reset();
    core_.begin_totals(loss_sum_, targets);
    StepControl::Agreed agreed = core_.control().finish();
    return agreed.loss_sum / std::max(1.0, agreed.targets);
}

std::optional<Evaluation> Trainer::evaluate() {
    if (data_->evaluation_samples() == 0)
        return std::nullopt;
    set_phase("evaluate");
    if (parallel::ArenaLocalSgd* local = flat_.local_sgd())
        local->settle();
    Evaluation evaluation{held_out_loss(), {}};
    if (average_) {
        {
            auto swapped = average_->swap_in();
            flat_.publish_values();
            evaluation.average_loss = held_out_loss();
        }
        flat_.publish_values();
    }
    if (std::isfinite(evaluation.loss) &&
        (position_.best_validation_loss == 0 || evaluation.loss < position_.best_validation_loss))
        position_.best_validation_loss = evaluation.loss;
    note_metric("eval/loss", evaluation.loss);
    if (evaluation.average_loss)
        note_metric("eval/loss_average", *evaluation.average_loss);
    rates_.observe(evaluation.loss);
    return evaluation;
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
    return model_->flops_per_token(recipe_.data.sequence_length) *
           static_cast<double>(data_->samples_per_step() * recipe_.data.sequence_length);
}

}  // namespace trainyard::train
