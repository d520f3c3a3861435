// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard estimate-memory MODEL: what a model takes to load and to train, from its configuration alone.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files/user_folders.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "cli/estimate_training.h"
#include "cli/say.h"
#include "config/inputs/start_weights.h"
#include "config/recipe/recipe.h"
#include "estimate/loading_memory.h"
#include "estimate/recipe_estimate.h"
#include "formats/hub/remote_model.h"
#include "formats/weights/timm_names.h"

namespace trainyard::cli {

namespace {

struct EstimateArguments {
    std::string model;
    std::vector<std::string> dtypes = estimate::kDtypes;
    std::string library;  ///< empty: the config.json says it
    bool trust_remote_code = false;
    bool json = false;
    TrainingFlags training;
};

bool is_recipe(const fs::path& path) {
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

/// A model's description, and what is known of its size.
struct FoundModel {
    fs::path path;  ///< a recipe, a config.json, weights, or a folder of them
    estimate::ModelSize size;
    std::unique_ptr<hub::RemoteModel> remote;  ///< whose files `path` is one of
};

/// Whether a config.json describes a model of timm; `library` is what the user says.
bool is_of_timm(const fs::path& config, const std::string& library) {
    return library == "timm" || (library.empty() && weights::is_timm_config(text::read_text_file(config)));
}

estimate::ModelSize size_of_model(const fs::path& path) {
    if (is_recipe(path)) {
        const config::ModelRecipe model = estimate::load_settled_recipe(path).model;
        estimate::ModelSize size = estimate::model_size(model);
        size.notes = inputs::notes_of_weights(model);
        return size;
    }
    if (path.extension() == ".json")
        return estimate::model_size(text::read_text_file(path), path.string());
    return estimate::model_size_of_file(path);
}

FoundModel find_on_hub(const std::string& name, const std::string& library) {
    FoundModel found{{}, {}, std::make_unique<hub::RemoteModel>(name)};
    bool timm = library == "timm";
    found.path = found.remote->describe([&](const fs::path& path) {
        const bool is_config = path.extension() == ".json";
        timm = timm || (is_config && is_of_timm(path, library));
        if (is_config && timm)  // describe() asks for the headers of the weights then
            throw UserError("{} is a model of timm, whose size follows from safetensors weights alone, and it has none",
                            name);
        found.size = is_config ? estimate::model_size(text::read_text_file(path), name)
                     : timm    ? estimate::timm_size_of_file(path)
                               : estimate::model_size_of_file(path);
    });
    return found;
}

FoundModel find_model(const std::string& model, const std::string& library) {
    const fs::path path = files::expand_home(model);
    std::error_code error;
    if (fs::exists(path, error)) {
        const bool described = fs::is_directory(path, error) && fs::exists(path / "config.json", error);
        FoundModel found{described ? path / "config.json" : path, {}, nullptr};
        const bool timm = described ? is_of_timm(found.path, library) : library == "timm" && !is_recipe(path);
        if (timm)
            found.path = path;
        found.size = timm ? estimate::timm_size_of_file(path) : size_of_model(found.path);
        return found;
    }
    if (const auto named = hub::parse_model_name(model))
        return find_on_hub(named->text(), library);
    throw UserError(
        "{} is not a file or folder here: name a recipe, a config.json, weights, the folder of a model, or a model on "
        "the hub, such as openai-community/gpt2",
        model);
}

TrainingEstimate training_of(const FoundModel& found, const EstimateArguments& arguments) {
    const std::string path = found.path.string();
    try {
        return estimate_training(path, arguments.training);
    } catch (const InvalidInput&) {
        throw;
    } catch (const UserError& error) {
        // The place of what was brought says nothing to the user, and is gone afterwards.
        throw UserError(text::replaced(error.message(), found.remote != nullptr ? path : "", arguments.model));
    }
}

nlohmann::ordered_json to_json(const EstimateArguments& arguments, const estimate::ModelSize& size,
                               const std::vector<estimate::DtypeRow>& rows,
                               const std::optional<TrainingEstimate>& training) {
    nlohmann::ordered_json json{{"model", arguments.model},
                                {"class", size.model_class},
                                {"parameter_count", size.parameter_count},
                                {"total_bytes", size.total_bytes},
                                {"largest_layer", {{"bytes", size.largest_layer}, {"names", size.layers}}},
                                {"tied", size.tied}};
    if (!size.notes.empty())
        json["notes"] = size.notes;
    for (const estimate::DtypeRow& row : rows) {
        nlohmann::ordered_json entry{{"largest_layer", row.largest_layer},
                                     {"total", row.total},
                                     {"inference_at_most", (1 + estimate::kInferenceShare) * row.total}};
        if (row.trainable)
            entry["training"] = {
                {"model", row.weights}, {"gradients", row.gradients}, {"optimizer", row.optimizer}, {"step", row.step}};
        json["rows"][row.dtype] = entry;
    }
    if (training)
        json["training"] = training_json(*training, arguments.training);
    return json;
}

int print_estimate(const EstimateArguments& arguments) {
    const FoundModel found = find_model(arguments.model, arguments.library);
    const auto& [path, size, remote] = found;
    std::optional<TrainingEstimate> training;
    if (is_recipe(path) || arguments.training.any())
        training = training_of(found, arguments);
    std::vector<estimate::DtypeRow> rows;
    for (const std::string& dtype : arguments.dtypes)
        rows.push_back(estimate::dtype_row(size, dtype));
    if (arguments.json) {
        std::printf("%s\n", json_text(to_json(arguments, size, rows, training), {.indent = 2}).c_str());
        return kExitDone;
    }
    for (const auto& note : size.notes)
        say(stderr, text::printable(note.text(), 1000));
    for (const std::string& line : estimate::loading_table(arguments.model, rows))
        std::printf("%s\n", line.c_str());
    for (const std::string& line : estimate::loading_hints(rows))
        std::printf("%s\n", line.c_str());
    if (training)
        for (const std::string& line : training_lines(*training, arguments.training))
            std::printf("%s\n", line.c_str());
    return kExitDone;
}

}  // namespace

void add_estimate_memory(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<EstimateArguments>();
    CLI::App* command = app.add_subcommand("estimate-memory", "Memory to load and to train a model");
    command
        ->add_option("model_name", arguments->model,
                     "A config.json, weights, the folder of a model, a recipe, or a model on the hub: org/name "
                     "(HF_ENDPOINT, HF_TOKEN)")
        ->required();
    command
        ->add_option("--dtypes", arguments->dtypes,
                     "float32 float16 bfloat16 fp8 int8 int4 nf4 nf4_double fp4, in the order to show [float32 float16 "
                     "int8 int4]")
        ->expected(1, 16);
    command
        ->add_option("--library_name", arguments->library,
                     "transformers or timm, where the config.json does not say it")
        ->check(CLI::IsMember({"transformers", "timm"}));
    command->add_flag("--trust_remote_code", arguments->trust_remote_code,
                      "Accelerate's flag; without effect, no code of a model is ever run");
    command->add_flag("--json", arguments->json, "For programs");
    add_training_flags(*command, arguments->training);
    command->callback([arguments, &chosen] { chosen = [arguments] { return print_estimate(*arguments); }; });
}

}  // namespace trainyard::cli
