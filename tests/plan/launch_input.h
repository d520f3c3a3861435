// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One golden case of launch_env.json run through the product: the same calls as `trainyard launch`, with the machine that the case
// describes, in a folder of its own.

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace trainyard::test {

using Json = nlohmann::json;

/// A case's input; see golden/README.md.
struct LaunchInput {
    std::vector<std::string> flags;
    std::string config;  ///< empty: no file
    bool has_config = false;
    bool config_is_default = false;
    Json machine = Json::object();
    Json env = Json::object();
    Json files = Json::object();

    static LaunchInput from(const Json& input);
    bool typed(const std::string& flag) const;              ///< before the program, `-` and `_` alike
    std::string value_of(const std::string& flag) const;    ///< of a flag; empty: not given
    std::vector<std::string> program() const;               ///< and its arguments
    void add_flags(const std::vector<std::string>& words);  ///< before all others
    /// Lines of the file's top level, as YAML would give them: `num_processes`, or `fsdp_config.fsdp_version`.
    std::string config_value(const std::string& path) const;  ///< as text; empty: absent or null
    bool file_counts() const;                                 ///< a file is there and read
    template <typename T>
    T machine_value(const char* key, T otherwise) const {
        return machine.contains(key) && !machine[key].is_null() ? machine[key].get<T>() : otherwise;
    }
};

/// What the product would do, in the words of the golden file: launcher, env, command or worker_command, torchrun, estimator ...;
/// {"error": {"message"}} when it refuses. Warnings under "log".
Json answer(const LaunchInput& input);

/// The key of a flag: `--num-processes=4` is num_processes.
std::string flag_name(std::string flag);

}  // namespace trainyard::test
