// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/check_resume.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "base/regular_file.h"
#include "checkpoint/files/manifest.h"
#include "config/inputs/model_folder.h"
#include "config/inputs/start_weights.h"
#include "config/inputs/stored_head.h"
#include "config/inputs/tokenizer_check.h"
#include "config/recipe/module_targets.h"
#include "formats/weights/dcp_folder.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/weight_source.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

Message shape_problem(const checkpoint::SavedParameter& parameter, const std::vector<std::int64_t>& stored) {
    return Message("{} has shape [{}] instead of [{}]", parameter.name, fmt::join(stored, ", "),
                   fmt::join(parameter.shape, ", "));
}

/// `wrong`: one message for each weight, at least one.
Message do_not_fit(const fs::path& folder, std::vector<Message> wrong) {
    constexpr std::size_t kMostWrong = 3;
    if (wrong.size() > kMostWrong) {
        const Message more("and {} more", wrong.size() - kMostWrong);
        wrong.resize(kMostWrong);
        wrong.push_back(more);
    }
    return Message("the weights in {} do not fit: {}", folder.string(), Message::joined(wrong));
}

/// What the config.json of a folder says of another model than the recipe's; empty: nothing, or there is none.
Message other_model(const fs::path& folder, const config::ModelRecipe& model) {
    try {
        const fs::path file = config_file(folder);
        if (file.empty())
            return {};
        const families::ModelConfig stored = families::read_config(config_text(folder), file.string()).config;
        if (stored.model_type != model.model_type)
            return Message("{} is of a model of type {}, and the recipe's is {}: resume with the recipe of that run",
                           folder.string(), stored.model_type, model.model_type);
        if (stored.task != model.task)
            return Message(
                "{} is of a model that was trained as {}, and the recipe's is trained as {}: start from its "
                "weights alone with model.weights",
                folder.string(), stored.task, model.task);
    } catch (const UserError&) {
        return {};  // the weights say what is wrong
    }
    return {};
}

/// The parameters that a checkpoint of the trainer has: without frozen ones that a map or their format keeps apart, and
/// with those of adapters whose names follow from the recipe.
std::vector<checkpoint::SavedParameter> stored_parameters(const config::ModelRecipe& model) {
    std::vector<checkpoint::SavedParameter> parameters = parameters_of(model);
    const bool keeps_apart = !model.device_map.empty() || config::keeps_quantized(model);
    std::erase_if(parameters,
                  [&](const checkpoint::SavedParameter& parameter) { return keeps_apart && !parameter.trains; });
    if (model.lora.r > 0 && model.lora.target_parameters.empty())
        for (families::TensorShape& one : config::adapter_tensors(model))
            parameters.push_back({std::move(one.name), std::move(one.shape), true});
    return parameters;
}

/// Of a checkpoint of the trainer: another model than the recipe's, or adapters that only one of both has. What else
/// may be wrong with it is left to the ranks, which take an older one instead of a damaged one.
std::vector<Message> check_model(const fs::path& folder, const config::ModelRecipe& model) {
    if (!families::family_of(model).lists_tensors()) {
        const Message other = other_model(folder, model);
        return other.empty() ? std::vector<Message>() : std::vector{other};
    }
    std::map<std::string, std::vector<std::int64_t>> stored;
    try {
        const std::unique_ptr<weights::WeightSource> source = weights::open_weights(folder);
        for (const weights::SourceTensor& tensor : source->tensors())
            stored.emplace(tensor.name, tensor.shape);
    } catch (const UserError&) {
        return {};
    }
    std::vector<Message> wrong;
    for (const checkpoint::SavedParameter& parameter : stored_parameters(model))
        if (const auto found = stored.find(parameter.name); found == stored.end())
            wrong.push_back(Message("{} is missing", parameter.name));
        else if (found->second != parameter.shape)
            wrong.push_back(shape_problem(parameter, found->second));
    const auto adapter = std::ranges::find_if(stored, [](const auto& one) { return config::is_adapter(one.first); });
    const bool has_adapter = adapter != stored.end(), wants_adapter = model.lora.r > 0;
    if (wrong.empty() && (wants_adapter || !has_adapter))
        return {};
    if (const Message other = other_model(folder, model); !other.empty())
        return {other};
    if (has_adapter && !wants_adapter)
        return {
            Message("{} is of a training of adapters ({}), and the recipe has none: set lora.r as it was there, or "
                    "merge them (trainyard merge-adapter) and start from the result with model.weights",
                    folder.string(), adapter->first)};
    if (!has_adapter && wants_adapter)
        return {
            Message("{} is of a training without adapters, and lora.r is {}: start from its weights with "
                    "model.weights, or set lora.r to 0",
                    folder.string(), model.lora.r)};
    return {do_not_fit(folder, std::move(wrong))};
}

void check_saved_weights(const fs::path& folder, const config::ModelRecipe& model,
                         const std::vector<checkpoint::SavedParameter>& parameters, std::vector<Message>& problems) {
    const families::Family& family = families::family_of(model);
    const std::string head = family.head_name(),
                      tied_name = model.tie_word_embeddings ? tied_table(model) : std::string();
    const std::unique_ptr<weights::WeightSource> source = weights::open_weights(folder);
    if (weights::has_joined_experts(*source)) {
        problems.push_back(
            Message("{} has the experts of a block in two tensors, as transformers 5 computes with them, and "
                    "optimizer state of these is not read: start from the weights alone with model.weights",
                    folder.string()));
        return;
    }
    const std::vector<weights::SourceTensor>& tensors = source->tensors();
    std::map<std::string, std::size_t> stored;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        stored.emplace(tensors[i].name, i);
    std::vector<Message> wrong;
    for (const checkpoint::SavedParameter& parameter : parameters) {
        const auto found = stored.find(parameter.name);
        if (found == stored.end())
            wrong.push_back(Message("{} is missing", parameter.name));
        else if (tensors[found->second].shape != parameter.shape)
            wrong.push_back(shape_problem(parameter, tensors[found->second].shape));
    }
    for (const auto& [name, tensor] : stored) {
        if (std::ranges::find(parameters, name, &checkpoint::SavedParameter::name) != parameters.end() ||
            family.is_constant(name))
            continue;
        const auto tied = stored.find(tied_name);
        if (name == head && tied != stored.end() && equal_tensors(*source, tensor, tied->second))
            continue;  // a second name of the same weight
        wrong.push_back(name == head ? Message("{} is a weight of its own there, the recipe's model ties it "
                                               "to {}: set model.tie_word_embeddings to false",
                                               head, tied_name)
                                     : Message("{} is not part of the recipe's model", name));
    }
    if (!wrong.empty())
        problems.push_back(do_not_fit(folder, std::move(wrong)));
}

/// Names of the states in an optimizer's files (exp_avg); empty: the manifest does not name them.
std::set<std::string> stored_states(const fs::path& folder) {
    std::set<std::string> states;
    try {
        for (const auto& [file, record] : checkpoint::read_manifest(folder).files)
            if (file.starts_with("optimizer"))
                for (const auto& [tensor, hash] : record.tensors)
                    states.insert(tensor.substr(0, tensor.find('.')));
    } catch (const UserError&) {
        return {};  // the ranks report a damaged one
    }
    std::erase_if(states, config::is_beside_states);
    return states;
}

/// Those that the recipe's optimizer keeps of what the model trains.
std::set<std::string> states_of_recipe(const config::Recipe& recipe, const config::ModelRecipe& model) {
    std::vector<Problem> problems;  // the recipe was checked
    const config::OptimizerPlan plan = config::make_optimizer_plan(recipe.optimizer, problems);
    std::set<std::string> states;
    for (const checkpoint::SavedParameter& parameter : stored_parameters(model)) {
        if (!parameter.trains)
            continue;
        const std::size_t group = plan.group_of(parameter.name, parameter.shape);
        for (const config::OptimizerState& state :
             config::states_of(plan.settings_of(group, parameter.shape), parameter.shape))
            states.insert(state.name);
    }
    std::erase_if(states, config::is_beside_states);
    return states;
}

/// How the states of a checkpoint's optimizer differ from those that the recipe's optimizer keeps.
struct OtherStates {
    std::vector<std::string> missing;  ///< only the recipe's optimizer keeps them
    std::vector<std::string> unused;   ///< only the checkpoint has them
    std::set<std::string> stored;
};

/// For a checkpoint of the trainer. Empty where the names do not follow from the recipe or are not known.
OtherStates other_states(const fs::path& folder, const config::Recipe& recipe, const config::ModelRecipe& model) {
    OtherStates other;
    if (!families::family_of(model).lists_tensors() || !model.lora.target_parameters.empty())
        return other;
    other.stored = stored_states(folder);
    const std::set<std::string> needed = states_of_recipe(recipe, model);
    if (other.stored.empty())
        return other;
    std::ranges::set_difference(needed, other.stored, std::back_inserter(other.missing));
    std::ranges::set_difference(other.stored, needed, std::back_inserter(other.unused));
    return other;
}

std::int64_t number_in_name(const fs::path& folder) {
    const std::string name = folder.filename().string();
    constexpr std::string_view kPrefix = "checkpoint_";
    if (!name.starts_with(kPrefix))
        return -1;
    return parse_number<std::int64_t>(std::string_view(name).substr(kPrefix.size())).value_or(-1);
}

/// Returns whether the folder has the file of an optimizer, or FSDP's folder of one.
bool is_save_state(const fs::path& folder) {
    std::error_code error;
    return (fs::exists(folder / "optimizer.bin", error) || weights::DcpFolder::is_one(folder / "optimizer_0")) &&
           !fs::exists(folder / "position.json", error);
}

}  // namespace

std::vector<checkpoint::SavedParameter> parameters_of(const config::ModelRecipe& model) {
    std::vector<checkpoint::SavedParameter> parameters;
    for (families::TensorShape& one : families::family_of(model).tensors(model)) {
        const bool trains = !config::is_frozen(model, one.name);
        parameters.push_back({std::move(one.name), std::move(one.shape), trains});
    }
    return parameters;
}

std::vector<Message> check_save_state(const fs::path& folder, const config::Recipe& recipe) {
    const config::ModelRecipe& model = recipe.model;
    const std::vector<checkpoint::SavedParameter> parameters = parameters_of(model);
    if (weights::DcpFolder::is_one(folder / "optimizer_0"))
        return {
            Message("the state of the optimizer in {} is in the parts of FSDP's ranks, which are not read: start from "
                    "the weights alone with model.weights",
                    folder.string())};
    std::vector<Message> problems;
    if (recipe.parallel.tp_size > 1)
        problems.push_back(Message(
            "ranks that share each layer (parallel.tp_size is {}) do not read {} of torch in parts: set it to 1, "
            "or start from the weights alone with model.weights",
            recipe.parallel.tp_size, (folder / "optimizer.bin").string()));
    auto attempt = [&](auto check) {
        try {
            check();
        } catch (const UserError& error) {
            problems.push_back(error.message());
        }
    };
    attempt([&] { check_saved_weights(folder, model, parameters, problems); });
    if (problems.empty())  // else the optimizer is one of other parameters, too
        attempt([&] { checkpoint::read_saved_optimizer(folder / "optimizer.bin", parameters, recipe.optimizer); });
    return problems;
}

fs::path checkpoint_to_resume(const fs::path& from) {
    std::error_code error;
    if (from.empty() || !fs::is_directory(from, error))
        return {};
    if (is_save_state(from) || fs::exists(from / "position.json", error))
        return from;
    for (const fs::path& above : {from, from / "checkpoints"}) {
        fs::path newest;
        for (const fs::directory_entry& entry : fs::directory_iterator(above, error))
            if (number_in_name(entry.path()) > number_in_name(newest))
                newest = entry.path();
        if (!newest.empty())
            return newest;
    }
    return {};
}

std::vector<Message> check_resume(const config::Recipe& recipe) {
    const fs::path folder = checkpoint_to_resume(recipe.checkpoint.resume_from);
    if (folder.empty())
        return {};
    std::vector<Message> problems;
    if (is_save_state(folder)) {
        problems = check_save_state(folder, recipe);
    } else {
        const config::ModelRecipe model = settle_model(recipe.model).model;
        problems = check_model(folder, model);
        const OtherStates other = problems.empty() ? other_states(folder, recipe, model) : OtherStates();
        if (!other.missing.empty())
            problems.push_back(Message(
                "{} has the state of another optimizer ({}), and {} needs {}: set the optimizer as it was "
                "there, or start from the weights alone with model.weights",
                folder.string(), fmt::join(other.stored, ", "), recipe.optimizer.name, fmt::join(other.missing, ", ")));
    }
    if (const Message difference = other_tokenizer(folder, recipe.data); !difference.empty())
        problems.push_back(
            Message("{} was trained with another tokenizer than data.tokenizer: {}. Set data.tokenizer to {}, or start "
                    "from its weights alone with model.weights",
                    folder.string(), difference, (folder / "tokenizer.json").string()));
    return problems;
}

Message note_on_optimizer(const config::Recipe& recipe) {
    const fs::path folder = checkpoint_to_resume(recipe.checkpoint.resume_from);
    if (folder.empty() || is_save_state(folder))
        return {};
    const OtherStates other = other_states(folder, recipe, settle_model(recipe.model).model);
    if (other.unused.empty())
        return {};
    return Message("{} has state of an optimizer that {} does not use, and that is left out: {}", folder.string(),
                   recipe.optimizer.name, fmt::join(other.unused, ", "));
}

std::vector<InputProblem> notes_on_files(const config::Recipe& recipe) {
    std::vector<InputProblem> notes{{"data.tokenizer", note_on_tokenizer(recipe)},
                                    {"optimizer.name", note_on_optimizer(recipe)}};
    std::erase_if(notes, [](const InputProblem& note) { return note.message.empty(); });
    return notes;
}

namespace {

/// A number of the position of the trainer's checkpoint that the recipe resumes from.
std::optional<std::int64_t> number_of_position(const config::Recipe& recipe, const char* key) {
    constexpr std::uint64_t kMostPositionBytes = 1u << 20;
    const fs::path folder = checkpoint_to_resume(recipe.checkpoint.resume_from);
    if (folder.empty())
        return std::nullopt;
    try {
        const auto position = parse_json(read_regular_file(folder / "position.json", kMostPositionBytes));
        return position.at(key).get<std::int64_t>();
    } catch (const UserError&) {
        return std::nullopt;  // not a checkpoint of the trainer
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;  // of an earlier version; the ranks report a damaged one
    }
}

}  // namespace

std::optional<std::int64_t> step_without_rest(const config::Recipe& recipe) {
    const std::optional<std::int64_t> step = number_of_position(recipe, "step");
    return step && *step >= recipe.training.steps ? step : std::nullopt;
}

std::int64_t found_batch_size(const config::Recipe& recipe) {
    constexpr std::int64_t kMost = 1 << 20;
    if (!recipe.training.auto_find_batch_size)
        return 0;
    return std::clamp<std::int64_t>(number_of_position(recipe, "batch_size").value_or(0), 0, kMost);
}

Message no_rest_message(std::int64_t step, std::int64_t steps) {
    return Message(
        "nothing is left to train: the checkpoint is of step {} of {}; its state is saved here, and training.steps "
        "makes the run longer",
        step, steps);
}

}  // namespace trainyard::inputs
