// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/hub_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include "base/error.h"
#include "config/values/value_formats.h"
#include "formats/hub/hub_client.h"

namespace trainyard::inputs {

namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

constexpr const char* kConverted = "refs/convert/parquet";  ///< the hub's own conversion of every data set

/// Words in names of files that belong to a split, as `datasets` knows them.
struct SplitWords {
    std::string split;
    Names words;
};

const std::array<SplitWords, 3>& split_words() {
    static const std::array<SplitWords, 3> words{{{"train", {"train", "training"}},
                                                  {"validation", {"validation", "valid", "dev", "val"}},
                                                  {"test", {"test", "testing", "eval", "evaluation"}}}};
    return words;
}

/// Folders and the stem of a name, the last one first: "mrpc/train-00000-of-00001.parquet" is train, mrpc.
Names repo_parts_of(const std::string& name) {
    Names parts;
    for (const fs::path& part : fs::path(name))
        parts.insert(parts.begin(), part.string());
    std::string& stem = parts.front();
    stem = fs::path(stem).stem().string();
    const std::size_t of = stem.rfind("-of-");
    const std::size_t dash = of == stem.npos || of == 0 ? stem.npos : stem.rfind('-', of - 1);
    if (dash != stem.npos)
        stem.resize(dash);
    return parts;
}

/// "train", "train_sft" or "validation"; empty: the name says nothing.
std::string split_of(const std::string& name, const std::string& asked) {
    const Names parts = repo_parts_of(name);
    for (const std::string& part : parts)
        if (part == asked || part == "partial-" + asked)
            return asked;
    for (const std::string& part : parts) {
        std::string word;
        for (const char c : part + ".") {
            if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
                word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
                continue;
            }
            for (const auto& [split, words] : split_words())
                if (std::ranges::find(words, word) != words.end())
                    return split;
            word.clear();
        }
    }
    return {};
}

/// The folder that stands for a configuration; empty: the only one.
std::string config_of(const std::string& name) {
    const std::size_t slash = name.find('/');
    const std::string folder = slash == name.npos ? "" : name.substr(0, slash);
    return folder == "data" || !split_of(folder + "/x", "train").empty() ? std::string() : folder;
}

Message choose_config(const hub::DataName& data, const std::set<std::string>& known) {
    return Message("it has the configurations {}: name one of them, as in hub:{}/{}", fmt::join(known, ", "),
                   data.repo.text(), *known.begin());
}

/// The patterns of a split in a table of `data_files`.
Names patterns_of(const Value& files, const std::string& split) {
    Names patterns;
    const auto add = [&](const Value& value) {
        if (value.is_scalar())
            patterns.push_back(value.spelling());
        for (const Value& item : value.items())
            if (item.is_scalar())
                patterns.push_back(item.spelling());
    };
    if (files.is_scalar() && split == "train")
        add(files);
    for (const Value& item : files.items()) {
        if (item.is_scalar() && split == "train")
            add(item);
        const Value* name = item.find("split");
        const Value* path = item.find("path");
        if (path != nullptr && (name == nullptr ? split == "train" : name->spelling() == split))
            add(*path);
    }
    return patterns;
}

/// The configurations of README.md, which begins with a block of YAML between lines of ---; null: it lists none.
Value configs_of(const std::string& readme) {
    if (!readme.starts_with("---\n") && !readme.starts_with("---\r\n"))
        return {};
    const std::size_t end = readme.find("\n---", 3);
    std::vector<Problem> ignored;
    const Value head = end == readme.npos ? Value() : parse_yaml(readme.substr(4, end - 3), "README.md", ignored);
    const Value* configs = head.find("configs");
    return configs == nullptr || !configs->is_list() || configs->items().empty() ? Value() : *configs;
}

Names by_configs(const Value& configs, const hub::DataName& data, const std::string& split, const Names& files) {
    const Value* chosen = nullptr;
    std::set<std::string> known;
    for (const Value& config : configs.items()) {
        const Value* name = config.find("config_name");
        if (name == nullptr)
            continue;
        known.insert(name->spelling());
        const Value* is_default = config.find("default");
        const bool wanted = data.config.empty() ? name->spelling() == "default" ||
                                                      (is_default != nullptr && is_default->spelling() == "true")
                                                : name->spelling() == data.config;
        if (wanted)
            chosen = &config;
    }
    if (chosen == nullptr && data.config.empty() && known.size() == 1)
        chosen = &configs.items().front();
    if (chosen == nullptr)
        throw hub::UnusableError(data.config.empty() ? choose_config(data, known)
                                                     : Message("it does not have the configuration {}, but {}",
                                                               data.config, fmt::join(known, ", ")));
    const Value* entry = chosen->find("data_files");
    const Value* folder = chosen->find("data_dir");
    const std::string start = folder != nullptr ? folder->spelling() + "/" : "";
    Names found;
    for (const std::string& name : files) {
        const bool inside = name.starts_with(start);
        const bool matches = entry == nullptr
                                 ? split_of(name, split) == split
                                 : std::ranges::any_of(patterns_of(*entry, split), [&](const std::string& pattern) {
                                       return ::fnmatch((start + pattern).c_str(), name.c_str(), 0) == 0;
                                   });
        if (inside && matches)
            found.push_back(name);
    }
    return found;
}

Names by_names(const hub::DataName& data, const std::string& split, const Names& files) {
    std::set<std::string> known;
    for (const std::string& name : files)
        known.insert(config_of(name));
    std::string config = data.config;
    if (config.empty() && known.size() > 1 && !known.contains("default"))
        throw hub::UnusableError(choose_config(data, [&] {
            known.erase("");
            return known;
        }()));
    if (config.empty())
        config = known.size() == 1 ? *known.begin() : "default";
    if (!known.contains(config))
        throw hub::UnusableError("it does not have the configuration {}, but {}", config, fmt::join(known, ", "));
    Names of_config, found;
    std::ranges::copy_if(files, std::back_inserter(of_config),
                         [&](const std::string& name) { return config_of(name) == config; });
    std::ranges::copy_if(of_config, std::back_inserter(found),
                         [&](const std::string& name) { return split_of(name, split) == split; });
    const bool unnamed =
        std::ranges::all_of(of_config, [&](const auto& name) { return split_of(name, split).empty(); });
    return found.empty() && unnamed && split == "train" ? of_config : found;
}

/// Where a data set may be: its own files, or the hub's conversion; for two words also a set and its configuration.
std::vector<hub::DataName> places_of(const hub::DataName& data) {
    std::vector<hub::DataName> places{data};
    if (const auto shorter = data.shorter())
        places.push_back({*shorter, data.repo.name.substr(data.repo.name.find('/') + 1), data.split});
    for (std::size_t i = places.size(); i-- > 0;)
        if (places[i].repo.revision == "main") {
            hub::DataName converted = places[i];
            converted.repo.revision = kConverted;
            places.insert(places.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(converted));
        }
    return places;
}

hub::Fetched fetch_one(const hub::RepoName& repo, const hub::ChooseFiles& choose, const hub::FetchOptions* options) {
    if (options != nullptr)
        return hub::fetch(repo, choose, *options);
    if (auto found = hub::find_fetched(repo, choose))
        return *found;
    throw UserError(hub::not_in_cache(repo));
}

/// The value of a key that a name or a lost path of the cache has to be replaced in.
class Settling {
  public:
    Settling(const hub::FetchOptions* options, std::vector<InputProblem>& problems)
        : options_(options), problems_(problems) {}

    void model(const char* key, std::string& value, const hub::ChooseFiles& choose) {
        collect(key, [&] {
            const auto name = hub::has_hub_prefix(value) ? hub::parse_model_name(value) : std::nullopt;
            if (name)
                value = folder_of(*name, choose).string();
            else if (const auto lost = lost_snapshot(value))
                (void)hub::fetch(lost->repo, choose, *options_);
        });
    }
    void data(Names& paths) {
        Names settled;
        for (const std::string& path : paths) {
            const std::size_t before = problems_.size();
            collect("data.path", [&] {
                if (const auto name = hub::parse_data_name(path)) {
                    const hub::Fetched found = fetch_data(*name, options_);
                    for (const std::string& file : found.files)
                        if (file.ends_with(".parquet"))
                            settled.push_back((found.folder / file).string());
                    return;
                }
                if (const auto lost = lost_snapshot(path); lost && !lost->file.empty())
                    (void)hub::fetch(
                        lost->repo, [&](const Names&, hub::RepoFiles&) { return Names{lost->file}; }, *options_);
                settled.push_back(path);
            });
            if (problems_.size() != before)
                settled.push_back(path);
        }
        paths = std::move(settled);
    }

  private:
    /// A name without prefix may be meant as a path.
    fs::path folder_of(const hub::RepoName& name, const hub::ChooseFiles& choose) const {
        try {
            return fetch_one(name, choose, options_).folder;
        } catch (const hub::UnknownRepoError& error) {
            throw UserError("{} is not a file or folder here, and {}", name.text(), error.message());
        } catch (const hub::UnavailableError& error) {
            throw UserError("{} is not a file or folder here, and {}", name.text(), error.message());
        }
    }
    template <class Settle>
    void collect(const char* key, Settle settle) {
        try {
            settle();
        } catch (const UserError& error) {
            problems_.push_back({key, error.message()});
        }
    }
    std::optional<hub::SnapshotPath> lost_snapshot(const std::string& value) const {
        std::error_code error;
        return options_ == nullptr || value.empty() || fs::exists(value, error) ? std::nullopt
                                                                                : hub::parse_snapshot_path(value);
    }

    const hub::FetchOptions* options_;
    std::vector<InputProblem>& problems_;
};

}  // namespace

hub::ChooseFiles files_of_data(const hub::DataName& data) {
    return [data](const Names& names, hub::RepoFiles& repo) {
        const std::string split = data.split.empty() ? "train" : data.split;
        Names tables;
        std::ranges::copy_if(names, std::back_inserter(tables),
                             [](const std::string& name) { return name.ends_with(".parquet"); });
        if (tables.empty())
            throw hub::UnusableError("it does not have Parquet files");
        std::ranges::sort(tables);
        const bool has_readme = std::ranges::find(names, "README.md") != names.end();
        const Value configs = has_readme ? configs_of(repo.text("README.md").value_or("")) : Value();
        Names chosen = configs.is_null() ? by_names(data, split, tables) : by_configs(configs, data, split, tables);
        if (chosen.empty())
            throw hub::UnusableError("it does not have Parquet files of the split {}", split);
        if (has_readme)
            chosen.push_back("README.md");  // chooses the same files without the hub
        return chosen;
    };
}

hub::ChooseFiles files_of_tokenizer() {
    return [](const Names& names, hub::RepoFiles&) {
        if (std::ranges::find(names, "tokenizer.json") == names.end())
            throw hub::UnusableError("it does not have a tokenizer.json");
        return Names{"tokenizer.json"};
    };
}

bool has_hub_names(const config::Recipe& recipe) {
    return hub::has_hub_prefix(recipe.model.weights) || hub::has_hub_prefix(recipe.model.lora.adapter) ||
           hub::has_hub_prefix(recipe.data.tokenizer) ||
           std::ranges::any_of(recipe.data.paths, [](const auto& path) { return hub::has_hub_prefix(path); });
}

hub::Fetched fetch_data(const hub::DataName& data, const hub::FetchOptions* options) {
    const std::vector<hub::DataName> places = places_of(data);
    if (options == nullptr || !options->refresh)
        for (const hub::DataName& place : places)
            if (auto found = hub::find_fetched(place.repo, files_of_data(place)))
                return *found;
    if (options == nullptr)
        throw UserError(hub::not_in_cache(data.repo));
    std::optional<UserError> first;
    bool unknown = false;
    for (const hub::DataName& place : places) {
        if (unknown && place.repo.revision == kConverted)
            continue;  // of a set that does not exist
        try {
            return hub::fetch(place.repo, files_of_data(place), *options);
        } catch (const hub::UnknownRepoError& error) {
            unknown = true;
            first = first.value_or(error);
        } catch (const hub::UnusableError& error) {
            unknown = false;
            first = place.repo.name != data.repo.name && place.repo.revision == "main" ? UserError(error)
                                                                                       : first.value_or(error);
        }
    }
    throw *first;
}

std::vector<InputProblem> settle_hub_names(config::Recipe& recipe, const hub::FetchOptions* options, HubPart part) {
    std::vector<InputProblem> problems;
    Settling settling(options, problems);
    if (part == HubPart::all) {
        settling.model("model.weights", recipe.model.weights, hub::files_of_model());
        settling.model("lora.adapter", recipe.model.lora.adapter, hub::files_of_model());
    }
    settling.model("data.tokenizer", recipe.data.tokenizer, files_of_tokenizer());
    settling.data(recipe.data.paths);
    return problems;
}

}  // namespace trainyard::inputs
