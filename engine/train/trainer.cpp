#include "train/trainer.h"

#include <cmath>
#include <functional>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/zeros.h>

#include "base/clock.h"
#include "base/error.h"
#include "train/gradient_norm.h"
#include "train/learning_rate.h"

namespace trainyard::train {

namespace {

at::ScalarType compute_type(const config::Recipe& recipe) {
    return recipe.training.mixed_precision == "bf16" ? at::kBFloat16 : at::kFloat;
}

DataShare data_share(parallel::Mesh& mesh) {
    int shards = mesh.size(parallel::Dimension::dp_shard);
    return {
        mesh.coordinate(parallel::Dimension::dp_replicate) * shards + mesh.coordinate(parallel::Dimension::dp_shard),
        mesh.size(parallel::Dimension::dp_replicate) * shards};
}

}  // namespace

Trainer::Trainer(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device)
    : recipe_(recipe),
      mesh_(mesh),
      device_(device),
      model_(models::make_model(recipe.model)),
      arena_(std::make_unique<parallel::FlatArena>(model_->groups(), compute_type(recipe), device,
                                                   recipe.optimizer.decay_all)),
      optimizer_(std::make_unique<AdamW>(*arena_, recipe.optimizer)),
      data_(std::make_unique<DataLoader>(recipe, data_share(mesh), device)),
      schedule_(parallel::plain_schedule(static_cast<int>(recipe.training.gradient_accumulation_steps))),
      loss_sum_(at::zeros({}, at::TensorOptions().device(device).dtype(at::kDouble))),
      control_(at::zeros({3}, at::TensorOptions().device(device).dtype(at::kDouble))) {
    if (mesh_.data().size() > 1)
        sync_ = std::make_unique<parallel::GroupSync>(*arena_, model_->units(), mesh_.data());
    position_.seed = recipe.training.seed;
    position_.training_blocks = data_->training_blocks();
}

std::string Trainer::start() {
    check_same_on_all_ranks();
    if (!recipe_.checkpoint.resume_from.empty()) {
        auto folder = checkpoint::find(recipe_.checkpoint.resume_from);
        checkpoint::Content here = content();
        checkpoint::Position stored = checkpoint::load(folder, here);
        if (stored.training_blocks != position_.training_blocks)
            throw UserError("cannot resume from " + folder.string() + ": its data had " +
                            std::to_string(stored.training_blocks) + " training blocks, data.path has " +
                            std::to_string(position_.training_blocks) +
                            ": give the same data, or start from model.weights");
        if (stored.seed != position_.seed)
            throw UserError("cannot resume from " + folder.string() + ": it was trained with seed " +
                            std::to_string(stored.seed) + ": set training.seed to it, or start from model.weights");
        position_ = stored;
        optimizer_->set_step(position_.step);
        steps_done_ = position_.step;
        arena_->refresh_compute();
        return "resumed from " + folder.string() + " at step " + std::to_string(position_.step);
    }
    arena_->initialise(recipe_.training.seed);
    if (!recipe_.model.weights.empty()) {
        checkpoint::load_weights(recipe_.model.weights, content().weights);
        arena_->refresh_compute();
        return "started from the weights in " + recipe_.model.weights;
    }
    return "started from random weights, seed " + std::to_string(recipe_.training.seed);
}

void Trainer::check_same_on_all_ranks() {
    parallel::Communicator& everyone = mesh_.everyone();
    if (everyone.size() == 1)
        return;
    std::string description;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            description += parameter->name() + c10::str(at::IntArrayRef(parameter->shape())) + ";";
    description += "samples per step " + std::to_string(data_->samples_per_step()) + "; blocks " +
                   std::to_string(data_->training_blocks()) + "; precision " + recipe_.training.mixed_precision;
    auto fingerprint = static_cast<std::int64_t>(std::hash<std::string>()(description));
    auto options = at::TensorOptions().device(device_).dtype(at::kLong);
    at::Tensor mine = at::full({1}, fingerprint, options);
    at::Tensor all = at::empty({everyone.size()}, options);
    everyone.all_gather(all, mine, "fingerprint of the model");
    at::Tensor host = all.cpu();
    for (int rank = 0; rank < everyone.size(); ++rank)
        if (host.const_data_ptr<std::int64_t>()[rank] != host.const_data_ptr<std::int64_t>()[0])
            throw UserError(
                "rank " + std::to_string(rank) + " has another model, batch or data set than rank 0 (here: " +
                std::to_string(arena_->parameter_count()) + " parameters, " + std::to_string(data_->training_blocks()) +
                " training blocks): give every rank the same recipe and the same files");
}

parallel::StepContext Trainer::context(const Batch& batch, bool training) const {
    parallel::StepContext context;
    context.tokens = batch.tokens;
    context.labels = batch.tokens;
    context.training = training;
    context.seed = recipe_.training.seed;
    context.step = position_.step;
    context.first_sample = batch.first_sample;
    context.loss_sum = loss_sum_;
    context.loss_scale = 1.0 / static_cast<double>(data_->samples_per_step() * (recipe_.data.sequence_length - 1));
    return context;
}

void Trainer::run_forward(const parallel::Action& action) {
    set_phase("data");
    Batch batch = data_->training_batch(position_.samples, action.micro_batch);
    set_phase("forward");
    parallel::StepContext step = context(batch, true);
    loss_ = model_->forward(step);
}

void Trainer::begin_control(const Wishes& wishes) {
    control_.select(0, 0).copy_(loss_sum_);
    control_.select(0, 1).fill_(wishes.stop ? 1.0 : 0.0);
    control_.select(0, 2).fill_(wishes.checkpoint ? 1.0 : 0.0);
    control_pending_ = mesh_.data().all_reduce(control_, "loss and wishes");
}

void Trainer::run_backward(bool last) {
    set_phase("backward");
    if (sync_ && last)
        sync_->begin_last_micro_batch();
    loss_.backward();
    loss_.reset();
    for (parallel::Unit* unit : model_->units())
        unit->finish_backward();
}

void Trainer::reduce(StepReport& report) {
    set_phase("reduce");
    if (sync_) {
        sync_->finish();
    } else {
        for (parallel::FlatGroup& group : arena_->groups())
            group.settle_gradients();
    }
    control_pending_.wait();
    at::Tensor control = control_.cpu();
    const double* values = control.const_data_ptr<double>();
    report.loss = values[0] / static_cast<double>(data_->samples_per_step() * (recipe_.data.sequence_length - 1));
    report.agreed = {values[1] > 0, values[2] > 0};
    report.gradient_norm = gradient_norm(arena_->gradients());
}

void Trainer::update(StepReport& report) {
    set_phase("optimizer");
    report.lr = recipe_.optimizer.lr * learning_rate_factor(recipe_.schedule, recipe_.training.steps, position_.step);
    if (!std::isfinite(report.loss) || !std::isfinite(report.gradient_norm)) {
        report.skipped = true;
        for (const parallel::FlatGroup& group : arena_->groups())
            for (const parallel::Parameter* parameter : group.parameters())
                if (report.first_non_finite.empty() && !at::isfinite(parameter->gradient()).all().item<bool>())
                    report.first_non_finite = parameter->name();
        return;
    }
    // As torch's clip_grad_norm_: factor min(1, max_norm / (norm + 1e-6)).
    double limit = recipe_.training.max_grad_norm;
    double divisor = limit > 0 ? std::max(1.0, (report.gradient_norm + 1e-6) / limit) : 1.0;
    optimizer_->update(report.lr, divisor);
}

StepReport Trainer::step(const Wishes& wishes) {
    double begin = monotonic_seconds();
    StepReport report;
    loss_sum_.zero_();
    arena_->forget_gradients();
    if (sync_)
        sync_->begin_step();
    for (std::size_t i = 0; i < schedule_.size(); ++i) {
        const parallel::Action& action = schedule_[i];
        switch (action.kind) {
            case parallel::ActionKind::forward:
                run_forward(action);
                break;
            case parallel::ActionKind::backward: {
                bool last = parallel::is_last_backward(schedule_, i);
                if (last)
                    begin_control(wishes);  // travels while backward computes
                run_backward(last);
                break;
            }
            case parallel::ActionKind::reduce:
                reduce(report);
                break;
            case parallel::ActionKind::update:
                update(report);
                break;
        }
    }
    position_.step += 1;
    steps_done_.store(position_.step, std::memory_order_relaxed);
    position_.samples += data_->samples_per_step();
    position_.tokens += data_->samples_per_step() * recipe_.data.sequence_length;
    report.step = position_.step;
    report.seconds = monotonic_seconds() - begin;
    return report;
}

std::optional<double> Trainer::evaluate() {
    if (data_->evaluation_samples() == 0)
        return std::nullopt;
    set_phase("evaluate");
    at::NoGradGuard no_grad;
    loss_sum_.zero_();
    for (std::int64_t index = 0;; ++index) {
        Batch batch = data_->evaluation_batch(index);
        if (!batch.tokens.defined())
            break;
        parallel::StepContext step = context(batch, false);
        model_->forward(step);
    }
    mesh_.data().all_reduce(loss_sum_, "evaluation loss").wait();
    double loss = loss_sum_.item<double>() /
                  static_cast<double>(data_->evaluation_samples() * (recipe_.data.sequence_length - 1));
    if (position_.best_validation_loss == 0 || loss < position_.best_validation_loss)
        position_.best_validation_loss = loss;
    return loss;
}

checkpoint::Content Trainer::content() const {
    checkpoint::Content content;
    for (const parallel::FlatGroup& group : arena_->groups()) {
        for (const parallel::Parameter* parameter : group.parameters()) {
            using checkpoint::LogicalTensor;
            content.weights.push_back(LogicalTensor::of_whole(parameter->name(), parameter->value()));
            content.optimizer.push_back(LogicalTensor::of_whole("exp_avg." + parameter->name(),
                                                                arena_->view(optimizer_->exp_avg(), *parameter)));
            content.optimizer.push_back(LogicalTensor::of_whole("exp_avg_sq." + parameter->name(),
                                                                arena_->view(optimizer_->exp_avg_sq(), *parameter)));
        }
    }
    content.position = position_;
    content.config_json = model_->config_json();
    content.mesh = mesh_.describe();
    return content;
}

checkpoint::Saved Trainer::save(const std::filesystem::path& checkpoints) {
    set_phase("save");
    checkpoint::Saved saved;
    std::string problem;
    if (mesh_.rank() == 0) {
        try {
            saved = checkpoint::save(checkpoints, content());
            checkpoint::prune(checkpoints, recipe_.checkpoint.keep_last);
        } catch (const UserError& error) {
            problem = error.what();
        }
    }
    at::Tensor failed = at::full({1}, problem.empty() ? 0.0 : 1.0, control_.options());
    mesh_.everyone().all_reduce(failed, "checkpoint saved").wait();
    if (!problem.empty())
        throw UserError(problem);
    if (failed.item<double>() > 0)
        throw UserError("rank 0 could not save the checkpoint");
    return saved;
}

double Trainer::epoch() const {
    return static_cast<double>(position_.samples) / static_cast<double>(position_.training_blocks);
}

double Trainer::flops_per_step() const {
    return model_->flops_per_token(recipe_.data.sequence_length) *
           static_cast<double>(data_->samples_per_step() * recipe_.data.sequence_length);
}

}  // namespace trainyard::train
