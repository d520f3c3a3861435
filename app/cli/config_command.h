// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of `trainyard config`. Each returns an exit code and throws UserError.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/accelerate/batch.h"
#include "config/accelerate/check.h"
#include "config/accelerate/settings_file.h"

namespace trainyard::cli {

/// The file that was named, else the default one.
std::filesystem::path settings_path(const std::string& named);
/// Everything that is wrong or doubtful with a file, by line. `machine`: also what this machine lacks.
std::vector<settings::Finding> findings_of(const settings::Loaded& loaded, const settings::Machine* machine);

int config_default(const std::filesystem::path& file, const std::string& mixed_precision, bool json);
/// Writes one of settings::configuration_zoo().
/// `deepspeed_file`: a file of DeepSpeed that gets the preset's configuration; empty: it stays in the settings.
int config_preset(const std::filesystem::path& file, const std::string& id, const std::filesystem::path& deepspeed_file,
                  bool json);
int config_list_presets(bool json);
int config_update(const std::filesystem::path& file, bool json);
int config_validate(const std::filesystem::path& file, bool here, bool json);
int config_show(const std::filesystem::path& file, bool json);
int config_keys(const std::string& search, bool json, bool markdown);
int config_batch(const settings::BatchSetup& setup, std::int64_t ranks, settings::LearningRateRule rule, bool json);

}  // namespace trainyard::cli
