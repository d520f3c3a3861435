// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Models and other repositories of a hub, downloaded into the cache of huggingface_hub on this machine: once for all
// processes, continued after an interruption, checked against the hash that the hub says.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/error.h"
#include "formats/hub/hub_cache.h"
#include "formats/hub/repo_name.h"

namespace trainyard::hub {

struct FetchProgress {
    std::string name;                 ///< of the repository
    std::string file;                 ///< that is downloaded now
    std::uint64_t bytes = 0, of = 0;  ///< of all files that were missing
    std::size_t files = 0;            ///< of those
    Message note;                     ///< why it waits or asks again; empty: bytes arrived
};

/// Files and bytes that a download needs.
struct FetchPlan {
    std::string name;                     ///< of the repository
    std::size_t files = 0;                ///< that are missing
    std::uint64_t bytes = 0;              ///< of those, without what an interrupted download has left
    std::optional<std::uint64_t> room{};  ///< free bytes on the disk of the cache
    bool operator==(const FetchPlan&) const = default;
};

struct FetchOptions {
    /// Called as bytes arrive, and with every note.
    std::function<void(const FetchProgress&)> report = {};
    bool refresh = false;  ///< asks the hub even if the revision is in the cache
    bool pickles = false;  ///< weights of torch.save, where the model has no others
    std::stop_token stop = {};
    /// Called before the files are downloaded, unless all are in the cache; a table of contents may have been
    /// downloaded to choose them. Returns false to end the download with DeclinedError.
    std::function<bool(const FetchPlan&)> confirm = {};
};

/// FetchOptions::confirm returned false.
class DeclinedError : public UserError {
  public:
    using UserError::UserError;
};

struct Fetched {
    std::filesystem::path folder;    ///< the snapshot
    std::vector<std::string> files;  ///< those that were chosen, by their names in it
    std::string commit;
    std::uint64_t bytes = 0;  ///< that were downloaded now
};

/// Files of a repository while they are chosen.
class RepoFiles {
  public:
    virtual ~RepoFiles() = default;
    /// Whether a file is in the cache.
    virtual bool is_here(const std::string& file) const = 0;
    /// Its text; nothing if it is not in the cache and nothing is downloaded.
    virtual std::optional<std::string> text(const std::string& file) = 0;
};

/// The repository does not have what is needed. The message of a ChooseFiles begins with "it", and fetch() names the
/// repository before it.
class UnusableError : public UserError {
  public:
    using UserError::UserError;
};

/// Chooses files by the names of all. Throws UnusableError.
using ChooseFiles = std::function<std::vector<std::string>(const std::vector<std::string>& names, RepoFiles& files)>;

/// The chosen files of a repository. A revision that is in the cache is used without a request, so it stays as it was
/// until `refresh`. Throws UserError.
Fetched fetch(const RepoName& repo, const ChooseFiles& choose, const FetchOptions& options = {});

/// The same without any request; nothing if a file is missing.
std::optional<Fetched> find_fetched(const RepoName& repo, const ChooseFiles& choose);

/// The weights (safetensors), config.json and the files of the tokenizer of a model, or an adapter of PEFT.
ChooseFiles files_of_model(bool pickles = false);

/// The folder of a model that is given as a path or by name (model_not_here()): downloaded if it is missing. Another
/// text is returned as it is.
std::filesystem::path model_folder(const std::string& path_or_name, const FetchOptions& options = {});

/// The message for a name that is not in the cache where nothing is downloaded.
Message not_in_cache(const RepoName& repo);

}  // namespace trainyard::hub
