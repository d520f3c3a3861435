// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/repo_name.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "formats/hub/hub_settings.h"

namespace trainyard::hub {

namespace {

/// Revisions become parts of addresses and of paths in the cache.
bool is_revision(const std::string& text) {
    return !text.empty() && text.size() <= 200 && text.find("..") == text.npos && text.front() != '/' &&
           text.back() != '/' && std::ranges::all_of(text, [](unsigned char c) {
               return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/');
           });
}

bool is_word(const std::string& text) {
    return !text.empty() && text.size() <= 200 && text.front() != '.' && std::ranges::all_of(text, [](unsigned char c) {
        return c < 128 && (std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '+');
    });
}

}  // namespace

std::string RepoName::text() const {
    return revision == "main" ? name : name + "@" + revision;
}

std::optional<RepoName> DataName::shorter() const {
    const std::size_t slash = repo.name.find('/');
    if (slash == repo.name.npos || !config.empty())
        return std::nullopt;
    return RepoName{repo.kind, repo.name.substr(0, slash), repo.revision};
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

std::string name_of_address(const std::string& text) {
    for (const std::string_view prefix : {"hf-hub:", "hf_hub:"})  // timm's
        if (text.starts_with(prefix))
            return std::string(kHubPrefix) + text.substr(prefix.size());
    std::string_view rest = text;
    const auto take = [&](std::string_view begin) {
        const bool has = rest.starts_with(begin);
        rest.remove_prefix(has ? begin.size() : 0);
        return has;
    };
    const bool is_address = take("https://") || take("http://");
    const std::string own = endpoint();
    const std::size_t scheme = own.find("://");
    const std::string host = (scheme == own.npos ? own : own.substr(scheme + 3)) + "/";
    if (!is_address || (!take("huggingface.co/") && !take("hf.co/") && !take(host)))
        return text;
    take("datasets/");
    rest = rest.substr(0, rest.find_first_of("?#"));
    std::vector<std::string> parts;
    for (std::string_view left = rest; !left.empty();) {
        const std::size_t slash = std::min(left.find('/'), left.size());
        if (slash > 0)
            parts.emplace_back(left.substr(0, slash));
        left.remove_prefix(std::min(slash + 1, left.size()));
    }
    // org/name/tree/REVISION, or a file of it: org/name/blob/REVISION/FILE
    std::string name, revision;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i] == "tree" || parts[i] == "blob" || parts[i] == "resolve") {
            revision = i + 1 < parts.size() && parts[i + 1] != "main" ? "@" + parts[i + 1] : "";
            break;
        } else {
            name += (i > 0 ? "/" : "") + parts[i];
        }
    return std::string(kHubPrefix) + name + revision;
}

std::optional<RepoName> parse_model_name(const std::string& given) {
    const std::string text = name_of_address(given);
    std::string name = has_hub_prefix(text) ? text.substr(kHubPrefix.size()) : text;
    RepoName repo;
    if (const std::size_t at = name.find('@'); at != name.npos) {
        repo.revision = name.substr(at + 1);
        name.resize(at);
    }
    if (!is_model_name(name) || !is_revision(repo.revision))
        return std::nullopt;
    repo.name = std::move(name);
    return repo;
}

std::optional<RepoName> model_not_here(const std::string& text) {
    std::error_code error;
    const std::string folder = text.substr(0, text.find('@'));  // of a run: FOLDER@STEP
    if (!has_hub_prefix(text) &&
        (text.find('/') == text.npos || std::filesystem::exists(text, error) || std::filesystem::exists(folder, error)))
        return std::nullopt;
    return parse_model_name(text);
}

std::optional<DataName> parse_data_name(const std::string& given) {
    const std::string text = name_of_address(
        has_hub_prefix(given) && given.find("://") != given.npos ? given.substr(kHubPrefix.size()) : given);
    if (!has_hub_prefix(text))
        return std::nullopt;
    std::string name = text.substr(kHubPrefix.size());
    DataName data;
    data.repo.kind = RepoKind::dataset;
    if (const std::size_t colon = name.rfind(':'); colon != name.npos) {
        data.split = name.substr(colon + 1);
        name.resize(colon);
        if (!is_word(data.split))
            return std::nullopt;
    }
    // org/name@REVISION/CONFIG, org/name/CONFIG, name@REVISION/CONFIG
    const std::size_t at = name.find('@');
    std::string rest;
    if (at != name.npos) {
        rest = name.substr(at + 1);
        name.resize(at);
        const std::size_t slash = rest.find('/');
        data.repo.revision = rest.substr(0, slash);
        rest = slash == rest.npos ? "" : rest.substr(slash + 1);
        if (slash != std::string::npos && rest.empty())
            return std::nullopt;
    } else if (std::ranges::count(name, '/') == 2) {
        rest = name.substr(name.rfind('/') + 1);
        name.resize(name.rfind('/'));
        if (rest.empty())
            return std::nullopt;
    }
    data.config = rest;
    if (!is_model_name(name) || !is_revision(data.repo.revision) || (!rest.empty() && !is_word(rest)))
        return std::nullopt;
    data.repo.name = std::move(name);
    return data;
}

}  // namespace trainyard::hub
