// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/recipe_inputs.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/files/scratch_file.h"
#include "base/shared_library.h"
#include "base/text.h"
#include "config/inputs/adapter_config.h"
#include "config/inputs/adapter_file.h"
#include "config/inputs/answer_reader.h"
#include "config/inputs/byte_corpus.h"
#include "config/inputs/chat_tokens.h"
#include "config/inputs/class_reader.h"
#include "config/inputs/hub_files.h"
#include "config/inputs/image_processor.h"
#include "config/inputs/masks.h"
#include "config/inputs/sound_processor.h"
#include "config/inputs/start_weights.h"
#include "config/inputs/table_columns.h"
#include "config/inputs/text_tokens.h"
#include "config/inputs/token_check.h"
#include "config/recipe/device_places.h"
#include "config/recipe/memory_checks.h"
#include "config/recipe/module_targets.h"
#include "formats/tables/table_set.h"
#include "formats/tables/text_check.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostText = 256ull << 20;  ///< bytes of text that are looked through
constexpr std::size_t kFilesBeforeStart = 64;      ///< recordings whose headers are read
constexpr std::int64_t kChatsBeforeStart = 200;    ///< conversations that are written and tokenized
constexpr std::int64_t kMostRows = 20'000;         ///< whose classes and tokens are looked at: a part of a second

/// The first fault of each file, of those that fit in kMostText.
void check_encoding(const std::vector<fs::path>& files, formats::RecordKind kind, std::vector<InputProblem>& problems) {
    std::uint64_t left = kMostText;
    for (const fs::path& file : files) {
        if (const auto fault = formats::first_text_fault(file, kind, left); !fault.empty())
            problems.push_back({"data.path", fault});
        std::error_code error;
        left -= std::min<std::uint64_t>(left, fs::file_size(file, error));
    }
}

void check_tables(const config::Recipe& recipe, std::vector<InputProblem>& problems) {
    const std::vector<fs::path> files = corpus_files(recipe.data);
    TableColumns columns = choose_columns(recipe.data, recipe.model.task, recipe.model.loss, files);
    const bool skips = recipe.data.on_corrupt == config::OnCorrupt::skip;
    if (skips)
        columns.options.on_corrupt = [](const formats::CorruptRows&) {};
    formats::TableSet(files, columns.options);
    const std::string& format = columns.options.format;
    if (!skips && (format == "text" || format == "csv" || format == "json_lines"))
        check_encoding(files, format == "csv" ? formats::RecordKind::csv : formats::RecordKind::lines, problems);
}

void check_text(const config::Recipe& recipe, std::int64_t world_size, std::vector<InputProblem>& problems) {
    const inputs::ByteCorpus corpus(recipe.data);
    if (recipe.data.on_corrupt != config::OnCorrupt::keep)
        check_encoding(corpus_files(recipe.data), formats::RecordKind::lines, problems);
    std::int64_t needed = 0;
    if (__builtin_mul_overflow(recipe.training.batch_size, world_size, &needed) || corpus.training_blocks() < needed)
        problems.push_back(
            {"data.path",
             Message("the text has {} of {} bytes to train on, too few for one batch of {} on {}: add text, lower "
                     "training.batch_size or data.validation_fraction",
                     text::samples(corpus.training_blocks()), recipe.data.sequence_length, recipe.training.batch_size,
                     text::ranks(world_size))});
    if (recipe.training.evaluate_every > 0 && corpus.validation_blocks() == 0)
        problems.push_back({"data.validation_fraction",
                            "the text is too short to hold a sample out for evaluation: add text or set "
                            "training.evaluate_every to 0"});
    if (recipe.model.vocab_size < 256)
        if (int largest = corpus.largest_byte(); largest >= recipe.model.vocab_size)
            problems.push_back(
                {"model.vocab_size", Message("the text holds the byte {}, so vocab_size must be at least {} "
                                             "(256 takes any text), not {}",
                                             largest, largest + 1, recipe.model.vocab_size)});
}

/// Formats for texts would train on the syntax of a file of rows.
void check_file_endings(const config::DataRecipe& data, std::vector<InputProblem>& problems) {
    std::error_code error;
    for (const std::string& path : data.paths)
        if (const std::string format = row_format_by_ending(path);
            !format.empty() && fs::is_regular_file(path, error)) {
            problems.push_back({"data.format", Message("{} would train on the syntax of {} instead of on its rows: set "
                                                       "data.format to {}, or rename the file to train on its text",
                                                       data.format, path, format)});
            return;
        }
}

/// A Megatron set consists of two files with a common prefix.
void check_megatron(const config::DataRecipe& data, std::vector<InputProblem>& problems) {
    if (data.paths.empty())
        problems.push_back({"data.path", "missing: name the sets to train on"});
    for (const std::string& path : data.paths) {
        fs::path prefix = path;
        if (prefix.extension() == ".bin" || prefix.extension() == ".idx")
            prefix.replace_extension();
        std::error_code error;
        for (const char* ending : {".bin", ".idx"})
            if (fs::path file = prefix.string() + ending; !fs::exists(file, error))
                problems.push_back({"data.path", Message("{} does not exist", file.string())});
    }
}

/// A map that is given must leave what is trained in memory; one that is made (auto, disk) is of the others alone.
void check_device_map(const config::ModelRecipe& model, std::vector<InputProblem>& problems) {
    if (!config::is_device_map_file(model.device_map))
        return;
    const config::DeviceMap map = config::read_device_map(model.device_map);
    for (const auto& [name, place] : map)
        if (place != "cpu" && place != "disk") {
            problems.push_back({"model.device_map", config::frozen_weights_elsewhere(name, place)});
            return;
        }
    for (const families::TensorShape& tensor : families::family_of(model).tensors(model)) {
        const auto place = config::place_in(map, tensor.name);
        if (config::is_frozen(model, tensor.name) || place == map.end() || place->second == "cpu")
            continue;
        problems.push_back(
            {"model.device_map", Message("it puts {} on {}, and it is trained: what is trained stays in memory, "
                                         "so put it on cpu, or freeze it",
                                         tensor.name, place->second)});
        return;
    }
}

/// What adapter_config.json says of how much the adapter adds.
void compare_adapter(const config::LoraRecipe& lora, const fs::path& described, std::vector<InputProblem>& problems) {
    const AdapterConfig config = read_adapter_config(described.parent_path());
    if (config.start != AdapterConfig::Start::unchanged)
        problems.push_back({"lora.adapter", Message("{} has init_lora_weights '{}', so it was trained beside changed "
                                                    "weights: convert the adapter with PEFT "
                                                    "(path_initial_model_for_weight_conversion of save_pretrained)",
                                                    described.string(), config.init_lora_weights)});
    if (!config.exceptions.rank_pattern.empty() || !config.exceptions.alpha_pattern.empty())
        problems.push_back({"lora.adapter", Message("{} has a rank_pattern or an alpha_pattern, which "
                                                    "recipes lack: merge the adapter first (trainyard "
                                                    "merge-adapter)",
                                                    described.string())});
    const auto compare = [&](const char* key, const auto& mine, const auto& its) {
        if (mine != its)
            problems.push_back({key, Message("is {}, and {}, which describes lora.adapter, has {}: give the "
                                             "same value",
                                             mine, described.string(), its)});
    };
    compare("lora.r", lora.r, config.lora.r);
    compare("lora.lora_alpha", lora.lora_alpha, config.lora.lora_alpha);
    compare("lora.use_rslora", lora.use_rslora, config.lora.use_rslora);
}

/// The tensors of an adapter's file, as far as their names follow from the recipe.
void check_adapter_tensors(const config::ModelRecipe& model, const fs::path& file) {
    if (!model.lora.target_parameters.empty() || !families::family_of(model).lists_tensors())
        return;
    std::vector<AdapterTarget> wanted, others;
    for (families::TensorShape& one : config::adapter_tensors(model))
        wanted.push_back({std::move(one.name), std::move(one.shape)});
    for (families::TensorShape& one : families::family_of(model).tensors(model))
        (config::is_of_adapter_file(model, one.name) ? wanted : others)
            .push_back({std::move(one.name), std::move(one.shape)});
    AdapterFile(file).match_to_train(wanted, others, model);
}

/// An adapter that training continues adds as much as before, and to the same weights.
void check_adapter(const config::ModelRecipe& model, bool model_is_known, std::vector<InputProblem>& problems) {
    const config::LoraRecipe& lora = model.lora;
    const std::size_t before = problems.size();
    std::error_code error;
    const bool is_folder = fs::is_directory(lora.adapter, error);
    const fs::path file = is_folder ? adapter_file_in(lora.adapter) : fs::path(lora.adapter);
    if (!fs::is_regular_file(file, error)) {
        problems.push_back({"lora.adapter", Message("{} is not there: name a folder of PEFT's layout, with "
                                                    "adapter_model.safetensors",
                                                    file.string())});
        return;
    }
    const fs::path described = file.parent_path() / "adapter_config.json";
    if (fs::exists(described, error))
        compare_adapter(lora, described, problems);
    if (problems.size() == before && model_is_known)
        check_adapter_tensors(model, file);
}

template <class Check>
void collect(const char* key, std::vector<InputProblem>& problems, Check check) {
    try {
        check();
    } catch (const InvalidInput& error) {
        for (const Problem& problem : error.problems())
            problems.push_back({problem.key.empty() ? key : problem.key, problem.message});
    } catch (const UserError& error) {
        problems.push_back({key, error.message()});
    }
}

}  // namespace

std::vector<InputProblem> check_recipe_inputs(const config::Recipe& given, std::int64_t world_size) {
    std::vector<InputProblem> problems;
    config::Recipe recipe = given;
    if (has_hub_names(given)) {
        problems = settle_hub_names(recipe, nullptr);
        return problems.empty() ? check_recipe_inputs(recipe, world_size) : problems;
    }
    // A checkpoint contains its own weights.
    const bool starts_from_weights = !given.model.weights.empty() && given.checkpoint.resume_from.empty();
    SettledModel settled = settle_model_of(recipe);
    if (starts_from_weights)
        problems = std::move(settled.problems);
    if (settled.model.written.keys !=
        given.model.written.keys)  // values that come from config.json have not been checked yet
        for (Problem& problem : config::check_recipe(recipe))
            problems.push_back({std::move(problem.key), std::move(problem.message)});
    const bool model_is_known = problems.empty();
    collect("training.global_batch_size", problems, [&] { recipe = config::on_ranks(recipe, world_size); });
    for (const std::string& file : recipe.plugins)
        if (Message problem = why_no_shared_library(file); !problem.empty())
            problems.push_back({"plugins", std::move(problem)});
    if (!recipe.model.script.empty() && !fs::is_regular_file(recipe.model.script))
        problems.push_back(
            {"model.script", Message("{} does not exist or is not a file: give the file that torch.jit.save wrote",
                                     recipe.model.script)});
    const bool reads_files = recipe.data.plugin.empty();  // a plug-in reads its own data, on the ranks
    if (reads_files && is_one_of(recipe.data.format, {config::DataFormat::bytes, config::DataFormat::text}) &&
        recipe.data.on_corrupt != config::OnCorrupt::keep)
        check_file_endings(recipe.data, problems);
    if (reads_files && recipe.data.format == config::DataFormat::bytes)
        collect("data.path", problems, [&] { check_text(recipe, world_size, problems); });
    else if (reads_files && is_table_format(recipe.data.format))
        collect("data.path", problems, [&] { check_tables(recipe, problems); });
    else if (reads_files && recipe.data.format != config::DataFormat::megatron)
        collect("data.path", problems, [&] { inputs::corpus_files(recipe.data); });
    else if (reads_files)
        check_megatron(recipe.data, problems);
    if (!recipe.data.tokenizer.empty())
        collect("data.tokenizer", problems, [&] {
            if (const auto size = static_cast<std::int64_t>(TextTokens(recipe.data).vocabulary_size());
                size > recipe.model.vocab_size)
                problems.push_back(
                    {"model.vocab_size", Message("{} has {} tokens, so vocab_size must be at least {}, not {}",
                                                 recipe.data.tokenizer, size, size, recipe.model.vocab_size)});
            if (recipe.model.task != families::kMaskedLm)
                return;
            const auto tokenizer = tokenizers::Tokenizer::from_file(tokenizer_file(recipe.data));
            if (!tokenizer.id_of("[MASK]") && !tokenizer.id_of("<mask>"))
                problems.push_back({"data.tokenizer", Message("{} has no [MASK] or <mask>, which masked_lm needs: take "
                                                              "the tokenizer of a masked language model",
                                                              recipe.data.tokenizer)});
        });
    if (reads_files && is_table_format(recipe.data.format) && model_is_known && problems.empty())
        collect("data.path", problems, [&] {
            if (has_classes(recipe))
                if (Message problem = class_problem(recipe, kMostRows); !problem.empty())
                    problems.push_back({"data.label_column", std::move(problem)});
            if (recipe.model.task == families::kQuestionAnswering)
                if (Message problem = answer_problem(recipe, kMostRows); !problem.empty())
                    problems.push_back({"data.label_column", std::move(problem)});
            if (reads_tokens(recipe))
                if (auto problem = token_problem(recipe, kMostRows))
                    problems.push_back(std::move(*problem));
        });
    if (reads_files && recipe.data.chat != config::ChatFormat::no && model_is_known && problems.empty())
        collect("data.chat", problems, [&] {
            if (Message problem = chat_problem(recipe, kChatsBeforeStart); !problem.empty())
                problems.push_back({"data.column", std::move(problem)});
        });
    if (!recipe.model.lora.adapter.empty())
        collect("lora.adapter", problems, [&] { check_adapter(recipe.model, model_is_known, problems); });
    if (model_is_known && families::reads_images(recipe.model.task))
        collect("model.weights", problems, [&] { (void)image_processor_of(recipe); });
    if (model_is_known && problems.empty() && reads_files && recipe.model.task == families::kSemanticSegmentation)
        collect("data.mask_path", problems, [&] { check_masks(recipe); });
    if (model_is_known && problems.empty() && reads_files && recipe.data.format == config::DataFormat::audio)
        collect("data.path", problems,
                [&] { (void)find_recordings(recipe, sound_processor_of(recipe), kFilesBeforeStart); });
    if (starts_from_weights && model_is_known)
        collect("model.weights", problems,
                [&] { std::ranges::move(check_start_weights(recipe.model), std::back_inserter(problems)); });
    if (!recipe.model.device_map.empty() && model_is_known)
        collect("model.device_map", problems, [&] { check_device_map(recipe.model, problems); });
    for (const auto& [used, key, folder] :
         {std::tuple{recipe.offloads_optimizer(), "parallel.offload_optimizer_nvme_path",
                     recipe.parallel.offload_optimizer_nvme_path},
          {recipe.offloads_params(), "parallel.offload_param_nvme_path", recipe.parallel.offload_param_nvme_path}})
        if (Message problem = used ? files::why_no_scratch_file(folder) : Message(); !problem.empty())
            problems.push_back({key, std::move(problem)});
    std::error_code error;
    if (const std::string& from = recipe.checkpoint.resume_from; !from.empty() && !fs::is_directory(from, error))
        problems.push_back(
            {"checkpoint.resume_from", Message("{} is not a folder: give a checkpoint folder or a run folder", from)});
    return problems;
}

}  // namespace trainyard::inputs
