// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Flag, environment, file, default: one value per setting and where it came from.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/accelerate/machine.h"
#include "config/accelerate/settings_file.h"
#include "launch/plan/flags.h"

namespace trainyard::plan {

enum class Origin { flag, environment, file, detected, fallback };
std::string_view origin_name(Origin origin);

using EnvironmentMap = std::map<std::string, std::string, std::less<>>;

/// How ranks share the work.
enum class Paradigm { single, cpu, multi_device, deepspeed, fsdp, megatron, tpu, sagemaker };

struct Resolved {
    Paradigm paradigm = Paradigm::single;
    Paradigm asked =
        Paradigm::single;         ///< the same before --cpu: what recipes train with, which need no accelerator for it
    settings::Settings settings;  ///< complete: file keys and launch-only flags, all defaults filled in
    std::map<std::string, Origin> origins;  ///< by path; a flag without a key in the file by its name
    /// Notes about values taken from MPI and SLURM variables of the environment; a subset of `warnings`.
    std::vector<Message> launcher_notes;
    std::vector<Message> warnings;  ///< assumed values in one text, conflicts that are resolved, deprecated keys
    std::string file;               ///< used; empty: none
    bool sagemaker = false;
    bool mesh_in_file = false;                  ///< the file has a parallelism_config that is not empty
    std::vector<std::string> deepspeed_fields;  ///< keys of the file's deepspeed_config, in its order

    /// True if the file sets the value and no flag overrides it.
    bool is_from_file(const std::string& path) const {
        const auto origin = origins.find(path);
        return origin != origins.end() && origin->second == Origin::file;
    }
};

/// Returns the file that will be read: --config_file, else the default one if it exists and --cpu was not given; empty:
/// none.
std::string settings_file(const Flags& flags);

/// Throws InvalidInput with everything that contradicts and with everything that check() finds.
Resolved resolve(const Flags& flags, const std::optional<settings::Loaded>& file, const settings::Machine& machine,
                 const EnvironmentMap& environment);

}  // namespace trainyard::plan
