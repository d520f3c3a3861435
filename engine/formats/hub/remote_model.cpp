// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/remote_model.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/files/cache_folder.h"
#include "base/json.h"
#include "base/text.h"
#include "formats/weights/safetensors_header.h"

namespace trainyard::hub {

namespace {

constexpr std::uint64_t kLargestConfig = 16u << 20;
constexpr std::uint64_t kLargestIndex = 256u << 20;
constexpr std::uint64_t kFirstBytes = 256u << 10;  ///< most headers are whole in these
constexpr std::size_t kMostShards = 1000;

constexpr const char* kConfig = "config.json";
constexpr const char* kWeights = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

std::string set_to(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? std::string() : std::string(value);
}

/// Of HF_TOKEN or the file that `hf auth login` writes. Nothing that is said contains it.
std::string access_token() {
    std::string token = std::string(text::trimmed(set_to("HF_TOKEN"))), origin = "HF_TOKEN";
    if (token.empty()) {
        const std::string named = set_to("HF_TOKEN_PATH");
        const fs::path file = named.empty() ? files::hugging_face_folder() / "token" : fs::path(named);
        std::error_code error;
        if (!fs::is_regular_file(file, error))
            return {};
        token = std::string(text::trimmed(read_file(file, 64u << 10)));
        origin = file.string();
    }
    if (std::any_of(token.begin(), token.end(), [](unsigned char c) { return c <= ' ' || c > '~'; }))
        throw UserError("{} holds no access token: a token is one word of ASCII characters", origin);
    return token;
}

bool is_offline() {
    std::string value = set_to("HF_HUB_OFFLINE");
    std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return std::toupper(c); });
    return value == "1" || value == "TRUE" || value == "YES" || value == "ON";
}

/// The files that an index names are written to a folder of this program.
bool is_shard_name(const std::string& name) {
    return name.ends_with(".safetensors") && !name.starts_with('.') &&
           std::all_of(name.begin(), name.end(), [](unsigned char c) {
               return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.');
           });
}

}  // namespace

std::optional<fs::path> cached_config(const std::string& name) {
    fs::path cache = set_to("HF_HUB_CACHE");
    if (cache.empty())
        cache = files::hugging_face_folder() / "hub";
    std::string folder = "models--" + name;
    if (const std::size_t slash = folder.find('/'); slash != std::string::npos)
        folder.replace(slash, 1, "--");
    std::ifstream reference(cache / folder / "refs" / "main");
    std::string commit;
    std::error_code error;
    if (!(reference >> commit) || commit.find('/') != std::string::npos)
        return std::nullopt;
    fs::path file = cache / folder / "snapshots" / commit / kConfig;
    return fs::is_regular_file(file, error) ? std::optional(std::move(file)) : std::nullopt;
}

bool is_model_name(const std::string& text) {
    const auto ends = [&](const char* ending) { return text.ends_with(ending); };
    if (text.empty() || text.size() > 200 || std::count(text.begin(), text.end(), '/') > 1 ||
        text.find("..") != std::string::npos || ends(".yaml") || ends(".yml") || ends(".json") ||
        ends(".safetensors") || ends(".gguf") || ends(".bin") || ends(".pt") || ends(".pth"))
        return false;
    const auto starts_a_part = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const bool first = i == 0 || text[i - 1] == '/';
        if (c > 127 || (first ? !starts_a_part(c) : !starts_a_part(c) && c != '.' && c != '-' && c != '/'))
            return false;
    }
    return text.back() != '/';
}

RemoteModel::RemoteModel(std::string name, std::stop_token stop)
    : name_(std::move(name)), endpoint_(std::string(text::trimmed(set_to("HF_ENDPOINT")))), stop_(std::move(stop)) {
    while (endpoint_.ends_with('/'))
        endpoint_.pop_back();
    if (endpoint_.empty())
        endpoint_ = "https://huggingface.co";
    else if (!endpoint_.starts_with("http://") && !endpoint_.starts_with("https://"))
        throw UserError("HF_ENDPOINT must be the address of a hub, such as https://huggingface.co");
}

RemoteModel::~RemoteModel() {
    std::error_code ignored;
    if (!folder_.empty())
        fs::remove_all(folder_, ignored);
}

const fs::path& RemoteModel::folder() {
    if (folder_.empty()) {
        std::string pattern = (fs::temp_directory_path() / "trainyard-hub-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr)
            throw_file_error("cannot make", pattern, errno);
        folder_ = pattern;
    }
    return folder_;
}

HttpAnswer RemoteModel::ask(const std::string& file, std::uint64_t begin, std::uint64_t count) {
    if (is_offline())
        throw UserError(
            "{} is not a file or folder here, and models are not looked up on a hub while HF_HUB_OFFLINE is set",
            name_);
    if (client_ == nullptr)
        client_ = std::make_unique<HttpClient>(access_token(), stop_);
    if (listener_)
        listener_(file);
    HttpAnswer answer = client_->get(fmt::format("{}/{}/resolve/main/{}", endpoint_, name_, file), begin, count);
    if (answer.ok() || answer.status == 404)
        return answer;
    if (answer.status == 0)
        throw UserError(
            "{} is not a file or folder here, and {} cannot be asked for a model of that name ({}): name a recipe, a "
            "config.json, weights or the folder of a model",
            name_, endpoint_, answer.problem);
    if (answer.status == 401 || answer.status == 403)
        throw UserError(
            "{} is not a file or folder here, and {} has no public model of that name: check the name, or set HF_TOKEN "
            "to a token that may read it",
            name_, endpoint_);
    throw UserError("{} answered with status {} when it was asked for {} of {}: try again later", endpoint_,
                    answer.status, file, name_);
}

std::optional<std::string> RemoteModel::whole_file(const std::string& file, std::uint64_t most) {
    HttpAnswer answer = ask(file, 0, most);
    if (answer.status == 404)
        return std::nullopt;
    if (answer.file_bytes > most || answer.body.size() >= most)
        throw UserError("{} of {} is larger than such a file can be ({} bytes)", file, name_, most);
    if (answer.file_bytes > answer.body.size())
        throw UserError("{} of {} did not arrive whole from {}: try again", file, name_, endpoint_);
    return std::move(answer.body);
}

std::optional<fs::path> RemoteModel::config() {
    if (std::optional<fs::path> cached = cached_config(name_))
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
    const std::string where = fmt::format("{} of {}", file, name_);
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
                ? Message("{} on {} has no weights of safetensors", name_, endpoint_)
                : Message("{} on {} has neither config.json nor safetensors weights, or the model does not exist",
                          name_, endpoint_));
    const nlohmann::json index = read_json(*text);
    std::set<std::string> shards;
    if (index.is_object() && index.contains("weight_map") && index["weight_map"].is_object())
        for (const auto& [tensor, shard] : index["weight_map"].items())
            shards.insert(shard.is_string() ? shard.get<std::string>() : std::string());
    if (shards.empty() || shards.size() > kMostShards || !std::all_of(shards.begin(), shards.end(), is_shard_name))
        throw UserError("{} of {} names no files of weights, or more than {}", kIndex, name_, kMostShards);
    for (const std::string& shard : shards)
        if (!take_header_of(shard))
            throw UserError("{} on {} lacks {}, which its index names", name_, endpoint_, shard);
    write_file_atomically(folder() / "weights" / kIndex, *text, false);
    return folder() / "weights";
}

}  // namespace trainyard::hub
