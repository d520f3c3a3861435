#pragma once
// Prepared tokens of data sets, kept between runs and shared by the ranks of a host: files `<set>-<state>.tokens` of token_file.h in one folder.
// `set` is a hash of what is read how (paths, format, column, data.on_corrupt), `state` one of the files' sizes, times and numbers: a set whose
// files have changed is prepared anew, and what was prepared of it before is removed. One rank of a host prepares, behind a lock; the others
// wait and map the same file. Files that nobody used for 30 days go when the next one is prepared.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "files/token_file.h"

namespace trainyard::files {

/// $TRAINYARD_CACHE/tokens, else $XDG_CACHE_HOME/trainyard/tokens, else ~/.cache/trainyard/tokens; empty without any of them.
std::filesystem::path token_cache_folder();

/// Smaller data sets are prepared in the memory of each rank: reading them takes less than looking for a file.
inline constexpr std::uint64_t kSmallestCached = 4u << 20;  // bytes of all files

struct PreparedTokens {
    std::shared_ptr<const TokenFile> tokens;
    bool prepared = false;  ///< by this call
    std::string remark;     ///< why they are in this process's memory, where that costs something; else empty
};

struct TokenSource {
    std::vector<std::filesystem::path> files;  ///< all that is read
    std::string how;                           ///< everything else that the tokens depend on
    /// Writes all tokens, with finish(). Called again after a TokenFileError.
    std::function<void(int fd)> prepare;
};

/// Throws UserError of `prepare`. Without a folder that can be written, the tokens are prepared in memory and `remark` says so.
PreparedTokens prepared_tokens(const TokenSource& source, const std::filesystem::path& folder = token_cache_folder());

/// What is kept, or was removed.
struct CacheContent {
    std::size_t files = 0;
    std::uint64_t bytes = 0;
};
CacheContent token_cache_content(const std::filesystem::path& folder = token_cache_folder());
/// Removes every prepared file. What running ranks have mapped stays theirs.
CacheContent clear_token_cache(const std::filesystem::path& folder = token_cache_folder());

}  // namespace trainyard::files
