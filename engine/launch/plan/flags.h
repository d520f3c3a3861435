// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The command line of `launch`, with Accelerate's flags (from the schema) and ours.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/accelerate/settings.h"

namespace trainyard::plan {

/// One host of --hosts: `gpu-b:2` -> {gpu-b, 2}; ranks 0: as many as it has devices.
struct HostRanks {
    std::string host;
    int ranks = 0;
};

struct Flags {
    /// By flag name without dashes (`num_processes`), only flags that were given; converted to the flag's type.
    std::map<std::string, Value, std::less<>> typed;
    std::string config_file;             ///< --config_file; empty: not given
    std::vector<HostRanks> hosts;        ///< --hosts a,b:2 or --hostfile
    std::string program;                 ///< recipe, script, module or executable
    std::vector<std::string> arguments;  ///< of the program, untouched

    bool has(std::string_view name) const { return typed.find(name) != typed.end(); }
    bool is_on(std::string_view name) const;  ///< a presence flag that was typed
    /// The value as it was typed.
    std::string text(std::string_view name, const std::string& otherwise = {}) const;
    std::optional<int> number(std::string_view name) const;
};

/// Words after `launch`; at --help it stops with `help` on. Throws InvalidInput with all problems (unknown flag with the nearest name, bad choice, missing value,
/// missing program). Flags come before the program; for a recipe (.yaml) also after it, since a recipe takes no
/// arguments.
Flags parse_flags(const std::vector<std::string>& words);

/// The text of `launch --help`, grouped, from the schema. With `typed` flags: the general groups, and those that these
/// flags are of or choose.
std::string flags_help(const Flags& typed = {});

/// Whether the program of a command line is a recipe of the bundled engine: a YAML file.
bool is_recipe(std::string_view program);
/// Whether these flags start one.
bool names_recipe(const Flags& flags);

}  // namespace trainyard::plan
