// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/model_folder.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text_file.h"
#include "config/inputs/export_form.h"
#include "config/inputs/text_tokens.h"
#include "formats/weights/megatron_folder.h"
#include "formats/weights/model_files.h"
#include "models/spec/config_file.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostBytesBeside = 256u << 20, kMostBytesOfConfig = 16u << 20;

/// Names of transformers' special tokens, and what they are usually called.
struct SpecialToken {
    const char* name;
    std::vector<const char*> usual;
};

std::string tokenizer_config(const tokenizers::Tokenizer& tokenizer, std::int64_t positions) {
    static const SpecialToken kinds[] = {
        {"bos_token", {"<s>", "<|startoftext|>", "<|begin_of_text|>", "<bos>", "<|endoftext|>"}},
        {"eos_token", {"</s>", "<|endoftext|>", "<|end_of_text|>", "<|im_end|>", "<eos>"}},
        {"unk_token", {"<unk>", "[UNK]"}},
        {"pad_token", {"<pad>", "[PAD]", "<|endoftext|>"}},
        {"cls_token", {"[CLS]"}},
        {"sep_token", {"[SEP]"}},
        {"mask_token", {"[MASK]", "<mask>"}}};
    nlohmann::ordered_json config{{"tokenizer_class", "PreTrainedTokenizerFast"}, {"model_max_length", positions}};
    for (const SpecialToken& kind : kinds)
        for (const char* usual : kind.usual)
            if (const auto id = tokenizer.id_of(usual); id && tokenizer.is_special(*id)) {
                config[kind.name] = usual;
                break;
            }
    return json_text(config, {.indent = 2}) + "\n";
}

/// generation_config.json, which takes precedence over config.json, with the end token of the recipe.
std::string with_end_token(const std::string& text, std::int64_t eos_token_id) {
    auto object = read_ordered_json(text);
    if (!object.is_object())
        return text;
    object["eos_token_id"] = eos_token_id >= 0 ? nlohmann::ordered_json(eos_token_id) : nlohmann::ordered_json();
    return json_text(object, {.indent = 2}) + "\n";
}

}  // namespace

fs::path config_file(const fs::path& weights) {
    if (weights.empty())
        return {};
    std::error_code error;
    fs::path file = (fs::is_directory(weights, error) ? weights : weights.parent_path()) / "config.json";
    return fs::is_regular_file(file, error) ? file : fs::path();
}

std::string config_text(const fs::path& weights) {
    const fs::path file = config_file(weights);
    return file.empty() ? weights::megatron_config(weights) : text::read_text_file(file, kMostBytesOfConfig);
}

bool keeps_end_tokens(const config::ModelRecipe& model, const fs::path& weights) {
    const std::string text = config_text(weights);
    try {
        return !text.empty() && families::read_config(text, weights.string()).config.eos_token_id == model.eos_token_id;
    } catch (const UserError&) {
        return false;  // the file is of another model
    }
}

std::vector<FileBeside> files_beside_model(const config::Recipe& recipe, const fs::path& model_folder) {
    std::vector<FileBeside> files;
    const auto add = [&](const std::string& name, const fs::path& path) {
        if (std::ranges::find(files, name, &FileBeside::name) == files.end())
            files.push_back({name, read_file(path, kMostBytesBeside)});
    };
    if (!recipe.data.tokenizer.empty()) {
        const fs::path tokenizer = tokenizer_file(recipe.data);
        add("tokenizer.json", tokenizer);
        if (tokenizer.filename() == "tokenizer.json")
            for (const weights::ModelFile& file : weights::model_files(tokenizer, weights::ModelFiles::tokenizer))
                add(file.name, file.path);
        if (std::ranges::find(files, "tokenizer_config.json", &FileBeside::name) == files.end())
            files.push_back({"tokenizer_config.json",
                             tokenizer_config(tokenizers::Tokenizer::from_file(tokenizer), recipe.model.n_positions)});
    }
    if (!model_folder.empty())
        for (const weights::ModelFile& file : weights::model_files(model_folder, weights::ModelFiles::around))
            add(file.name, file.path);
    if (std::string text = export_file(recipe, model_folder); !text.empty())
        files.push_back({kExportFile, std::move(text)});
    if (const auto generation = std::ranges::find(files, "generation_config.json", &FileBeside::name);
        generation != files.end() && !config_text(model_folder).empty() &&
        !keeps_end_tokens(recipe.model, model_folder))
        generation->content = with_end_token(generation->content, recipe.model.eos_token_id);
    return files;
}

}  // namespace trainyard::inputs
