// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of `accelerate config`, YAML or JSON, of every age (0.11 to 1.15): read, brought to today's keys, written back. Limits
// against hostile files: 1 MiB, 64 levels, 10,000 nodes after aliases are put in; no tags, one document.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "config/accelerate/settings.h"

namespace trainyard::settings {

enum class Format { yaml, json };

/// A change to a key while a file was read; an entry of the import report.
struct ReadNote {
    enum class Kind { translated, repaired, unknown, dropped };
    Kind kind = Kind::translated;
    std::string path;
    Message message;  ///< "fp16: true became mixed_precision: fp16"
    int line = 0;
};

/// A file that was read, with everything needed to write it back without losing what is not ours.
struct Loaded {
    Settings settings;  ///< today's keys with the values of the file; no defaults filled in
    std::vector<ReadNote> notes;
    std::vector<Problem> problems;  ///< with line and column; empty: the file is good
    std::string text;               ///< the file, byte for byte
    std::string file;               ///< name for messages
    Format format = Format::yaml;
    std::int64_t hpz_partition_size = 0;  ///< of a DeepSpeed JSON: ranks of a secondary shard; no setting says it
};

/// Never throws for what the text holds: as much as can be read, and all problems.
Loaded read_settings(std::string text, const std::string& file, Format format);
/// By extension: `.json` is JSON, anything else YAML. Throws UserError when the file cannot be read, InvalidInput with all problems.
Loaded load_settings(const std::filesystem::path& file);

/// With Accelerate's class defaults filled in, as its loader does (num_processes -1 when it must still be given).
Settings with_defaults(const Settings& settings);

/// Keys sorted, nulls and empty tables dropped, quoted as PyYAML's safe_dump does; what `accelerate config` would write.
std::string to_text(const Settings& settings, Format format);
/// The text of `original` with the values of `settings`: the same bytes when nothing differs; else comments stay with their keys.
std::string rewrite(const Loaded& original, const Settings& settings);
/// Atomic; makes the folder. Throws UserError naming the file.
void save_text(const std::filesystem::path& file, const std::string& text);

/// $TRAINYARD_CONFIG, else `default_config.yaml` in $HF_HOME/accelerate, $XDG_CACHE_HOME/huggingface/accelerate or
/// ~/.cache/huggingface/accelerate, as Accelerate looks for it.
std::filesystem::path default_file();

/// FSDP 1 settings as FSDP 2 (`to-fsdp2`). Notes say what was dropped.
Settings to_fsdp2(const Settings& settings, std::vector<ReadNote>& notes);
/// The stage of ZeRO that shards as a strategy of FSDP 1 does: 0, 2 or 3.
std::int64_t zero_stage_of_strategy(std::string_view strategy);
/// FSDP settings, of either version, as DeepSpeed's (`to-deepspeed`). Throws InvalidInput for what has no counterpart.
Settings to_deepspeed(const Settings& settings, std::vector<ReadNote>& notes);
/// DeepSpeed settings, with the keys of deepspeed_config_file, as FSDP's (`to-fsdp`). Throws InvalidInput for what has
/// no counterpart, and for a file that cannot be read.
Settings to_fsdp(const Settings& settings, int version, std::vector<ReadNote>& notes);

/// A DeepSpeed JSON (ds_config.json) as settings: zero_optimization, accumulation, clipping, precision. For import.
Loaded read_deepspeed_json(std::string text, const std::string& file);

}  // namespace trainyard::settings
