// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/remote_model.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "formats/hub/hub_cache.h"
#include "formats/hub/hub_settings.h"
#include "formats/weights/safetensors_header.h"

namespace trainyard::hub {

namespace {

constexpr std::uint64_t kLargestConfig = 16u << 20;
constexpr std::uint64_t kLargestIndex = 256u << 20;
constexpr std::uint64_t kFirstBytes = 256u << 10;  ///< most headers are whole in these
constexpr std::size_t kMostRemoteShards = 1000;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

/// The files that an index names are written to a folder of this program.
bool is_shard_name(const std::string& name) {
    return name.ends_with(".safetensors") && !name.starts_with('.') &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.');
           });
}

}  // namespace

std::optional<fs::path> cached_config(const RepoName& repo) {
    const std::optional<std::string> commit = cached_commit(repo);
    if (!commit)
        return std::nullopt;
    fs::path file = snapshot_folder(repo, *commit) / kConfig;
    std::error_code error;
    return fs::is_regular_file(file, error) ? std::optional(std::move(file)) : std::nullopt;
}

RemoteModel::RemoteModel(const std::string& name, std::stop_token stop)
    : repo_(parse_model_name(name).value_or(RepoName{RepoKind::model, name, "main"})),
      endpoint_(hub::endpoint()),
      stop_(std::move(stop)) {}

const fs::path& RemoteModel::folder() {
    if (!folder_)
        folder_.emplace("trainyard-hub");
    return folder_->path();
}

HttpAnswer RemoteModel::ask(const std::string& file, std::uint64_t begin, std::uint64_t count) {
    if (const char* offline = offline_variable())
        throw UserError("{} is not a file or folder here, and models are not looked up on a hub while {} is set",
                        repo_.name, offline);
    if (client_ == nullptr)
        client_ = std::make_unique<HttpClient>(access_token(), stop_, download_timeout());
    if (listener_)
        listener_(file);
    HttpAnswer answer =
        client_->get(fmt::format("{}/{}/resolve/{}/{}", endpoint_, repo_.name, repo_.revision, file), begin, count);
    if (answer.ok() || answer.status == 404)
        return answer;
    if (answer.status == 0)
        throw UserError(
            "{} is not a file or folder here, and {} cannot be asked for a model of that name ({}): name a recipe, a "
            "config.json, weights or the folder of a model",
            repo_.name, endpoint_, answer.problem);
    if (answer.status == 401 || answer.status == 403)
        throw UserError(
            "{} is not a file or folder here, and {} has no public model of that name: check the name, or set HF_TOKEN "
            "to a token that may read it",
            repo_.name, endpoint_);
    throw UserError("{} answered with status {} when it was asked for {} of {}: try again later", endpoint_,
                    answer.status, file, repo_.name);
}

std::optional<std::string> RemoteModel::whole_file(const std::string& file, std::uint64_t most) {
    HttpAnswer answer = ask(file, 0, most);
    if (answer.status == 404)
        return std::nullopt;
    if (answer.file_bytes > most || answer.body.size() >= most)
        throw UserError("{} of {} is larger than such a file can be ({} bytes)", file, repo_.name, most);
    if (answer.file_bytes > answer.body.size())
        throw UserError("{} of {} did not arrive whole from {}: try again", file, repo_.name, endpoint_);
    return std::move(answer.body);
}

std::optional<fs::path> RemoteModel::config() {
    if (std::optional<fs::path> cached = cached_config(repo_))
        return cached;
    const std::optional<std::string> text = whole_file(kConfig, kLargestConfig);
    has_config_ = text.has_value();
    if (!text)
        return std::nullopt;
    const fs::path file = folder() / kConfig;
    write_file_atomically(file, *text, false);
    return file;
}

fs::path RemoteModel::describe(const std::function<void(const fs::path&)>& use) {
    std::optional<UserError> unknown;
    if (const std::optional<fs::path> file = config()) {
        try {
            use(*file);
            return *file;
        } catch (const UserError& error) {
            unknown = error;
        }
    }
    try {
        const fs::path headers = headers_of_weights();
        use(headers);
        return headers;
    } catch (const UserError&) {
        if (unknown)
            throw *unknown;
        throw;
    }
}

/// Writes a file of the same size, of which nothing but the header takes room. False: the model does not have it.
bool RemoteModel::take_header_of(const std::string& file) {
    HttpAnswer answer = ask(file, 0, kFirstBytes);
    if (answer.status == 404)
        return false;
    const std::string where = fmt::format("{} of {}", file, repo_.name);
    const std::uint64_t all = answer.file_bytes;
    const std::uint64_t wanted = weights::safetensors_data_offset(std::as_bytes(std::span(answer.body)), all, where);
    if (wanted > answer.body.size())
        answer.body += ask(file, answer.body.size(), wanted - answer.body.size()).body;
    answer.body.resize(std::min<std::uint64_t>(answer.body.size(), wanted));
    if (answer.body.size() < wanted)
        throw UserError("the header of {} did not arrive whole from {}: try again", where, endpoint_);
    const fs::path place = folder() / "weights" / file;
    fs::create_directories(place.parent_path());
    write_file_atomically(place, answer.body, false);
    std::error_code error;
    fs::resize_file(place, all, error);
    if (error)
        throw_file_error("cannot write", place, error.value());
    return true;
}

fs::path RemoteModel::headers_of_weights() {
    if (take_header_of(kWeights))
        return folder() / "weights" / kWeights;
    const std::optional<std::string> text = whole_file(kIndex, kLargestIndex);
    if (!text)
        throw UserError(
            has_config_
                ? Message("{} on {} has no weights of safetensors", repo_.name, endpoint_)
                : Message("{} on {} has neither config.json nor safetensors weights, or the model does not exist",
                          repo_.name, endpoint_));
    const nlohmann::json index = read_json(*text);
    std::set<std::string> shards;
    if (index.is_object() && index.contains("weight_map") && index["weight_map"].is_object())
        for (const auto& [tensor, shard] : index["weight_map"].items())
            shards.insert(shard.is_string() ? shard.get<std::string>() : std::string());
    if (shards.empty() || shards.size() > kMostRemoteShards ||
        !std::all_of(shards.begin(), shards.end(), is_shard_name))
        throw UserError("{} of {} names no files of weights, or more than {}", kIndex, repo_.name, kMostRemoteShards);
    for (const std::string& shard : shards)
        if (!take_header_of(shard))
            throw UserError("{} on {} lacks {}, which its index names", repo_.name, endpoint_, shard);
    write_file_atomically(folder() / "weights" / kIndex, *text, false);
    return folder() / "weights";
}

}  // namespace trainyard::hub
