// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/recipe_estimate.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/inputs/hub_files.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/memory_checks.h"
#include "config/recipe/optimizer_kinds.h"
#include "config/values/value_formats.h"
#include "estimate/calibration.h"
#include "estimate/known_model.h"
#include "estimate/known_peaks.h"
#include "estimate/trained_parts.h"
#include "launch/plan/recipe_limit.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::estimate {

namespace {

constexpr std::int64_t kMostRanksOfMachine = 1 << 20;
constexpr double kUsualDecay = 0.999;  ///< of averaged weights

config::Recipe shared_out(const config::Recipe& recipe, std::int64_t ranks) {
    try {
        return config::on_ranks(recipe, ranks);
    } catch (const InvalidInput&) {
        return recipe;
    }
}

/// Sets or removes the argument of all parameters that are not in groups.
void round_stochastically(config::OptimizerRecipe& optimizer, bool rounds) {
    std::vector<Problem> ignored;
    const Value given = parse_yaml(optimizer.arguments, "", ignored);
    Value::Map arguments = given.entries();
    std::erase_if(arguments, [](const Entry& entry) { return entry.key == config::kStochasticRounding; });
    if (rounds)
        arguments.push_back({config::kStochasticRounding, true});
    optimizer.arguments = arguments.empty() ? std::string() : flow_text(arguments);
}

}  // namespace

RecipePlan plan_of(const config::Recipe& recipe, std::int64_t ranks) {
    RecipePlan plan{model_parts(recipe.model), setup_of(shared_out(recipe, ranks), ranks)};
    set_trained_parts(plan.setup, plan.model, recipe.model);
    return plan;
}

config::Recipe recipe_of(const TrainingSetup& setup, config::Recipe base) {
    config::TrainingRecipe& training = base.training;
    training.global_batch_size = 0;
    training.batch_size = setup.batch;
    training.gradient_accumulation_steps = setup.accumulation;
    training.activation_checkpointing = setup.checkpointing;
    training.mixed_precision = find_choice<Precision>(choice_name(setup.precision)).value();
    if (setup.averages == 0) {
        training.ema_decay = 0;
        training.swa_start = 0;
    } else if (training.ema_decay == 0 && training.swa_start == 0) {
        training.ema_decay = kUsualDecay;
    }
    base.data.split_batches = false;
    if (families::reads_text(base.model.task)) {  // patches and frames follow from the model
        base.data.sequence_length = setup.sequence;
        base.model.n_positions = std::max(base.model.n_positions, setup.sequence);
    }
    if (setup.lora_rank == 0) {  // other keys of adapters would have no effect
        base.model.lora = {};
    } else {
        base.model.lora.r = setup.lora_rank;
        base.model.freeze.clear();  // adapters freeze everything else
    }
    config::QuantizationRecipe& quantization = base.model.quantization;
    const bool is_8_bits = config::keeps_quantized(base.model) &&
                           !is_one_of(quantization.method, {config::Quantization::nf4, config::Quantization::fp4});
    if (setup.weight_bits == 0 || setup.weight_bits == 16) {
        if (config::keeps_quantized(base.model))
            quantization = {};
    } else if (setup.weight_bits == 8 && !is_8_bits) {
        quantization = {};
        quantization.method = config::Quantization::int8;
    } else if (setup.weight_bits == 4 && (is_8_bits || !config::keeps_quantized(base.model))) {
        quantization = {};
        quantization.method = config::Quantization::nf4;
    }
    if (setup.weight_bits == 4)
        quantization.bnb_4bit_use_double_quant = setup.double_quant;
    if (config::keeps_quantized(base.model)) {
        quantization.skip_modules = module_names(setup.skip_modules);
        quantization.keep_in_fp32_modules = module_names(setup.keep_in_fp32_modules);
    }
    const OptimizerRow& row = optimizer_row(setup.optimizer);
    const std::string name(row.momentum_of.empty() ? row.name : row.momentum_of);
    const std::vector<std::string> known = config::optimizer_names();
    if (std::ranges::find(known, name) != known.end() && base.optimizer.name != name) {
        const double rate = base.optimizer.lr;
        base.optimizer = {};
        base.optimizer.name = name;
        base.optimizer.lr = rate;
        if (!row.momentum_of.empty())
            base.optimizer.arguments = "{momentum: 0.9}";
    }
    if (setup.bf16_stochastic_round != config::has_bf16_weights(base))
        round_stochastically(base.optimizer, setup.bf16_stochastic_round);
    base.fp8.enable_fsdp_float8_all_gather = setup.fp8_all_gather;
    if (setup.fp8_all_gather)
        base.fp8.scaling = config::Fp8Scaling::tensorwise;  // products compute the same with the codes that are sent
    config::ParallelRecipe& parallel = base.parallel;
    parallel.zero_stage = setup.zero_stage;
    parallel.zero_hpz_partition_size = setup.zero_hpz_partition_size;
    parallel.zero_quantized_weights = setup.zero_quantized_weights;
    parallel.zero_quantized_gradients = setup.zero_quantized_gradients;
    if (setup.zero_stage != 3)  // keys that say how sharded weights are gathered
        parallel.ignored_modules.clear();
    const auto offload = [](Offload where, config::OffloadDevice& device, std::string& folder) {
        const bool on_disk = where == Offload::disk;
        device = on_disk ? config::OffloadDevice::nvme : config::OffloadDevice::none;
        if (!on_disk)
            folder.clear();
        else if (folder.empty())
            folder = plan::kUsualOffloadFolder;
    };
    offload(setup.offload_optimizer, parallel.offload_optimizer_device, parallel.offload_optimizer_nvme_path);
    offload(setup.offload_param, parallel.offload_param_device, parallel.offload_param_nvme_path);
    if (setup.layout.pp == 1 || parallel.pipeline_schedule != setup.pipeline_schedule)
        parallel.pp_stages_per_rank = 0;
    parallel.pp_size = setup.layout.pp;
    parallel.pipeline_schedule = setup.pipeline_schedule;
    const bool hybrid = setup.zero_stage > 0 && setup.layout.dp_replicate > 1;
    parallel.dp_shard_size = hybrid ? setup.layout.dp_shard : 0;
    parallel.dp_replicate_size = hybrid ? setup.layout.dp_replicate : 0;
    parallel.tp_size = setup.layout.tp;
    parallel.cp_size = setup.layout.cp;
    parallel.sp_size = setup.layout.sp;
    parallel.ep_size = setup.layout.ep;
    parallel.tp_sequence_parallel = setup.tp_sequence_parallel;
    training.expert_capacity_factor = setup.expert_capacity_factor;
    return base;
}

config::Recipe load_settled_recipe(const std::filesystem::path& file) {
    config::Recipe recipe = config::load_recipe(file);
    for (const inputs::InputProblem& problem : inputs::settle_hub_names(recipe, nullptr))
        if (problem.key == "model.weights")
            throw InvalidInput({{file.string(), 0, 0, problem.key, problem.message}});
    inputs::settle_model_of(recipe);
    return recipe;
}

Device calibrated_memory(std::int64_t ranks) {
    Device device;
    device.name = processor_name();
    device.cpu = true;
    device.program = kCpuProgram;
    device.sharing_ranks = std::max<std::int64_t>(1, ranks);
    device.memory = machine_memory() / static_cast<double>(device.sharing_ranks);
    calibrate(device);
    return device;
}

Hardware this_machine(std::int64_t ranks) {
    Hardware hardware;
    hardware.devices_per_host = std::clamp<std::int64_t>(ranks, 1, kMostRanksOfMachine);
    hardware.device = cpu_device(machine_memory(), static_cast<int>(hardware.devices_per_host));
    calibrate(hardware.device);
    return hardware;
}

RecipeEstimate estimate_recipe(const config::Recipe& recipe, std::int64_t ranks) {
    if (!estimates_training(recipe.model)) {
        RecipeEstimate unknown{{}, calibrated_memory(ranks), {}};
        unknown.memory.stages.emplace_back();
        if (families::family_of(recipe.model).lists_tensors()) {  // else nothing is known before it runs
            constexpr double kFp32 = 4, kMostCopies = 3;          // the weights, and at most two moments
            unknown.memory.parameter_count = static_cast<double>(families::parameter_count(recipe.model));
            unknown.memory.checkpoint = kMostCopies * kFp32 * unknown.memory.parameter_count;
        }
        return unknown;
    }
    RecipeEstimate estimated{plan_of(recipe, ranks), calibrated_memory(ranks), {}};
    estimated.memory = estimate_memory(estimated.plan.model, estimated.plan.setup, estimated.device);
    return estimated;
}

}  // namespace trainyard::estimate
