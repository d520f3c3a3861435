// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard checkpoints merge | convert | export | rename | average, trainyard quantize

#include <cstdio>
#include <memory>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "cli/checkpoints_command.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "formats/weights/megatron_folder.h"
#include "formats/weights/merge.h"
#include "models/exports/gguf_model.h"
#include "observe/inspect/conversion.h"

namespace trainyard::cli {

namespace {

struct WriteFlags {
    std::vector<std::string> checkpoints;
    std::string checkpoint, output, dtype, shard_size, table, program, type, tokenizer;
    int ranks = 0;
    double ema = 0;
    std::vector<double> shares;
    inspect::Quantize quantize;
    bool json = false, from_megatron = false, shows_structure = false;
    std::vector<std::string> of_megatron;  ///< flags that ask for a folder of Megatron-LM
};

int write_anew(const WriteFlags& flags, inspect::Conversion conversion) {
    for (const std::string& text : flags.checkpoints)
        conversion.sources.push_back(checkpoint_named(text));
    if (!flags.checkpoint.empty())
        conversion.sources.push_back(checkpoint_named(flags.checkpoint));
    conversion.output = flags.output;
    conversion.dtype = flags.dtype == "auto" && conversion.hugging_face ? std::string() : flags.dtype;
    conversion.ranks = flags.ranks;
    if (!flags.shard_size.empty())
        conversion.max_shard_bytes = weights::parse_size(flags.shard_size);
    conversion.rename_table = flags.table;
    return with_progress("writing", [&](Progress& progress) {
        const inspect::Converted result = inspect::convert(conversion, progress);
        if (flags.json) {
            nlohmann::ordered_json json{{"source", result.source},
                                        {"tensors", result.written.tensors},
                                        {"bytes", result.written.bytes},
                                        {"notes", result.notes},
                                        {"files", nlohmann::ordered_json::array()}};
            for (const auto& file : result.written.files)
                json["files"].push_back(file.string());
            print_json(json);
            return static_cast<int>(kExitDone);
        }
        for (const auto& note : result.notes)
            say(stderr, text::printable(std::string(note), 1000));
        say(fmt::format("{}: {} tensors, {}", result.source, result.written.tensors,
                        text::file_size(result.written.bytes)));
        for (const auto& file : result.written.files)
            say(file.string());
        return static_cast<int>(kExitDone);
    });
}

int convert_weights(const WriteFlags& flags) {
    return write_anew(flags, {});
}

int export_model(const WriteFlags& flags) {
    if (!flags.of_megatron.empty())
        throw UserError(
            "{}: this version reads folders of Megatron-LM and writes none: leave {} out; a recipe divides the "
            "exported "
            "model by parallel.tp_size and parallel.pp_size when it loads it (model.weights)",
            fmt::format("{}", fmt::join(flags.of_megatron, ", ")), flags.of_megatron.size() == 1 ? "it" : "them");
    const bool for_transformers = flags.program.empty() || flags.program == "transformers";
    if (!for_transformers && (!flags.tokenizer.empty() || flags.shows_structure))
        throw UserError(
            "--tokenizer_name and --print_checkpoint_structure are of exports for transformers: leave --to out");
    if (flags.from_megatron && weights::megatron_folder(checkpoint_named(flags.checkpoint)).empty())
        throw UserError(
            "{} is not a folder of Megatron-LM (latest_checkpointed_iteration.txt, iter_*/mp_rank_*): name one, or "
            "leave --convert_checkpoint_from_megatron_to_transformers out",
            flags.checkpoint);
    inspect::Conversion conversion;
    if (!flags.tokenizer.empty())
        conversion.tokenizer = checkpoint_named(flags.tokenizer);
    if (flags.program == "gguf") {
        conversion.program = inspect::Conversion::Program::llama_cpp;
        conversion.gguf_type = flags.type == "auto" ? std::string() : flags.type;
    } else if (!flags.type.empty()) {
        throw UserError("--type is of GGUF files: add --to gguf, or use --dtype");
    } else if (flags.program == "onnx") {
        conversion.program = inspect::Conversion::Program::onnx;
    } else {
        conversion.hugging_face = true;
    }
    const int code = write_anew(flags, conversion);
    if (code == kExitDone && flags.shows_structure && !flags.json)
        print_structure(flags.output);
    return code;
}

int average_weights(const WriteFlags& flags) {
    inspect::Conversion conversion;
    conversion.shares = flags.shares;
    conversion.ema_decay = flags.ema;
    return write_anew(flags, conversion);
}

int quantize_model(const WriteFlags& flags) {
    if (flags.quantize.weights.double_quant && flags.quantize.weights.method == "int8")
        throw UserError("--double-quant is of weights of 4 bits: leave it out, or choose --method nf4 or fp4");
    inspect::Conversion conversion;
    conversion.hugging_face = true;
    conversion.quantize = flags.quantize;
    return write_anew(flags, conversion);
}

}  // namespace

void add_quantize(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<WriteFlags>();
    CLI::App* command = app.add_subcommand(
        "quantize", "A model's Linear layers in 4 or 8 bits, as bitsandbytes and transformers load them");
    command
        ->add_option("checkpoint", flags->checkpoint,
                     "A folder with config.json, a run's: RUN@STEP, or a model of the hub: org/name")
        ->required();
    command->add_option("output", flags->output, "Folder for the result")->required();
    command->add_option("--method", flags->quantize.weights.method, "nf4, fp4 or int8 (LLM.int8)")
        ->capture_default_str()
        ->check(CLI::IsMember({"nf4", "fp4", "int8"}));
    command->add_flag("--double_quant", flags->quantize.weights.double_quant,
                      "Of nf4 and fp4: the magnitudes of blocks in 8 bits, too");
    command->add_option("--skip", flags->quantize.skip, "Modules that stay as they are, besides lm_head")
        ->expected(1, 1000);
    command->add_option("--dtype", flags->dtype, "Type before it is quantized, and of what stays: fp32, bf16 or fp16");
    command->add_option("--max_shard_size", flags->shard_size,
                        "Files of at most this size, with an index: 5GB, 500MiB");
    command->add_flag("--json", flags->json, "For programs");
    command->callback([flags, &chosen] { chosen = [flags] { return quantize_model(*flags); }; });
}

void add_checkpoints_write(CLI::App& group, Action& chosen) {
    auto flags = std::make_shared<WriteFlags>();
    const auto add = [&](const char* name, const char* what, auto action, bool several = false,
                         const char* auto_dtype = "") {
        CLI::App* command = group.add_subcommand(name, what);
        // The names of Megatron-LM's tool in transformers (checkpoint_reshaping_and_interoperability.py).
        const bool is_export = std::string_view(name) == "export";
        command->callback([flags, &chosen, action] { chosen = [flags, action] { return action(*flags); }; });
        if (several)
            command->add_option("checkpoints", flags->checkpoints, "Two or more, oldest first")
                ->required()
                ->expected(2, 10'000);
        else
            command
                ->add_option(is_export ? "checkpoint,--load_path" : "checkpoint", flags->checkpoint,
                             "A folder or file, a run's: RUN@STEP (RUN: its newest), or a model of the hub: org/name")
                ->required();
        if (several)
            command->add_option("--output", flags->output, "Folder for the result")->required();
        else
            command->add_option(is_export ? "output,--save_path" : "output", flags->output, "Folder for the result")
                ->required();
        command->add_option("--dtype", flags->dtype,
                            std::string("Floating weights as fp32, bf16, fp16 or fp64") + auto_dtype);
        command->add_option("--max_shard_size", flags->shard_size,
                            "Files of at most this size, with an index: 5GB, 500MiB");
        command->add_flag("--json", flags->json, "For programs");
        return command;
    };
    add("merge", "The weights in one safetensors file (or shards): merge-weights for every format", convert_weights);
    CLI::App* command = add("convert", "The weights in another layout or type", convert_weights);
    command->add_option("--ranks", flags->ranks, "As a folder of torch.distributed.checkpoint, cut for so many ranks")
        ->check(CLI::Range(1, 65'536));
    command = add("export",
                  "A folder that transformers loads: weights, configuration, tokenizer, without training state; or a "
                  "file of another program",
                  export_model, false, ", or auto: of a run those that it started from, else as they are (auto)");
    command
        ->add_option(
            "--to", flags->program,
            "transformers; or a file, which output names (else model.gguf or model.onnx in that folder): gguf, "
            "of llama.cpp, or onnx, the model in fp32 with operators of set 17")
        ->check(CLI::IsMember({"transformers", "gguf", "onnx"}));
    std::vector<std::string> types = exports::gguf_types();
    types.insert(types.begin(), "auto");
    command
        ->add_option("--type", flags->type,
                     fmt::format("Of the matrices of a GGUF file: {}; auto: as --dtype", fmt::join(types, ", ")))
        ->check(CLI::IsMember(types));
    command
        ->add_option("--tokenizer_name", flags->tokenizer,
                     "Tokenizer that goes beside the weights, if not the checkpoint's own: a folder, or a model of the "
                     "hub: org/name")
        ->group("Names of Megatron-LM's tool");
    command
        ->add_flag("--print_checkpoint_structure", flags->shows_structure,
                   "Print the tensors that were written as a tree, with types and shapes")
        ->group("Names of Megatron-LM's tool");
    command
        ->add_flag("--convert_checkpoint_from_megatron_to_transformers", flags->from_megatron,
                   "The checkpoint is a folder of Megatron-LM; without the flag it is recognized")
        ->group("Names of Megatron-LM's tool");
    for (const char* name : {"--target_tensor_model_parallel_size", "--target_pipeline_model_parallel_size",
                             "--target_data_parallel_size", "--target_params_dtype", "--make_vocab_size_divisible_by"})
        command
            ->add_option_function<std::string>(
                name, [flags, name](const std::string&) { flags->of_megatron.emplace_back(name); },
                "Of folders of Megatron-LM, which are not written")
            ->group("Names of Megatron-LM's tool");
    command
        ->add_flag_function(
            "--use_distributed_optimizer",
            [flags](std::int64_t) { flags->of_megatron.emplace_back("--use_distributed_optimizer"); },
            "Of folders of Megatron-LM, which are not written")
        ->group("Names of Megatron-LM's tool");
    command = add("rename", "The weights with other names, by a table", convert_weights);
    command
        ->add_option(
            "--table", flags->table,
            "File of lines 'old -> new' (a '*' for any rest, nothing behind the arrow leaves out), or a JSON object")
        ->required();
    command->add_option("--ranks", flags->ranks, "As a folder of torch.distributed.checkpoint, cut for so many ranks")
        ->check(CLI::Range(1, 65'536));
    command = add("average", "The mean of several checkpoints' weights", average_weights, true);
    auto* ema = command->add_option("--ema", flags->ema, "An exponential moving average with this decay, such as 0.9");
    command->add_option("--shares", flags->shares, "The share of each, in their order")->excludes(ema);
}

}  // namespace trainyard::cli
