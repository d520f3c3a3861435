// SPDX-License-Identifier: GPL-3.0-or-later
// Models of an Accelerator: on which devices their weights are, how the ranks divide them, and what is refused.

#include <map>
#include <set>
#include <string>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <torch/nn/modules/linear.h>

#include <fmt/ranges.h>
#include <trainyard/accelerator.h>
#include <trainyard/memory.h>

#include "accelerator/accelerator_parts.h"
#include "accelerator/flat_module.h"
#include "accelerator/float8_modules.h"
#include "base/error.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/fingerprint.h"
#include "models/nn/quantization/linear_kernels.h"
#include "train/loop/flat_gradients.h"

namespace trainyard::accelerator {

namespace {

/// The devices of these tensors but the processor and meta, in order.
std::vector<std::string> accelerators_of(const NamedTensors& parameters) {
    std::set<std::string> devices;
    for (const auto& [name, tensor] : parameters)
        if (tensor.defined() && !tensor.is_cpu() && !tensor.is_meta())
            devices.insert(tensor.device().str());
    return {devices.begin(), devices.end()};
}

/// Removes the tensors that are stored in 8 or 4 bits from the list. Returns their kernels.
std::vector<std::shared_ptr<models::KernelOfWeight>> take_stored_weights(NamedTensors& tensors) {
    std::vector<std::shared_ptr<models::KernelOfWeight>> stored;
    std::erase_if(tensors, [&](const auto& named) {
        if (!models::is_stored_weight(named.second))
            return false;
        stored.push_back(models::kernel_of(named.second));
        return true;
    });
    return stored;
}

}  // namespace

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
    std::vector<std::shared_ptr<models::KernelOfWeight>> stored = take_stored_weights(parameters);
    // As FSDP and DeepSpeed prepare a model for mixed precision: the optimizer computes in fp32.
    if (trained && impl_->precision != Precision::no && impl_->sharding.zero_stage > 0)
        for (const auto& [name, tensor] : parameters)
            if (tensor.scalar_type() == at::kBFloat16 || tensor.scalar_type() == at::kHalf)
                tensor.set_data(tensor.detach().to(at::kFloat));
    PreparedModel::Parts parts{.module = std::move(module),
                               .parameters = std::move(parameters),
                               .buffers = std::move(buffers),
                               .precision = gradients == nullptr ? impl_->precision : Precision::no,
                               .autocast = impl_->options.autocast,
                               .device = device(),
                               .process = impl_->process,
                               .gradients = gradients,
                               .stored = std::move(stored)};
    const ModuleSharding sharding = trained || (gradients == nullptr && impl_->sharding.values)
                                        ? sharding_of(parts.parameters, blocks, trained)
                                        : ModuleSharding();
    auto model = std::make_shared<PreparedModel>(
        std::move(parts), trained ? std::optional(impl_->options.data_parallel) : std::nullopt, sharding);
    if (impl_->fp8 && gradients == nullptr) {
        NamedTensors wide = linear;
        take_stored_weights(wide);
        model->set_float8(std::make_shared<Float8Modules>(wide, *impl_->fp8, fp8_filter(impl_->options.fp8)));
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

}  // namespace trainyard::accelerator
