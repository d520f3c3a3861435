// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folders of a user: home, settings, state, data, and what can be computed again. A variable that is not an
// absolute path counts as not set (XDG Base Directory Specification). None of the folders need exist.

#include <filesystem>
#include <string>

namespace trainyard::files {

/// $HOME, else what the system's user database says, else "/".
std::filesystem::path home_folder();

/// Replaces a leading ~ by home_folder(), and ~name by the home folder of that account, as shells do. Returns other
/// texts unchanged.
std::string expand_home(const std::string& path);

/// Settings: $XDG_CONFIG_HOME/trainyard, else ~/.config/trainyard.
std::filesystem::path config_folder();

/// What is kept of windows, hosts and agents: $XDG_STATE_HOME/trainyard, else ~/.local/state/trainyard.
std::filesystem::path state_folder();

/// Runs and recipes: $XDG_DATA_HOME/trainyard, else ~/.local/share/trainyard.
std::filesystem::path data_folder();

/// Prepared tokens, measured peaks: $TRAINYARD_CACHE, else $XDG_CACHE_HOME/trainyard, else ~/.cache/trainyard; empty if
/// none of these variables is set.
std::filesystem::path cache_folder();

/// Of Hugging Face's libraries: $HF_HOME, else $XDG_CACHE_HOME/huggingface, else ~/.cache/huggingface.
std::filesystem::path hugging_face_folder();

}  // namespace trainyard::files
