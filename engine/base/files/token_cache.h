// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A cache of prepared tokens, kept between runs and shared by the ranks of a host: files `<set>-<state>.tokens`
// (token_file.h) in one folder. `set` is a hash of what determines the tokens (paths, format, column, data.on_corrupt),
// `state` a hash of the files' sizes, times and inode numbers: if a file changes, the set is prepared again and its old
// tokens are removed. One rank of a host prepares, holding a lock; the other ranks wait and map the same file.
// Preparing a set removes files that have not been used for 30 days.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/files/token_file.h"
#include "base/message.h"

namespace trainyard::files {

/// $TRAINYARD_CACHE/tokens, else $XDG_CACHE_HOME/trainyard/tokens, else ~/.cache/trainyard/tokens; empty if none of
/// these variables is set.
std::filesystem::path token_cache_folder();

/// Smaller data sets are prepared in the memory of each rank, because reading them takes less time than looking for a
/// cached file.
inline constexpr std::uint64_t kSmallestCached = 4u << 20;  // bytes of all files

struct PreparedTokens {
    std::shared_ptr<const TokenFile> tokens;
    bool prepared = false;  ///< by this call
    Message remark;         ///< why the tokens are in this process's memory, if that has a cost; else empty
};

struct TokenSource {
    std::vector<std::filesystem::path> files;  ///< all input files
    std::string how;                           ///< everything else that the tokens depend on
    /// Writes all tokens and calls finish(). Called again after a TokenFileError.
    std::function<void(int fd)> prepare;
};

/// Throws UserError of `prepare`. If the folder is not writable, the tokens are prepared in memory, and `remark` says
/// so.
PreparedTokens prepared_tokens(const TokenSource& source, const std::filesystem::path& folder = token_cache_folder());

/// Number and size of files that the cache has, or that were removed.
struct CacheContent {
    std::size_t files = 0;
    std::uint64_t bytes = 0;
};
CacheContent token_cache_content(const std::filesystem::path& folder = token_cache_folder());
/// Removes all prepared files. Running ranks keep what they have mapped.
CacheContent clear_token_cache(const std::filesystem::path& folder = token_cache_folder());

}  // namespace trainyard::files
