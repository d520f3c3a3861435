// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <torch/nn/modules/linear.h>
#include <torch/optim/optimizer.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <trainyard/accelerator.h>
#include <trainyard/memory.h>

#include "accelerator/accelerator_parts.h"
#include "accelerator/clip_gradients.h"
#include "accelerator/flat_module.h"
#include "accelerator/float8_modules.h"
#include "accelerator/metrics_gather.h"
#include "accelerator/plugin_variables.h"
#include "accelerator/sharded_optimizer.h"
#include "base/device_kinds.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/text.h"
#include "base/truth.h"
#include "config/recipe/memory_checks.h"
#include "config/recipe/zero_plus_plus.h"
#include "data/prepare_data_loader.h"
#include "data/rng_sync.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/fingerprint.h"
#include "launch/plan/recipe_limit.h"
#include "optim/torch_optimizer.h"
#include "train/loop/flat_gradients.h"

namespace trainyard::accelerator {

namespace {

Precision precision_of(const AcceleratorOptions& options) {
    if (options.mixed_precision)
        return *options.mixed_precision;
    if (const std::optional<std::string> set = variable(kEnvMixedPrecision))
        return parse_precision(text::lower(*set));
    const std::string fp16 = variable("USE_FP16").value_or("false");  // of Accelerate's first launchers
    if (truth_of(fp16) == Truth::neither)
        throw UserError("USE_FP16: '{}' is neither true nor false: write true or false", fp16);
    return truth_of(fp16) == Truth::yes ? Precision::fp16 : Precision::no;
}

/// The devices of these tensors but the processor and meta, in order.
std::vector<std::string> accelerators_of(const NamedTensors& parameters) {
    std::set<std::string> devices;
    for (const auto& [name, tensor] : parameters)
        if (tensor.defined() && !tensor.is_cpu() && !tensor.is_meta())
            devices.insert(tensor.device().str());
    return {devices.begin(), devices.end()};
}

std::int64_t accumulation_of(const AcceleratorOptions& options) {
    return whole_variable(kEnvAccumulationSteps, 1).value_or(options.gradient_accumulation_steps);
}

void set_process_group(const ProcessGroupOptions& options, parallel::LaunchEnvironment& environment) {
    parallel::Rendezvous& rendezvous = environment.rendezvous;
    if (options.timeout_s) {
        if (!(*options.timeout_s > 0) || *options.timeout_s > parallel::kLongestTimeoutSeconds)
            throw UserError("process_group.timeout_s is {}: it must be more than 0 and at most {} seconds",
                            *options.timeout_s, parallel::kLongestTimeoutSeconds);
        rendezvous.timeout = std::chrono::milliseconds(std::llround(*options.timeout_s * 1000));
    }
    constexpr std::string_view kTcp = "tcp://";
    const std::string_view method = options.init_method;
    if (method.empty() || method == "env://")
        return;
    const std::size_t colon = method.rfind(':');
    const auto port = parse_number<int>(method.substr(colon + 1), 1, 65535);
    if (!method.starts_with(kTcp) || colon <= kTcp.size() || !port)
        throw UserError("process_group.init_method is '{}': it must be env://, or tcp://host:port",
                        options.init_method);
    rendezvous.address = method.substr(kTcp.size(), colon - kTcp.size());
    rendezvous.port = *port;
    rendezvous.store_fd = -1;
    rendezvous.store_exists = false;
}

/// Connects the ranks of a launch once per process, like Accelerate's PartialState: a second Accelerator of a program
/// shares the connections of the first. If it connected again, a rank could reach the first store, which rank 0 is
/// about to close. The state is never destroyed, because the end of a process must not wait for ranks that are gone.
std::shared_ptr<parallel::ProcessState> connect(const AcceleratorOptions& options, bool on_cpu) {
    parallel::LaunchEnvironment environment = parallel::read_launch_environment();
    environment.use_cpu = environment.use_cpu || options.cpu;
    set_process_group(options.process_group, environment);
    const auto check_backend = [&asked = options.process_group.backend](const std::string& own, const std::string& on) {
        if (!asked.empty() && asked != own)
            throw UserError(
                "process_group.backend is '{}', and ranks on {} connect by {}: set it to {}, or leave it out", asked,
                on, own, own);
    };
    if (on_cpu)  // before a rank waits for others
        check_backend(std::string(kHostCollectives), "cpu");
    const parallel::Rendezvous& rendezvous = environment.rendezvous;
    if (rendezvous.world_size == 1)
        return std::make_shared<parallel::ProcessState>(parallel::ProcessState::connect(environment));
    static auto* const connected = new std::map<std::string, std::shared_ptr<parallel::ProcessState>>;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    std::shared_ptr<parallel::ProcessState>& state =
        (*connected)[fmt::format("{} of {} at {}:{}, generation {}{}{}", rendezvous.rank, rendezvous.world_size,
                                 rendezvous.address, rendezvous.port, rendezvous.generation,
                                 environment.use_cpu ? ", cpu" : "", rendezvous.verify ? ", verified" : "")];
    if (!state)
        state = std::make_shared<parallel::ProcessState>(parallel::ProcessState::connect(environment));
    check_backend(state->world()->backend(), state->device().str());
    return state;
}

/// What needs whole gradients on every rank, `.grad` of the parameters.
void refuse_flat(const std::vector<PreparedModel*>& models, const char* what) {
    for (const PreparedModel* model : models)
        if (model->flat() != nullptr || (model->gradients() != nullptr && model->is_distributed()))
            throw UserError(
                "{} is for modules whose gradients are whole on every rank: set "
                "zero_stage to 0; a model of the engine has its recipe's keys for it",
                what);
}

/// The device and the numbers of ranks that settings are checked against, before the ranks are connected.
Launch launch_of(const AcceleratorOptions& options, const parallel::ProcessState* process) {
    if (process != nullptr)
        return {process->device().is_cpu(), process->world_size(), process->local_world_size()};
    const parallel::LaunchEnvironment environment = parallel::read_launch_environment();
    const bool on_cpu = options.cpu || environment.use_cpu || environment.device == "cpu" ||
                        (environment.device.empty() && !at::globalContext().hasCUDA());
    return {on_cpu, environment.place.world_size, environment.place.local_world_size};
}

/// Returns whether every rank is a replica, so that nothing is divided.
bool check_sharding(const ShardingOptions& how, const parallel::Sharding& sharding, int ranks, bool on_cpu,
                    bool float8_gathers) {
    if (how.dp_replicate < 1)
        throw UserError("sharding.dp_replicate is {}: it must be 1 or more", how.dp_replicate);
    if (how.wrap.min_parameters < 0)
        throw UserError("sharding.wrap.min_parameters is {}: it must be 0 or more", how.wrap.min_parameters);
    if (!how.offload_folder.empty() && sharding.zero_stage != 3)
        throw UserError("sharding.offload_folder: {}", config::offload_needs_stage_3(sharding.zero_stage));
    if (!how.offload_folder.empty() && !on_cpu)
        throw UserError("sharding.offload_folder: {}", plan::weights_stay());
    if (!how.offload_optimizer_folder.empty() && sharding.zero_stage == 0)
        throw UserError(
            "sharding.offload_optimizer_folder: {}",
            Message("optimizer state is kept on a disk with ZeRO stages 1 to 3, and zero_stage is 0: set it "
                    "to 1, 2 or 3, or leave the folder out"));
    if (!how.offload_optimizer_folder.empty() && !on_cpu)
        throw UserError("sharding.offload_optimizer_folder: {}", plan::state_stays());
    const std::int64_t shard_ranks = ranks % how.dp_replicate == 0 ? ranks / how.dp_replicate : 0;
    for (const config::ZeroPlusPlusProblem& problem :
         config::problems_of({.hpz_partition_size = how.zero_hpz_partition_size,
         .quantized_weights = how.zero_quantized_weights,
         .quantized_gradients = how.zero_quantized_gradients,
         .zero_stage = sharding.zero_stage,
         .shard_ranks = shard_ranks > 1 ? shard_ranks : 0,
         .weights_on_disk = !how.offload_folder.empty(),
         .float8_gathers = float8_gathers}))
        throw UserError("sharding.{}: {}", problem.key, problem.message);
    if (!sharding.any() || how.dp_replicate == 1)
        return false;
    if (ranks % how.dp_replicate != 0)
        throw UserError(
            "{} ranks cannot be divided into {} replicas of the model (dp_replicate): start a multiple of {}, or "
            "change it",
            ranks, how.dp_replicate, how.dp_replicate);
    return ranks == how.dp_replicate;
}

std::vector<parallel::DataParallel*> parallel_parts(const std::vector<PreparedModel*>& models) {
    std::vector<parallel::DataParallel*> parts;
    for (PreparedModel* model : models)
        if (model->data_parallel() != nullptr)
            parts.push_back(model->data_parallel());
    return parts;
}

std::vector<NamedPlugin> named_plugins(const AcceleratorOptions& options, const Launch& launch) {
    std::vector<NamedPlugin> named;
    if (options.deepspeed_plugins.empty())
        return named;
    if (options.deepspeed_plugin)
        throw UserError("deepspeed_plugin and deepspeed_plugins are both given: give one of them");
    std::optional<Precision> common;
    for (const auto& [name, plugin] : options.deepspeed_plugins) {
        if (std::ranges::find(named, name, &NamedPlugin::name) != named.end())
            throw UserError("deepspeed_plugins has two entries named '{}': give each its own name", name);
        AcceleratorOptions alone = options;
        alone.deepspeed_plugins.clear();
        alone.deepspeed_plugin = plugin;
        Plugins read = read_plugins(launch, PluginVariables(alone));
        NamedPlugin one{name, plugin, parallel::sharding_of_stage(read.zero_stage.value_or(0)), read.sharding,
                        std::move(read.deepspeed)};
        if (check_sharding(one.how_sharded, one.sharding, launch.processes, launch.on_cpu, false))
            one.sharding = parallel::sharding_of_stage(0);
        const Precision precision = one.deepspeed.precision(precision_of(options));
        if (precision != common.value_or(precision))
            throw UserError(
                "the DeepSpeed plug-ins '{}' and '{}' compute in {} and {}, and an Accelerator in one format: give "
                "both the same",
                named.front().name, name, *common, precision);
        common = precision;
        named.push_back(std::move(one));
    }
    return named;
}

}  // namespace

Accelerator::Accelerator(AcceleratorOptions options) : Accelerator(options, nullptr) {}

Accelerator::Accelerator(AcceleratorOptions options, std::shared_ptr<parallel::ProcessState> process)
    : impl_(std::make_unique<Impl>()) {
    const Launch launch = launch_of(options, process.get());
    impl_->plugins = named_plugins(options, launch);
    if (!impl_->plugins.empty())
        options.deepspeed_plugin = impl_->plugins.front().plugin;
    Plugins plugins = read_plugins(launch, PluginVariables(options));
    impl_->sharding = parallel::sharding_of_stage(options.zero_stage.value_or(plugins.zero_stage.value_or(0)));
    impl_->how_sharded = options.sharding.value_or(plugins.sharding);
    impl_->activation_checkpointing =
        options.activation_checkpointing ? options.activation_checkpointing : plugins.activation_checkpointing;
    impl_->deepspeed = std::move(plugins.deepspeed);
    impl_->precision = impl_->deepspeed.precision(precision_of(options));
    options.grad_scaler.init_scale = plugins.init_scale.value_or(options.grad_scaler.init_scale);
    options.grad_scaler.growth_interval = plugins.growth_interval.value_or(options.grad_scaler.growth_interval);
    if (impl_->precision == Precision::fp8)
        impl_->fp8 = fp8_recipe(options.fp8);
    else if (options.fp8)
        throw UserError("fp8 has no effect with mixed_precision {}: set that to fp8, or leave this out",
                        impl_->precision);
    const std::int64_t steps = plugins.gradient_accumulation_steps.value_or(accumulation_of(options));
    if (check_sharding(impl_->how_sharded, impl_->sharding, launch.processes, launch.on_cpu,
                       impl_->fp8 && impl_->fp8->enable_fsdp_float8_all_gather))
        impl_->sharding = parallel::sharding_of_stage(0);
    impl_->process = process != nullptr ? std::move(process) : connect(options, launch.on_cpu);
    require_available(impl_->precision, impl_->process->device());
    impl_->flow = std::make_shared<GradientFlow>(
        steps, options.accumulation,
        impl_->precision == Precision::fp16 ? std::optional(options.grad_scaler) : std::nullopt,
        impl_->process->device(), impl_->process);
    impl_->flow->set_clipping(plugins.gradient_clipping.value_or(0));
    impl_->iteration = options.project.iteration;
    if (!impl_->plugins.empty())
        options.deepspeed_plugin.reset();  // for another Accelerator with these options
    impl_->options = std::move(options);
}

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

namespace {

std::size_t place_of_plugin(const std::vector<NamedPlugin>& plugins, const std::string& name) {
    const auto found = std::ranges::find(plugins, name, &NamedPlugin::name);
    std::vector<std::string> names;
    std::ranges::transform(plugins, std::back_inserter(names), &NamedPlugin::name);
    if (found == plugins.end())
        throw UserError("deepspeed_plugins has no plug-in named '{}'{}", name, text::did_you_mean(name, names));
    return static_cast<std::size_t>(found - plugins.begin());
}

}  // namespace

void Accelerator::select_deepspeed_plugin(const std::string& name) {
    const std::size_t place = place_of_plugin(impl_->plugins, name);
    impl_->plugins[impl_->active_plugin].deepspeed = impl_->deepspeed;  // with what was prepared
    impl_->active_plugin = place;
    impl_->sharding = impl_->plugins[place].sharding;
    impl_->how_sharded = impl_->plugins[place].how_sharded;
    impl_->deepspeed = impl_->plugins[place].deepspeed;
}
const DeepSpeedPlugin* Accelerator::deepspeed_plugin() const {
    if (!impl_->plugins.empty())
        return &impl_->plugins[impl_->active_plugin].plugin;
    return impl_->options.deepspeed_plugin ? &*impl_->options.deepspeed_plugin : nullptr;
}
const DeepSpeedPlugin& Accelerator::deepspeed_plugin(const std::string& name) const {
    return impl_->plugins[place_of_plugin(impl_->plugins, name)].plugin;
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

// --- prepare
// -----------------------------------------------------------------------------------------------------------------------------------

std::shared_ptr<PreparedModel> Accelerator::prepare_tensors(std::shared_ptr<void> module, NamedTensors parameters,
                                                            NamedTensors buffers, ModelOptions options,
                                                            train::GradientStore* gradients,
                                                            const std::vector<Block*>& blocks,
                                                            const NamedTensors& linear) {
    for (const std::shared_ptr<PreparedModel>& known : impl_->models)
        if (known->module() == module.get())
            return known;
    const auto* flat = dynamic_cast<const train::FlatGradients*>(gradients);
    if (flat != nullptr && flat->backward_update() != nullptr)
        throw UserError(
            "this model updates while backward runs, which a recipe's run drives: make the FlatModel without "
            "updates_in_backward, or train the recipe with trainyard launch");
    const bool trained = !options.evaluation_mode && gradients == nullptr;
    PreparedModel::Parts parts{.module = std::move(module),
                               .parameters = std::move(parameters),
                               .buffers = std::move(buffers),
                               .precision = gradients == nullptr ? impl_->precision : Precision::no,
                               .autocast = impl_->options.autocast,
                               .device = device(),
                               .process = impl_->process,
                               .gradients = gradients};
    const ModuleSharding sharding = trained || (gradients == nullptr && impl_->sharding.values)
                                        ? sharding_of(parts.parameters, blocks, trained)
                                        : ModuleSharding();
    auto model = std::make_shared<PreparedModel>(
        std::move(parts), trained ? std::optional(impl_->options.data_parallel) : std::nullopt, sharding);
    if (impl_->fp8 && gradients == nullptr) {
        model->set_float8(std::make_shared<Float8Modules>(linear, *impl_->fp8));
        if (impl_->fp8->enable_fsdp_float8_all_gather && model->flat() != nullptr)
            model->flat()->send_as_float8(model->float8()->weights());
        if (model->float8()->has_state())
            register_for_checkpointing(*model->float8());
    }
    if (impl_->how_sharded.save_16bit_model && impl_->sharding.values && gradients == nullptr &&
        impl_->precision != Precision::no)
        model->set_saved_type(scalar_type(impl_->precision));
    impl_->models.push_back(model);
    std::vector<FlatModule*> trained_models;
    for (const std::shared_ptr<PreparedModel>& each : impl_->models)
        if (each->flat() != nullptr && each->gradients() != nullptr)
            trained_models.push_back(each->flat().get());
    for (FlatModule* each : trained_models)
        if (trained_models.size() > 1)
            each->set_one_of_several();
    flow().add(model);
    model->set_evaluation_check([flow = std::weak_ptr(impl_->flow), watched = model.get()] {
        const std::shared_ptr<GradientFlow> held = flow.lock();
        if (const PreparedOptimizer* optimizer =
                held != nullptr ? held->training_weights(watched->parameter_tensors()) : nullptr)
            throw UserError(
                "the model has the weights that {} trains, and is to be evaluated at "
                "their average: call the prepared optimizer's eval() before the "
                "evaluation, and train() after it",
                optimizer->traits().name);
    });
    return model;
}

void Accelerator::check_undivided(const NamedTensors& parameters) {
    const std::vector<std::string> devices = accelerators_of(parameters);
    if (devices.size() > 1)
        throw UserError(
            "the model is on {}: to train it there, prepare what dispatch_model() returned, and not its module",
            fmt::join(devices, ", "));
}

bool Accelerator::reads_weights() const {
    return !impl_->how_sharded.cpu_ram_efficient_loading || is_main_process();
}

void Accelerator::read_weights_of(const NamedTensors& tensors, const std::function<void()>& read) const {
    Message problem;
    if (reads_weights())
        try {
            read();
        } catch (const UserError& error) {
            problem = error.message();
        }
    else
        forget_data(tensors);
    problem = parallel::first_message(process().everyone(), problem, "weights are read");
    if (!problem.empty())
        throw UserError(problem);
}

void Accelerator::place_tensors(const NamedTensors& tensors) const {
    const at::NoGradGuard no_grad;
    for (const auto& [name, tensor] : tensors)
        if (tensor.defined() && !tensor.is_meta() && tensor.device() != device())
            replace_data(tensor, tensor.detach().to(device()));
}

void Accelerator::check_places(const NamedTensors& parameters, bool trained) const {
    const std::vector<std::string> devices = accelerators_of(parameters);
    std::vector<Message> problems;
    if (impl_->sharding.any() && use_distributed())
        problems.push_back(Message(
            "zero_stage is {}, and ranks divide models that are on one device each: set it to 0 for a model with a "
            "device map",
            impl_->sharding.zero_stage));
    if (impl_->fp8)
        problems.push_back(
            Message("mixed_precision is fp8, which models with a device map do not have: set it to bf16"));
    for (const std::string& name : devices)
        if (at::Device(name).type() != device().type()) {
            problems.push_back(Message(
                "the device map puts weights on {}, and the accelerator computes on {}: use the same kind of device "
                "in both",
                name, device().str()));
            break;
        }
    for (const auto& [name, tensor] : parameters)
        if (trained && tensor.is_meta() && tensor.requires_grad()) {
            problems.push_back(Message(
                "the device map keeps {} where it does not compute, and it is trained: give it the device of its "
                "block, or freeze it",
                name));
            break;
        }
    // Every rank takes part before one of them throws.
    Tree mine = Tree::list();
    for (const std::string& name : devices)
        mine.append(name);
    std::map<std::string, std::size_t> owner;
    bool is_shared = false;
    const std::vector<Tree> all = parallel::all_gather_objects(impl_->process->local(), mine, "devices of the model");
    for (std::size_t rank = 0; rank < all.size(); ++rank)
        for (const Tree& name : all[rank].items())
            if (const auto [first, is_new] = owner.emplace(name.as_text(), rank);
                !is_new && !std::exchange(is_shared, true))
                problems.push_back(
                    Message("local ranks {} and {} both put weights on {}: give each rank devices of its own "
                            "(dispatch::device_map_of_rank)",
                            first->second, rank, name.as_text()));
    if (!problems.empty())
        throw UserError(Message::joined(problems));
}

NamedTensors Accelerator::linear_layers(torch::nn::Module& module) {
    NamedTensors layers;
    for (const auto& item : module.named_modules())
        if (const auto* linear = dynamic_cast<const torch::nn::LinearImpl*>(item.value().get()))
            layers.emplace_back(item.key(), linear->weight);
    return layers;
}

/// How the ranks divide a module with these parameters and blocks. Collective if the shards have replicas.
ModuleSharding Accelerator::sharding_of(const NamedTensors& parameters, const std::vector<Block*>& blocks,
                                        bool trained) const {
    const ShardingOptions& how = impl_->how_sharded;
    ModuleSharding sharding{.sharding = impl_->sharding,
                            .reshard_after_forward = how.reshard_after_forward,
                            .gathered_ahead = how.gathered_ahead,
                            .offload_folder = how.offload_folder,
                            .state_on_disk = trained && !how.offload_optimizer_folder.empty(),
                            .sends_values = how.sync_module_states};
    sharding.sharding.plus = {.secondary_ranks = how.zero_hpz_partition_size,
                              .quantized_weights = how.zero_quantized_weights,
                              .quantized_gradients = how.zero_quantized_gradients};
    const bool has_secondary = how.zero_hpz_partition_size > 1;
    if (sharding.sharding.values) {
        if (how.by_block)
            sharding.blocks = blocks_to_gather(blocks, how.wrap, how.whole_classes);
        sharding.persistent = ignored_parameters(parameters, blocks, how.ignored_modules, how.ignored_classes,
                                                 trained);  // a teacher may have none of these modules
    }
    if (!sharding.sharding.any() || (how.dp_replicate == 1 && !has_secondary) || !use_distributed())
        return sharding;
    const auto replicas = static_cast<int>(how.dp_replicate);
    if (impl_->sharding_mesh == nullptr)
        impl_->sharding_mesh = std::make_unique<parallel::Mesh>(
            parallel::MeshShape{1, replicas, num_processes() / replicas, 1, 1, 1}, process().world());
    sharding.shards = &impl_->sharding_mesh->shards();
    sharding.copies = &impl_->sharding_mesh->copies();
    if (has_secondary)
        sharding.secondary_shards = &impl_->sharding_mesh->secondary_shards(how.zero_hpz_partition_size);
    return sharding;
}

std::optional<train::Divergence> Accelerator::find_divergence_of(const PreparedModel& model) {
    if (!model.divides_weights())
        return train::find_divergence(model.parameters(), process().everyone());
    parallel::Communicator* copies = model.copies();
    return copies == nullptr ? std::nullopt : train::find_divergence(model.held_values(), *copies);
}

const std::optional<WrapPolicy>& Accelerator::activation_checkpointing() const {
    return impl_->activation_checkpointing;
}

void Accelerator::check_model(Precision precision, std::int64_t zero_stage,
                              const parallel::Description& description) const {
    if (impl_->activation_checkpointing)
        throw UserError(
            "activation checkpointing is asked of the accelerator, but this model has it from its recipe: set the "
            "recipe's training.activation_checkpointing, and fsdp_activation_checkpointing to false");
    if (impl_->sharding.any() && impl_->sharding.zero_stage != zero_stage)
        throw UserError(
            "zero_stage is {} for the accelerator and {} in the model's recipe "
            "(parallel.zero_stage): give both the same",
            impl_->sharding.zero_stage, zero_stage);
    if (precision != impl_->precision)
        throw UserError(
            "the model computes in {} (its recipe's training.mixed_precision), the "
            "accelerator in {}: give both the same mixed_precision",
            precision, impl_->precision);
    parallel::check_same_on_all_ranks(process().everyone(), description, "the model");
}

void Accelerator::check_placement(std::size_t values, std::size_t objects) const {
    if (values != objects)
        throw UserError("device_placement has {} values for {} objects: give one for each", values, objects);
    if (impl_->sharding.any())
        throw UserError(
            "device_placement of single objects: ranks that divide weights or optimizer state (zero_stage) have them "
            "on "
            "their own device: call prepare() without it");
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
// ----------------------------------------------------------------------------------------------------------------------------------

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
// -----------------------------------------------------------------------------------------------------------------------------

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
// ----------------------------------------------------------------------------------------------------------------------------

void Accelerator::set_seed(std::uint64_t seed, bool device_specific, bool deterministic) {
    at::manual_seed(seed + (device_specific ? static_cast<std::uint64_t>(process_index()) : 0));
    if (deterministic)
        at::globalContext().setDeterministicAlgorithms(true, false);
}

void Accelerator::synchronize_rng_states(const std::vector<std::string>& types, const at::Generator& generator) {
    data::synchronize_rng_states(types, generator, data::default_generator(), device(), process().everyone());
}

// --- trackers
// ----------------------------------------------------------------------------------------------------------------------------------

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
// ------------------------------------------------------------------------------------------------------------------------------------

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
