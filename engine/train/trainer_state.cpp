// Trainer: where training starts, and what is kept of it.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/full.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/manifest.h"
#include "checkpoint/saved_optimizer.h"
#include "checkpoint/send_files.h"
#include "config/inputs/start_weights.h"
#include "distributed/parallel/collectives.h"
#include "distributed/parallel/fingerprint.h"
#include "models/nn/modules/low_rank.h"
#include "models/spec/config_file.h"
#include "optim/optimizer_tree.h"
#include "train/hook_state.h"
#include "train/local_moments.h"
#include "train/trainer.h"

namespace trainyard::train {

Message Trainer::start() {
    const OffloadedState::Passing passing(optimizer_->offloaded());
    if (mesh_.rank() == 0) {
        take_files_of(recipe_.model.weights);
        for (Message& note : inputs::settle_model(recipe_.model).notes)
            start_notices_.push_back({"warning", std::move(note)});
    }
    check_same_on_all_ranks();
    Message text = recipe_.checkpoint.resume_from.empty() ? begin() : resume();
    std::int64_t every = recipe_.checkpoint.every;
    if (recipe_.saves_in_background() && every > 0 && position_.step / every * every + every < recipe_.training.steps &&
        (saves_together() ? one_disk_ : mesh_.rank() == 0))
        saver().prepare(files_to_save());
    return text;
}

void Trainer::take_files_of(const std::filesystem::path& model) {
    config_origin_ = inputs::config_text(model);
    files_beside_ = inputs::files_beside_model(recipe_, model);
    for (inputs::FileBeside& file : data_->files_beside_model())
        if (std::ranges::find(files_beside_, file.name, &inputs::FileBeside::name) == files_beside_.end())
            files_beside_.push_back(std::move(file));
}

Message Trainer::begin() {
    Message text = flat_.initialise();
    begin_average();
    return text;
}

void Trainer::begin_average() {
    const config::TrainingRecipe& training = recipe_.training;
    if (training.ema_decay == 0 && training.swa_start == 0)
        return;
    // The average of a frozen weight is that weight.
    average_ = std::make_unique<WeightAverage>(owned_weights(), training.swa_start > 0
                                                                    ? uniform(training.swa_start, training.swa_freq)
                                                                    : exponential(training.ema_decay));
}

Message Trainer::resume_from_accelerate(const std::filesystem::path& folder) {
    if (const std::vector<Message> problems = checkpoint::check_save_state(folder, recipe_); !problems.empty())
        throw UserError("cannot resume from {}: {}", folder.string(), Message::joined(problems));
    checkpoint::Expected expected;
    expected.models = expected.optimizers = 1;
    expected.scaler = scaler_.enabled();
    expected.rank = mesh_.rank();
    expected.world_size = mesh_.world_size();
    checkpoint::LoadedState loaded = checkpoint::load_state(folder, expected);
    const std::vector<checkpoint::SavedParameter> parameters = checkpoint::parameters_of(recipe_.model);
    const checkpoint::SavedOptimizer saved =
        checkpoint::read_saved_optimizer(folder / "optimizer.bin", parameters, recipe_.optimizer);
    checkpoint::copy_model(loaded.state.models[0], weights(), folder.string(), false);
    const Tree& state = loaded.state.optimizers[0].at("state");
    for (const FlatOptimizer::State& target : optimizer_->states()) {
        const auto number = saved.numbers.find(target.parameter->name());
        if (number == saved.numbers.end())
            continue;  // it never had a gradient: its moments are zero
        const at::Tensor stored = state.at(TreeKey(number->second)).at(target.name).as_tensor();
        const parallel::Range part = arena_->owned_of(*target.parameter);
        target.own.copy_(target.is_slice ? stored.reshape({-1}).narrow(0, part.begin, part.size())
                                         : stored.view(target.own.sizes()));
    }
    if (scaler_.enabled() && !loaded.state.scaler.is_none())
        scaler_.load_state_dict(loaded.state.scaler);
    // Its place in its own data means nothing here: as many samples count as seen as these steps take of ours.
    position_.step = saved.steps;
    position_.samples = data_->samples_of_steps(saved.steps);
    position_.tokens = position_.samples * recipe_.data.sequence_length;
    steps_done_ = saved.steps;
    arena_->refresh_compute();
    begin_average();
    load_own_state({});
    optimizer_->set_step(updates_);
    if (!saved.numbers.empty())
        optimizer_->load_torch_scalars(state.at(TreeKey(saved.numbers.begin()->second)),
                                       loaded.state.optimizers[0].at("param_groups").items().at(0));
    for (const Message& sentence : checkpoint::replaced_settings(saved, recipe_.optimizer, parameters))
        start_notices_.push_back({"warning", Message("{} in {}", sentence, (folder / "optimizer.bin").string())});
    return Message(
        "resumed from Accelerate's {} at step {}: weights, moments and the number of steps are "
        "its own; learning rate, its schedule, betas, eps, weight decay and the order of the data "
        "are the recipe's",
        folder.string(), position_.step);
}

void Trainer::compare_batch(const std::filesystem::path& folder, const checkpoint::Position& stored) {
    std::int64_t before = stored.samples_per_step;
    if (before == 0 && stored.step > 0 && stored.samples % stored.step == 0)  // of an earlier version
        before = stored.samples / stored.step;
    const std::int64_t now = data_->samples_per_step();
    if (before == 0 || before == now)
        return;
    start_notices_.push_back(
        {"warning", Message("the global batch changes from {} samples a step, in {} ({}), to {} on {}, with "
                            "the learning rate as it was: to keep it, start with --set "
                            "training.global_batch_size={}",
                            before, folder.filename().string(), checkpoint::read_manifest(folder).mesh, now,
                            mesh_.describe(), before)});
}

Message Trainer::resume() {
    std::vector<Message> notes;
    const std::filesystem::path folder = checkpoint::find(recipe_.checkpoint.resume_from, &notes);
    for (Message& note : notes)
        start_notices_.push_back({"warning", std::move(note)});
    if (checkpoint::is_save_state_folder(folder))
        return resume_from_accelerate(folder);
    std::error_code error;
    if (mesh_.rank() == 0 && !recipe_.model.weights.empty() && !std::filesystem::exists(recipe_.model.weights, error))
        take_files_of(folder);  // which has those of the weights that are gone
    begin_average();
    const checkpoint::Loaded loaded = load_on_all(folder);
    const checkpoint::Position& stored = loaded.position;
    if (stored.training_blocks != position_.training_blocks)
        throw UserError(
            "cannot resume from {}: its data had {} training blocks, data.path has {}: "
            "give the same data, or start from model.weights",
            folder.string(), stored.training_blocks, position_.training_blocks);
    if (stored.seed != position_.seed)
        throw UserError(
            "cannot resume from {}: it was trained with seed {}: set training.seed to "
            "it, or start from model.weights",
            folder.string(), stored.seed);
    compare_batch(folder, stored);
    const std::int64_t samples_per_step = position_.samples_per_step;
    position_ = stored;
    position_.samples_per_step = samples_per_step;
    steps_done_ = position_.step;
    const Message anew = load_rest(folder, loaded);
    return Message::joined({Message("resumed from {} at step {}", folder.string(), position_.step), anew});
}

checkpoint::Loaded Trainer::load_on_all(const std::filesystem::path& folder) {
    checkpoint::Content wanted = content();
    checkpoint::Loaded loaded;
    Message problem;
    try {
        loaded = checkpoint::load(folder, wanted, {mesh_.rank(), mesh_.world_size()});
    } catch (const UserError& error) {
        problem = error.message();
    }
    // Every rank reads files of its own: what one found, all must know.
    for (const Tree& found : parallel::all_gather_objects(mesh_.everyone(), Tree(problem.text()), "checkpoint read"))
        if (!found.as_text().empty())
            throw UserError(problem.empty() ? Message::verbatim(found.as_text()) : problem);
    return loaded;
}

Message Trainer::load_rest(const std::filesystem::path& folder, const checkpoint::Loaded& loaded) {
    arena_->refresh_compute();
    if (average_)  // what has none, because it was frozen, or none was kept, begins at the weight
        for (const auto& [name, weight] : owned_weights())
            for (const auto& [other, average] : average_->tensors())
                if (name == other && std::ranges::find(loaded.without_average, name) != loaded.without_average.end())
                    average.copy_(weight);
    load_own_state(checkpoint::load_trainer(folder));
    optimizer_->set_step(updates_);
    if (flat_.is_local())
        return load_local_moments(owned_moments(), folder, mesh_.data());
    const Message moments = left_local_moments(folder);
    const Message hook = sync_ ? load_hook(sync_->hook(), folder, recipe_.parallel, mesh_.data()) : Message();
    return Message::joined({moments, hook});
}

void Trainer::roll_back(StepReport& report) {
    const OffloadedState::Passing passing(optimizer_->offloaded());
    try {
        if (saver_)
            saver_->flush();
    } catch (const UserError&) {  // ended_saves() tells of it; the checkpoint before is taken
    }
    const std::filesystem::path folder =
        checkpoint_to_go_back_to(one_disk_ || reach_ ? checkpoints_ : std::filesystem::path(), mesh_.everyone());
    report.notices.push_back({"warning", roll_back_sentence(position_.step, folder)});
    if (folder.empty())
        return;
    // What the monitor has seen it knows, so that spikes in a row become a new level in the end; a rate that somebody set stays set.
    const Tree health = health_.state_dict();
    const double highest = rates_.highest();
    const std::optional<double> metric = metric_;
    const auto load = [this](const std::filesystem::path& here) { load_rest(here, load_on_all(here)); };
    one_disk_ ? load(folder) : reach_(folder, load);
    health_.load_state_dict(health);
    rates_.set_highest(highest);
    metric_ = metric;
}

Tree Trainer::own_state() const {
    Tree state = Tree::dict({{"updates", updates_},
                             {"rates", rates_.state_dict()},
                             {"health", health_.state_dict()},
                             {"optimizer", optimizer_->scalars()}});
    if (metric_)
        state.set("metric", Tree::dict({{"name", recipe_.checkpoint.best_metric}, {"value", *metric_}}));
    if (scaler_.enabled())
        state.set("scaler", scaler_.state_dict());
    if (average_)
        state.set("average", average_->counts());
    return state;
}

void Trainer::load_own_state(const Tree& state) {
    if (state.is_none()) {  // written before there was one: every step was an update
        updates_ = position_.step;
        for (std::int64_t update = 0; update < updates_; ++update)
            rates_.advance();
        return;
    }
    updates_ = state.at("updates").as_integer();
    rates_.load_state_dict(state.at("rates"));
    if (const Tree* scalars = state.find("optimizer"))
        optimizer_->load_scalars(*scalars);
    // What the recipe wants and the checkpoint lacks begins here.
    if (const Tree* scaler = state.find("scaler"); scaler != nullptr && scaler_.enabled())
        scaler_.load_state_dict(*scaler);
    if (const Tree* health = state.find("health"))
        health_.load_state_dict(*health);
    if (const Tree* metric = state.find("metric"))
        note_metric(metric->at("name").as_text(), metric->at("value").as_real());
    else if (const Tree* loss = state.find("validation_loss"))  // of an earlier version
        note_metric("eval/loss", loss->as_real());
    if (const Tree* average = state.find("average"); average != nullptr && average_) {
        if (average->find("average") != nullptr)
            load_whole_average(*average);
        else
            average_->set_counts(*average);
    }
}

void Trainer::load_whole_average(const Tree& stored) {
    Tree slices = Tree::dict();
    for (const parallel::Parameter* parameter : trained()) {
        // None is stored of what was frozen then: its average is the weight.
        const Tree* tensor = stored.at("average").find(parameter->name());
        const at::Tensor from = tensor != nullptr ? tensor->as_tensor() : parameter->value();
        if (from.sizes() != parameter->value().sizes())
            throw UserError("the saved average of '{}' has another shape than the weight", parameter->name());
        const parallel::Range part = arena_->owned_of(*parameter);
        slices.set(parameter->name(), from.reshape({-1}).narrow(0, part.begin, part.size()));
    }
    average_->load_state_dict(Tree::dict(
        {{"calls", stored.at("calls")}, {"averaged", stored.at("averaged")}, {"average", std::move(slices)}}));
}

void Trainer::check_same_on_all_ranks() {
    parallel::Communicator& everyone = mesh_.everyone();
    if (everyone.size() == 1)
        return;
    parallel::Description mine = flat_.description();
    mine.emplace_back("samples per step", std::to_string(data_->samples_per_step()));
    mine.emplace_back("training samples", std::to_string(data_->training_blocks()));
    parallel::check_same_on_all_ranks(everyone, mine, "the model, batch or data set");
}

NamedTensors Trainer::weights() const {
    return flat_.named_parameters();
}

std::vector<const parallel::Parameter*> Trainer::trained() const {
    std::vector<const parallel::Parameter*> all;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            if (parameter->trains())
                all.push_back(parameter);
    return all;
}

NamedTensors Trainer::owned_weights() const {
    NamedTensors result;
    for (const parallel::Parameter* parameter : trained()) {
        const parallel::Range part = arena_->owned_of(*parameter);
        result.emplace_back(parameter->name(), parameter->value().view(-1).narrow(0, part.begin, part.size()));
    }
    return result;
}

NamedTensors Trainer::owned_gradients() const {
    NamedTensors result;
    for (const parallel::Parameter* parameter : trained())
        result.emplace_back(parameter->name(), arena_->owned_gradient(*parameter));
    return result;
}

at::Tensor Trainer::whole_on_first(const at::Tensor& state, const std::string& name) const {
    return sync_ ? sync_->gather_state_on_first(state, name) : state;
}

NamedTensors Trainer::gradients() const {
    at::Tensor whole = arena_->gradients();
    if (arena_->sharding().any()) {
        const at::Tensor own = arena_->new_state();
        for (const parallel::Parameter* parameter : trained())
            arena_->state_view(own, *parameter).copy_(arena_->owned_gradient(*parameter));
        whole = whole_on_first(own, "gradients to be looked at");
    }
    NamedTensors result;
    if (whole.defined() && arena_->keeps_gradients())
        for (const parallel::Parameter* parameter : trained())
            result.emplace_back(parameter->name(), arena_->view(whole, *parameter));
    return result;
}

checkpoint::Content Trainer::content() const {
    checkpoint::Content content;
    for (const auto& [name, weight] : weights())
        content.weights.push_back(checkpoint::LogicalTensor::of_whole(name, weight));
    for (const FlatOptimizer::State& state : optimizer_->states()) {
        const std::string name = state.name + "." + state.parameter->name();
        if (state.is_slice)
            std::ranges::move(checkpoint::LogicalTensor::of_range(name, state.parameter->shape(),
                                                                  arena_->owned_of(*state.parameter).begin, state.own),
                              std::back_inserter(content.optimizer));
        else
            content.optimizer.push_back(checkpoint::LogicalTensor::of_whole(name, state.own));
    }
    if (average_ || optimizer_->averages()) {
        // Of trained(), in its order.
        const NamedTensors averages = average_ ? average_->tensors() : optimizer_->averaged_values();
        for (std::size_t i = 0; const parallel::Parameter* parameter : trained())
            std::ranges::move(
                checkpoint::LogicalTensor::of_range(parameter->name(), parameter->shape(),
                                                    arena_->owned_of(*parameter).begin, averages[i++].second),
                std::back_inserter(content.average));
    }
    for (const parallel::Unit* unit : part_.units)
        for (const auto& buffer : unit->buffers())
            content.weights.push_back(checkpoint::LogicalTensor::of_whole(buffer->name, buffer->value));
    content.groups = optimizer_groups();
    content.updates = updates_;
    content.position = position_;
    if (recipe_.model.device_map.empty())  // else the folder has no model, but what is trained of one
        content.config_json = families::write_config(model_->config(), config_origin_);
    content.mesh = mesh_.describe();
    return content;
}

std::vector<checkpoint::OptimizerGroup> Trainer::optimizer_groups() const {
    std::vector<checkpoint::OptimizerGroup> groups;
    for (const FlatOptimizer::Settings& own : optimizer_->groups()) {
        checkpoint::OptimizerGroup group;
        config::OptimizerSettings settings = own.settings;
        const double ratio = optimizer_->lr(0) > 0 ? settings.number("lr") / optimizer_->lr(0) : 1;
        (void)settings.set("lr", ratio * rates_.lr());  // of the next update
        if (!std::isnan(rates_.momentum()) && settings.momentum() == optimizer_->momentum(0))
            settings.set_momentum(rates_.momentum());
        group.settings = optim::settings_to_tree(settings);
        group.settings.set("initial_lr", ratio * rates_.highest());
        group.state = Tree::dict();
        for (const auto& [name, value] : own.scalars) {
            if (std::ranges::find(settings.kind().scalars, name) != settings.kind().scalars.end())
                group.state.set(name, at::full({}, value, at::kFloat));
            if (std::ranges::find(settings.kind().group_scalars, name) != settings.kind().group_scalars.end())
                group.settings.set(name, value);
        }
        for (const parallel::Parameter* parameter : own.parameters)
            group.parameters.push_back(parameter->name());
        groups.push_back(std::move(group));
    }
    return groups;
}

bool Trainer::saves_together() const {
    return part_.stages > 1 || arena_->sharding().any() || own_file();
}

checkpoint::FilesToSave Trainer::files_to_save() const {
    checkpoint::Content content = this->content();
    const bool sharded = arena_->sharding().any();
    const int replica = mesh_.data().rank(), replicas = mesh_.data().size();
    // Replicas have the same; copies of tied parameters are those of their owners.
    auto drop = [](std::vector<checkpoint::LogicalTensor>& tensors, const auto& gone) { std::erase_if(tensors, gone); };
    for (auto* tensors : {&content.weights, &content.optimizer, &content.average}) {
        const bool shared_out = sharded && tensors != &content.weights;
        if (replica > 0 && !shared_out)
            tensors->clear();
        if (part_.has_copies())
            for (const parallel::Parameter* copy : arena_->groups().front().parameters())
                drop(*tensors, [&](const checkpoint::LogicalTensor& tensor) {
                    return tensor.name == copy->name() ||
                           (tensors == &content.optimizer &&
                            tensor.name.substr(tensor.name.find('.') + 1) == copy->name());
                });
    }
    checkpoint::WriterShare share;
    share.rank = mesh_.rank();
    share.weights = part_.stage;
    share.weight_files = part_.stages;
    share.state = sharded ? part_.stage * replicas + replica : part_.stage;
    share.state_files = sharded ? part_.stages * replicas : part_.stages;
    if (mesh_.rank() == 0) {
        content.trainer = own_state();
        for (int stage = 0; part_.stages > 1 && stage < part_.stages; ++stage)
            for (const parallel::Unit* unit :
                 part_of_stage(*model_, stage, part_.stages, recipe_.data.sequence_length).units) {
                for (const parallel::Parameter* parameter : unit->parameters()) {
                    share.file_of_weight[parameter->name()] = stage;
                    share.bytes_of_weights += static_cast<std::uint64_t>(parameter->numel()) * sizeof(float);
                }
                for (const auto& buffer : unit->buffers()) {
                    share.file_of_weight[buffer->name] = stage;
                    share.bytes_of_weights += buffer->value.nbytes();
                }
            }
    }
    checkpoint::FilesToSave files = checkpoint::files_of(content, share);
    if (std::optional<checkpoint::FileToSave> own = own_file())
        files.push_back(std::move(*own));
    if (mesh_.rank() == 0)  // the folder is a model of transformers
        for (const inputs::FileBeside& file : files_beside_)
            files.push_back({file.name, file.content});
    if (mesh_.rank() == 0 && recipe_.model.lora.r > 0) {  // the adapter by itself, as PEFT has it
        checkpoint::WeightsFile adapter;
        for (const auto& [name, tensor] : weights())
            if (config::is_of_adapter_file(recipe_.model, name))
                adapter.tensors.emplace_back(models::peft_name(name), tensor);
        files.push_back({"adapter_model.safetensors", std::move(adapter)});
        files.push_back(
            {"adapter_config.json", models::adapter_config(*model_, recipe_.model, models::adapted_modules(*model_))});
    }
    return files;
}

NamedTensors Trainer::owned_moments() const {
    NamedTensors result;
    for (const FlatOptimizer::State& state : optimizer_->states())
        result.emplace_back(state.name + "." + state.parameter->name(), state.own);
    return result;
}

std::optional<checkpoint::FileToSave> Trainer::own_file() const {
    if (flat_.is_local())
        return local_moments_file(owned_moments(), mesh_.data());
    return sync_ ? hook_file(sync_->hook(), recipe_.parallel, mesh_.data()) : std::nullopt;
}

checkpoint::Saver& Trainer::saver() {
    if (!saver_) {
        checkpoint::SaverOptions options;
        options.background = true;
        options.retention = checkpoint::retention_of(recipe_.checkpoint);
        options.fence = fence_;
        options.on_result = [this](const checkpoint::SaveResult& result) {
            std::lock_guard lock(saves_mutex_);
            ended_saves_.push_back(result);
        };
        // Without files of their own, or a disk to write them to, the other ranks need not know of a save.
        bool together = one_disk_ && saves_together();
        saver_ = std::make_unique<checkpoint::Saver>(std::move(options), together ? &mesh_.everyone() : nullptr);
    }
    return *saver_;
}

bool Trainer::hand_to_saver(const std::filesystem::path& checkpoints, bool wait) {
    const OffloadedState::Passing passing(optimizer_->offloaded());
    share_buffers();
    set_phase("save");
    checkpoints_ = checkpoints;
    if (parallel::ArenaLocalSgd* local = flat_.local_sgd())
        local->settle();
    const bool together = saves_together();
    if (mesh_.rank() > 0 && !together)
        return false;
    checkpoint::SaveRequest request;
    request.files = files_to_save();
    if (together && !one_disk_) {
        request.files = checkpoint::files_on_first(std::move(request.files), mesh_.everyone());
        if (mesh_.rank() > 0)
            return false;
    }
    request.folder = checkpoints / ("checkpoint_" + std::to_string(position_.step));
    request.number = position_.step;
    request.metric = metric_;
    request.may_be_infinite = false;
    if (const std::int64_t bad = health_.non_finite_in_a_row(); bad > 0)
        request.not_good = bad == 1 ? Message("the step before it was not finite")
                                    : Message("the {} steps before it were not finite", bad);
    request.mesh = mesh_.describe();
    request.position = checkpoint::to_json(position_);
    request.wait = wait;
    saver().save(std::move(request));
    return true;
}

void Trainer::begin_save(const std::filesystem::path& checkpoints) {
    hand_to_saver(checkpoints, false);
}

std::vector<checkpoint::SaveResult> Trainer::ended_saves() {
    std::lock_guard lock(saves_mutex_);
    return std::exchange(ended_saves_, {});
}

checkpoint::Saved Trainer::save(const std::filesystem::path& checkpoints) {
    checkpoint::Saved saved;
    Message problem;
    try {
        if (hand_to_saver(checkpoints, true)) {
            checkpoint::SaveResult result = saver().last_result().value();
            saved = {result.folder, result.bytes};
            problem = result.error;
        }
    } catch (const UserError& error) {
        problem = error.message();
    }
    at::Tensor failed = at::full({1}, problem.empty() ? 0.0 : 1.0, flow_.loss_sum().options());
    mesh_.everyone().all_reduce(failed, "checkpoint saved").wait();
    if (!problem.empty())
        throw UserError(problem);
    if (failed.item<double>() > 0)
        throw UserError("another rank could not save the checkpoint");
    return saved;
}

}  // namespace trainyard::train
