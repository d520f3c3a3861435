// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Presets of the user: settings files in $XDG_CONFIG_HOME/trainyard/presets, one a file; its first comment is the name. Does I/O: not
// for the GUI thread.

#include <filesystem>
#include <string>
#include <vector>

#include "config/accelerate/draft.h"

namespace trainyard::desktop {

struct OwnPreset {
    settings::Preset preset;
    std::filesystem::path file;
};

/// `$XDG_CONFIG_HOME/trainyard/presets`, else in `~/.config`.
std::filesystem::path own_preset_folder();
/// By name. Files that cannot be read are named in `problems`, one sentence each.
std::vector<OwnPreset> read_own_presets(std::vector<Message>& problems);
/// Replaces the preset of that name. Throws UserError.
OwnPreset save_own_preset(const std::string& name, const settings::Settings& settings);
/// Throws UserError.
void delete_own_preset(const std::filesystem::path& file);

}  // namespace trainyard::desktop
