// Saving and loading: what was prepared and registered, as checkpoint/accelerate_folder.h writes and reads it.
#include <string>

#include "accelerator/accelerator_parts.h"
#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/model_export.h"
#include "checkpoint/random_state.h"
#include "checkpoint/saver.h"
#include "checkpoint/torch_archive.h"

namespace trainyard::accelerator {

namespace {

std::filesystem::path checkpoints_of(const ProjectOptions& project) {
    if (project.project_dir.empty())
        throw UserError("automatic checkpoint naming needs a project_dir: the folder in which checkpoints/ is made");
    return project.project_dir / "checkpoints";
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
                target.string() +
                " is there already: load_state() goes on from it, or set project.iteration to the next number");
    } else if (target.empty()) {
        throw UserError("save_state needs a folder, or automatic_checkpoint_naming");
    }

    std::vector<ModelToSave> models;
    for (const std::shared_ptr<PreparedModel>& model : impl_->models)
        models.push_back({model, model->state_dict()});
    checkpoint::FilesToSave files_of_hooks;
    for (const auto& [number, hook] : impl_->save_hooks)
        hook(models, files_of_hooks);

    checkpoint::TrainingState state;
    for (ModelToSave& model : models)
        state.models.push_back(std::move(model.weights));
    for (const auto& optimizer : impl_->optimizers)
        state.optimizers.push_back(optimizer->state_dict());
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
    const bool writes_shared = project.save_on_each_node ? is_local_main_process() : is_main_process();
    request.files = checkpoint::files_of(
        state, {.rank = process_index(), .shared_files = writes_shared, .safe_serialization = safe_serialization});
    if (writes_shared)
        request.files.insert(request.files.end(), files_of_hooks.begin(), files_of_hooks.end());
    request.number = impl_->iteration;
    request.metric = metric;
    request.mesh = std::to_string(num_processes()) + (num_processes() == 1 ? " rank" : " ranks");
    request.prune = project.automatic_checkpoint_naming && project.total_limit.has_value();

    if (impl_->saver == nullptr) {
        checkpoint::SaverOptions how;
        how.background = project.save_in_background;
        how.retention.total_limit = project.total_limit.value_or(0);
        impl_->saver = std::make_shared<checkpoint::Saver>(how, use_distributed() ? &process().everyone() : nullptr);
    }
    const std::optional<checkpoint::SaveResult> earlier = impl_->saver->save(std::move(request));
    ++impl_->iteration;
    if (earlier && !earlier->ok() && !earlier->skipped)
        throw UserError("the checkpoint before this one, " + earlier->folder.string() +
                        ", could not be written: " + earlier->error);
    return target;
}

void Accelerator::wait_for_checkpoint() {
    if (impl_->saver != nullptr)
        impl_->saver->flush();
}

std::vector<std::string> Accelerator::load_state(const std::filesystem::path& folder) {
    wait_for_checkpoint();
    std::vector<std::string> notes;
    std::filesystem::path source = folder;
    if (source.empty()) {
        if (!impl_->options.project.automatic_checkpoint_naming)
            throw UserError("load_state needs a folder, or automatic_checkpoint_naming");
        source = checkpoint::newest_checkpoint(checkpoints_of(impl_->options.project), &notes);
    }

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

    for (std::size_t i = 0; i < models.size(); ++i)
        checkpoint::copy_model(state.models.at(i), models[i]->state_dict(), source.string());
    for (std::size_t i = 0; i < impl_->optimizers.size(); ++i)
        impl_->optimizers[i]->load_state_dict(state.optimizers.at(i));
    for (std::size_t i = 0; i < impl_->schedulers.size(); ++i)
        impl_->schedulers[i]->load_state_dict(state.schedulers.at(i));
    for (std::size_t i = 0; i < impl_->loaders.size() && i < state.loaders.size(); ++i)
        if (!state.loaders[i].is_none())
            impl_->loaders[i]->load_state_dict(state.loaders[i]);
    if (scaler() != nullptr && !state.scaler.is_none())
        scaler()->load_state_dict(state.scaler);
    for (std::size_t i = 0; i < impl_->custom.size(); ++i)
        impl_->custom[i]->load_state_dict(state.custom.at(i));
    if (!state.random.is_none()) {
        checkpoint::restore_random_state(state.random);
        if (const Tree* saved_step = state.random.find("step"); saved_step != nullptr)
            flow().set_step(saved_step->as_integer());
        impl_->random_carried = state.random;
    }
    const std::int64_t number = state.iteration >= 0 ? state.iteration : checkpoint::checkpoint_number(source);
    if (number >= 0)
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

std::vector<std::string> Accelerator::save_weights(const NamedTensors& weights, const std::filesystem::path& folder,
                                                   const std::string& max_shard_size, bool safe_serialization) {
    const bool writes = impl_->options.project.save_on_each_node ? is_local_main_process() : is_main_process();
    if (!writes)
        return {};
    return checkpoint::save_model(weights, folder,
                                  {.max_shard_size = max_shard_size, .safe_serialization = safe_serialization})
        .warnings;
}

void Accelerator::save(const Tree& object, const std::filesystem::path& file) {
    const bool writes = impl_->options.project.save_on_each_node ? is_local_main_process() : is_main_process();
    if (writes)
        checkpoint::write_torch_file(
            file, object.map_tensors([](const at::Tensor& tensor) { return tensor.detach().cpu(); }));
}

std::vector<std::string> Accelerator::end_training() {
    std::vector<std::string> problems;
    if (impl_->trackers != nullptr) {
        impl_->trackers->finish();
        problems = impl_->trackers->take_problems();
    }
    wait_for_checkpoint();
    return problems;
}

}  // namespace trainyard::accelerator
