// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model of a hub (Hugging Face's, or the one that HF_ENDPOINT names): its config.json, or names and shapes of its weights. Neither needs the
// weights: of safetensors, only the headers are asked for. HF_TOKEN, HF_TOKEN_PATH, HF_HOME, HF_HUB_CACHE and HF_HUB_OFFLINE have the meanings of
// huggingface_hub, whose cache is looked into first.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/files/temporary_folder.h"
#include "formats/hub/http_client.h"
#include "formats/hub/repo_name.h"

namespace trainyard::hub {

/// The config.json of a model in the cache; nothing if it is not there. Sends no request.
std::optional<std::filesystem::path> cached_config(const RepoName& repo);

class RemoteModel {
  public:
    /// Asks for nothing yet. When a `stop` is asked for, what is under way fails.
    explicit RemoteModel(const std::string& name, std::stop_token stop = {});
    RemoteModel(const RemoteModel&) = delete;
    RemoteModel& operator=(const RemoteModel&) = delete;

    const std::string& name() const { return repo_.name; }
    /// The hub that is asked: https://huggingface.co.
    const std::string& endpoint() const { return endpoint_; }
    /// Before each file that is asked for, with its name.
    void set_listener(std::function<void(const std::string& file)> listener) { listener_ = std::move(listener); }
    /// Calls `use` with config.json. If that file is missing or `use` throws UserError for it (unknown model), calls it
    /// with the headers of the weights. Returns the path that was used. Throws UserError.
    std::filesystem::path describe(const std::function<void(const std::filesystem::path&)>& use);
    /// Its config.json, which is there as long as this object; nothing if the model has none. Throws UserError, a sentence, when the
    /// hub cannot be reached or does not have the model.
    std::optional<std::filesystem::path> config();
    /// A folder with its files of safetensors, which have their sizes and headers, but none of their data. Throws UserError likewise.
    std::filesystem::path headers_of_weights();

  private:
    HttpAnswer ask(const std::string& file, std::uint64_t begin, std::uint64_t count);
    /// Nothing: the model does not have the file.
    std::optional<std::string> whole_file(const std::string& file, std::uint64_t most);
    bool take_header_of(const std::string& file);
    const std::filesystem::path& folder();

    RepoName repo_;
    std::string endpoint_;
    std::stop_token stop_;
    std::function<void(const std::string&)> listener_;
    std::unique_ptr<HttpClient> client_;
    std::optional<files::TemporaryFolder> folder_;  ///< when something is put there
    bool has_config_ = true;
};

}  // namespace trainyard::hub
