// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/training.h"

#include <cmath>

#include "base/failpoint.h"
#include "models/spec/tasks.h"
#include "train/health_options.h"

namespace trainyard::train {

namespace {

optim::GradScalerOptions scaler_options(const config::TrainingRecipe& training) {
    optim::GradScalerOptions options;
    options.init_scale = training.loss_scale;
    options.growth_interval = training.loss_scale_window;
    options.enabled = training.mixed_precision == Precision::fp16;
    return options;
}

StateOffload state_offload(const config::Recipe& recipe, const parallel::Mesh& mesh, int ranks_here,
                           std::optional<std::uint64_t> memory_room) {
    StateOffload offload;
    offload.memory_room = memory_room;
    if (recipe.offloads_optimizer())
        offload.folder = recipe.parallel.offload_optimizer_nvme_path;
    offload.rank = mesh.rank();
    offload.ranks_here = ranks_here > 0 ? ranks_here : mesh.world_size();
    return offload;
}

}  // namespace

Training::Training(const config::Recipe& trained, parallel::Mesh& ranks, at::Device where, int ranks_on_machine,
                   std::optional<std::uint64_t> memory_room)
    : recipe(trained),
      mesh(ranks),
      device(where),
      model(recipe, mesh, device, config::make_optimizer_plan(recipe.optimizer).in_backward()),
      optimizer(model, recipe.optimizer, state_offload(recipe, mesh, ranks_on_machine, memory_room)),
      data(recipe, mesh.batch(), device,
           model.sequence() != nullptr ? model.sequence()->positions : parallel::PositionRuns()),
      rates(recipe),
      flow(scaler_options(recipe.training), device, mesh.everyone()),
      health(health_options(recipe.health)) {
    if (BackwardUpdate* update = model.backward_update())
        update->set_optimizer(optimizer);
    flow.add(model);
    flow.add(optimizer);
    flow.follow(optimizer, [this] {
        rates.advance();
        updates += 1;
        if (average)
            average->update();
    });
    if (recipe.model.task == families::kMaskedLm)
        masks.emplace(recipe);
    if (!recipe.training.step_function.empty())
        own_step.emplace(recipe);
    position.seed = recipe.training.seed;
    position.training_blocks = data.training_blocks();
    position.samples_per_step = data.samples_per_step();
    position.batch_size = recipe.training.batch_size;
    data.require_targets();
}

void Training::set_phase(const char* name) {
    phase.store(name, std::memory_order_relaxed);
    if (failpoints_on())
        failpoint(("phase." + std::to_string(mesh.rank()) + "." + name).c_str());
}

void Training::note_metric(const std::string& name, double value) {
    if (name == recipe.checkpoint.best_metric)
        metric = value;
}

Batch Training::changed(Batch batch, std::int64_t step, bool trains) const {
    if (masks)
        batch = (*masks)(batch, step);
    if (own_step) {
        batch = own_step->prepare(batch, step, trains);
        batch.targets = std::llround(model.model().count_targets(context(batch, trains, {})));
    }
    return batch;
}

parallel::StepContext Training::context(const Batch& batch, bool trains, const at::Tensor& loss_sum) const {
    parallel::StepContext context;
    context.tokens = batch.tokens;
    context.labels = batch.labels;
    context.attention_mask = batch.attention_mask;
    context.inputs = batch.inputs;
    context.training = trains;
    context.seed = recipe.training.seed;
    context.step = position.step;
    context.micro_batch = batch.micro_batch;
    context.first_sample = batch.first_sample;
    context.loss_sum = loss_sum;
    if (own_step)
        own_step->set_loss(context, batch);
    model.note_positions(context);
    return context;
}

}  // namespace trainyard::train
