// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/flat_model.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <trainyard/comm_hook.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/weights.h"
#include "config/inputs/adapter_file.h"
#include "config/recipe/memory_checks.h"
#include "config/recipe/mesh_checks.h"
#include "distributed/parallel/shared_memory.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/divide_tensors.h"
#include "models/plugins/plugins.h"
#include "models/spec/family.h"
#include "train/flat_optimizer.h"
#include "train/parameter_boxes.h"
#include "train/rate_schedule.h"

namespace trainyard::train {

namespace {

parallel::ArenaOptions arena_options(const config::Recipe& whole, parallel::Communicator& shards,
                                     const parallel::ExpertShare* experts, at::Device device, bool keeps_gradients) {
    const config::ParallelRecipe& recipe = whole.parallel;
    parallel::ArenaOptions options;
    options.values_in_compute_type = config::has_bf16_weights(whole);
    options.bucket_bytes = static_cast<std::int64_t>(recipe.bucket_cap_mb * (1 << 20));
    options.first_bucket_bytes = static_cast<std::int64_t>(recipe.first_bucket_mb * (1 << 20));
    options.sharding = parallel::sharding_of_stage(recipe.zero_stage);
    options.sharding.plus = {.secondary_ranks = recipe.zero_hpz_partition_size,
                             .quantized_weights = recipe.zero_quantized_weights,
                             .quantized_gradients = recipe.zero_quantized_gradients};
    options.rank = shards.rank();
    options.ranks = shards.size();
    if (experts != nullptr) {
        options.expert_rank = experts->shards->rank();
        options.expert_ranks = experts->shards->size();
    }
    if (recipe.offload_param_device == config::OffloadDevice::nvme)
        options.offload_folder = recipe.offload_param_nvme_path;
    // Ranks that divide experts have other rooms.
    if (experts == nullptr && device.is_cpu() && parallel::shares_memory(shards))
        options.room_sharers = &shards;
    options.keeps_gradients = keeps_gradients;
    options.room_elements = recipe.wrap == config::WrapPolicy::block  ? 1
                            : recipe.wrap == config::WrapPolicy::size ? recipe.wrap_min_params
                                                                      : std::numeric_limits<std::int64_t>::max() / 8;
    if (!keeps_gradients)  // a bucket for every group
        options.bucket_bytes = options.first_bucket_bytes = 1;
    return options;
}

parallel::GroupSyncOptions sync_options(const config::ParallelRecipe& recipe, parallel::Mesh& mesh,
                                        const parallel::ExpertShare* experts) {
    parallel::GroupSyncOptions options;
    options.hook = parallel::make_comm_hook(recipe.comm_hook, recipe.comm_wrapper,
                                            tree_of_yaml(recipe.comm_state_option, "parallel.comm_state_option"));
    options.find_unused_parameters = recipe.find_unused_parameters;
    options.check_reduction = recipe.check_reduction;
    options.tensor_parallel = recipe.tp_size > 1;
    options.rooms.reshard_after_forward = recipe.reshard_after_forward;
    if (recipe.zero_hpz_partition_size > 1)
        options.rooms.secondary_shards = &mesh.secondary_shards(recipe.zero_hpz_partition_size);
    if (recipe.zero_stage > 0 && mesh.copies().size() > 1) {
        options.copies = &mesh.copies();
        options.data = &mesh.data();
    }
    if (experts != nullptr) {
        options.expert_ranks = options.hook != nullptr ? experts->copies : experts->shards;
        options.rooms.expert_shards = experts->shards;
    }
    return options;
}

/// Tests put a NaN into one gradient of one rank before it is reduced: failpoint "gradient.<rank>.<parameter>",
/// action "nan".
class GradientFailpoint final : public parallel::UnitHook {
  public:
    explicit GradientFailpoint(int rank) : rank_(rank) {}
    void after_backward(parallel::Unit& unit, const parallel::Tensors&, int) override {
        for (parallel::Parameter* parameter : unit.parameters())
            if (parameter->trains() &&
                failpoint_hit(("gradient." + std::to_string(rank_) + "." + parameter->name()).c_str(), "nan"))
                parameter->gradient_to_accumulate().view(-1)[0].fill_(std::nan(""));
    }

  private:
    int rank_;
};

}  // namespace

namespace {

/// The mesh, of which no groups are made for a recipe that is refused: ranks that continue would wait for the others.
parallel::Mesh& checked(const config::Recipe& recipe, parallel::Mesh& mesh) {
    config::require_mesh(recipe, mesh.world_size());
    using parallel::Dimension;
    const config::ParallelRecipe& asked = recipe.parallel;
    for (const auto& [key, dimension, size] : {std::tuple{"pp_size", Dimension::pp, asked.pp_size},
                                               {"cp_size", Dimension::cp, asked.cp_size},
                                               {"sp_size", Dimension::sp, asked.sp_size},
                                               {"tp_size", Dimension::tp, asked.tp_size}})
        if (mesh.size(dimension) != size)
            throw UserError(
                "parallel.{}: it is {}, and the mesh of this program has {} there: set it to {}, or train the recipe "
                "with trainyard launch",
                key, size, mesh.size(dimension), mesh.size(dimension));
    return mesh;
}

parallel::Communicator& optimizer_ranks(const config::Recipe& recipe, parallel::Mesh& mesh) {
    return recipe.parallel.zero_stage > 0 ? mesh.shards() : mesh.data();
}

/// Makes the model. Random initial values of user modules depend on the seed alone, so all ranks have the same.
std::unique_ptr<models::Model> seeded_model(const config::Recipe& recipe, parallel::Communicator& tensor) {
    plugins::load(recipe.plugins);
    static std::mutex drawing;  // ranks that are threads of one program share the generator
    const std::lock_guard lock(drawing);
    if (!families::family_of(recipe.model).lists_tensors())
        at::manual_seed(recipe.training.seed);
    std::unique_ptr<models::Model> model = models::make_model(recipe.model);
    if (tensor.size() > 1)
        models::divide_tensors(*model, tensor, recipe.parallel.tp_sequence_parallel, recipe.parallel.tp_overlap_chunks);
    return model;
}

}  // namespace

FlatModel::FlatModel(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device, bool updates_in_backward)
    : FlatGradients(checked(recipe, mesh).data(), optimizer_ranks(recipe, checked(recipe, mesh))),
      recipe_(recipe),
      device_(device),
      model_(seeded_model(recipe, mesh.group({parallel::Dimension::tp}))),
      part_(stages_of_rank(*model_, mesh.coordinate(parallel::Dimension::pp),
                           place_stages(recipe.parallel, mesh.size(parallel::Dimension::pp)),
                           recipe.data.sequence_length)),
      pipeline_(mesh.group({parallel::Dimension::pp})),
      tensor_(mesh.group({parallel::Dimension::tp})),
      sequence_(parallel::sequence_share(mesh, recipe.parallel.cp_rotate_method == config::RotateMethod::alltoall,
                                         recipe.data.sequence_length)),
      experts_(parallel::expert_share(mesh, recipe.parallel.ep_size, model_->experts())) {
    if (experts_)
        separate_experts(part_, *model_, *experts_);
    if (recipe.parallel.zero_stage == 3 && !updates_in_backward)
        separate_ignored(part_, config::IgnoredModules(recipe.parallel.ignored_modules));
    std::set<const parallel::Parameter*> elsewhere;
    for (const parallel::Unit* unit : model_->units())
        elsewhere.insert(unit->parameters().begin(), unit->parameters().end());
    for (parallel::GroupRequest& group : part_.groups) {
        for (const parallel::Parameter* parameter : group.parameters)
            elsewhere.erase(parameter);
        std::erase_if(group.parameters,
                      [&](const parallel::Parameter* parameter) { return lies_by_map(recipe.model, *parameter); });
    }
    arena_ = std::make_unique<parallel::FlatArena>(
        part_.groups, scalar_type(recipe.training.mixed_precision), device, recipe.optimizer.decay_all,
        arena_options(recipe, shards_, experts(), device, !updates_in_backward));
    if (arena_->offloaded() != nullptr && !device.is_cpu())
        throw UserError(
            "parallel.offload_param_device: {}",
            Message("weights on a disk are for ranks on processors in this version: set it to none, or start with "
                    "--cpu"));
    require_available(precision(), device);
    for (const auto& [key, size, dimension] :
         {std::tuple{"parallel.cp_size", recipe.parallel.cp_size, parallel::Dimension::cp},
          {"parallel.sp_size", recipe.parallel.sp_size, parallel::Dimension::sp}})
        if (size != mesh.size(dimension))
            throw UserError(
                "{}: {} ranks share every sequence, and the mesh of this program has {} for it: set it to {}, or train "
                "the "
                "recipe with trainyard launch",
                key, size, mesh.size(dimension), mesh.size(dimension));
    if (recipe.parallel.tp_size != tensor_.size())
        throw UserError(
            "parallel.tp_size: {} ranks share every layer, and the mesh of this program has {} for it: set it to {}, "
            "or "
            "train the recipe with trainyard launch",
            recipe.parallel.tp_size, tensor_.size(), tensor_.size());
    if (tensor_.size() > 1 && recipe.parallel.tp_sequence_parallel) {
        const std::int64_t length = recipe.data.sequence_length;
        const std::int64_t ranks = recipe.parallel.sequence_ranks(), own = length / ranks / tensor_.size();
        stream_positions_ = parallel::part_of_positions(
            sequence_ ? sequence_->positions : parallel::PositionRuns{{0, length}}, tensor_.rank() * own, own);
    }
    if (part_.ranks > 1 && !device.is_cpu())
        throw UserError(
            "parallel.pp_size: pipeline stages work on the CPU alone in this version: set it to 1, or start with "
            "--cpu");
    if (device.is_cuda())
        set_tf32(recipe.training.tf32);
    if (updates_in_backward && (data_.size() > 1 || part_.ranks > 1 || tensor_.size() > 1))
        throw UserError("optimizer.name: {} updates while backward runs, on one rank alone: start one process",
                        recipe.optimizer.name);
    if (updates_in_backward)
        backward_update_ = std::make_unique<BackwardUpdate>(*arena_, part_.group_units);
    else if (data_.size() > 1 && recipe.training.local_sgd_steps > 0)
        local_sgd_.emplace(*arena_, data_, recipe.training.local_sgd_steps);
    else if (data_.size() > 1 || arena_->value_rooms() != nullptr)
        sync_ = std::make_unique<parallel::GroupSync>(*arena_, part_.group_units, shards_,
                                                      sync_options(recipe.parallel, mesh, experts()));
    for (parallel::Unit* unit : model_->units())
        for (const auto& buffer : unit->buffers())
            buffer->value = buffer->value.to(device);
    if (precision() == Precision::fp8 && config::keeps_quantized(recipe.model))
        throw UserError(
            "quantization.method: {}",
            Message("matrices of 4 and 8 bits are not multiplied in fp8: set training.mixed_precision to bf16"));
    if (precision() == Precision::fp8)
        float8_.emplace(*model_, recipe.fp8);
    if (float8_ && recipe.fp8.enable_fsdp_float8_all_gather && arena_->value_rooms() != nullptr)
        arena_->value_rooms()->send_as_float8(float8_->weights());
    if (has_frozen_base(recipe.model))
        base_ = place_frozen(*model_, recipe.model, elsewhere, scalar_type(recipe.training.mixed_precision), device,
                             mesh.world_size());
    if (recipe.parallel.cpu_ram_efficient_loading && mesh.world_size() > 1)
        sends_weights_ = &mesh.everyone();
    activation_checkpointing_.keeps_outputs =
        recipe.training.activation_checkpointing == config::Recomputation::selective;
    if (recipe.training.activation_checkpointing != config::Recomputation::no)
        for (parallel::Unit* block : model_->blocks())
            block->add_hook(&activation_checkpointing_);
    if (failpoints_on()) {  // behind the synchronisation, so that it runs before it
        gradient_failpoint_ = std::make_unique<GradientFailpoint>(mesh.rank());
        for (parallel::Unit* unit : part_.units)
            unit->add_hook(gradient_failpoint_.get());
    }
}

Message FlatModel::initialise() {
    arena_->initialise(recipe_.training.seed);
    model_->start_values(*arena_);
    arena_->refresh_compute();
    const std::string& adapter = recipe_.model.lora.adapter;
    const Message start("started from random weights, seed {}", recipe_.training.seed);
    if (recipe_.model.weights.empty() && adapter.empty())
        return start;
    std::vector<checkpoint::LogicalTensor> all = held_weights();
    std::erase_if(all, [](const checkpoint::LogicalTensor& tensor) { return config::is_adapter(tensor.name); });
    std::set<std::string> of_task;
    const families::Family& family = families::family_of(recipe_.model);
    for (const auto& tensors : {family.tensors(recipe_.model), family.buffers(recipe_.model)})
        for (const families::TensorShape& each : tensors)
            if (each.of_task)
                of_task.insert(each.name);
    std::vector<std::string> anew;
    std::vector<Message> notes;
    if (!recipe_.model.weights.empty())
        anew = sends_weights_ != nullptr
                   ? checkpoint::load_sent_weights(recipe_.model.weights, all, of_task, notes, *sends_weights_)
                   : checkpoint::load_weights(recipe_.model.weights, all, of_task, &notes);
    if (!adapter.empty())
        load_adapter(adapter);
    arena_->refresh_compute();
    Message began =
        recipe_.model.weights.empty() ? start : Message("started from the weights in {}", recipe_.model.weights);
    if (!anew.empty())
        began = Message("{}; missing there and newly initialized: {}", began, fmt::join(anew, ", "));
    if (!adapter.empty())
        began = Message("{}, with the adapter in {}", began, adapter);
    notes.insert(notes.begin(), std::move(began));
    return Message::joined(notes);
}

void FlatModel::load_adapter(const std::string& path) {
    const at::NoGradGuard no_grad;
    const inputs::AdapterFile file{std::filesystem::path(path)};
    std::vector<inputs::AdapterTarget> wanted, others;
    std::vector<const parallel::Parameter*> targets;  ///< nullptr: of another rank's stages
    std::set<const parallel::Parameter*> held;
    for (const parallel::FlatGroup& group : arena_->groups())
        held.insert(group.parameters().begin(), group.parameters().end());
    for (const parallel::Unit* unit : model_->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (config::is_of_adapter_file(recipe_.model, parameter->name())) {
                wanted.push_back({parameter->name(), parameter->whole_shape()});
                targets.push_back(held.contains(parameter) ? parameter : nullptr);
            } else {
                others.push_back({parameter->name(), parameter->whole_shape()});
            }
    const inputs::AdapterFile::Match match = file.match_to_train(wanted, others, recipe_.model);
    for (std::size_t i = 0; i < targets.size(); ++i)
        if (targets[i] != nullptr)
            arena_->set_value(*targets[i],
                              checkpoint::read_tensor(file.source(), match.wanted[i], file.path().string()));
}

std::vector<checkpoint::LogicalTensor> FlatModel::held_weights() const {
    std::vector<checkpoint::LogicalTensor> held;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            std::ranges::move(boxes_of(parameter->name(), *parameter, arena_->held_of(*parameter).begin,
                                       arena_->held_value(*parameter)),
                              std::back_inserter(held));
    for (const parallel::Unit* unit : part_.units)
        for (const auto& buffer : unit->buffers())
            held.push_back(checkpoint::LogicalTensor::of_whole(buffer->name, buffer->value));
    return held;
}

void FlatModel::copy_values(const NamedTensors& stored, const std::string& where) {
    if (!shares_values() && tensor_.size() == 1)  // views of the arena
        return checkpoint::copy_model(stored, named_parameters(), where, false);
    NamedTensors shapes;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            shapes.emplace_back(parameter->name(), at::zeros({1}).expand(parameter->whole_shape()));
    checkpoint::check_model(stored, shapes, where, false);
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters()) {
            const at::Tensor whole = at::zeros(parameter->whole_shape());
            checkpoint::copy_model(stored, {{parameter->name(), whole}}, where, false);
            arena_->set_value(*parameter, whole);
        }
}

NamedTensors FlatModel::named_parameters() const {
    if (tensor_.size() > 1)
        throw UserError(
            "parallel.tp_size: no rank has the weights whole; a program that reads them from the model needs a size of "
            "1");
    NamedTensors result;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            result.emplace_back(parameter->name(), arena_->value_rooms() != nullptr
                                                       ? parameter->value()
                                                       : arena_->view(arena_->values(), *parameter));
    return result;
}

NamedTensors FlatModel::named_buffers() const {
    NamedTensors result;
    for (const parallel::Unit* unit : model_->units())
        for (const auto& buffer : unit->buffers())
            result.emplace_back(buffer->name, buffer->value);
    return result;
}

parallel::Description FlatModel::description() const {
    parallel::Description mine;
    for (const parallel::Unit* unit : model_->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            mine.emplace_back(parameter->name(), c10::str(at::IntArrayRef(parameter->whole_shape())) +
                                                     (parameter->trains() ? "" : ", frozen"));
    mine.emplace_back("mixed precision", choice_name(recipe_.training.mixed_precision));
    return mine;
}

at::Tensor FlatModel::forward(const Tree& batch) {
    if (part_.ranks > 1)
        throw UserError(
            "parallel.pp_size: a model that is called has all its stages; pipelines are trained from a recipe "
            "(trainyard launch RECIPE.yaml)");
    if (tensor_.size() > 1)
        throw UserError(
            "parallel.tp_size: a model that is called has all its layers whole; ranks that share them are trained from "
            "a recipe (trainyard launch RECIPE.yaml)");
    if (recipe_.training.cuda_graph)
        throw UserError(
            "training.cuda_graph: the loop of a program is not captured, because the host may read every value in it: "
            "set it to no, or train the recipe with trainyard launch RECIPE.yaml");
    if (local_sgd_)
        throw UserError(
            "training.local_sgd_steps: a program calls Accelerator::local_sgd() to average; Local SGD of a recipe is "
            "for trainyard launch RECIPE.yaml");
    parallel::StepContext context;
    for (const Tree::Entry& entry : batch.entries())
        if (entry.value.is_tensor()) {
            const std::string name = to_string(entry.key);
            const at::Tensor& tensor = entry.value.as_tensor();
            if (name == "tokens")
                context.tokens = tensor;
            else if (name == "labels")
                context.labels = tensor;
            else if (name == "attention_mask")
                context.attention_mask = tensor;
            else
                context.inputs.emplace_back(name, tensor);
        }
    context.training = training_;
    context.seed = recipe_.training.seed;
    context.step = batch.at("step").as_integer();
    context.micro_batch = static_cast<int>(batch.at("micro_batch").as_integer());
    context.first_sample = batch.at("first_sample").as_integer();
    context.loss_sum = at::zeros({}, at::TensorOptions().device(device_).dtype(at::kDouble));
    note_positions(context);
    return run(0, {}, context).at(0);
}

void FlatModel::note_ranks(parallel::StepContext& context) const {
    context.tensor_ranks = tensor_.size() > 1 ? &tensor_ : nullptr;
    context.experts = experts();
    context.stream_positions = stream_positions_.empty() ? nullptr : &stream_positions_;
    context.expert_capacity_factor = recipe_.training.expert_capacity_factor;
}

void FlatModel::note_positions(parallel::StepContext& context) const {
    note_ranks(context);
    if (!sequence_)
        return;
    context.sequence = &*sequence_;
    context.position_ids = parallel::position_numbers(sequence_->positions, context.tokens.device())
                               .expand_as(context.tokens)
                               .contiguous();
}

void FlatModel::end_backward() {
    for (parallel::Unit* unit : part_.units)
        unit->finish_backward();
    FlatGradients::end_backward();
}

void FlatModel::finish_gradients() {
    FlatGradients::finish_gradients();
    if (float8_)
        float8_->update({&data_, &tensor_});
    sum_tied_gradients(part_, *arena_, pipeline_, shards_);
    if (tensor_.size() > 1)
        sum_gradient_parts();
}

void FlatModel::sum_gradient_parts() {
    const at::NoGradGuard no_grad;
    std::vector<std::pair<const parallel::Parameter*, at::Tensor>> own, whole;
    std::int64_t own_count = 0, whole_count = 0;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            if (parameter->trains() && parameter->part() != nullptr && parameter->part()->sums_gradients()) {
                own.emplace_back(parameter, at::Tensor());
                own_count += parameter->numel();
                whole_count += whole_elements(*parameter);
            }
    if (own.empty())
        return;
    const at::Tensor all_own = at::zeros({own_count}, arena_->gradients().options()),
                     all_whole = at::zeros({whole_count}, arena_->gradients().options());
    std::int64_t own_begin = 0, whole_begin = 0;
    for (auto& [parameter, part] : own) {
        part = all_own.narrow(0, own_begin, parameter->numel());
        own_begin += parameter->numel();
        const parallel::Range range = arena_->owned_of(*parameter);
        part.narrow(0, range.begin, range.size()).copy_(arena_->owned_gradient(*parameter).view(-1));
        const std::int64_t elements = whole_elements(*parameter);
        whole.emplace_back(parameter, all_whole.narrow(0, whole_begin, elements).view(parameter->whole_shape()));
        whole_begin += elements;
    }
    // Ranks may have cut their buckets in other places, and own other parts of these parameters.
    if (is_sharded())
        shards_.all_reduce(all_own, "gradients of shared heads").wait();
    for (std::size_t i = 0; i < own.size(); ++i)
        own[i].first->part()->add_to(whole[i].second, own[i].second.view(own[i].first->shape()));
    tensor_.all_reduce(all_whole, "gradients of shared heads").wait();
    for (const auto& [parameter, sum] : whole) {
        const parallel::Range range = arena_->owned_of(*parameter);
        arena_->owned_gradient(*parameter)
            .view(-1)
            .copy_(parameter->part()->select(sum).reshape({-1}).narrow(0, range.begin, range.size()));
    }
}

GradientPieces FlatModel::pieces() const {
    GradientPieces pieces = FlatGradients::pieces();
    // Gradients of copies are those of their owners, what every tensor-parallel rank has counts on the first one, and
    // where nothing is sharded the ranks that divide experts have the same of everything else.
    const bool counts_dense = !experts_ || is_sharded() || experts_->ranks->rank() == 0;
    const bool counts_replicated = tensor_.rank() == 0;
    if (!counts_dense || !counts_replicated) {
        pieces.counted.clear();
        for (std::size_t number = part_.has_copies() ? 1 : 0; number < arena_->groups().size(); ++number) {
            const parallel::FlatGroup& group = arena_->groups()[number];
            for (const parallel::Parameter* parameter : group.parameters())
                if (parameter->trains() && (counts_dense || group.is_of_experts()) &&
                    (counts_replicated || (is_divided(*parameter) && parameter->part()->is_first())))
                    pieces.counted.push_back(arena_->owned_gradient(*parameter));
        }
    } else if (part_.has_copies()) {
        pieces.counted = arena_->owned_gradients(arena_->groups().front().range().end);
    }
    if (experts_ && !is_sharded())
        pieces.sharded_over.push_back(experts_->ranks);
    if (part_.ranks > 1)
        pieces.sharded_over.push_back(&pipeline_);
    if (tensor_.size() > 1)
        pieces.sharded_over.push_back(&tensor_);
    if (local_sgd_)
        pieces.updated_together.push_back(&data_);
    return pieces;
}

void FlatModel::share_buffers() {
    if (data_.size() == 1)
        return;
    for (const parallel::Unit* unit : part_.units)
        for (const auto& buffer : unit->buffers())
            data_.broadcast(buffer->value, 0, "running statistics");
}

bool FlatModel::feeds(const optim::Optimizer& optimizer) const {
    const auto* flat = dynamic_cast<const FlatOptimizer*>(&optimizer);
    return flat != nullptr && &flat->arena() == arena_.get();
}

void FlatModel::average_values() {
    if (local_sgd_)
        local_sgd_->step();
}

}  // namespace trainyard::train
