#pragma once
// The folder for data that can be computed again: prepared tokens, measured peaks.

#include <filesystem>

namespace trainyard::files {

/// $TRAINYARD_CACHE, else $XDG_CACHE_HOME/trainyard, else ~/.cache/trainyard; empty if none of these variables is set.
/// The folder need not exist.
std::filesystem::path cache_folder();

}  // namespace trainyard::files
