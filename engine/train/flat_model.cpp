#include "train/flat_model.h"

#include <cmath>
#include <mutex>
#include <set>
#include <utility>

#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/zeros.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <trainyard/comm_hook.h>

#include "base/error.h"
#include "base/failpoint.h"
#include "checkpoint/weights.h"
#include "config/inputs/adapter_file.h"
#include "config/inputs/stored_head.h"
#include "models/plugins/plugins.h"
#include "models/spec/family.h"
#include "train/flat_optimizer.h"
#include "train/rate_schedule.h"

namespace trainyard::train {

namespace {

at::ScalarType compute_type(const config::Recipe& recipe) {
    const std::string& precision = recipe.training.mixed_precision;
    return precision == "bf16" ? at::kBFloat16 : precision == "fp16" ? at::kHalf : at::kFloat;
}

parallel::ArenaOptions arena_options(const config::ParallelRecipe& recipe, const parallel::Communicator& ranks,
                                     bool keeps_gradients) {
    parallel::ArenaOptions options;
    options.bucket_bytes = static_cast<std::int64_t>(recipe.bucket_cap_mb * (1 << 20));
    options.first_bucket_bytes = static_cast<std::int64_t>(recipe.first_bucket_mb * (1 << 20));
    options.sharding = parallel::sharding_of_stage(recipe.zero_stage);
    options.rank = ranks.rank();
    options.ranks = ranks.size();
    options.keeps_gradients = keeps_gradients;
    if (!keeps_gradients)  // every group by itself
        options.bucket_bytes = options.first_bucket_bytes = 1;
    return options;
}

parallel::GroupSyncOptions sync_options(const config::ParallelRecipe& recipe) {
    parallel::GroupSyncOptions options;
    options.hook = parallel::make_comm_hook(recipe.comm_hook, recipe.comm_wrapper,
                                            tree_of_yaml(recipe.comm_state_option, "parallel.comm_state_option"));
    options.find_unused_parameters = recipe.find_unused_parameters;
    options.check_reduction = recipe.check_reduction;
    return options;
}

/// Tests put a NaN into one gradient of one rank before it is reduced: failpoint "gradient.<rank>.<parameter>", action "nan".
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

/// What modules of users draw for their first values is a function of the seed, the same on all ranks.
std::unique_ptr<models::Model> seeded_model(const config::Recipe& recipe) {
    plugins::load(recipe.plugins);
    static std::mutex drawing;  // ranks that are threads of one program share the generator
    const std::lock_guard lock(drawing);
    if (!families::family_of(recipe.model).lists_tensors())
        at::manual_seed(recipe.training.seed);
    return models::make_model(recipe.model);
}

}  // namespace

FlatModel::FlatModel(const config::Recipe& recipe, parallel::Mesh& mesh, at::Device device, bool updates_in_backward)
    : FlatGradients(mesh.data()),
      recipe_(recipe),
      device_(device),
      model_(seeded_model(recipe)),
      part_(part_of_stage(*model_, mesh.coordinate(parallel::Dimension::pp), mesh.size(parallel::Dimension::pp),
                          recipe.data.sequence_length)),
      pipeline_(mesh.group({parallel::Dimension::pp})) {
    for (parallel::GroupRequest& group : part_.groups)
        std::erase_if(group.parameters,
                      [&](const parallel::Parameter* parameter) { return lies_by_map(recipe.model, *parameter); });
    arena_ =
        std::make_unique<parallel::FlatArena>(part_.groups, compute_type(recipe), device, recipe.optimizer.decay_all,
                                              arena_options(recipe.parallel, data_, !updates_in_backward));
    require_available(precision(), device);
    if (part_.stages > 1 && !device.is_cpu())
        throw UserError(
            "parallel.pp_size: pipeline stages work on the CPU alone in this version: set it to 1, or start with "
            "--cpu");
    if (device.is_cuda())
        set_tf32(recipe.training.tf32);
    if (updates_in_backward && (data_.size() > 1 || part_.stages > 1))
        throw UserError("optimizer.name: {} updates while backward runs, on one rank alone: start one process",
                        recipe.optimizer.name);
    if (updates_in_backward)
        backward_update_ = std::make_unique<BackwardUpdate>(*arena_, part_.group_units);
    else if (data_.size() > 1 && recipe.training.local_sgd_steps > 0)
        local_sgd_.emplace(*arena_, data_, recipe.training.local_sgd_steps);
    else if (data_.size() > 1)
        sync_ = std::make_unique<parallel::GroupSync>(*arena_, part_.group_units, data_, sync_options(recipe.parallel));
    for (parallel::Unit* unit : model_->units())
        for (const auto& buffer : unit->buffers())
            buffer->value = buffer->value.to(device);
    if (!recipe.model.device_map.empty())
        base_ = place_frozen(*model_, recipe.model, compute_type(recipe), device, mesh.world_size());
    if (recipe.training.activation_checkpointing)
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
    model_->start_values();
    arena_->refresh_compute();
    const std::string& adapter = recipe_.model.lora.adapter;
    const Message start("started from random weights, seed {}", recipe_.training.seed);
    if (recipe_.model.weights.empty() && adapter.empty())
        return start;
    std::vector<checkpoint::LogicalTensor> all;
    for (const NamedTensors& part : {named_parameters(), named_buffers()})
        for (const auto& [name, tensor] : part)
            if (!config::is_adapter(name))
                all.push_back(checkpoint::LogicalTensor::of_whole(name, tensor));
    std::set<std::string> of_task;
    for (const families::TensorShape& each : families::family_of(recipe_.model).tensors(recipe_.model))
        if (each.of_task)
            of_task.insert(each.name);
    std::vector<std::string> anew;
    std::vector<Message> notes;
    if (!recipe_.model.weights.empty())
        anew = checkpoint::load_weights(recipe_.model.weights, all, of_task, &notes);
    if (!adapter.empty())
        load_adapter(adapter);
    arena_->refresh_compute();
    Message began =
        recipe_.model.weights.empty() ? start : Message("started from the weights in {}", recipe_.model.weights);
    if (!anew.empty())
        began = Message("{}; they lack {}, which started anew", began, fmt::join(anew, ", "));
    if (!adapter.empty())
        began = Message("{}, with the adapter in {}", began, adapter);
    notes.insert(notes.begin(), std::move(began));
    return Message::joined(notes);
}

void FlatModel::load_adapter(const std::string& path) {
    const at::NoGradGuard no_grad;
    const inputs::AdapterFile file{std::filesystem::path(path)};
    std::vector<inputs::AdapterTarget> wanted, others;
    std::vector<at::Tensor> targets;
    for (const parallel::Unit* unit : model_->units())
        for (const parallel::Parameter* parameter : unit->parameters())
            if (config::is_of_adapter_file(recipe_.model, parameter->name())) {
                wanted.push_back({parameter->name(), parameter->shape()});
                targets.push_back(parameter->value());
            } else {
                others.push_back({parameter->name(), parameter->shape()});
            }
    const bool tied = recipe_.model.tie_word_embeddings;
    const inputs::AdapterFile::Match match =
        file.match(wanted, others, tied ? families::family_of(recipe_.model).head_name() : std::string(),
                   tied ? inputs::tied_table(recipe_.model) : std::string());
    if (!match.whole.empty())
        throw UserError(
            "lora.adapter: {} brings {}, which checkpoints of an adapter would lack: name its module "
            "in lora.modules_to_save, or merge the adapter first (trainyard merge-adapter)",
            file.path().string(), others[match.whole.front().other].name);
    if (!match.warnings.empty())
        throw UserError("lora.adapter: {}; remove them from the file", match.warnings.front());
    for (std::size_t i = 0; i < targets.size(); ++i)
        targets[i].copy_(checkpoint::read_tensor(file.source(), match.wanted[i], file.path().string()));
}

NamedTensors FlatModel::named_parameters() const {
    NamedTensors result;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            result.emplace_back(parameter->name(), parameter->value());
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
            mine.emplace_back(parameter->name(),
                              c10::str(at::IntArrayRef(parameter->shape())) + (parameter->trains() ? "" : ", frozen"));
    mine.emplace_back("mixed precision", recipe_.training.mixed_precision);
    return mine;
}

at::Tensor FlatModel::forward(const Tree& batch) {
    if (part_.stages > 1)
        throw UserError(
            "parallel.pp_size: a model that is called has all its stages; pipelines are trained from a recipe "
            "(trainyard launch RECIPE.yaml)");
    if (local_sgd_)
        throw UserError(
            "training.local_sgd_steps: a program averages by itself, with Accelerator::local_sgd(); Local SGD of a "
            "recipe "
            "is for trainyard launch RECIPE.yaml");
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
    return run({}, context).at(0);
}

void FlatModel::end_backward() {
    for (parallel::Unit* unit : part_.units)
        unit->finish_backward();
    FlatGradients::end_backward();
}

void FlatModel::finish_gradients() {
    FlatGradients::finish_gradients();
    sum_tied_gradients(part_, *arena_, pipeline_, data_);
}

GradientPieces FlatModel::pieces() const {
    GradientPieces pieces = FlatGradients::pieces();
    if (part_.has_copies())  // gradients of copies are those of their owners
        pieces.counted = arena_->owned_gradients(arena_->groups().front().range().end);
    if (part_.stages > 1)
        pieces.sharded_over.push_back(&pipeline_);
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
