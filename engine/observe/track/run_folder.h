// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Folders of runs, one for each run, as W&B and SwanLab name them. Inside this library.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/filesystem.h"
#include "observe/track/tracker.h"

namespace trainyard::track {

/// `<prefix>20261121_074512-<id>`
std::string run_folder_name(std::string_view prefix, double wall, const std::string& id);
/// The newest folder of a run below `root`; empty if there is none.
fs::path newest_run_folder(const fs::path& root, std::string_view prefix);
/// The id in the name of a folder.
std::string run_id_in(const fs::path& folder, std::string_view prefix);

/// Takes everything and keeps nothing: a tool that is switched off.
std::unique_ptr<Tracker> make_disabled_tracker(std::string name);

/// The files of an artifact, each with its path among the artifacts of the run.
std::vector<std::pair<fs::path, std::string>> artifact_files(const ArtifactRecord& record);

/// Gives a file a second name, which keeps its content until that name is removed; on another disk a copy.
void link_or_copy(const fs::path& file, const fs::path& to);

/// As hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace trainyard::track
