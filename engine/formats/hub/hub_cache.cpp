// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/hub/hub_cache.h"

#include <algorithm>
#include <fstream>
#include <system_error>

#include "formats/hub/hub_settings.h"

namespace trainyard::hub {

namespace fs = std::filesystem;

namespace {

constexpr const char* kFolderOfKind[] = {"models--", "datasets--"};

}  // namespace

std::string folder_name(const RepoName& repo) {
    std::string name = kFolderOfKind[static_cast<int>(repo.kind)] + repo.name;
    if (const std::size_t slash = name.find('/'); slash != name.npos)
        name.replace(slash, 1, "--");
    return name;
}

fs::path repo_folder(const RepoName& repo) {
    return cache_root() / folder_name(repo);
}

fs::path snapshot_folder(const RepoName& repo, const std::string& commit) {
    return repo_folder(repo) / "snapshots" / commit;
}

bool is_commit(const std::string& revision) {
    return revision.size() == 40 && revision.find_first_not_of("0123456789abcdef") == revision.npos;
}

std::optional<std::string> cached_commit(const RepoName& repo) {
    if (is_commit(repo.revision))
        return repo.revision;
    std::ifstream reference(repo_folder(repo) / "refs" / repo.revision);
    std::string commit;
    if (!(reference >> commit) || commit.empty() || commit.find('/') != commit.npos || commit.front() == '.')
        return std::nullopt;
    return commit;
}

std::vector<std::string> files_of_snapshot(const fs::path& snapshot) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(snapshot, error), end; !error && entry != end; entry.increment(error))
        if (std::error_code unknown; entry->is_regular_file(unknown))
            names.push_back(entry->path().lexically_relative(snapshot).generic_string());
    std::ranges::sort(names);
    return names;
}

std::vector<CachedRepo> cached_repos(RepoKind kind, std::size_t most) {
    const std::string start = kFolderOfKind[static_cast<int>(kind)];
    std::vector<CachedRepo> found;
    std::error_code error;
    for (fs::directory_iterator entry(cache_root(), error), end; !error && entry != end && found.size() < most;
         entry.increment(error)) {
        std::string name = entry->path().filename().string();
        std::error_code unknown;
        if (!name.starts_with(start) || !fs::is_directory(entry->path() / "snapshots", unknown))
            continue;
        name.erase(0, start.size());
        if (const std::size_t dashes = name.find("--"); dashes != name.npos)
            name.replace(dashes, 2, "/");
        if (!is_model_name(name))
            continue;
        CachedRepo repo{{kind, std::move(name)}, 0};
        for (fs::directory_iterator blob(entry->path() / "blobs", unknown), last; !unknown && blob != last;
             blob.increment(unknown))
            if (std::error_code missing; blob->is_regular_file(missing))
                repo.bytes += blob->file_size(missing);
        found.push_back(std::move(repo));
    }
    std::ranges::sort(found, {}, [](const CachedRepo& each) { return each.repo.name; });
    return found;
}

std::optional<SnapshotPath> parse_snapshot_path(const fs::path& path) {
    const std::string text = path.generic_string();
    const std::string middle = "/snapshots/";
    const std::size_t at = text.rfind(middle);
    if (at == text.npos || at == 0)
        return std::nullopt;
    const std::size_t begin = text.rfind('/', at - 1);
    std::string folder = text.substr(begin == text.npos ? 0 : begin + 1, at - (begin == text.npos ? 0 : begin + 1));
    const std::string rest = text.substr(at + middle.size());
    SnapshotPath found;
    found.repo.revision = rest.substr(0, rest.find('/'));
    if (!is_commit(found.repo.revision))
        return std::nullopt;
    if (rest.size() > found.repo.revision.size() + 1)
        found.file = rest.substr(found.repo.revision.size() + 1);
    for (const RepoKind kind : {RepoKind::model, RepoKind::dataset}) {
        const std::string start = kFolderOfKind[static_cast<int>(kind)];
        if (!folder.starts_with(start))
            continue;
        std::string name = folder.substr(start.size());
        if (const std::size_t dashes = name.find("--"); dashes != name.npos)
            name.replace(dashes, 2, "/");
        found.repo.kind = kind;
        found.repo.name = std::move(name);
        return is_model_name(found.repo.name) ? std::optional(std::move(found)) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace trainyard::hub
