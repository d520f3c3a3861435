// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names of models and data sets on a hub, as recipes and commands write them:
//
//     org/name  hub:org/name  hub:org/name@REVISION              a model
//     hub:org/name[@REVISION][/CONFIG][:SPLIT]                   a data set

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::hub {

enum class RepoKind { model, dataset };

struct RepoName {
    RepoKind kind = RepoKind::model;
    std::string name;               ///< "org/name", or "gpt2" without an owner
    std::string revision = "main";  ///< branch, tag or commit
    std::string text() const;       ///< "org/name@REVISION", without "@main"
    bool operator==(const RepoName&) const = default;
};

/// A data set, and which of its rows.
struct DataName {
    RepoName repo;
    std::string config;  ///< empty: the default one
    std::string split;   ///< empty: train
    /// What follows the first part of the name, if the first two parts may also be a name and a config: glue/mrpc.
    std::optional<RepoName> shorter() const;
};

inline constexpr std::string_view kHubPrefix = "hub:";

/// Whether a value is written as a name of a hub: hub:org/name.
inline bool has_hub_prefix(std::string_view text) {
    return text.starts_with(kHubPrefix);
}

/// Whether a text can name a model: "gpt2", "org/name"; no path with more parts, and no name of a file.
bool is_model_name(const std::string& text);

/// hub:org/name, with @REVISION, for the address of a page of the hub and for a name with the prefix of timm
/// (hf-hub:org/name); any other text as it is.
std::string name_of_address(const std::string& text);

/// A model by name, with or without the prefix; nothing for another text. Does not look for files.
std::optional<RepoName> parse_model_name(const std::string& text);

/// The same, but nothing for a file or folder that exists, and nothing for one word without the prefix.
std::optional<RepoName> model_not_here(const std::string& text);

/// A data set by name, with the prefix; nothing for another text.
std::optional<DataName> parse_data_name(const std::string& text);

}  // namespace trainyard::hub
