#pragma once
// Where this machine keeps what can be made again: prepared tokens, measured peaks.

#include <filesystem>

namespace trainyard::files {

/// $TRAINYARD_CACHE, else $XDG_CACHE_HOME/trainyard, else ~/.cache/trainyard; empty where none of these variables is set. Need not exist.
std::filesystem::path cache_folder();

}  // namespace trainyard::files
