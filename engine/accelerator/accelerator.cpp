// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <string>

#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <torch/optim/optimizer.h>

#include <fmt/format.h>
#include <trainyard/accelerator.h>
#include <trainyard/memory.h>

#include "accelerator/accelerator_parts.h"
#include "accelerator/clip_gradients.h"
#include "accelerator/flat_module.h"
#include "accelerator/float8_modules.h"
#include "accelerator/metrics_gather.h"
#include "accelerator/sharded_optimizer.h"
#include "base/error.h"
#include "data/prepare_data_loader.h"
#include "data/rng_sync.h"
#include "optim/torch_optimizer.h"

namespace trainyard::accelerator {

namespace {

/// What needs whole gradients on every rank, `.grad` of the parameters.
void refuse_flat(const std::vector<PreparedModel*>& models, const char* what) {
    for (const PreparedModel* model : models)
        if (model->flat() != nullptr || (model->gradients() != nullptr && model->is_distributed()))
            throw UserError(
                "{} is for modules whose gradients are whole on every rank: set "
                "zero_stage to 0; a model of the engine has its recipe's keys for it",
                what);
}

std::vector<parallel::DataParallel*> parallel_parts(const std::vector<PreparedModel*>& models) {
    std::vector<parallel::DataParallel*> parts;
    for (PreparedModel* model : models)
        if (model->data_parallel() != nullptr)
            parts.push_back(model->data_parallel());
    return parts;
}

}  // namespace

Accelerator::~Accelerator() {
    for (const std::shared_ptr<data::Loader>& loader : impl_->loaders)
        loader->set_observer(nullptr);
}

parallel::ProcessState& Accelerator::process() const {
    return *impl_->process;
}
at::Device Accelerator::device() const {
    return impl_->process->device();
}
parallel::Mesh& Accelerator::mesh() const {
    if (impl_->mesh == nullptr)
        impl_->mesh = std::make_unique<parallel::Mesh>(parallel::replicas(num_processes()), process().world());
    return *impl_->mesh;
}
Precision Accelerator::mixed_precision() const {
    return impl_->precision;
}
const AcceleratorOptions& Accelerator::options() const {
    return impl_->options;
}

GradientFlow& Accelerator::flow() const {
    return *impl_->flow;
}

void Accelerator::backward(const at::Tensor& loss, const BackwardOptions& options) {
    flow().backward(loss, options);
}

double Accelerator::mean_loss() const {
    return flow().mean_loss();
}

std::shared_ptr<PreparedOptimizer> Accelerator::prepare_torch_optimizer(
    std::unique_ptr<torch::optim::Optimizer> optimizer, std::optional<bool> device_placement) {
    return prepare_optimizer(std::make_unique<optim::TorchOptimizer>(std::move(optimizer)), device_placement);
}

std::shared_ptr<PreparedOptimizer> Accelerator::prepare(std::unique_ptr<torch::optim::Optimizer> optimizer) {
    return prepare_torch_optimizer(std::move(optimizer), {});
}

std::shared_ptr<PreparedOptimizer> Accelerator::prepare(std::unique_ptr<optim::Optimizer> optimizer) {
    return prepare_optimizer(std::move(optimizer));
}

std::shared_ptr<PreparedOptimizer> Accelerator::prepare(const DummyOptim& optimizer) {
    return adopt_optimizer(impl_->deepspeed.make_optimizer(optimizer), {});
}

std::shared_ptr<PreparedOptimizer> Accelerator::prepare_optimizer(std::unique_ptr<optim::Optimizer> optimizer,
                                                                  std::optional<bool> device_placement) {
    impl_->deepspeed.note_own_optimizer(*optimizer);
    return adopt_optimizer(std::move(optimizer), device_placement);
}

std::shared_ptr<PreparedOptimizer> Accelerator::adopt_optimizer(std::unique_ptr<optim::Optimizer> optimizer,
                                                                std::optional<bool> device_placement) {
    if (auto* sliceable = dynamic_cast<optim::SliceableOptimizer*>(optimizer.get());
        sliceable != nullptr && device_placement.value_or(impl_->options.device_placement))
        sliceable->move_state_to_parameters();
    check_optimizer(*optimizer);
    if (use_distributed())
        optimizer->exchange_over(process().everyone());
    auto prepared = std::make_shared<PreparedOptimizer>(share_out(std::move(optimizer)), impl_->flow);
    impl_->optimizers.push_back(prepared);
    return prepared;
}

/// Throws InvalidInput with every setting of this accelerator that the optimizer does not support.
void Accelerator::check_optimizer(const optim::Optimizer& optimizer) const {
    using enum config::TrainingFeature;
    const config::OptimizerTraits traits = optimizer.traits();
    std::vector<Problem> problems;
    const auto refuse = [&](bool asked, const std::string& what, config::TrainingFeature feature) {
        if (Message problem = asked ? config::conflict(traits, feature) : Message(); !problem.empty())
            problems.push_back({"", 0, 0, what, std::move(problem)});
    };
    const bool several = use_distributed();
    refuse(flow().num_steps() > 1, "gradient_accumulation_steps " + std::to_string(flow().num_steps()), accumulation);
    refuse(impl_->precision == Precision::fp16, "mixed_precision fp16", loss_scaling);
    refuse(several, fmt::format("a training on {} ranks", num_processes()), several_ranks);
    refuse(divides(), "zero_stage " + std::to_string(impl_->sharding.zero_stage), zero);
    refuse(flow().clipping() > 0, "gradient_clipping", clipping_by_norm);
    refuse(several && impl_->options.data_parallel.comm_hook != nullptr, "comm_hook", gradient_hook);
    refuse(std::ranges::any_of(impl_->health, &PreparedHealth::skips_updates), "prepare_health", skipped_updates);
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
}

/// Whether modules of a program are on flat groups: the ranks divide them, or they are on a disk.
bool Accelerator::divides() const {
    return impl_->sharding.any() && (use_distributed() || !impl_->how_sharded.offload_folder.empty() ||
                                     !impl_->how_sharded.offload_optimizer_folder.empty());
}

/// Where ranks share out the state of optimizers: this rank's part of it.
std::unique_ptr<optim::Optimizer> Accelerator::share_out(std::unique_ptr<optim::Optimizer> optimizer) const {
    if (!divides())
        return optimizer;
    const bool keeps = std::ranges::any_of(impl_->models, [&](const auto& model) {
        return model->gradients() != nullptr && model->gradients()->feeds(*optimizer);
    });
    if (keeps)  // the engine's own, on flat groups already
        return optimizer;
    const std::string stage = "zero_stage " + std::to_string(impl_->sharding.zero_stage);
    auto* sliceable = dynamic_cast<optim::SliceableOptimizer*>(optimizer.get());
    if (sliceable == nullptr || !sliceable->is_element_wise())
        throw UserError(
            "{} divides the state of optimizers that update each element independently: Adam, AdamW, SGD, RMSprop and "
            "Adagrad of torch::optim, and those of optim::make_optimizer except Muon, Adafactor, AdaLomo and the 8-bit "
            "ones; this is a different one: use one of these, or set zero_stage to 0",
            stage);
    for (const at::Tensor& parameter : sliceable->parameters())
        for (const std::shared_ptr<PreparedModel>& model : impl_->models)
            if (model->flat() != nullptr && model->flat()->find(parameter) != nullptr) {
                optimizer.release();
                return std::make_unique<ShardedOptimizer>(
                    std::unique_ptr<optim::SliceableOptimizer>(sliceable), model->flat(),
                    train::StateOffload{.folder = impl_->how_sharded.offload_optimizer_folder,
                                        .rank = process_index(),
                                        .ranks_here = impl_->process->local_world_size()});
            }
    throw UserError("{} needs the model before its optimizer: call prepare(model) first", stage);
}

std::shared_ptr<data::Loader> Accelerator::prepare(data::LoaderSpec loader) {
    return prepare_data_loader(std::move(loader));
}

std::shared_ptr<data::Loader> Accelerator::prepare_data_loader(data::LoaderSpec loader,
                                                               std::optional<bool> device_placement,
                                                               data::SliceFunction slice) {
    const LoaderOptions& wanted = impl_->options.loaders;
    data::PrepareOptions how;
    how.shard = {process_index(), num_processes()};
    how.communicator = use_distributed() ? &process().everyone() : nullptr;
    how.device = device();
    how.put_on_device = device_placement.value_or(impl_->options.device_placement);
    how.split_batches = wanted.split_batches;
    how.dispatch_batches = wanted.dispatch_batches;
    how.even_batches = wanted.even_batches;
    how.use_seedable_sampler = wanted.use_seedable_sampler;
    how.data_seed = wanted.data_seed;
    how.non_blocking = wanted.non_blocking;
    how.rng_types = impl_->options.rng_types;
    how.slice = std::move(slice);
    return follow(data::prepare_data_loader(std::move(loader), how));
}

std::shared_ptr<data::Loader> Accelerator::prepare(std::unique_ptr<data::Loader> loader) {
    return follow(std::move(loader));
}

std::shared_ptr<data::Loader> Accelerator::follow(std::shared_ptr<data::Loader> loader) {
    if (std::find(impl_->loaders.begin(), impl_->loaders.end(), loader) == impl_->loaders.end()) {
        loader->set_observer(&flow().state());
        impl_->loaders.push_back(loader);
    }
    return loader;
}

std::shared_ptr<Scheduler> Accelerator::prepare(std::unique_ptr<optim::Schedule> schedule,
                                                const std::shared_ptr<PreparedOptimizer>& optimizer) {
    impl_->deepspeed.note_own_schedule();
    return adopt_schedule(std::move(schedule), optimizer, impl_->options.scheduler_stepping);
}

/// DeepSpeed's engine advances it once for every update.
std::shared_ptr<Scheduler> Accelerator::prepare(const DummyScheduler& schedule) {
    const std::shared_ptr<PreparedOptimizer> optimizer = schedule.optimizer != nullptr   ? schedule.optimizer
                                                         : impl_->optimizers.size() == 1 ? impl_->optimizers.front()
                                                                                         : nullptr;
    if (optimizer == nullptr)
        throw UserError("prepare: {} optimizers are prepared: name the one that the DummyScheduler follows",
                        impl_->optimizers.size());
    const std::int64_t ranks = impl_->options.loaders.split_batches ? 1 : num_processes();
    return adopt_schedule(impl_->deepspeed.make_schedule(schedule, *optimizer, ranks), optimizer,
                          SchedulerStepping::per_update);
}

std::shared_ptr<Scheduler> Accelerator::adopt_schedule(std::unique_ptr<optim::Schedule> schedule,
                                                       const std::shared_ptr<PreparedOptimizer>& optimizer,
                                                       SchedulerStepping stepping) {
    SchedulerLinks links;
    links.num_processes = num_processes();
    links.sync_gradients = [flow = impl_->flow] { return flow->state().sync_gradients(); };
    if (optimizer != nullptr)
        links.optimizer_steps_skipped.push_back([optimizer] { return optimizer->step_was_skipped(); });
    else
        links.optimizer_steps_skipped.push_back([flow = impl_->flow] {
            return std::any_of(flow->optimizers().begin(), flow->optimizers().end(),
                               [](const PreparedOptimizer* each) { return each->step_was_skipped(); });
        });
    const SchedulerOptions how{.stepping = stepping,
                               .step_with_optimizer = impl_->options.step_scheduler_with_optimizer,
                               .split_batches = impl_->options.loaders.split_batches};
    auto scheduler = std::make_shared<Scheduler>(std::move(schedule), std::move(links), how);
    impl_->schedulers.push_back(scheduler);
    return scheduler;
}

std::shared_ptr<PreparedAverage> Accelerator::prepare_average(const std::shared_ptr<PreparedModel>& model,
                                                              const train::WeightAverageOptions& options,
                                                              const std::shared_ptr<PreparedOptimizer>& optimizer) {
    if (optimizer == nullptr && impl_->optimizers.size() != 1)
        throw UserError(
            "prepare_average: {} optimizers are prepared: name the one whose steps the "
            "average follows",
            impl_->optimizers.size());
    flow().require(config::TrainingFeature::weight_average, "prepare_average", model->parameter_tensors());
    auto average = std::make_shared<PreparedAverage>(model, options);
    const PreparedOptimizer& followed = optimizer != nullptr ? *optimizer : *impl_->optimizers.front();
    flow().update().follow(followed.inner(), [average] { average->update(); });
    impl_->averages.push_back(average);
    register_for_checkpointing(*average);
    return average;
}

std::shared_ptr<PreparedHealth> Accelerator::prepare_health(const train::HealthOptions& options) {
    if ((options.on_spike == HealthAction::rollback || options.on_non_finite == HealthAction::rollback) &&
        !impl_->options.project.automatic_checkpoint_naming)
        throw UserError(
            "the health action rollback goes back to the newest checkpoint of project_dir/checkpoints: set "
            "project.automatic_checkpoint_naming, and call save_state every so often");
    auto health =
        std::make_shared<PreparedHealth>(options, impl_->flow, [this](std::int64_t step) { return roll_back(step); });
    if (health->skips_updates())
        flow().require(config::TrainingFeature::skipped_updates, "prepare_health");
    impl_->health.push_back(health);
    register_for_checkpointing(*health);
    return health;
}

std::vector<Message> Accelerator::remarks_on_weights(const PreparedModel& model) const {
    const PreparedOptimizer* optimizer = flow().training_weights(model.parameter_tensors());
    if (optimizer == nullptr)
        return {};
    return {
        Message("these are the weights that {} trains, and not their average, which is to be used: call "
                "the prepared optimizer's eval() before saving, and train() after it",
                optimizer->traits().name)};
}

// --- the step

AccumulateScope Accelerator::accumulate_models(const std::vector<PreparedModel*>& models) {
    flow().begin_micro_step();
    if (sync_gradients() || (use_distributed() && flow().options().sync_each_batch))
        return AccumulateScope({});
    return no_sync_models(models);
}

AccumulateScope Accelerator::no_sync_models(const std::vector<PreparedModel*>& models) const {
    std::vector<parallel::NoSync> local;
    for (parallel::DataParallel* part : parallel_parts(models))
        local.push_back(part->no_sync());
    return AccumulateScope(std::move(local));
}

std::int64_t Accelerator::gradient_accumulation_steps() const {
    return flow().num_steps();
}
void Accelerator::set_gradient_accumulation_steps(std::int64_t steps) {
    flow().set_num_steps(steps);
}
std::int64_t Accelerator::step() const {
    return flow().step();
}
GradientState& Accelerator::gradient_state() const {
    return flow().state();
}
optim::GradScaler* Accelerator::scaler() const {
    return flow().scaler();
}

bool Accelerator::optimizer_step_was_skipped() const {
    return std::any_of(impl_->optimizers.begin(), impl_->optimizers.end(),
                       [](const auto& optimizer) { return optimizer->step_was_skipped(); });
}

void Accelerator::unscale_gradients(const std::shared_ptr<PreparedOptimizer>& optimizer) {
    flow().finish_gradients();
    for (PreparedOptimizer* each : flow().optimizers())
        if (optimizer == nullptr || optimizer.get() == each)
            flow().unscale(*each);
}

/// Where gradients are not `.grad` of the parameters, those cannot be clipped one by one.
void Accelerator::check_gradients(const std::vector<at::Tensor>& parameters, const char* what) const {
    for (const std::shared_ptr<PreparedModel>& model : impl_->models) {
        if (model->gradients() == nullptr)
            continue;
        for (const auto& [name, own] : model->parameters())
            if (std::ranges::any_of(parameters, [&](const at::Tensor& each) { return each.is_same(own); }))
                throw UserError(
                    "{}: the gradient of {} is not .grad of the parameter (a model of "
                    "the engine, or zero_stage): call clip_grad_norm(model, max_norm)",
                    what, name);
    }
}

at::Tensor Accelerator::clip_grad_norm(PreparedModel& model, double max_norm, double norm_type) {
    if (model.gradients() == nullptr)
        return clip_grad_norm(model.parameter_tensors(), max_norm, norm_type);
    if (!sync_gradients())
        return {};
    unscale_gradients();
    flow().note_clipped();
    return at::scalar_tensor(flow().clip(*model.gradients(), max_norm, norm_type), at::kDouble);
}

at::Tensor Accelerator::clip_grad_norm(const std::vector<at::Tensor>& parameters, double max_norm, double norm_type) {
    check_gradients(parameters, "clip_grad_norm");
    flow().require(config::TrainingFeature::clipping_by_norm, "clip_grad_norm", parameters);
    if (!sync_gradients())
        return {};
    unscale_gradients();
    flow().note_clipped();
    return clip_gradients_by_norm(parameters, max_norm, norm_type);
}

void Accelerator::clip_grad_value(const std::vector<at::Tensor>& parameters, double value) {
    check_gradients(parameters, "clip_grad_value");
    flow().require(config::TrainingFeature::clipping_by_value, "clip_grad_value", parameters);
    if (!sync_gradients())
        return;
    unscale_gradients();
    clip_gradients_by_value(parameters, value);
}

AutocastScope Accelerator::autocast(AutocastOptions options) const {
    return AutocastScope(impl_->precision, device().type(), options);
}

namespace {

/// Loaders that do otherwise for a while.
class EvenBatches {
  public:
    EvenBatches(const std::vector<std::shared_ptr<data::Loader>>& loaders, std::optional<bool> even) {
        for (std::size_t i = 0; even && i < loaders.size(); ++i) {
            if (std::optional<bool> before = loaders[i]->exchange_even_batches(*even))
                changed_.emplace_back(loaders[i].get(), *before);
            else
                notes_.push_back(
                    Message("data loader {} reads a stream or dispatches its batches: "
                            "even_batches does not change it",
                            i));
        }
    }
    ~EvenBatches() {
        for (auto& [loader, before] : changed_)
            loader->exchange_even_batches(before);
    }
    EvenBatches(const EvenBatches&) = delete;
    EvenBatches& operator=(const EvenBatches&) = delete;
    std::vector<Message> take_notes() { return std::move(notes_); }

  private:
    std::vector<std::pair<data::Loader*, bool>> changed_;
    std::vector<Message> notes_;
};

}  // namespace

std::vector<Message> Accelerator::join_models(const std::function<void()>& body, const UnevenInputs& options,
                                              const std::vector<PreparedModel*>& models) {
    refuse_flat(models, "join_uneven_inputs");
    flow().require(config::TrainingFeature::uneven_inputs, "join_uneven_inputs");
    const std::vector<parallel::DataParallel*> parts = parallel_parts(models);
    if (parts.empty()) {
        body();
        return {};
    }
    EvenBatches even(impl_->loaders, options.even_batches);
    parallel::join_uneven_inputs(parts, options.join, body);
    return even.take_notes();
}

LocalSgdScope Accelerator::local_sgd_of(PreparedModel& model, parallel::LocalSgdOptions options) {
    refuse_flat({&model}, "local_sgd");
    flow().require(config::TrainingFeature::local_sgd, "local_sgd", model.parameter_tensors());
    if (model.data_parallel() == nullptr)
        return LocalSgdScope(nullptr);
    return LocalSgdScope(std::make_unique<parallel::LocalSgd>(*model.data_parallel(), options));
}

// --- between ranks

Tree Accelerator::gather_for_metrics(const Tree& data, bool use_gather_object) {
    return accelerator::gather_for_metrics(process().everyone(), data, gradient_state().active_dataloader(),
                                           use_gather_object);
}

at::Tensor Accelerator::gather_for_metrics(const at::Tensor& tensor) {
    return gather_for_metrics(Tree(tensor)).as_tensor();
}

void Accelerator::set_trigger() {
    impl_->trigger = true;
}

bool Accelerator::check_trigger() {
    parallel::Communicator& everyone = process().everyone();
    const at::Tensor raised =
        at::full({1}, impl_->trigger ? 1 : 0, at::TensorOptions().dtype(at::kInt).device(everyone.device()));
    everyone.all_reduce(raised, "check_trigger", parallel::ReduceOp::max).wait();
    if (raised.item<int>() == 0)
        return false;
    impl_->trigger = false;
    return true;
}

// --- random numbers

void Accelerator::set_seed(std::uint64_t seed, bool device_specific, bool deterministic) {
    at::manual_seed(seed + (device_specific ? static_cast<std::uint64_t>(process_index()) : 0));
    if (deterministic)
        at::globalContext().setDeterministicAlgorithms(true, false);
}

void Accelerator::synchronize_rng_states(const std::vector<std::string>& types, const at::Generator& generator) {
    data::synchronize_rng_states(types, generator, data::default_generator(), device(), process().everyone());
}

// --- trackers

void Accelerator::init_trackers(const std::string& project, const track::Values& configuration,
                                const std::map<std::string, Value>& arguments) {
    const ProjectOptions& where = impl_->options.project;
    track::TrackersOptions how;
    how.project = project;
    how.logging_dir = where.logging_dir.empty() ? where.project_dir : where.logging_dir;
    how.is_main_process = is_main_process();
    how.configuration = configuration;
    how.arguments = arguments;
    how.continues = parallel::read_launch_environment().rendezvous.generation > 1;  // ranks that were started again
    how.on_wait = [](const Message& text) { std::fprintf(stderr, "trainyard: %s\n", text.text().c_str()); };
    impl_->trackers = track::Trackers::start(impl_->options.log_with, std::move(how));
}

void Accelerator::log(track::Values values, std::optional<std::int64_t> step, std::map<std::string, Value> arguments) {
    if (impl_->trackers != nullptr)
        impl_->trackers->log(std::move(values), step, std::move(arguments));
}

void Accelerator::log_images(const NamedTensors& pictures, std::optional<std::int64_t> step,
                             const std::map<std::string, Value>& arguments) {
    if (impl_->trackers == nullptr)
        return;
    track::PictureRecord record;
    record.step = step;
    for (const auto& [name, batch] : pictures) {
        if (batch.dim() != 4)
            throw UserError("the pictures '{}' have {} dimensions: give a batch of N × C × H × W", name, batch.dim());
        at::Tensor bytes = batch.detach().cpu();
        if (bytes.scalar_type() != at::kByte)
            bytes = bytes.to(at::kFloat).mul(255).nan_to_num(0).clamp(0, 255).to(at::kByte);
        bytes = bytes.permute({0, 2, 3, 1}).contiguous();
        const auto* first = bytes.const_data_ptr<std::uint8_t>();
        record.pictures.push_back(
            {name, bytes.size(0), bytes.size(1), bytes.size(2), bytes.size(3), {first, first + bytes.numel()}});
    }
    impl_->trackers->log_images(std::move(record), arguments);
}

void Accelerator::log_table(const std::string& name, std::vector<std::string> columns, std::vector<Value::List> rows,
                            std::optional<std::int64_t> step, const std::map<std::string, Value>& arguments) {
    if (impl_->trackers != nullptr)
        impl_->trackers->log_table({name, std::move(columns), std::move(rows), step}, arguments);
}

void Accelerator::log_artifact(const std::filesystem::path& path, const std::string& folder,
                               const std::map<std::string, Value>& arguments) {
    if (impl_->trackers != nullptr)
        impl_->trackers->log_artifact({path, folder}, arguments);
}

track::Tracker& Accelerator::get_tracker(const std::string& name) {
    if (impl_->trackers == nullptr)
        throw UserError("there are no trackers yet: call init_trackers first");
    return impl_->trackers->get(name);
}

// --- memory

void Accelerator::free_memory() {
    for (const std::shared_ptr<data::Loader>& loader : impl_->loaders) {
        loader->set_observer(nullptr);
        gradient_state().forget(*loader);
    }
    impl_->loaders.clear();
    impl_->schedulers.clear();
    impl_->optimizers.clear();
    for (const std::shared_ptr<PreparedModel>& model : impl_->models)
        if (model->float8() != nullptr)
            std::erase(impl_->custom, model->float8().get());
    impl_->models.clear();
    for (const auto& average : impl_->averages)
        std::erase(impl_->custom, average.get());
    for (const auto& health : impl_->health)
        std::erase(impl_->custom, health.get());
    impl_->averages.clear();
    impl_->health.clear();
    flow().forget_models();
    flow().set_step(0);
    clear_device_cache();
}

}  // namespace trainyard::accelerator
