// SPDX-License-Identifier: GPL-3.0-or-later
// Saving and loading: what was prepared and registered, as checkpoint/accelerate_folder.h writes and reads it.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "accelerator/accelerator_parts.h"
#include "accelerator/flat_module.h"
#include "accelerator/sharded_optimizer.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/dcp_state.h"
#include "checkpoint/model_export.h"
#include "checkpoint/random_state.h"
#include "checkpoint/saver.h"
#include "checkpoint/torch_archive.h"
#include "checkpoint/write_files.h"
#include "config/recipe/optimizer_kinds.h"
#include "distributed/parallel/agreement.h"
#include "formats/hub/fetch.h"
#include "formats/weights/model_files.h"
#include "formats/weights/safetensors.h"
#include "train/loop/error_feedback.h"
#include "train/loop/roll_back.h"

namespace trainyard::accelerator {

namespace {

std::filesystem::path checkpoints_of(const ProjectOptions& project) {
    if (project.project_dir.empty())
        throw UserError("automatic checkpoint naming needs a project_dir: the folder in which checkpoints/ is made");
    return project.project_dir / "checkpoints";
}

/// Loads states one after another. Unless keep() is called in the end, all have again what they had: a state that
/// does not fit is found by the object it is for, at its turn.
class StatesToLoad {
  public:
    StatesToLoad() = default;
    StatesToLoad(const StatesToLoad&) = delete;
    StatesToLoad& operator=(const StatesToLoad&) = delete;
    ~StatesToLoad() {
        while (!loaded_.empty()) {
            try {
                loaded_.back().first->load_state_dict(loaded_.back().second);
            } catch (const std::exception&) {  // the error that brought us here is the one to tell
            }
            loaded_.pop_back();
        }
    }

    void load(Stateful& object, const Tree& state) {
        // A copy: objects may load in place.
        Tree before = object.state_dict().map_tensors([](const at::Tensor& tensor) { return tensor.detach().clone(); });
        object.load_state_dict(state);
        loaded_.emplace_back(&object, std::move(before));
    }
    void keep() { loaded_.clear(); }

  private:
    std::vector<std::pair<Stateful*, Tree>> loaded_;
};

}  // namespace

namespace {

/// Under save_on_each_node machines that see one disk would replace each other's checkpoint. Collective.
void refuse_shared_folder(parallel::ProcessState& process, const std::filesystem::path& target) {
    const std::filesystem::path absolute = std::filesystem::absolute(target).lexically_normal();
    const auto probe = [&](const std::string& word) {
        return absolute.parent_path() / fmt::format(".{}.{}.probe", absolute.filename().string(), word);
    };
    const std::string word =
        parallel::broadcast_object(process.everyone(), Tree(fmt::format("{:08x}", std::random_device()())), 0)
            .as_text();
    std::error_code ignored;
    Message problem;
    if (process.is_main_process())
        try {
            make_private_folder(absolute.parent_path());
            write_file_atomically(probe(word), "", false);
        } catch (const UserError& error) {
            problem = error.message();
        }
    process.wait_for_everyone();
    if (process.is_local_main_process() && !process.is_main_process() && std::filesystem::exists(probe(word), ignored))
        problem = Message(
            "project.save_on_each_node: the machines share the disk of {}, and would replace "
            "each other's checkpoint: set it to false, or give each machine a folder of its own",
            target.string());
    problem = parallel::first_message(process.everyone(), problem, "folders of nodes");
    if (process.is_main_process())
        std::filesystem::remove(probe(word), ignored);
    if (!problem.empty())
        throw UserError(problem);
}

/// The files that this rank writes of a model; the main process writes the tensors that all ranks have whole.
checkpoint::DcpShare share_of_model(const PreparedModel& model, bool is_main) {
    checkpoint::DcpShare share;
    const bool divides = model.divides_weights();
    if (divides && (model.copies() == nullptr || model.copies()->rank() == 0))
        for (const auto& [name, parameter] : model.parameters()) {
            const HeldElements held = model.held(parameter);
            share.add({"model", name}, parameter.sizes().vec(), held.begin, held.values);
        }
    for (const NamedTensors* part : {&model.parameters(), &model.buffers()})
        for (const auto& [name, tensor] : *part)
            if (is_main && tensor.defined() && !(divides && part == &model.parameters()))
                share.add({"model", name}, tensor);
    return share;
}

checkpoint::DcpShare share_of_optimizer(const PreparedOptimizer& prepared, const std::vector<std::string>& names,
                                        bool is_main) {
    checkpoint::DcpShare share;
    const auto* divided = dynamic_cast<const ShardedOptimizer*>(&prepared.inner());
    const Tree state = divided != nullptr ? prepared.inner().state_dict() : prepared.whole_state_dict();
    for (const Tree::Entry& entry : state.at("state").entries()) {
        const auto number = static_cast<std::size_t>(std::get<std::int64_t>(entry.key));
        if (names.at(number).empty())
            continue;
        for (const Tree::Entry& value : entry.value.entries()) {
            const std::string key = to_string(value.key);
            const std::vector<std::string> path{"optimizer", "state", names[number], key};
            if (!value.value.is_tensor()) {
                if (is_main)
                    share.add(path, value.value);
            } else if (divided == nullptr || config::is_scalar_state(key)) {
                if (is_main)
                    share.add(path, value.value.as_tensor());
            } else if (divided->is_first_copy()) {
                const at::Tensor whole = prepared.parameters().at(number);
                share.add(path, whole.sizes().vec(), divided->owned(number).begin, value.value.as_tensor());
            }
        }
    }
    const Tree named = checkpoint::with_names(state, names);
    const Tree::List& groups = named.at("param_groups").items();
    for (std::size_t g = 0; is_main && g < groups.size(); ++g)
        for (const Tree::Entry& setting : groups[g].entries())
            share.add({"optimizer", "param_groups", std::to_string(g), to_string(setting.key)}, setting.value);
    return share;
}

/// Names of an optimizer's parameters in the prepared models, by their numbers; empty: in none of them.
std::vector<std::string> names_of_parameters(const PreparedOptimizer& optimizer,
                                             const std::vector<std::shared_ptr<PreparedModel>>& models) {
    std::map<const void*, std::string> known;
    for (const std::shared_ptr<PreparedModel>& model : models)
        for (const auto& [name, parameter] : model->parameters())
            if (parameter.defined())
                known.emplace(parameter.unsafeGetTensorImpl(), name);
    std::vector<std::string> names;
    for (const at::Tensor& parameter : optimizer.parameters()) {
        const auto found = known.find(parameter.unsafeGetTensorImpl());
        names.push_back(found == known.end() ? std::string() : found->second);
    }
    return names;
}

/// The same for files, which have the state of a parameter that the optimizer names several times once.
std::vector<std::string> names_to_save(const PreparedOptimizer& optimizer,
                                       const std::vector<std::shared_ptr<PreparedModel>>& models) {
    std::vector<std::string> names = names_of_parameters(optimizer, models);
    std::set<std::string> known;
    for (std::string& name : names)
        if (!known.insert(name).second)
            name.clear();
    return names;
}

}  // namespace

std::filesystem::path Accelerator::save_state(const std::filesystem::path& folder, bool safe_serialization,
                                              std::optional<double> metric) {
    const ProjectOptions& project = impl_->options.project;
    std::filesystem::path target = folder;
    if (project.automatic_checkpoint_naming) {
        target = checkpoints_of(project) / ("checkpoint_" + std::to_string(impl_->iteration));
        if (std::filesystem::exists(target))
            throw UserError(
                "{} already exists: call load_state() to continue from it, or set project.iteration to the next number",
                target.string());
    } else if (target.empty()) {
        target = project.project_dir;
    }
    if (target.empty())
        throw UserError("save_state needs a folder, a project_dir, or automatic_checkpoint_naming");

    for (const auto& optimizer : impl_->optimizers)
        optimizer->settle();
    const ShardingOptions& divided = impl_->how_sharded;
    const bool in_shares = divided.state_dict == StateDictType::sharded;
    std::vector<ModelToSave> models;
    for (const std::shared_ptr<PreparedModel>& model : impl_->models)
        models.push_back({model, in_shares                  ? NamedTensors()
                                 : model->divides_weights() ? on_each_node(model->state_dict())
                                                            : model->state_dict()});
    checkpoint::FilesToSave files_of_hooks;
    for (const auto& [number, hook] : impl_->save_hooks)
        hook(models, files_of_hooks);

    checkpoint::TrainingState state;
    for (ModelToSave& model : models)
        if (!in_shares)
            state.models.push_back(std::move(model.weights));
    if (project.save_on_each_node && in_shares && use_distributed())
        throw UserError(
            "project.save_on_each_node: a folder of shares (SHARDED_STATE_DICT) needs the files of all ranks in one "
            "place: set the state dict to FULL_STATE_DICT, or save_on_each_node to false");
    for (const auto& optimizer : impl_->optimizers) {
        if (in_shares)
            continue;
        Tree whole = optimizer->whole_state_dict();
        if (dynamic_cast<const ShardedOptimizer*>(&optimizer->inner()) != nullptr)
            whole = on_each_node(std::move(whole));
        if (divided.fsdp_names)
            whole = checkpoint::with_names(whole, names_to_save(*optimizer, impl_->models));
        state.optimizers.push_back(std::move(whole));
    }
    for (const auto& scheduler : impl_->schedulers)
        state.schedulers.push_back(scheduler->state_dict());
    for (const auto& loader : impl_->loaders)
        state.loaders.push_back(loader->state_dict());
    if (scaler() != nullptr)
        state.scaler = scaler()->state_dict();
    for (const Stateful* object : impl_->custom)
        state.custom.push_back(object->state_dict());
    state.random = checkpoint::capture_random_state(step(), impl_->random_carried);
    state.iteration = impl_->iteration;

    checkpoint::SaveRequest request;
    request.folder = target;
    const bool writes_shared = writes_files();
    request.files = checkpoint::files_of(state, {.rank = process_index(),
                                                 .shared_files = writes_shared,
                                                 .safe_serialization = safe_serialization,
                                                 .fsdp_names = divided.fsdp_names});
    for (std::size_t i = 0; in_shares && i < models.size(); ++i)
        share_of_model(*models[i].model, is_main_process())
            .add_files(request.files, fmt::format("pytorch_model_fsdp_{}", i), process().everyone());
    for (std::size_t i = 0; in_shares && i < impl_->optimizers.size(); ++i) {
        const PreparedOptimizer& optimizer = *impl_->optimizers[i];
        share_of_optimizer(optimizer, names_to_save(optimizer, impl_->models), is_main_process())
            .add_files(request.files, fmt::format("optimizer_{}", i), process().everyone());
    }
    for (std::size_t i = 0; i < impl_->optimizers.size(); ++i)
        if (auto own = train::error_feedback_file(*impl_->optimizers[i], i, process().everyone()))
            request.files.push_back(std::move(*own));
    if (writes_shared)
        request.files.insert(request.files.end(), files_of_hooks.begin(), files_of_hooks.end());
    request.number = impl_->iteration;
    request.metric = metric;
    for (const std::shared_ptr<PreparedHealth>& health : impl_->health)
        if (health->monitor().non_finite_in_a_row() > 0)
            request.not_good = "the updates before it were not finite";
    request.mesh = std::to_string(num_processes()) + (num_processes() == 1 ? " rank" : " ranks");
    request.prune = project.automatic_checkpoint_naming && project.total_limit.has_value();

    if (project.save_on_each_node && use_distributed()) {
        request.world_size = num_processes();
        refuse_shared_folder(process(), target);
        if (impl_->node == nullptr) {
            std::vector<int> ranks;
            for (int local = 0; local < process().local_world_size(); ++local)
                ranks.push_back(process_index() - local_process_index() + local);
            impl_->node = process().world()->group(ranks, fmt::format("node of rank {}", ranks.front()));
        }
    }
    if (impl_->saver == nullptr) {
        checkpoint::SaverOptions how;
        how.background = project.save_in_background;
        if (project.keep_every > 0) {
            how.retention.keep_last = project.total_limit.value_or(0);
            how.retention.keep_every = project.keep_every;
        } else {
            how.retention.total_limit = project.total_limit.value_or(0);
        }
        impl_->saver = std::make_shared<checkpoint::Saver>(how, impl_->node != nullptr ? impl_->node.get()
                                                                : use_distributed()    ? &process().everyone()
                                                                                       : nullptr);
    }
    const std::optional<checkpoint::SaveResult> earlier = impl_->saver->save(std::move(request));
    ++impl_->iteration;
    if (earlier && !earlier->ok() && !earlier->skipped)
        throw UserError("the checkpoint before this one, {}, could not be written: {}", earlier->folder.string(),
                        earlier->error);
    return target;
}

void Accelerator::wait_for_checkpoint() {
    if (impl_->saver != nullptr)
        impl_->saver->flush();
}

std::vector<Message> Accelerator::load_state(const std::filesystem::path& folder, const LoadStateOptions& options) {
    wait_for_checkpoint();
    if (options.map_location != "cpu" && options.map_location != "on_device")
        throw UserError("map_location is '{}': it must be cpu or on_device", options.map_location);
    const ProjectOptions& project = impl_->options.project;
    if (!folder.empty() || !project.automatic_checkpoint_naming) {
        const std::filesystem::path& source = folder.empty() ? project.project_dir : folder;
        if (source.empty())
            throw UserError("load_state needs a folder, a project_dir, or automatic_checkpoint_naming");
        return load_state_from(source, Place::of_the_checkpoint, options.strict);
    }
    std::vector<Message> notes;
    const std::filesystem::path newest = checkpoint::newest_checkpoint(checkpoints_of(project), &notes);
    std::ranges::move(load_state_from(newest, Place::of_the_checkpoint, options.strict), std::back_inserter(notes));
    return notes;
}

Message Accelerator::roll_back(std::int64_t step) {
    try {
        wait_for_checkpoint();
    } catch (const UserError&) {  // the one before is taken
    }
    return train::roll_back(step, checkpoints_of(impl_->options.project), process().everyone(),
                            [&](const std::filesystem::path& folder) { load_state_from(folder, Place::kept); });
}

std::vector<Message> Accelerator::load_state_from(const std::filesystem::path& source, Place place, bool strict) {
    std::vector<Message> notes;
    std::vector<std::shared_ptr<PreparedModel>> models = impl_->models;
    for (const auto& [number, hook] : impl_->load_hooks)
        hook(models, source);

    checkpoint::Expected expected;
    expected.models = models.size();
    expected.optimizers = impl_->optimizers.size();
    expected.schedulers = impl_->schedulers.size();
    expected.loaders = impl_->loaders.size();
    expected.custom = impl_->custom.size();
    expected.scaler = scaler() != nullptr;
    expected.rank = process_index();
    expected.world_size = num_processes();
    checkpoint::LoadedState loaded = checkpoint::load_state(source, expected);
    notes.insert(notes.end(), loaded.notes.begin(), loaded.notes.end());
    const checkpoint::TrainingState& state = loaded.state;

    // Either all of it is loaded or nothing: the weights, of which no second copy is made, when nothing can fail any
    // more.
    for (std::size_t i = 0; i < models.size(); ++i)
        models[i]->check_stored(state.models.at(i), source.string(), strict);
    StatesToLoad states;
    for (std::size_t i = 0; i < impl_->optimizers.size(); ++i)
        states.load(*impl_->optimizers[i],
                    checkpoint::with_numbers(state.optimizers.at(i), impl_->optimizers[i]->state_dict(),
                                             names_of_parameters(*impl_->optimizers[i], impl_->models)));
    for (std::size_t i = 0; i < impl_->schedulers.size(); ++i)
        states.load(*impl_->schedulers[i], state.schedulers.at(i));
    const bool all = place == Place::of_the_checkpoint;
    for (std::size_t i = 0; all && i < impl_->loaders.size() && i < state.loaders.size(); ++i)
        if (!state.loaders[i].is_none())
            states.load(*impl_->loaders[i], state.loaders[i]);
    if (scaler() != nullptr && !state.scaler.is_none())
        states.load(*scaler(), state.scaler);
    for (std::size_t i = 0; i < impl_->custom.size(); ++i)
        if (all || std::ranges::none_of(impl_->health, [&](const auto& own) { return own.get() == impl_->custom[i]; }))
            states.load(*impl_->custom[i], state.custom.at(i));
    if (all && !state.random.is_none()) {
        const Tree* saved_step = state.random.find("step");
        const std::int64_t steps = saved_step != nullptr ? saved_step->as_integer() : step();
        checkpoint::restore_random_state(state.random);
        flow().set_step(steps);
        impl_->random_carried = state.random;
    }
    states.keep();
    for (std::size_t i = 0; i < impl_->optimizers.size(); ++i)
        if (Message note = train::load_error_feedback(*impl_->optimizers[i], i, source, process().everyone());
            !note.empty())
            notes.push_back(std::move(note));
    for (const std::shared_ptr<PreparedModel>& model : models)
        if (model->gradients() != nullptr)
            model->gradients()->wait_for_readers();
    for (std::size_t i = 0; i < models.size(); ++i)
        models[i]->load_stored(state.models.at(i), source.string(), strict);
    for (const std::shared_ptr<PreparedModel>& model : models)
        if (model->gradients() != nullptr)
            model->gradients()->publish_values();
    const std::int64_t number = state.iteration >= 0 ? state.iteration : checkpoint::checkpoint_number(source);
    if (number >= 0 && all)
        impl_->iteration = number + 1;
    return notes;
}

void Accelerator::register_for_checkpointing(Stateful& object) {
    impl_->custom.push_back(&object);
}

int Accelerator::register_save_state_pre_hook(SaveHook hook) {
    impl_->save_hooks.emplace(impl_->next_hook, std::move(hook));
    return impl_->next_hook++;
}

int Accelerator::register_load_state_pre_hook(LoadHook hook) {
    impl_->load_hooks.emplace(impl_->next_hook, std::move(hook));
    return impl_->next_hook++;
}

void Accelerator::remove_hook(int number) {
    impl_->save_hooks.erase(number);
    impl_->load_hooks.erase(number);
}

std::int64_t Accelerator::save_iteration() const {
    return impl_->iteration;
}

namespace {

/// A job of SageMaker uploads the folder that $SM_MODEL_DIR names when it ends: it is the one where none is given.
std::filesystem::path folder_of_model(const std::filesystem::path& given) {
    const char* of_job = std::getenv("SM_MODEL_DIR");
    if (given.empty() && (of_job == nullptr || *of_job == '\0'))
        throw UserError("save_model needs a folder: name one (a job of SageMaker has one in SM_MODEL_DIR)");
    return given.empty() ? std::filesystem::path(of_job) : given;
}

}  // namespace

std::vector<Message> Accelerator::save_weights_of(const PreparedModel& model, const std::filesystem::path& folder,
                                                  const std::string& max_shard_size, bool safe_serialization,
                                                  bool adapter_only) {
    const std::filesystem::path place = folder_of_model(folder);
    std::vector<Message> warnings = remarks_on_weights(model);
    NamedTensors weights = model.weights_to_save(adapter_only);
    if (model.divides_weights())
        weights = on_each_node(weights);
    if (!writes_files())
        return warnings;
    std::ranges::move(
        checkpoint::save_model(
            weights, place,
            {.max_shard_size = max_shard_size, .safe_serialization = safe_serialization, .adapter = adapter_only})
            .warnings,
        std::back_inserter(warnings));
    return warnings;
}

bool Accelerator::writes_files() const {
    return impl_->options.project.save_on_each_node ? is_local_main_process() : is_main_process();
}

Tree Accelerator::on_each_node(Tree whole) const {
    if (!impl_->options.project.save_on_each_node || !use_distributed())
        return whole;
    if (!impl_->node_mains) {
        const Tree places = parallel::gather_object(process().everyone(), Tree::list({process().local_rank()}));
        std::vector<int> mains;
        for (std::size_t rank = 0; rank < places.items().size(); ++rank)
            if (places.items()[rank].as_integer() == 0)
                mains.push_back(static_cast<int>(rank));
        impl_->node_mains.emplace(
            is_local_main_process() ? process().world()->group(mains, "first ranks of the machines") : nullptr);
    }
    return is_local_main_process() ? parallel::broadcast_object(**impl_->node_mains, whole, 0) : whole;
}

NamedTensors Accelerator::on_each_node(const NamedTensors& whole) const {
    if (!impl_->options.project.save_on_each_node || !use_distributed())
        return whole;
    Tree tree = Tree::dict();
    for (const auto& [name, tensor] : whole)
        tree.set(name, tensor);
    tree = on_each_node(std::move(tree));
    NamedTensors weights;
    for (std::size_t i = 0; !tree.is_none() && i < tree.entries().size(); ++i)
        weights.emplace_back(to_string(tree.entries()[i].key), tree.entries()[i].value.as_tensor());
    return weights;
}

std::vector<Message> Accelerator::save_weights(const NamedTensors& weights, const std::filesystem::path& folder,
                                               const std::string& max_shard_size, bool safe_serialization) {
    const std::filesystem::path place = folder_of_model(folder);
    if (!writes_files())
        return {};
    return checkpoint::save_model(weights, place,
                                  {.max_shard_size = max_shard_size, .safe_serialization = safe_serialization})
        .warnings;
}

std::vector<Message> Accelerator::save_pretrained_of(const PreparedModel& model, const std::filesystem::path& folder,
                                                     const PretrainedOptions& options) {
    const std::filesystem::path source =
        options.source.empty() ? std::filesystem::path() : hub::model_folder(options.source);
    std::vector<weights::ModelFile> files;
    if (!source.empty())
        files = weights::model_files(source, weights::ModelFiles::all);
    const bool has_config =
        std::ranges::any_of(files, [](const weights::ModelFile& file) { return file.name == "config.json"; });
    if (options.config.empty() && !has_config)
        throw UserError(
            "save_pretrained needs a config.json: give its text (config), or a folder that has one (source)");
    if (!options.config.empty() && !read_json(options.config).is_object())
        throw UserError("save_pretrained: config is not a JSON object");
    std::vector<Message> warnings =
        save_weights_of(model, folder, options.max_shard_size, options.safe_serialization, false);
    if (!writes_files())
        return warnings;
    if (!options.config.empty())
        write_file_atomically(folder / "config.json", options.config);
    std::error_code error;
    for (const weights::ModelFile& file : files) {
        const std::filesystem::path target = folder / file.name;
        if (std::filesystem::equivalent(file.path, target, error) ||
            (file.name == "config.json" && !options.config.empty()))
            continue;
        std::filesystem::create_directories(target.parent_path(), error);
        write_file_atomically(target, read_file(file.path));
    }
    return warnings;
}

void Accelerator::save(const Tree& object, const std::filesystem::path& file, bool safe_serialization) {
    const Tree on_host = object.map_tensors([](const at::Tensor& tensor) { return tensor.detach().cpu(); });
    NamedTensors named;
    if (safe_serialization) {
        if (!on_host.is_dict())
            throw UserError("{}: safe_serialization saves a dictionary of tensors, and this is a {}", file.string(),
                            on_host.kind());
        for (const auto& [key, value] : on_host.entries()) {
            if (!value.is_tensor())
                throw UserError("{}: safe_serialization saves a dictionary of tensors, and '{}' is a {}", file.string(),
                                to_string(key), value.kind());
            named.emplace_back(to_string(key), value.as_tensor());
        }
    }
    if (!writes_files())
        return;
    if (!safe_serialization) {
        checkpoint::write_torch_file(file, on_host);
        return;
    }
    std::vector<at::Tensor> kept;
    weights::write_safetensors(file, checkpoint::to_write(named, kept), {{"format", "pt"}});
}

std::vector<Message> Accelerator::end_training() {
    std::vector<Message> problems;
    if (impl_->trackers != nullptr) {
        impl_->trackers->finish();
        problems = impl_->trackers->take_problems();
    }
    wait_for_checkpoint();
    return problems;
}

}  // namespace trainyard::accelerator
