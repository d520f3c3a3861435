// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/trainer_state.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/file.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/files/manifest.h"
#include "checkpoint/files/saved_optimizer.h"
#include "checkpoint/send_files.h"
#include "config/inputs/check_resume.h"
#include "config/inputs/start_weights.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/fingerprint.h"
#include "distributed/parallel/tensor_part.h"
#include "models/nn/modules/low_rank.h"
#include "models/spec/config_file.h"
#include "optim/state_dict.h"
#include "train/loop/error_feedback.h"
#include "train/parameter_boxes.h"
#include "train/rank_files.h"

namespace trainyard::train {

namespace {

/// Whether a rank is one of the pipeline that the first rank begins: of each other dimension it is the first.
bool is_in_first_pipeline(const parallel::Mesh& mesh) {
    using enum parallel::Dimension;
    return std::ranges::all_of(std::array{dp_replicate, dp_shard, cp, sp, tp},
                               [&](parallel::Dimension dimension) { return mesh.coordinate(dimension) == 0; });
}

/// 0: not known.
std::int64_t samples_per_step_of(const checkpoint::Position& stored) {
    if (stored.samples_per_step == 0 && stored.step > 0 && stored.samples % stored.step == 0)  // of an earlier version
        return stored.samples / stored.step;
    return stored.samples_per_step;
}

}  // namespace

Message TrainerState::start(std::vector<Notice>& notices) {
    for (const Message& warning : training_.model.base().warnings)
        notices.push_back({"warning", warning});
    if (training_.mesh.rank() == 0) {
        take_files_of(training_.recipe.model.weights);
        for (Message& note : inputs::settle_model(training_.recipe.model).notes)
            notices.push_back({"warning", std::move(note)});
        for (inputs::InputProblem& note : inputs::notes_on_files(training_.recipe))
            notices.push_back({"warning", std::move(note.message)});
    }
    check_same_on_all_ranks();
    return training_.recipe.checkpoint.resume_from.empty() ? begin() : resume(notices);
}

void TrainerState::take_files_of(const std::filesystem::path& model) {
    config_origin_ = inputs::config_text(model);
    files_beside_ = inputs::files_beside_model(training_.recipe, model);
    for (inputs::FileBeside& file : training_.data.files_beside_model())
        if (std::ranges::find(files_beside_, file.name, &inputs::FileBeside::name) == files_beside_.end())
            files_beside_.push_back(std::move(file));
}

Message TrainerState::begin() {
    Message text = training_.model.initialise();
    begin_average();
    return text;
}

void TrainerState::begin_average() {
    const config::TrainingRecipe& training = training_.recipe.training;
    if (training.ema_decay == 0 && training.swa_start == 0)
        return;
    // The average of a frozen weight is that weight.
    training_.average.emplace(owned_weights(), training.swa_start > 0 ? uniform(training.swa_start, training.swa_freq)
                                                                      : exponential(training.ema_decay));
}

Message TrainerState::resume_from_accelerate(const std::filesystem::path& folder, std::vector<Notice>& notices) {
    if (const std::vector<Message> problems = inputs::check_save_state(folder, training_.recipe); !problems.empty())
        throw UserError("cannot resume from {}: {}", folder.string(), Message::joined(problems));
    checkpoint::Expected expected;
    expected.models = expected.optimizers = 1;
    expected.scaler = training_.flow.scaler().enabled();
    expected.rank = training_.mesh.rank();
    expected.world_size = training_.mesh.world_size();
    checkpoint::LoadedState loaded = checkpoint::load_state(folder, expected);
    const std::vector<checkpoint::SavedParameter> parameters = inputs::parameters_of(training_.recipe.model);
    const checkpoint::SavedOptimizer saved =
        checkpoint::read_saved_optimizer(folder / "optimizer.bin", parameters, training_.recipe.optimizer);
    training_.model.copy_values(loaded.state.models[0], folder.string());
    if (training_.flow.scaler().enabled() && !loaded.state.scaler.is_none())
        training_.flow.scaler().load_state_dict(loaded.state.scaler);
    // Its place in its own data means nothing here: as many samples count as seen as these steps take of ours.
    training_.position.step = saved.steps;
    training_.position.samples = training_.data.samples_of_steps(saved.steps);
    training_.position.tokens = training_.position.samples * training_.recipe.data.sequence_length;
    training_.steps_done = saved.steps;
    training_.model.arena().refresh_compute();
    begin_average();
    load_own_state({});
    training_.optimizer.set_step(training_.updates);
    training_.optimizer.load_states(loaded.state.optimizers[0], saved.numbers);
    for (const Message& sentence : checkpoint::replaced_settings(saved, training_.recipe.optimizer, parameters))
        notices.push_back({"warning", Message("{} in {}", sentence, (folder / "optimizer.bin").string())});
    return Message(
        "resumed from Accelerate's {} at step {}: weights, moments and the number of steps are "
        "its own; learning rate, its schedule, betas, eps, weight decay and the order of the data "
        "are the recipe's",
        folder.string(), training_.position.step);
}

Message TrainerState::resume(std::vector<Notice>& notices) {
    std::vector<Message> notes;
    const std::filesystem::path folder = checkpoint::find(training_.recipe.checkpoint.resume_from, &notes);
    for (Message& note : notes)
        notices.push_back({"warning", std::move(note)});
    if (checkpoint::is_save_state_folder(folder))
        return resume_from_accelerate(folder, notices);
    std::error_code error;
    if (training_.mesh.rank() == 0 && !training_.recipe.model.weights.empty() &&
        !std::filesystem::exists(training_.recipe.model.weights, error))
        take_files_of(folder);  // which has those of the weights that are gone
    begin_average();
    const checkpoint::Loaded loaded = load_on_all(folder);
    checkpoint::Position& position = training_.position;
    const checkpoint::Position& stored = loaded.position;
    if (stored.training_blocks != position.training_blocks)
        throw UserError(
            "cannot resume from {}: its data had {} to train on, data.path has {}: give the same data, or start from "
            "model.weights",
            folder.string(), text::samples(stored.training_blocks), position.training_blocks);
    if (stored.seed != position.seed)
        throw UserError(
            "cannot resume from {}: it was trained with seed {}: set training.seed to "
            "it, or start from model.weights",
            folder.string(), stored.seed);
    const std::int64_t samples_per_step = position.samples_per_step;
    if (const std::int64_t before = samples_per_step_of(stored); before != 0 && before != samples_per_step)
        notices.push_back(
            {"warning",
             Message("the global batch changes from {} a step, in {} ({}), to {} on {}, with the learning rate as "
                     "it was: to keep it, start with --set training.global_batch_size={}",
                     text::samples(before), folder.filename().string(), checkpoint::read_manifest(folder).mesh,
                     samples_per_step, training_.mesh.describe(), before)});
    position = stored;
    position.samples_per_step = samples_per_step;
    position.batch_size = training_.recipe.training.batch_size;
    training_.steps_done = position.step;
    const Message anew = load_rest(folder, loaded);
    return Message::joined({Message("resumed from {} at step {}", folder.string(), position.step), anew});
}

checkpoint::Loaded TrainerState::load_on_all(const std::filesystem::path& folder) {
    checkpoint::Content wanted = content();
    checkpoint::Loaded loaded;
    Message problem;
    try {
        loaded = checkpoint::load(folder, wanted, {training_.mesh.rank(), training_.mesh.world_size()});
    } catch (const UserError& error) {
        problem = error.message();
    }
    // Every rank reads files of its own: what one found, all must know.
    problem = parallel::first_message(training_.mesh.everyone(), problem, "checkpoint read");
    if (!problem.empty())
        throw UserError(problem);
    return loaded;
}

Message TrainerState::load_rest(const std::filesystem::path& folder, const checkpoint::Loaded& loaded) {
    training_.model.arena().refresh_compute();
    if (training_.average)  // what has none, because it was frozen, or none was kept, begins at the weight
        for (const auto& [name, weight] : owned_weights())
            for (const auto& [other, average] : training_.average->tensors())
                if (name == other && std::ranges::find(loaded.without_average, name) != loaded.without_average.end())
                    average.copy_(weight);
    load_own_state(checkpoint::load_trainer(folder));
    training_.optimizer.set_step(training_.updates);
    const Message errors = load_error_feedback(training_.optimizer, 0, folder, training_.mesh.data());
    if (training_.model.local_sgd() != nullptr)
        return load_local_moments(owned_moments(), folder, training_.mesh.data());
    const Message moments = left_local_moments(folder);
    const Message hook = training_.model.sync() ? load_hook(training_.model.sync()->hook(), folder,
                                                            training_.recipe.parallel, training_.mesh)
                                                : Message();
    return Message::joined({moments, hook, errors});
}

void TrainerState::go_back_to(const std::filesystem::path& folder) {
    // What the monitor has seen it knows, so that spikes in a row become a new level in the end; a rate that the user
    // set stays set.
    const Tree health = training_.health.state_dict();
    const double highest = training_.rates.highest();
    const std::optional<double> metric = training_.metric;
    load_rest(folder, load_on_all(folder));
    training_.health.load_state_dict(health);
    training_.rates.set_highest(highest);
    training_.metric = metric;
}

Tree TrainerState::own_state() const {
    Tree state = Tree::dict({{"updates", training_.updates},
                             {"rates", training_.rates.state_dict()},
                             {"health", training_.health.state_dict()},
                             {"optimizer", training_.optimizer.scalars()}});
    if (training_.metric)
        state.set("metric",
                  Tree::dict({{"name", training_.recipe.checkpoint.best_metric}, {"value", *training_.metric}}));
    if (training_.flow.scaler().enabled())
        state.set("scaler", training_.flow.scaler().state_dict());
    if (training_.average)
        state.set("average", training_.average->counts());
    if (const models::Float8Layers* float8 = training_.model.float8())
        state.set("fp8", float8->state_dict());
    return state;
}

void TrainerState::load_own_state(const Tree& state) {
    if (state.is_none()) {  // written before there was one: every step was an update
        training_.updates = training_.position.step;
        for (std::int64_t update = 0; update < training_.updates; ++update)
            training_.rates.advance();
        return;
    }
    training_.updates = state.at("updates").as_integer();
    training_.rates.load_state_dict(state.at("rates"));
    if (const Tree* scalars = state.find("optimizer"))
        training_.optimizer.load_scalars(*scalars);
    // State that the recipe needs and the checkpoint lacks starts with its initial values.
    if (const Tree* scaler = state.find("scaler"); scaler != nullptr && training_.flow.scaler().enabled())
        training_.flow.scaler().load_state_dict(*scaler);
    if (const Tree* fp8 = state.find("fp8"); fp8 != nullptr && !fp8->is_none() && training_.model.float8() != nullptr)
        training_.model.float8()->load_state_dict(*fp8);
    if (const Tree* health = state.find("health"))
        training_.health.load_state_dict(*health);
    if (const Tree* metric = state.find("metric"))
        training_.note_metric(metric->at("name").as_text(), metric->at("value").as_real());
    else if (const Tree* loss = state.find("validation_loss"))  // of an earlier version
        training_.note_metric("eval/loss", loss->as_real());
    if (const Tree* average = state.find("average"); average != nullptr && training_.average) {
        if (average->find("average") != nullptr)
            load_whole_average(*average);
        else
            training_.average->set_counts(*average);
    }
}

void TrainerState::load_whole_average(const Tree& stored) {
    Tree slices = Tree::dict();
    for (const parallel::Parameter* parameter : training_.optimizer.trained()) {
        // None is stored of what was frozen then: its average is the weight.
        const Tree* tensor = stored.at("average").find(parameter->name());
        if (tensor == nullptr) {
            slices.set(parameter->name(), training_.model.arena().owned_value(*parameter));
            continue;
        }
        if (tensor->as_tensor().sizes() != at::IntArrayRef(parameter->whole_shape()))
            throw UserError("the saved average of '{}' has another shape than the weight", parameter->name());
        const parallel::Range part = training_.model.arena().owned_of(*parameter);
        const at::Tensor own =
            parameter->part() != nullptr ? parameter->part()->select(tensor->as_tensor()) : tensor->as_tensor();
        slices.set(parameter->name(), own.reshape({-1}).narrow(0, part.begin, part.size()));
    }
    training_.average->load_state_dict(Tree::dict(
        {{"calls", stored.at("calls")}, {"averaged", stored.at("averaged")}, {"average", std::move(slices)}}));
}

void TrainerState::check_same_on_all_ranks() const {
    parallel::Communicator& everyone = training_.mesh.everyone();
    if (everyone.size() == 1)
        return;
    parallel::Description mine = training_.model.description();
    mine.emplace_back("samples per step", std::to_string(training_.data.samples_per_step()));
    mine.emplace_back("training samples", std::to_string(training_.data.training_blocks()));
    parallel::check_same_on_all_ranks(everyone, mine, "the model, batch or data set");
}

NamedTensors TrainerState::owned_weights() const {
    NamedTensors result;
    for (const parallel::Parameter* parameter : training_.optimizer.trained())
        result.emplace_back(parameter->name(), training_.model.arena().owned_value(*parameter));
    return result;
}

checkpoint::Content TrainerState::content() const {
    checkpoint::Content content;
    const parallel::FlatArena& arena = training_.model.arena();
    content.weights = training_.model.held_weights();
    for (const FlatOptimizer::State& state : training_.optimizer.states()) {
        const std::string name = state.name + "." + state.parameter->name();
        if (state.is_slice)
            std::ranges::move(boxes_of(name, *state.parameter, arena.owned_of(*state.parameter).begin, state.own),
                              std::back_inserter(content.optimizer));
        else
            content.optimizer.push_back(checkpoint::LogicalTensor::of_whole(name, state.own));
    }
    if (training_.average || training_.optimizer.averages()) {
        // Of FlatOptimizer::trained(), in its order.
        const NamedTensors averages =
            training_.average ? training_.average->tensors() : training_.optimizer.averaged_values();
        for (std::size_t i = 0; const parallel::Parameter* parameter : training_.optimizer.trained())
            std::ranges::move(
                boxes_of(parameter->name(), *parameter, arena.owned_of(*parameter).begin, averages[i++].second),
                std::back_inserter(content.average));
    }
    content.position = training_.position;
    if (!has_frozen_base(training_.recipe.model))  // else the folder has no model, but what is trained of one
        content.config_json = families::write_config(training_.model.model().config(), config_origin_);
    content.mesh = training_.mesh.describe();
    return content;
}

Tree TrainerState::optimizer_state() const {
    const FlatOptimizer& optimizer = training_.optimizer;
    std::vector<optim::StateGroup> groups = optimizer.state_groups();
    for (optim::StateGroup& group : groups) {
        const double ratio = optimizer.lr(0) > 0 ? group.settings.number("lr") / optimizer.lr(0) : 1;
        (void)group.settings.set("lr", ratio * training_.rates.lr());  // of the next update
        if (!std::isnan(training_.rates.momentum()) && group.settings.momentum() == optimizer.momentum(0))
            group.settings.set_momentum(training_.rates.momentum());
        group.more = Tree::dict({{"initial_lr", ratio * training_.rates.highest()}});
    }
    return optim::write_state_dict(groups);
}

bool TrainerState::saves_together() const {
    return training_.model.part().ranks > 1 || training_.model.is_sharded() || training_.model.experts() != nullptr ||
           training_.model.tensor_ranks().size() > 1 || own_file();
}

/// Every rank of the pipeline has as many files as ranks share its weights, with about as many bytes each.
void TrainerState::assign_weights(checkpoint::WriterShare& share, int files_of_rank) const {
    const config::Recipe& recipe = training_.recipe;
    const RankStages& own = training_.model.part();
    for (int rank = 0; rank < own.ranks; ++rank) {
        const RankStages part =
            stages_of_rank(training_.model.model(), rank, own.rank_of_stage, recipe.data.sequence_length);
        std::vector<std::pair<std::string, std::uint64_t>> weights;
        std::uint64_t total = 0, before = 0;
        const parallel::ExpertShare* experts = training_.model.experts();
        // Of experts the files of the ranks that have them; of these, one for each rank that shares the layers.
        const int files_of_share = experts != nullptr ? files_of_rank / experts->ranks->size() : files_of_rank;
        std::int64_t number = 0;
        for (const parallel::Unit* unit : part.units) {
            for (const parallel::Parameter* parameter : unit->parameters())
                if (!lies_by_map(recipe.model, *parameter)) {
                    weights.emplace_back(parameter->name(), static_cast<std::uint64_t>(whole_elements(*parameter)) *
                                                                training_.model.arena().values().element_size());
                    total += weights.back().second;
                    if (experts == nullptr)
                        continue;
                    const std::int64_t expert =
                        std::max<std::int64_t>(training_.model.model().expert_of(*parameter), 0);
                    share.file_of_weight[parameter->name()] =
                        rank * files_of_rank +
                        static_cast<int>(expert / experts->count * files_of_share + number++ % files_of_share);
                }
            for (const auto& buffer : unit->buffers()) {
                share.file_of_weight[buffer->name] = rank * files_of_rank;
                share.bytes_of_weights += buffer->value.nbytes();
            }
        }
        share.bytes_of_weights += total;
        if (experts != nullptr)
            continue;
        for (const auto& [name, bytes] : weights) {
            share.file_of_weight[name] =
                rank * files_of_rank + static_cast<int>(before * static_cast<std::uint64_t>(files_of_rank) /
                                                        std::max<std::uint64_t>(total, 1));
            before += bytes;
        }
    }
}

checkpoint::FilesToSave TrainerState::files_to_save() const {
    checkpoint::Content content = this->content();
    const config::Recipe& recipe = training_.recipe;
    parallel::Mesh& mesh = training_.mesh;
    const FlatModel& model = training_.model;
    const RankStages& part = model.part();
    const bool sharded = model.is_sharded(), shares_values = model.shares_values();
    const parallel::ExpertShare* experts = model.experts();
    const int shard = model.shards().rank(), shards = model.shards().size();
    const int copy = sharded ? mesh.copies().rank() : 0;
    const int expert_rank = experts != nullptr ? experts->ranks->rank() : 0;
    const int expert_ranks = experts != nullptr ? experts->ranks->size() : 1;
    const int tensor_rank = model.tensor_ranks().rank(), tensor_ranks = model.tensor_ranks().size();
    const bool gathers = shares_values || tensor_ranks > 1;
    // Each rank of a part of the model with a file of its own: those that divide experts, or else shards of weights.
    const int weight_shard = experts != nullptr ? expert_rank : shares_values ? shard : 0;
    const int weight_shards = experts != nullptr ? expert_ranks : shares_values ? shards : 1;
    const bool is_first = experts != nullptr ? experts->shards->rank() == 0 : shares_values || shard == 0;
    checkpoint::WriterShare share;
    share.rank = mesh.rank();
    const int weight_files = weight_shards * tensor_ranks;  // of a part
    const int state_files = (sharded ? shards : expert_ranks) * tensor_ranks;
    share.weights = part.rank * weight_files + weight_shard * tensor_ranks + tensor_rank;
    share.weight_files = part.ranks * weight_files;
    share.state = part.rank * state_files + (sharded ? shard : expert_rank) * tensor_ranks + tensor_rank;
    share.state_files = part.ranks * state_files;
    if (share.weight_files > 1)
        assign_weights(share, weight_files);
    // Ranks with equal shares have the same; copies of tied parameters are those of their owners, and what is not of
    // experts that of the first of the ranks that divide these.
    std::set<std::string> of_others, of_first;
    if (expert_rank > 0) {
        for (const parallel::FlatGroup& group : model.arena().groups())
            if (!group.is_of_experts())
                for (const parallel::Parameter* parameter : group.parameters())
                    of_first.insert(parameter->name());
        for (const auto& [name, buffer] : model.named_buffers())
            of_first.insert(name);
    }
    if (part.has_copies())
        for (const parallel::Parameter* tied : model.arena().groups().front().parameters())
            of_others.insert(tied->name());
    std::set<std::string> on_all;  // state that an earlier rank that shares the layers has, too
    if (tensor_rank > 0)
        for (const parallel::Parameter* parameter : training_.optimizer.trained())
            if (!is_divided(*parameter) || !parameter->part()->is_first())
                on_all.insert(parameter->name());
    for (auto* tensors : {&content.weights, &content.optimizer, &content.average}) {
        const bool of_weights = tensors == &content.weights, whole = of_weights || !sharded;
        if (copy > 0 || (whole && !is_first) || (of_weights && (tensor_rank > 0 || (shares_values && shard > 0))))
            tensors->clear();
        std::erase_if(*tensors, [&](const checkpoint::LogicalTensor& tensor) {
            const std::string name =
                tensors == &content.optimizer ? tensor.name.substr(tensor.name.find('.') + 1) : tensor.name;
            return of_others.contains(name) || on_all.contains(name) || (whole && of_first.contains(name));
        });
    }
    if (gathers)  // these come whole below
        std::erase_if(content.weights, [&](const checkpoint::LogicalTensor& tensor) {
            return std::ranges::none_of(part.units, [&](const parallel::Unit* unit) {
                return std::ranges::any_of(unit->buffers(),
                                           [&](const auto& buffer) { return buffer->name == tensor.name; });
            });
        });
    std::map<std::string, at::Tensor> adapters;
    const bool adapts = recipe.model.lora.r > 0 && is_in_first_pipeline(mesh);
    model.visit_values([&](const parallel::Parameter& parameter, const at::Tensor& value) {
        const std::string& name = parameter.name();
        const auto kept = [&] { return shares_values && shards > 1 ? value.clone() : value; };
        if (gathers && copy == 0 && is_first && !of_others.contains(name) && !of_first.contains(name) &&
            (share.weight_files == 1 || share.file_of_weight.at(name) == share.weights))
            content.weights.push_back(checkpoint::LogicalTensor::of_whole(name, kept()));
        if (adapts && config::is_of_adapter_file(recipe.model, name))
            adapters.emplace(name, kept());
    });
    checkpoint::WeightsFile adapter;
    if (adapts)
        adapter.tensors = adapter_of_all_stages(adapters);
    if (share.state_files == 1 && !content.optimizer.empty())
        content.optimizer_state = optimizer_state();
    if (mesh.rank() == 0)
        content.trainer = own_state();
    checkpoint::FilesToSave files = checkpoint::files_of(content, share);
    if (std::optional<checkpoint::FileToSave> own = own_file())
        files.push_back(std::move(*own));
    if (mesh.rank() == 0)  // the folder is a model of transformers
        for (const inputs::FileBeside& file : files_beside_)
            files.push_back({file.name, file.content});
    if (adapts && mesh.rank() == 0) {  // the adapter alone, as PEFT saves it
        files.push_back({"adapter_model.safetensors", std::move(adapter)});
        files.push_back({"adapter_config.json",
                         models::adapter_config(model.model(), recipe.model, models::adapted_modules(model.model()))});
    }
    return files;
}

NamedTensors TrainerState::adapter_of_all_stages(const std::map<std::string, at::Tensor>& own) const {
    const models::Model& model = training_.model.model();
    const RankStages& part = training_.model.part();
    const config::Recipe& recipe = training_.recipe;
    NamedTensors all;
    const auto visit = [&](const std::vector<parallel::Unit*>& units, const auto& take) {
        for (const parallel::Unit* unit : units)
            for (const parallel::Parameter* parameter : unit->parameters())
                if (config::is_of_adapter_file(recipe.model, parameter->name()))
                    take(*parameter, fmt::format("adapter {}", parameter->name()));
    };
    visit(part.units, [&](const parallel::Parameter& parameter, const std::string& what) {
        const at::Tensor& value = own.at(parameter.name());
        if (part.rank > 0)
            training_.pipeline().send(value.to(at::kFloat).contiguous(), 0, what).wait();
        else
            all.emplace_back(models::peft_name(parameter.name()), value);
    });
    for (int rank = 1; part.rank == 0 && rank < part.ranks; ++rank)
        visit(stages_of_rank(model, rank, part.rank_of_stage, recipe.data.sequence_length).units,
              [&](const parallel::Parameter& parameter, const std::string& what) {
                  const at::Tensor value = at::empty(parameter.whole_shape(), at::kFloat);
                  training_.pipeline().receive(value, rank, what).wait();
                  all.emplace_back(models::peft_name(parameter.name()), value);
              });
    return all;
}

NamedTensors TrainerState::owned_moments() const {
    NamedTensors result;
    for (const FlatOptimizer::State& state : training_.optimizer.states())
        result.emplace_back(state.name + "." + state.parameter->name(), state.own);
    return result;
}

std::optional<checkpoint::FileToSave> TrainerState::own_file() const {
    if (training_.model.local_sgd() != nullptr)
        return local_moments_file(owned_moments(), training_.mesh.data());
    if (std::optional<checkpoint::FileToSave> errors =
            error_feedback_file(training_.optimizer, 0, training_.mesh.data()))
        return errors;
    return training_.model.sync() ? hook_file(training_.model.sync()->hook(), training_.recipe.parallel, training_.mesh)
                                  : std::nullopt;
}

}  // namespace trainyard::train
