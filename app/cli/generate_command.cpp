// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard generate, predict and merge-adapter: use a checkpoint, a transformers folder, or a run. Each replaces this
// process by trainyard-worker.

#include <cstdio>
#include <iostream>
#include <memory>
#include <sstream>
#include <vector>

#include <CLI/CLI.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files/user_folders.h"
#include "base/json_writer.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "cli/fetch_report.h"
#include "config/recipe/recipe.h"
#include "launch/supervisor/prepare.h"
#include "run/listing.h"
#include "run/paths.h"
#include "run/spec.h"

namespace trainyard::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

struct GenerateFlags {
    std::string model, tokenizer;
    std::vector<std::string> prompts, adapters;
    Json options = Json::object();
    Json placement = Json::object();
    std::vector<std::string> max_memory;
    int threads = 0, num_processes = 1;
    bool json = false, chat = false, batch = false;
    std::string system, logits_file;
    std::vector<std::string> texts, second_texts, images;  ///< of predict
    std::string mask;
    std::int64_t top = 5;
};

fs::path absolute_path(const std::string& path) {
    return fs::absolute(files::expand_home(path));
}

/// A folder, a model of the hub, which is downloaded if it is not in the cache, or a run by its id: its checkpoints,
/// and where they have no tokenizer the one that it was trained with.
fs::path folder_of(GenerateFlags& flags) {
    std::error_code error;
    if (fs::exists(files::expand_home(flags.model), error))
        return absolute_path(flags.model);
    if (hub::model_not_here(flags.model)) {
        FetchReport fetching;
        return hub::model_folder(flags.model, fetching.options());
    }
    const run::RunPaths run = run::find_run(run::runs_root(), flags.model);
    if (flags.tokenizer.empty())
        flags.tokenizer = run::read_spec(run.spec()).recipe.data.tokenizer;
    return run.root();
}

/// FOLDER or FOLDER=WEIGHT.
Json adapter_of(const std::string& given) {
    const std::size_t equals = given.rfind('=');
    double weight = 1;
    std::string path = given;
    if (equals != std::string::npos) {
        std::istringstream number(given.substr(equals + 1));
        if (!(number >> weight) || !number.eof())
            throw UserError("--adapter {}: the weight after = must be a number", given);
        path = given.substr(0, equals);
    }
    return {{"path", absolute_path(path).string()}, {"weight", weight}};
}

/// "cpu=200MB,0=10GiB", as often as given.
Json max_memory_of(const std::vector<std::string>& given) {
    Json limits = Json::object();
    for (const std::string& all : given) {
        std::istringstream parts(all);
        for (std::string part; std::getline(parts, part, ',');) {
            const std::size_t equals = part.find('=');
            if (equals == 0 || equals == std::string::npos || equals + 1 == part.size())
                throw UserError("--max-memory {}: give a size for each device, such as cpu=200MB or 0=10GiB,cpu=30GB",
                                all);
            limits[part.substr(0, equals)] = part.substr(equals + 1);
        }
    }
    return limits;
}

Json placement_of(const GenerateFlags& flags) {
    Json placement = flags.placement;
    if (!flags.max_memory.empty()) {
        placement["max_memory"] = max_memory_of(flags.max_memory);
        if (!placement.contains("device_map"))
            placement["device_map"] = "auto";
    }
    for (const char* path : {"offload_folder", "device_library", "compiled", "compiled_blocks"})
        if (placement.contains(path))
            placement[path] = absolute_path(placement[path].get<std::string>()).string();
    if (placement.contains("device_map"))
        if (const fs::path file = placement["device_map"].get<std::string>(); file.extension() == ".json")
            placement["device_map"] = absolute_path(file.string()).string();
    return placement;
}

Json model_of(GenerateFlags& flags) {
    Json first;
    first["model"] = folder_of(flags).string();
    first["tokenizer"] = flags.tokenizer.empty() ? "" : absolute_path(flags.tokenizer).string();
    first["adapters"] = Json::array();
    for (const std::string& adapter : flags.adapters)
        first["adapters"].push_back(adapter_of(adapter));
    first["placement"] = placement_of(flags);
    return first;
}

/// The requests are the worker's standard input, which this process becomes.
[[noreturn]] void become_worker(std::string mode, const std::string& requests) {
    const int file = ::memfd_create("requests", 0);
    if (file < 0 || ::write(file, requests.data(), requests.size()) != static_cast<ssize_t>(requests.size()) ||
        ::lseek(file, 0, SEEK_SET) != 0 || ::dup2(file, STDIN_FILENO) < 0)
        throw UserError("the requests cannot be handed to trainyard-worker: no memory");
    std::fflush(nullptr);
    std::string worker = launch::worker_path().string();
    char* const command[] = {worker.data(), mode.data(), nullptr};
    ::execv(worker.c_str(), command);
    throw UserError("{} cannot be started: build or install it", worker);
}

int generate(GenerateFlags& flags) {
    constexpr int kMostProcesses = 64;
    if (flags.num_processes < 1 || flags.num_processes > kMostProcesses)
        throw UserError("--num_processes {}: give 1 to {}", flags.num_processes, kMostProcesses);
    std::vector<std::string> prompts = flags.prompts;
    if (prompts.empty() || (prompts.size() == 1 && prompts.front() == "-")) {
        if (prompts.empty() && ::isatty(STDIN_FILENO) != 0)
            throw UserError("a prompt is missing: give --prompt TEXT, or write it to standard input");
        std::ostringstream all;
        all << std::cin.rdbuf();
        prompts = {std::string(text::checked_text(all.str(), "standard input"))};
    }
    for (const std::string& prompt : prompts)
        text::check_argument(prompt, "--prompt");
    Json first = model_of(flags);
    first["plain"] = !flags.json;
    first["threads"] = flags.threads;
    first["num_processes"] = flags.num_processes;
    std::string requests = json_text(first) + "\n";
    if (flags.batch || !flags.logits_file.empty()) {
        Json request = flags.options;
        request["prompts"] = prompts;
        if (!flags.logits_file.empty())
            request["logits_file"] = absolute_path(flags.logits_file).string();
        requests += json_text(request) + "\n";
        prompts.clear();
    }
    for (const std::string& prompt : prompts) {
        Json request = flags.options;
        if (!flags.chat)
            request["prompt"] = prompt;
        else if (flags.system.empty())
            request["messages"] = {{{"role", "user"}, {"content", prompt}}};
        else
            request["messages"] = {{{"role", "system"}, {"content", flags.system}},
                                   {{"role", "user"}, {"content", prompt}}};
        requests += json_text(request) + "\n";
    }
    become_worker("generate", requests);
}

/// Each text with the second text at its place; or images.
int predict(GenerateFlags& flags) {
    std::vector<std::string> texts = flags.texts;
    if (texts.empty() && flags.images.empty()) {
        if (::isatty(STDIN_FILENO) != 0)
            throw UserError(
                "a sample is missing: give --text TEXT or --image FILE, or write texts to standard input, one a line");
        std::ostringstream all;
        all << std::cin.rdbuf();
        const std::string checked(text::checked_text(all.str(), "standard input"));
        std::istringstream lines(checked);
        for (std::string line; std::getline(lines, line);)
            if (!line.empty())
                texts.push_back(line);
        if (texts.empty())
            throw UserError("standard input has no text: write one a line");
    }
    if (!texts.empty() && !flags.images.empty())
        throw UserError("--text and --image: a model reads either texts or images, so give one of both");
    if (!flags.second_texts.empty() && flags.second_texts.size() != texts.size())
        throw UserError("--second-text: {} are given for {} texts: give one for each", flags.second_texts.size(),
                        texts.size());
    if (!flags.mask.empty() && flags.images.size() != 1)
        throw UserError("--mask: a mask is written for one --image, and {} are given", flags.images.size());
    for (const auto& [given, flag] : {std::pair(&texts, "--text"), std::pair(&flags.second_texts, "--second-text")})
        for (const std::string& one : *given)
            text::check_argument(one, flag);
    Json first = model_of(flags);
    first["plain"] = !flags.json;
    first["threads"] = flags.threads;
    std::string requests = json_text(first) + "\n";
    const std::size_t samples = texts.size() + flags.images.size();
    for (std::size_t i = 0; i < samples; ++i) {
        Json request;
        if (i < texts.size())
            request["text"] = texts[i];
        else
            request["image"] = absolute_path(flags.images[i]).string();
        if (i < flags.second_texts.size())
            request["second"] = flags.second_texts[i];
        if (!flags.mask.empty())
            request["mask"] = absolute_path(flags.mask).string();
        request["top"] = flags.top;
        if (samples > 1)
            request["title"] = i < texts.size() ? texts[i] : flags.images[i];
        requests += json_text(request) + "\n";
    }
    become_worker("predict", requests);
}

/// Flags of models that are larger than a device's memory.
void add_placement(CLI::App& command, const std::shared_ptr<GenerateFlags>& flags) {
    const auto text = [&](const char* names, const char* key, const char* help) {
        command
            .add_option_function<std::string>(
                names, [flags, key](const std::string& value) { flags->placement[key] = value; }, help)
            ->group("Models larger than memory");
    };
    text("--device-map,--device_map", "device_map",
         "Devices for the weights: auto, balanced, balanced_low_0, sequential, a device (cpu, disk, 0, cuda:1), or a "
         "JSON file with a device map as in Accelerate; weights on disk are prefetched while the previous block "
         "computes (cpu)");
    command
        .add_option("--max-memory,--max_memory", flags->max_memory,
                    "Maximum memory per device for auto, balanced, balanced_low_0 and sequential: cpu=200MB or "
                    "0=10GiB,cpu=30GB (default: free memory)")
        ->take_all()
        ->expected(1)
        ->group("Models larger than memory");
    text("--offload-folder,--offload_folder", "offload_folder",
         "Folder for weights offloaded to disk that cannot be read from the model's files; not needed for safetensors");
    text("--dtype", "dtype", "Compute in float32, bfloat16, float16, or auto: the checkpoint's (float32)");
    text("--storage-dtype,--storage_dtype", "storage_dtype",
         "Layerwise casting: store matrices as float8_e4m3fn, float8_e5m2, bfloat16 or float16, and cast them for each "
         "use");
    text("--device", "accelerator", "Type of the devices that are given as numbers (cuda)");
    text("--device-library,--device_library", "device_library", "Library of a backend for another kind of accelerator");
    command
        .add_flag_function(
            "--offload-buffers,--offload_buffers",
            [flags](std::int64_t) { flags->placement["offload_buffers"] = true; },
            "Offload buffers together with their blocks")
        ->group("Models larger than memory");
    command
        .add_option_function<std::vector<std::string>>(
            "--no-split-module-classes,--no_split_module_classes",
            [flags](const std::vector<std::string>& names) { flags->placement["no_split_module_classes"] = names; },
            "Module classes that are kept on one device, in addition to the model's blocks")
        ->delimiter(',')
        ->group("Models larger than memory");
    if (command.get_name() == "predict")  // packages continue texts
        return;
    text(
        "--compiled", "compiled",
        "Compute with this AOTInductor package (.pt2) of the whole model, from token ids to logits. A package is code: "
        "give only one that you made or trust");
    text("--compiled-blocks,--compiled_blocks", "compiled_blocks",
         "Compute each block with this AOTInductor package (.pt2) of one of them");
}

void add_model(CLI::App& command, std::string& model) {
    command
        .add_option("model", model,
                    "Checkpoint or run folder, folder of transformers, a model of the hub (org/name, "
                    "hub:org/name@REVISION), or a run's id")
        ->required();
}

}  // namespace

void add_generate(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<GenerateFlags>();
    CLI::App* command = app.add_subcommand(
        "generate",
        "Continue texts with a model: a checkpoint, a folder of transformers, a model of the hub, or a run");
    add_model(*command, flags->model);
    CLI::Option* chat =
        command->add_flag("--chat", flags->chat,
                          "Each prompt is the first message of a conversation, written by the tokenizer's template");
    command->add_option("--system", flags->system, "System message of each conversation")->needs(chat);
    command->add_option("--prompt,-p", flags->prompts, "Prompt to continue; may be repeated; - or none: standard input")
        ->take_all()
        ->expected(1);
    command->add_option("--tokenizer", flags->tokenizer, "tokenizer.json, if the model's folder does not have one");
    command
        ->add_option("--adapter", flags->adapters,
                     "LoRA adapter in the PEFT format: FOLDER or FOLDER=WEIGHT; may be repeated")
        ->take_all()
        ->expected(1);
    const auto option = [&]<class T>(const char* name, T, const char* help) {
        command->add_option_function<T>(
            fmt::format("--{}", name), [flags, name](const T& value) { flags->options[name] = value; }, help);
    };
    command->footer(
        "Options that are not given have the values of the model's generation_config.json, or else those in "
        "parentheses.");
    option("max_new_tokens", std::int64_t{}, "Most new tokens (64)");
    command->add_flag_function(
        "--do_sample,!--no_do_sample", [flags](std::int64_t count) { flags->options["do_sample"] = count > 0; },
        "Sample from the token probabilities, or take the most likely token (--no_do_sample)");
    option("temperature", double{}, "Below 1, likely tokens become more likely (1)");
    option("top_k", std::int64_t{}, "Sample from this many of the most likely tokens (50); 0: all");
    option("top_p", double{}, "Sample from the most likely tokens whose probabilities add up to this value (1)");
    option("top_p_decay", double{}, "Factor of top_p from one token to the next, as in Megatron-LM (0: it stays)");
    option("top_p_bound", double{}, "Value that top_p does not fall below (0)");
    command->add_flag_function(
        "--add_bos,--add_BOS", [flags](std::int64_t) { flags->options["add_bos"] = true; },
        "Begin the prompt with the model's bos token, if it does not");
    option("repetition_penalty", double{}, "Above 1, tokens that occurred before become less likely (1)");
    option("num_beams", std::int64_t{}, "Number of beams of beam search (1)");
    option("length_penalty", double{}, "Beam search: above 0, longer texts are preferred (1)");
    command->add_flag_function(
        "--early_stopping", [flags](std::int64_t) { flags->options["early_stopping"] = true; },
        "Beam search: stop as soon as num_beams texts are complete");
    option("seed", std::uint64_t{}, "Random seed (0)");
    command
        ->add_flag("--batch", flags->batch,
                   "Continue all prompts together, padded and masked: each text is that of its prompt alone")
        ->excludes(chat);
    command
        ->add_option("--return_logits", flags->logits_file,
                     "Write the logits of every new token to this safetensors file: 0.tokens, 0.logits, 1.tokens ...; "
                     "continues all prompts together")
        ->excludes(chat);
    add_placement(*command, flags);
    command
        ->add_option("--num_processes,--num-processes", flags->num_processes,
                     "Processes that each hold and compute a part of the model's blocks (1)")
        ->group("Models larger than memory");
    command->add_option("--threads", flags->threads, "Threads of the processor (all)");
    command->add_flag("--json", flags->json, "One JSON object a line: ready, text, done");
    command->callback([flags, &chosen] {
        chosen = [flags] {
            // Options of sampling imply sampling.
            for (const char* draws : {"temperature", "top_k", "top_p", "top_p_decay"})
                if (flags->options.contains(draws) && !flags->options.contains("num_beams") &&
                    !flags->options.contains("do_sample"))
                    flags->options["do_sample"] = true;
            return generate(*flags);
        };
    });
}

void add_predict(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<GenerateFlags>();
    CLI::App* command = app.add_subcommand(
        "predict",
        "Show what a model finds in texts or images: classes of a text, its words, an image or its pixels, or the part "
        "of a text that answers a question");
    add_model(*command, flags->model);
    const auto several = [&](const char* names, std::vector<std::string>& values, const char* help) {
        command->add_option(names, values, help)->take_all()->expected(1);
    };
    several("--text,-t", flags->texts,
            "Text to classify, or question; may be repeated; none: standard input, one a line");
    several("--second-text,--second_text", flags->second_texts,
            "Second text of a model of two texts, or the text that has the answer of the question, in the order of "
            "--text; may be repeated");
    several("--image,-i", flags->images, "PNG or JPEG file to classify; may be repeated");
    command->add_option("--mask", flags->mask,
                        "Write the class of each pixel of the --image to this PNG file (semantic_segmentation)");
    command->add_option("--top", flags->top, "Classes or answers to show; 0: all (5)")->check(CLI::Range(0, 1'000'000));
    command->add_option("--tokenizer", flags->tokenizer, "tokenizer.json, if the model's folder does not have one");
    several("--adapter", flags->adapters, "LoRA adapter in the PEFT format: FOLDER or FOLDER=WEIGHT; may be repeated");
    add_placement(*command, flags);
    command->add_option("--threads", flags->threads, "Threads of the processor (all)");
    command->add_flag("--json", flags->json, "One JSON object a line: ready, prediction");
    command->callback([flags, &chosen] { chosen = [flags] { return predict(*flags); }; });
}

void add_merge_adapter(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<GenerateFlags>();
    auto output = std::make_shared<std::string>();
    auto shard_size = std::make_shared<std::string>();
    auto dtype = std::make_shared<std::string>();
    CLI::App* command =
        app.add_subcommand("merge-adapter", "Merge LoRA adapters into a model's weights, or remove merged ones");
    add_model(*command, flags->model);
    command
        ->add_option("--adapter", flags->adapters,
                     "Adapter in the PEFT format: FOLDER or FOLDER=WEIGHT (=-1 removes a merged one); may be repeated; "
                     "not needed for a checkpoint that was trained with an adapter")
        ->take_all()
        ->expected(1);
    command->add_option("-o,--output", *output, "Folder to write: model.safetensors, config.json, tokenizer.json")
        ->required();
    command->add_option("--max_shard_size", *shard_size,
                        "Files of at most this size, with an index: 5GB, 500MB (10GB)");
    command->add_option("--dtype", *dtype,
                        "Write the weights in float32, bfloat16 or float16, or auto: in the types of the model (auto)");
    command->callback([flags, output, shard_size, dtype, &chosen] {
        chosen = [flags, output, shard_size, dtype]() -> int {
            Json first = model_of(*flags);
            first["output"] = absolute_path(*output).string();
            if (!shard_size->empty())
                first["max_shard_size"] = *shard_size;
            if (!dtype->empty())
                first["output_dtype"] = *dtype;
            become_worker("merge-adapter", json_text(first) + "\n");
        };
    });
}

}  // namespace trainyard::cli
