#include "inputs/model_folder.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "inputs/text_tokens.h"
#include "weights/model_files.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostBytesBeside = 256u << 20;

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
    return config.dump(2) + "\n";
}

}  // namespace

std::vector<FileBeside> files_beside_model(const config::Recipe& recipe) {
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
    if (!recipe.model.weights.empty())
        for (const weights::ModelFile& file : weights::model_files(recipe.model.weights, weights::ModelFiles::around))
            add(file.name, file.path);
    return files;
}

}  // namespace trainyard::inputs
