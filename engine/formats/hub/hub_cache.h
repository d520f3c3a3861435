// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The cache of huggingface_hub on this machine, which its programs and this one share:
//
//     models--org--name/refs/main                      commit of a branch or tag
//     models--org--name/blobs/ETAG                     contents
//     models--org--name/snapshots/COMMIT/config.json   links to them
//     .locks/models--org--name/ETAG.lock               held while a content is downloaded

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "formats/hub/repo_name.h"

namespace trainyard::hub {

/// models--org--name
std::string folder_name(const RepoName& repo);
std::filesystem::path repo_folder(const RepoName& repo);
std::filesystem::path snapshot_folder(const RepoName& repo, const std::string& commit);

/// The commit that a revision had when it was downloaded last; the revision itself if it is a commit.
std::optional<std::string> cached_commit(const RepoName& repo);
/// Whether a revision is a commit: 40 hexadecimal digits.
bool is_commit(const std::string& revision);

/// Files of a snapshot, by their names in the repository.
std::vector<std::string> files_of_snapshot(const std::filesystem::path& snapshot);

/// A repository that was downloaded, or a part of it.
struct CachedRepo {
    RepoName repo;  ///< of the branch main
    std::uint64_t bytes = 0;
};

/// The repositories of a kind in the cache, by name; at most `most`. A cache that is missing or unreadable has none.
std::vector<CachedRepo> cached_repos(RepoKind kind, std::size_t most = 500);

/// A file or folder of a snapshot: its repository with the commit as revision, and the name in it (empty: the
/// snapshot).
struct SnapshotPath {
    RepoName repo;
    std::string file;
};

/// Nothing if a path does not have the form of the cache. The path need not exist.
std::optional<SnapshotPath> parse_snapshot_path(const std::filesystem::path& path);

}  // namespace trainyard::hub
