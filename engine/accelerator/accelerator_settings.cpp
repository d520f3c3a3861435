// SPDX-License-Identifier: GPL-3.0-or-later
// From the options, the plug-ins and the variables of a launch to an Accelerator: what they ask for is checked before
// the ranks are connected.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <ATen/Context.h>

#include <fmt/format.h>
#include <trainyard/accelerator.h>

#include "accelerator/accelerator_parts.h"
#include "accelerator/float8_modules.h"
#include "accelerator/plugin_variables.h"
#include "base/device_kinds.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "base/number.h"
#include "base/text.h"
#include "base/truth.h"
#include "config/recipe/memory_checks.h"
#include "config/recipe/zero_plus_plus.h"
#include "launch/plan/recipe_limit.h"

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

std::size_t place_of_plugin(const std::vector<NamedPlugin>& plugins, const std::string& name) {
    const auto found = std::ranges::find(plugins, name, &NamedPlugin::name);
    std::vector<std::string> names;
    std::ranges::transform(plugins, std::back_inserter(names), &NamedPlugin::name);
    if (found == plugins.end())
        throw UserError("deepspeed_plugins has no plug-in named '{}'{}", name, text::did_you_mean(name, names));
    return static_cast<std::size_t>(found - plugins.begin());
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

}  // namespace trainyard::accelerator
