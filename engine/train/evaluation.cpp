// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/evaluation.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include "config/recipe/metric_names.h"
#include "models/spec/tasks.h"

namespace trainyard::train {

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

Evaluator::Evaluator(Training& training)
    : training_(training),
      executor_(pipeline::forward_schedule(training.model.part().rank_of_stage, 1), training.pipeline(), *this),
      metrics_(training.recipe, training.data.samples()),
      loss_sum_(at::zeros({}, at::TensorOptions().device(training.device).dtype(at::kDouble))),
      control_(training.mesh.everyone(), training.device),
      router_(training.model.model().make_router_step(
          training.model.local_sgd() != nullptr ? nullptr : &training.mesh.data(), training.device)) {}

parallel::Tensors Evaluator::empty_inputs(int stage, int) {
    return training_.model.model().empty_streams(*training_.model.part().stages.at(stage).front(),
                                                 training_.context(batch_, false, loss_sum_), training_.device);
}

parallel::Tensors Evaluator::forward(int stage, int, const parallel::Tensors& inputs) {
    parallel::StepContext step = training_.context(batch_, false, loss_sum_);
    step.logits = logits_;
    step.router = router_.get();
    return training_.model.run(stage, inputs, step);
}

/// Ranks that share the weights gather them together, and those that divide experts compute for each other, until the
/// last of them has no batch.
bool Evaluator::any_rank_has(bool batch) {
    if (!training_.model.shares_values() && training_.model.experts() == nullptr)
        return batch;
    const at::Tensor most = at::full({1}, batch ? 1 : 0, loss_sum_.options());
    training_.mesh.data().all_reduce(most, "evaluation batches", parallel::ReduceOp::max).wait();
    return most.item<double>() > 0;
}

void Evaluator::run_without_batch() {
    if (training_.model.experts() == nullptr)
        return training_.model.sync()->rooms()->gather_without_batch();
    // Experts of this rank compute for the others while it has tokens that nothing counts.
    batch_ = training_.data.training_batch(training_.position.samples, 0);
    batch_.labels = at::Tensor();
    executor_.run();
}

std::optional<double> Evaluator::loss(Evaluation* evaluation) {
    at::NoGradGuard no_grad;
    training_.model.share_buffers();
    loss_sum_.zero_();
    if (router_)
        router_->begin(models::RouterStep::Pass::evaluate);
    double targets = 0;
    const bool judges = evaluation != nullptr && metrics_.any();
    metrics_.reset();
    const bool is_last = training_.model.part().has_last_stage();
    at::Tensor logits;
    logits_ = judges && is_last ? &logits : nullptr;
    bool has_batch = true;
    for (std::int64_t index = 0;; ++index) {
        batch_ = has_batch ? training_.data.evaluation_batch(index) : Batch();
        has_batch = batch_.labels.defined();
        if (!any_rank_has(has_batch))
            break;
        if (!has_batch) {
            run_without_batch();
            continue;
        }
        batch_ = training_.changed(std::move(batch_), kEvaluationStep, false);
        if (is_last)
            targets += static_cast<double>(batch_.targets);
        executor_.run();
        if (logits_ != nullptr)
            metrics_.update(logits, batch_.labels, batch_.first_sample);
    }
    logits_ = nullptr;
    if (judges) {
        evaluation->metrics = metrics_.values(training_.mesh.everyone());
        evaluation->classes = metrics_.classes(training_.mesh.everyone(), is_last && training_.model.counts_loss());
    }
    if (router_ && is_last) {
        router_->settle();
        if (router_->has_choices())
            loss_sum_.add_(router_->added_part());
    }
    if (!training_.model.counts_loss()) {
        loss_sum_.zero_();
        targets = 0;
    }
    control_.begin(loss_sum_, targets, {});
    const StepControl::Agreed agreed = control_.finish();
    if (agreed.targets == 0)
        return std::nullopt;
    return agreed.loss_sum / agreed.targets;
}

std::optional<Evaluation> Evaluator::run() {
    if (training_.data.evaluation_samples() == 0)
        return std::nullopt;
    training_.set_phase("evaluate");
    if (parallel::ArenaLocalSgd* local = training_.model.local_sgd())
        local->settle();
    training_.optimizer.settle();
    Evaluation evaluation;
    const std::optional<double> plain = loss(&evaluation);
    if (!plain)
        return std::nullopt;
    evaluation.loss = *plain;
    if (std::ranges::count(training_.recipe.training.metrics, config::kPerplexity) > 0)
        evaluation.metrics.emplace_back(config::kPerplexity, std::exp(evaluation.loss));
    if (const families::ModelConfig& model = training_.recipe.model;
        model.task == families::kSpeechPretraining && model.diversity_loss_weight > 0) {
        // The other term of the loss is factor * (codes - perplexity) / codes.
        const auto codes = static_cast<double>(model.num_codevector_groups * model.num_codevectors_per_group);
        for (const auto& [name, value] : HeldOutValues(evaluation.metrics))
            if (name == config::kContrastiveLoss)
                evaluation.metrics.emplace_back(config::kCodevectorPerplexity,
                                                codes * (1 - (evaluation.loss - value) / model.diversity_loss_weight));
    }
    const auto evaluate_average = [&](auto swapped) {
        training_.model.publish_values();
        evaluation.average_loss = loss();
        swapped.reset();
        training_.model.publish_values();
    };
    if (training_.average)
        evaluate_average(std::make_unique<WeightAverage::SwapGuard>(*training_.average));
    else if (training_.optimizer.averages())
        evaluate_average(std::make_unique<FlatOptimizer::SwapGuard>(training_.optimizer));
    double& best = training_.position.best_validation_loss;
    if (std::isfinite(evaluation.loss) && (best == 0 || evaluation.loss < best))
        best = evaluation.loss;
    training_.note_metric("eval/loss", evaluation.loss);
    for (const auto& [name, value] : evaluation.metrics)
        training_.note_metric("eval/" + name, value);
    if (evaluation.average_loss)
        training_.note_metric("eval/loss_average", *evaluation.average_loss);
    training_.rates.observe(evaluation.loss);
    return evaluation;
}

}  // namespace trainyard::train
