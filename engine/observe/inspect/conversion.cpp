// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/conversion.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text_file.h"
#include "config/inputs/adapter_config.h"
#include "config/inputs/adapter_file.h"
#include "config/inputs/export_form.h"
#include "config/inputs/model_folder.h"
#include "config/inputs/stored_head.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/megatron_folder.h"
#include "formats/weights/merge.h"
#include "formats/weights/quantization/module_choice.h"
#include "models/exports/gguf_model.h"
#include "models/exports/network_to_onnx.h"
#include "models/spec/config_file.h"
#include "models/spec/module_parameters.h"

namespace trainyard::inspect {

namespace {

constexpr const char *kAdapterConfig = "adapter_config.json", *kModelConfig = "config.json";

fs::path folder_of(const fs::path& checkpoint) {
    std::error_code error;
    return fs::is_directory(checkpoint, error) ? checkpoint : checkpoint.parent_path();
}

/// Of an adapter (LoRA) its own file, as PEFT has it: the model that it belongs to stays where it is.
fs::path adapter_of(const Conversion& conversion) {
    std::error_code error;
    if (!conversion.hugging_face || conversion.sources.size() != 1)
        return {};
    const fs::path folder = folder_of(conversion.sources.front()), file = folder / "adapter_model.safetensors";
    return fs::exists(folder / kAdapterConfig, error) && fs::exists(file, error) ? file : fs::path();
}

/// PEFT loads an adapter with the model that it names.
void check_adapter(const fs::path& adapter, const Conversion& conversion) {
    if (conversion.max_shard_bytes > 0)
        throw UserError("an adapter is one file: leave the size of shards out");
    const fs::path folder = adapter.parent_path();
    const auto config = read_json(text::read_text_file(folder / kAdapterConfig));
    if (!config.is_object())
        throw UserError("{} is not the configuration of an adapter", (folder / kAdapterConfig).string());
    const auto base = config.find("base_model_name_or_path");
    if (base == config.end() || !base->is_string() || base->get<std::string>().empty())
        throw UserError(
            "{} is an adapter of a model that began with random weights, which nothing else could "
            "load it on: write the model with it (trainyard merge-adapter {} -o FOLDER)",
            folder.string(), folder.string());
}

constexpr const char* kHead = "lm_head";

/// Names of modules that stay as they are.
std::vector<std::string> skipped_modules(const Quantize& quantize) {
    std::vector<std::string> skipped{kHead};
    skipped.insert(skipped.end(), quantize.skip.begin(), quantize.skip.end());
    return skipped;
}

/// The config.json of the model. Throws UserError.
std::string config_of(const Conversion& conversion) {
    const std::string text = inputs::config_text(conversion.sources.back());
    return text.empty() ? read_file(folder_of(conversion.sources.back()) / kModelConfig) : text;
}

struct WeightsToQuantize {
    std::vector<std::string> names;
    bool transposes = false;  ///< they are [in, out] (Conv1D of transformers)
};

/// The weights of the model's Linear layers that are quantized, by its config.json.
WeightsToQuantize weights_to_quantize(const Conversion& conversion) {
    const fs::path config = folder_of(conversion.sources.back()) / kModelConfig;
    const families::ModelConfig model = families::read_config(config_of(conversion), config.string()).config;
    const families::Family& family = families::family_of(model);
    const std::vector<families::TensorShape> tensors = family.tensors(model);
    // Others have layers that are not Linear in transformers, whose matrices look alike: tables, experts.
    const bool is_gpt2 = family.network() == families::Network::gpt2;
    if ((family.network() != families::Network::decoder && !is_gpt2) ||
        std::ranges::any_of(tensors,
                            [](const families::TensorShape& tensor) { return families::is_of_expert(tensor.name); }))
        throw UserError(
            "{} describes a model of type '{}': GPT-2 and Llama-like decoders without experts can be quantized",
            config.string(), family.model_type());
    std::vector<std::string> names;
    const std::vector<std::string> skipped = skipped_modules(*conversion.quantize);
    for (const families::TensorShape& tensor : tensors) {
        if (tensor.part != families::Part::block || tensor.shape.size() != 2 || !tensor.name.ends_with(".weight"))
            continue;
        const std::string module = tensor.name.substr(0, tensor.name.rfind('.'));
        if (!quantization::is_skipped(module, skipped))
            names.push_back(tensor.name);
    }
    return {names, is_gpt2};
}

/// How a training's checkpoint is exported; nothing else has such a form.
inputs::ExportForm form_of(const Conversion& conversion) {
    if (!conversion.hugging_face || conversion.sources.size() != 1 || !adapter_of(conversion).empty())
        return {};
    return inputs::read_export_form(folder_of(conversion.sources.front()));
}

/// The dtype of the result; empty: that of each tensor. A checkpoint of a training has fp32, and an export has the
/// dtype of the weights that the training started from (config/inputs/export_form.h).
std::string written_dtype(const Conversion& conversion) {
    return conversion.dtype.empty() ? form_of(conversion).dtype : conversion.dtype;
}

std::unique_ptr<weights::WeightSource> source_of(const Conversion& conversion) {
    if (conversion.sources.empty())
        throw UserError("name a checkpoint");
    // A table of names is about those that the file has.
    const weights::TensorNames names = conversion.renames.empty() && conversion.rename_table.empty()
                                           ? weights::TensorNames::of_model
                                           : weights::TensorNames::as_stored;
    std::unique_ptr<weights::WeightSource> source;
    if (const fs::path adapter = adapter_of(conversion); !adapter.empty()) {
        source = weights::open_weights(adapter);
    } else if (conversion.sources.size() == 1) {
        source = weights::open_first_model(conversion.sources.front(), names);
    } else {
        std::vector<std::unique_ptr<weights::WeightSource>> all;
        for (const fs::path& path : conversion.sources)
            all.push_back(weights::open_first_model(path, names));
        std::vector<double> shares = conversion.shares;
        if (conversion.ema_decay != 0)
            shares = weights::ema_shares(all.size(), conversion.ema_decay);
        else if (shares.empty())
            shares.assign(all.size(), 1.0);
        if (shares.size() != all.size())
            throw UserError("there are {} shares for {} checkpoints: give one for each", shares.size(), all.size());
        source = weights::average(std::move(all), shares);
    }
    std::vector<weights::Rename> renames = conversion.renames;
    if (!conversion.rename_table.empty())
        std::ranges::copy(weights::read_rename_table(conversion.rename_table), std::back_inserter(renames));
    if (!renames.empty())
        source = weights::renamed(std::move(source), renames);
    if (form_of(conversion).joined_experts)
        source = weights::joined_experts(std::move(source));
    if (const std::string dtype = written_dtype(conversion); !dtype.empty())
        source = weights::as_dtype(std::move(source), dtype);
    return source;
}

/// The source as it is written.
std::unique_ptr<weights::WeightSource> settled(std::unique_ptr<weights::WeightSource> source,
                                               const Conversion& conversion) {
    if (!conversion.quantize)
        return source;
    const auto [names, transposes] = weights_to_quantize(conversion);
    quantization::WeightQuantization how = conversion.quantize->weights;
    how.transposes = transposes;
    return quantization::quantized(std::move(source), names, how);
}

/// The name that transformers has for the dtype of most bytes of the weights; empty: it has none.
std::string config_dtype(const weights::WeightSource& source) {
    static const std::map<std::string, std::string> names{
        {"F32", "float32"}, {"BF16", "bfloat16"}, {"F16", "float16"}, {"F64", "float64"}};
    const auto name = names.find(weights::main_dtype(source));
    return name == names.end() ? std::string() : name->second;
}

/// The text of the config.json for the result. transformers loads weights in the dtype that it says: after a conversion
/// it says that of the new ones, which is `dtype`.
std::string settled_config(const std::string& dtype, const Conversion& conversion, bool own_head) {
    std::string text = config_of(conversion);
    if (own_head)
        text = families::with_own_head(text);
    if ((!written_dtype(conversion).empty() || conversion.sources.size() > 1) && !dtype.empty())
        text = families::with_dtype(text, dtype);
    if (conversion.quantize) {
        const auto& [quantization, skip] = *conversion.quantize;
        text = families::with_quantization(
            text, {.method = quantization.method,
                   .double_quant = quantization.double_quant,
                   .compute_dtype = dtype.empty() ? "float32" : dtype,
                   .skip_modules = skip.empty() ? skip : skipped_modules(*conversion.quantize)});
    }
    return text;
}

std::string ending_of(Conversion::Program program) {
    return program == Conversion::Program::onnx ? ".onnx" : ".gguf";
}

/// The values of a model by its config.json. Throws UserError.
families::ModelConfig model_config(const std::string& text, const fs::path& folder) {
    if (text.empty())
        throw UserError("{} has no config.json, which says what the model computes: put it beside the weights",
                        folder.string());
    const std::string where = (folder / kModelConfig).string();
    const families::ConfigFile file = families::read_config(text, where);
    if (!file.refused.empty())
        throw UserError("{}: {}", where, Message::joined(file.refused));
    return file.config;
}

/// The type of matrices in a GGUF file: as an export of the weights has it.
std::string gguf_type_of(const Conversion& conversion) {
    if (!conversion.gguf_type.empty() || conversion.sources.size() != 1)
        return conversion.gguf_type;
    const std::string dtype = inputs::read_export_form(folder_of(conversion.sources.front())).dtype;
    return dtype == "bfloat16" ? "bf16" : dtype == "float16" ? "f16" : "";
}

struct ModelForProgram {
    std::shared_ptr<const weights::WeightSource> source;
    exports::ExportedModel model;
};

/// Of an adapter its own file; the model that it belongs to stays where it is.
ModelForProgram adapter_for_program(const Conversion& conversion, const fs::path& folder) {
    if (conversion.program != Conversion::Program::llama_cpp)
        throw UserError(
            "{} is an adapter: write the model with it (trainyard merge-adapter {} -o FOLDER), and "
            "export that folder",
            folder.string(), folder.string());
    const inputs::AdapterConfig adapter = inputs::read_adapter_config(folder);
    const inputs::AdapterFile file(folder);
    std::string text = inputs::config_text(folder);
    for (const fs::path& base : {folder / adapter.base, fs::path(adapter.base)})
        if (text.empty() && !adapter.base.empty())
            text = inputs::config_text(base);
    return {file.source(), exports::gguf_adapter(file, adapter, model_config(text, folder), conversion.gguf_type)};
}

ModelForProgram model_for_program(const Conversion& conversion) {
    const bool is_onnx = conversion.program == Conversion::Program::onnx;
    if (!conversion.dtype.empty() || conversion.ranks > 0 || conversion.max_shard_bytes > 0 ||
        (is_onnx && !conversion.gguf_type.empty()))
        throw UserError(
            "GGUF and ONNX files are one file of a model, GGUF of a type of its own and ONNX in fp32: leave "
            "dtype, ranks and the size of shards out");
    std::error_code error;
    for (const fs::path& path : conversion.sources)
        if (const fs::path folder = folder_of(path); fs::exists(folder / kAdapterConfig, error))
            return adapter_for_program(conversion, folder);
    // The tensors have the names of the model's files, and quantized ones their values.
    const std::shared_ptr<const weights::WeightSource> source =
        weights::split_experts(quantization::dequantized(source_of(conversion)));
    const fs::path folder = folder_of(conversion.sources.back());
    families::ModelConfig config = model_config(inputs::config_text(conversion.sources.back()), folder);
    if (inputs::head_against_config(*source, config))
        config.tie_word_embeddings = false;
    return {source, is_onnx ? exports::onnx_model(source, config, folder)
                            : exports::gguf_model(source, config, folder, gguf_type_of(conversion))};
}

Converted write_for_program(const Conversion& conversion, Progress& progress) {
    const std::string ending = ending_of(conversion.program);
    const bool names_file = conversion.output.extension() == ending;
    const std::string name = names_file ? conversion.output.filename().string() : "model" + ending;
    weights::WriteOptions options;
    options.output = !names_file                           ? conversion.output
                     : conversion.output.has_parent_path() ? conversion.output.parent_path()
                                                           : fs::path(".");
    for (const fs::path& path : conversion.sources)
        weights::check_target(path, options.output, false);
    const auto [source, model] = model_for_program(conversion);
    options.other = {model.bytes, model.tensors, [&model = model, &name](const fs::path& folder, Progress& doing) {
                         return model.write(folder, name, doing);
                     }};
    return {source->kind(), model.notes, weights::write_weights(*source, options, progress)};
}

}  // namespace

Expected expect(const Conversion& conversion) {
    Expected expected;
    if (conversion.program != Conversion::Program::none) {
        const exports::ExportedModel model = model_for_program(conversion).model;
        expected.tensors = model.tensors;
        expected.bytes = model.bytes;
    } else {
        const auto source = settled(source_of(conversion), conversion);
        expected.tensors = source->tensors().size();
        for (const weights::SourceTensor& tensor : source->tensors())
            expected.bytes += tensor.bytes;
    }
    std::error_code error;
    fs::path place = conversion.output;
    while (!place.empty() && !fs::exists(place, error) && place != place.parent_path())
        place = place.parent_path();
    const fs::space_info space = fs::space(place.empty() ? "." : place, error);
    expected.free = error ? 0 : space.available;
    return expected;
}

namespace {

/// The files of the tokenizer in `folder`, instead of those of the source's folder.
void replace_tokenizer(std::vector<weights::ModelFile>& beside, const fs::path& source, const fs::path& folder) {
    const std::vector<weights::ModelFile> chosen = weights::model_files(folder, weights::ModelFiles::tokenizer);
    if (chosen.empty())
        throw UserError("{} has no tokenizer: name a folder with tokenizer.json, or a model of the hub",
                        folder.string());
    for (const weights::ModelFile& file : weights::model_files(source, weights::ModelFiles::tokenizer))
        std::erase_if(beside, [&](const weights::ModelFile& other) { return other.name == file.name; });
    beside.insert(beside.end(), chosen.begin(), chosen.end());
}

}  // namespace

Converted convert(const Conversion& conversion, Progress& progress) {
    if (conversion.program != Conversion::Program::none)
        return write_for_program(conversion, progress);
    auto source = source_of(conversion);
    for (const fs::path& path : conversion.sources)
        weights::check_target(path, conversion.output, false);
    weights::WriteOptions options;
    options.output = conversion.output;
    options.max_shard_bytes = conversion.max_shard_bytes;
    if (conversion.ranks > 0) {
        if (conversion.max_shard_bytes > 0)
            throw UserError("a folder for ranks has a file for each of them: leave the size of shards out");
        options.layout = weights::WriteOptions::Layout::distributed;
        options.ranks = conversion.ranks;
    }
    const fs::path adapter = adapter_of(conversion);
    const Message note =
        adapter.empty() ? inputs::note_of_head(*source, conversion.sources.back(), conversion.hugging_face) : "";
    if (conversion.hugging_face) {
        const fs::path folder = folder_of(conversion.sources.back());
        options.beside = weights::model_files(folder, weights::ModelFiles::all);
        if (!weights::megatron_folder(folder).empty())
            options.beside.insert(options.beside.begin(), {folder / kModelConfig, kModelConfig});
        if (!adapter.empty()) {
            check_adapter(adapter, conversion);
            options.stem = "adapter_model";
            options.beside = weights::model_files(folder, weights::ModelFiles::tokenizer);
            options.beside.push_back({folder / kAdapterConfig, kAdapterConfig});
        } else if (options.beside.empty() || options.beside.front().name != kModelConfig) {
            throw UserError(
                "{} has no config.json, without which transformers cannot load the weights: put it "
                "beside them, or use `convert`",
                conversion.sources.back().string());
        } else {
            options.contents[kModelConfig] = settled_config(config_dtype(*source), conversion, !note.empty());
        }
        if (!conversion.tokenizer.empty())
            replace_tokenizer(options.beside, folder, conversion.tokenizer);
    }
    source = settled(std::move(source), conversion);
    Converted converted{source->kind(), source->notes(), weights::write_weights(*source, options, progress)};
    if (!note.empty())
        converted.notes.push_back(note);
    if (const std::string dtype = written_dtype(conversion); dtype != conversion.dtype)
        converted.notes.push_back(
            Message("the weights are written as {}, as the training was given them or "
                    "its checkpoint.export_dtype says; choose fp32 to have them as "
                    "they were trained",
                    dtype));
    return converted;
}

}  // namespace trainyard::inspect
