// Trainer: where training starts, and what is kept of it.

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include <ATen/ops/full.h>

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/manifest.h"
#include "parallel/fingerprint.h"
#include "train/hook_state.h"
#include "train/trainer.h"

namespace trainyard::train {

std::string Trainer::start() {
    check_same_on_all_ranks();
    std::string text = recipe_.checkpoint.resume_from.empty() ? begin() : resume();
    std::int64_t every = recipe_.checkpoint.every;
    if (recipe_.checkpoint.background && every > 0 && position_.step / every * every + every < recipe_.training.steps &&
        mesh_.rank() == 0)
        saver().prepare(content());
    return text;
}

std::string Trainer::begin() {
    arena_->initialise(recipe_.training.seed);
    std::string text = "started from random weights, seed " + std::to_string(recipe_.training.seed);
    if (!recipe_.model.weights.empty()) {
        checkpoint::load_weights(recipe_.model.weights, content().weights);
        arena_->refresh_compute();
        text = "started from the weights in " + recipe_.model.weights;
    }
    begin_average();
    return text;
}

void Trainer::begin_average() {
    if (recipe_.training.ema_decay == 0)
        return;
    // The average of a frozen weight is that weight.
    average_ = std::make_unique<WeightAverage>(trained_weights(), exponential(recipe_.training.ema_decay));
}

std::string Trainer::resume_from_accelerate(const std::filesystem::path& folder) {
    checkpoint::Expected expected;
    expected.models = expected.optimizers = 1;
    expected.scaler = scaler_.enabled();
    expected.rank = mesh_.rank();
    expected.world_size = mesh_.world_size();
    checkpoint::TrainingState stored = checkpoint::load_state(folder, expected).state;
    // Its optimizer counts parameters in the order of the model, tied ones once: the order of our units.
    std::string problems;
    std::int64_t steps = 0, number = 0;
    struct Moment {
        at::Tensor from, to;
    };
    std::vector<Moment> moments;
    const Tree& state = stored.optimizers[0].at("state");
    for (const parallel::Unit* unit : model_->units())
        for (const parallel::Parameter* parameter : unit->parameters()) {
            const Tree* own = state.find(TreeKey(number++));
            if (own == nullptr || !parameter->trains())
                continue;  // without a gradient: its moments are zero, or none
            const Tree& step = own->at("step");
            steps = std::max(
                steps, static_cast<std::int64_t>(step.is_tensor() ? step.as_tensor().item<double>() : step.as_real()));
            for (auto [key, buffer] :
                 {std::pair("exp_avg", &optimizer_->exp_avg()), std::pair("exp_avg_sq", &optimizer_->exp_avg_sq())}) {
                at::Tensor from = own->at(key).as_tensor(), to = arena_->view(*buffer, *parameter);
                if (from.sizes() != to.sizes())
                    problems += (problems.empty() ? "" : "; ") + (key + (" of " + parameter->name())) + " has shape " +
                                c10::str(from.sizes()) + " instead of " + c10::str(to.sizes());
                moments.push_back({from, to});
            }
        }
    if (!problems.empty())
        throw UserError((folder / "optimizer.bin").string() + " does not fit this model: " + problems);
    checkpoint::copy_model(stored.models[0], weights(), folder.string(), false);
    for (Moment& moment : moments)
        if (moment.from.sizes() == moment.to.sizes())
            moment.to.copy_(moment.from);
    if (scaler_.enabled() && !stored.scaler.is_none())
        scaler_.load_state_dict(stored.scaler);
    // Its place in its own data means nothing here: as many samples count as seen as these steps take of ours.
    position_.step = steps;
    position_.samples = steps * data_->samples_per_step();
    position_.tokens = position_.samples * recipe_.data.sequence_length;
    steps_done_ = steps;
    arena_->refresh_compute();
    begin_average();
    load_own_state({});
    optimizer_->set_step(updates_);
    return "resumed from Accelerate's " + folder.string() + " at step " + std::to_string(position_.step);
}

void Trainer::compare_batch(const std::filesystem::path& folder, const checkpoint::Position& stored) {
    std::int64_t before = stored.samples_per_step;
    if (before == 0 && stored.step > 0 && stored.samples % stored.step == 0)  // of an earlier version
        before = stored.samples / stored.step;
    const std::int64_t now = data_->samples_per_step();
    if (before == 0 || before == now)
        return;
    start_notices_.push_back(
        {"warning", "the global batch changes from " + std::to_string(before) + " samples a step, in " +
                        folder.filename().string() + " (" + checkpoint::read_manifest(folder).mesh + "), to " +
                        std::to_string(now) + " on " + mesh_.describe() +
                        ", with the learning rate as it was: to keep it, start with --set training.global_batch_size=" +
                        std::to_string(before)});
}

std::string Trainer::resume() {
    std::vector<std::string> notes;
    const std::filesystem::path folder = checkpoint::find(recipe_.checkpoint.resume_from, &notes);
    for (std::string& note : notes)
        start_notices_.push_back({"warning", std::move(note)});
    if (checkpoint::is_save_state_folder(folder))
        return resume_from_accelerate(folder);
    checkpoint::Position stored = checkpoint::load(folder, content());
    if (stored.training_blocks != position_.training_blocks)
        throw UserError("cannot resume from " + folder.string() + ": its data had " +
                        std::to_string(stored.training_blocks) + " training blocks, data.path has " +
                        std::to_string(position_.training_blocks) +
                        ": give the same data, or start from model.weights");
    if (stored.seed != position_.seed)
        throw UserError("cannot resume from " + folder.string() + ": it was trained with seed " +
                        std::to_string(stored.seed) + ": set training.seed to it, or start from model.weights");
    compare_batch(folder, stored);
    const std::int64_t samples_per_step = position_.samples_per_step;
    position_ = stored;
    position_.samples_per_step = samples_per_step;
    steps_done_ = position_.step;
    arena_->refresh_compute();
    begin_average();
    load_own_state(checkpoint::load_trainer(folder));
    optimizer_->set_step(updates_);
    std::string anew = sync_ ? load_hook(sync_->hook(), folder, recipe_.parallel, mesh_.data()) : "";
    return "resumed from " + folder.string() + " at step " + std::to_string(position_.step) +
           (anew.empty() ? "" : "; " + anew);
}

Tree Trainer::own_state() const {
    Tree state = Tree::dict({{"updates", updates_}, {"rates", rates_.state_dict()}, {"health", health_.state_dict()}});
    if (validation_loss_)
        state.set("validation_loss", *validation_loss_);
    if (scaler_.enabled())
        state.set("scaler", scaler_.state_dict());
    if (average_)
        state.set("average", average_->state_dict());
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
    // What the recipe wants and the checkpoint lacks begins here.
    if (const Tree* scaler = state.find("scaler"); scaler != nullptr && scaler_.enabled())
        scaler_.load_state_dict(*scaler);
    if (const Tree* health = state.find("health"))
        health_.load_state_dict(*health);
    if (const Tree* loss = state.find("validation_loss"))
        validation_loss_ = loss->as_real();
    if (const Tree* average = state.find("average"); average != nullptr && average_)
        load_average(*average);
}

void Trainer::load_average(const Tree& stored) {
    Tree average = Tree::dict();
    for (const auto& [name, weight] : trained_weights()) {
        const Tree* tensor =
            stored.at("average").find(name);  // none of what was frozen then: its average is the weight
        average.set(name, tensor != nullptr ? *tensor : Tree(weight.clone()));
    }
    average_->load_state_dict(Tree::dict(
        {{"calls", stored.at("calls")}, {"averaged", stored.at("averaged")}, {"average", std::move(average)}}));
}

void Trainer::check_same_on_all_ranks() {
    parallel::Communicator& everyone = mesh_.everyone();
    if (everyone.size() == 1)
        return;
    parallel::Description mine = parallel::describe_tensors(weights());
    mine.emplace_back("samples per step", std::to_string(data_->samples_per_step()));
    mine.emplace_back("training samples", std::to_string(data_->training_blocks()));
    mine.emplace_back("mixed precision", recipe_.training.mixed_precision);
    parallel::check_same_on_all_ranks(everyone, mine, "the model, batch or data set");
}

NamedTensors Trainer::weights() const {
    NamedTensors result;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            result.emplace_back(parameter->name(), parameter->value());
    return result;
}

NamedTensors Trainer::trained_weights() const {
    NamedTensors result;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            if (parameter->trains())
                result.emplace_back(parameter->name(), parameter->value());
    return result;
}

NamedTensors Trainer::gradients() const {
    NamedTensors result;
    for (const parallel::FlatGroup& group : arena_->groups())
        for (const parallel::Parameter* parameter : group.parameters())
            if (parameter->trains())
                result.emplace_back(parameter->name(), parameter->gradient());
    return result;
}

checkpoint::Content Trainer::content() const {
    checkpoint::Content content;
    for (const parallel::FlatGroup& group : arena_->groups()) {
        for (const parallel::Parameter* parameter : group.parameters()) {
            using checkpoint::LogicalTensor;
            content.weights.push_back(LogicalTensor::of_whole(parameter->name(), parameter->value()));
            if (!parameter->trains())
                continue;
            content.optimizer.push_back(LogicalTensor::of_whole("exp_avg." + parameter->name(),
                                                                arena_->view(optimizer_->exp_avg(), *parameter)));
            content.optimizer.push_back(LogicalTensor::of_whole("exp_avg_sq." + parameter->name(),
                                                                arena_->view(optimizer_->exp_avg_sq(), *parameter)));
        }
    }
    content.position = position_;
    content.config_json = model_->config_json();
    content.mesh = mesh_.describe();
    content.trainer = own_state();
    return content;
}

std::optional<checkpoint::FileToSave> Trainer::own_hook_file() const {
    return sync_ ? hook_file(sync_->hook(), recipe_.parallel, mesh_.data()) : std::nullopt;
}

checkpoint::Saver& Trainer::saver() {
    if (!saver_) {
        checkpoint::SaverOptions options;
        options.background = true;
        if (recipe_.checkpoint.keep_last > 0) {  // 0 keeps all
            options.retention.keep_last = recipe_.checkpoint.keep_last;
            options.retention.keep_best = recipe_.checkpoint.keep_best;
        }
        options.fence = fence_;
        options.on_result = [this](const checkpoint::SaveResult& result) {
            std::lock_guard lock(saves_mutex_);
            ended_saves_.push_back(result);
        };
        // Without files of their own, or a disk to write them to, the other ranks need not know of a save.
        bool together = one_disk_ && own_hook_file();
        saver_ = std::make_unique<checkpoint::Saver>(std::move(options), together ? &mesh_.everyone() : nullptr);
    }
    return *saver_;
}

bool Trainer::hand_to_saver(const std::filesystem::path& checkpoints, bool wait) {
    set_phase("save");
    std::optional<checkpoint::FileToSave> hook = own_hook_file();
    checkpoint::FilesToSave own;
    if (hook && !one_disk_)
        own = hook_files_on_first(std::move(*hook), mesh_.data());
    else if (hook)
        own.push_back(std::move(*hook));
    if (mesh_.rank() > 0 && own.empty())
        return false;
    checkpoint::SaveRequest request;
    request.folder = checkpoints / ("checkpoint_" + std::to_string(position_.step));
    if (mesh_.rank() == 0)
        request.files = checkpoint::files_of(content());
    std::ranges::move(own, std::back_inserter(request.files));
    request.number = position_.step;
    request.metric = validation_loss_;
    request.may_be_infinite = false;
    if (const std::int64_t bad = health_.non_finite_in_a_row(); bad > 0)
        request.not_good = bad == 1 ? "the step before it was not finite"
                                    : "the " + std::to_string(bad) + " steps before it were not finite";
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
    std::string problem;
    try {
        if (hand_to_saver(checkpoints, true)) {
            checkpoint::SaveResult result = saver().last_result().value();
            saved = {result.folder, result.bytes};
            problem = result.error;
        }
    } catch (const UserError& error) {
        problem = error.what();
    }
    at::Tensor failed = at::full({1}, problem.empty() ? 0.0 : 1.0, loss_sum_.options());
    mesh_.everyone().all_reduce(failed, "checkpoint saved").wait();
    if (!problem.empty())
        throw UserError(problem);
    if (failed.item<double>() > 0)
        throw UserError("another rank could not save the checkpoint");
    return saved;
}

}  // namespace trainyard::train
