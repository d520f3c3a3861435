// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/model_files.h"

#include <algorithm>
#include <system_error>

namespace trainyard::weights {

namespace fs = std::filesystem;

namespace {

constexpr const char* kTokenizerFiles[] = {"tokenizer.json",    "tokenizer_config.json",
                                           "tokenizer.model",   "special_tokens_map.json",
                                           "added_tokens.json", "vocab.json",
                                           "merges.txt",        "vocab.txt",
                                           "spiece.model",      "chat_template.jinja"};
constexpr const char* kFilesAround[] = {"generation_config.json", "preprocessor_config.json"};
constexpr const char* kSentenceFiles[] = {"modules.json", "config_sentence_transformers.json",
                                          "sentence_bert_config.json"};

void add(std::vector<ModelFile>& found, const fs::path& folder, const std::string& name) {
    std::error_code error;
    if (fs::is_regular_file(folder / name, error))
        found.push_back({folder / name, name});
}

/// Folders of sentence-transformers' modules: 1_Pooling, 2_Normalize.
void add_modules(std::vector<ModelFile>& found, const fs::path& folder) {
    std::error_code error;
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.size() > 2 && name[0] >= '1' && name[0] <= '9' && name[1] == '_' && entry.is_directory(error))
            names.push_back(name);
    }
    std::ranges::sort(names);
    for (const std::string& name : names)
        add(found, folder, name + "/config.json");
}

}  // namespace

std::vector<ModelFile> model_files(const fs::path& path, ModelFiles which) {
    std::error_code error;
    const fs::path folder = fs::is_directory(path, error) ? path : path.parent_path();
    std::vector<ModelFile> found;
    if (which == ModelFiles::all)
        add(found, folder, "config.json");
    if (which != ModelFiles::around)
        for (const char* name : kTokenizerFiles)
            add(found, folder, name);
    if (which != ModelFiles::tokenizer)
        for (const char* name : kFilesAround)
            add(found, folder, name);
    if (which == ModelFiles::all) {
        for (const char* name : kSentenceFiles)
            add(found, folder, name);
        add_modules(found, folder);
    }
    return found;
}

}  // namespace trainyard::weights
