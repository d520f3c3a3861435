// trainyard estimate-memory MODEL: what a model takes to load and to train, from its configuration alone.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "config/recipe.h"
#include "estimate/loading_memory.h"
#include "estimate/training_memory.h"
#include "inputs/start_weights.h"

namespace trainyard::cli {

namespace {

struct EstimateArguments {
    std::string model;
    std::vector<std::string> dtypes = estimate::kDtypes;
    std::string library = "transformers";
    bool trust_remote_code = false;
    bool json = false;
};

struct Estimated {
    estimate::ModelSize size;
    std::optional<estimate::MemoryEstimate> recipe;  ///< of a rank that trains the recipe
};

Estimated estimate_model(const std::string& model) {
    fs::path path = model;
    std::error_code error;
    if (fs::is_directory(path, error)) {
        path /= "config.json";
        if (!fs::exists(path, error))
            throw UserError(fmt::format("{} has no config.json: name the folder of a Hugging Face model", model));
    }
    if (!fs::exists(path, error))
        throw UserError(fmt::format(
            "{} is no file or folder here: name a recipe, a config.json or the folder of a model (models are "
            "not fetched from the hub)",
            model));
    if (path.extension() == ".yaml" || path.extension() == ".yml") {
        config::Recipe recipe = config::load_recipe(path);
        recipe.model = inputs::settle_model(recipe.model).model;
        return {estimate::model_size(recipe.model), estimate::estimate_memory(recipe)};
    }
    return {estimate::model_size(read_file(path), path.string()), std::nullopt};
}

nlohmann::ordered_json to_json(const EstimateArguments& arguments, const Estimated& estimated,
                               const std::vector<estimate::DtypeRow>& rows) {
    const estimate::ModelSize& size = estimated.size;
    nlohmann::ordered_json json{{"model", arguments.model},
                                {"class", size.model_class},
                                {"parameter_count", size.parameter_count},
                                {"total_bytes", size.total_bytes},
                                {"largest_layer", {{"bytes", size.largest_layer}, {"names", size.layers}}},
                                {"tied", size.tied}};
    for (const estimate::DtypeRow& row : rows) {
        nlohmann::ordered_json entry{{"largest_layer", row.largest_layer}, {"total", row.total}};
        if (row.trainable)
            entry["training"] = {
                {"model", row.weights}, {"gradients", row.gradients}, {"optimizer", row.optimizer}, {"step", row.step}};
        json["rows"][row.dtype] = entry;
    }
    if (estimated.recipe)
        json["recipe"] = nlohmann::ordered_json::parse(estimate::to_json(*estimated.recipe))["predicted"];
    return json;
}

int print_estimate(const EstimateArguments& arguments) {
    if (arguments.library != "transformers")
        throw UserError(
            fmt::format("--library_name {}: this version estimates models of transformers only", arguments.library));
    Estimated estimated = estimate_model(arguments.model);
    std::vector<estimate::DtypeRow> rows;
    for (const std::string& dtype : arguments.dtypes)
        rows.push_back(estimate::dtype_row(estimated.size, dtype));
    if (arguments.json) {
        std::printf("%s\n", to_json(arguments, estimated, rows).dump(2).c_str());
        return kExitDone;
    }
    for (const std::string& line : estimate::loading_table(arguments.model, rows))
        std::printf("%s\n", line.c_str());
    if (estimated.recipe)
        std::printf("Training this recipe takes about %s per rank, batch and activations included.\n",
                    text::memory_size(estimated.recipe->total()).c_str());
    return kExitDone;
}

}  // namespace

void add_estimate_memory(CLI::App& app, Action& chosen) {
    auto arguments = std::make_shared<EstimateArguments>();
    CLI::App* command = app.add_subcommand("estimate-memory", "Memory to load and to train a model");
    command->add_option("model_name", arguments->model, "A config.json, the folder of a model, or a recipe")
        ->required();
    command->add_option("--dtypes", arguments->dtypes, "float32 float16 int8 int4, in the order to show [all]")
        ->expected(1, 16);
    command->add_option("--library_name", arguments->library, "transformers or timm")
        ->check(CLI::IsMember({"transformers", "timm"}));
    command->add_flag("--trust_remote_code", arguments->trust_remote_code,
                      "Accelerate's flag; without effect, no code of a model is ever run");
    command->add_flag("--json", arguments->json, "For programs");
    command->callback([arguments, &chosen] { chosen = [arguments] { return print_estimate(*arguments); }; });
}

}  // namespace trainyard::cli
