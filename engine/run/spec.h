#pragma once
// run.yaml: what was asked, resolved; written once, never changed. `trainyard launch <run>/run.yaml` starts the same
// run again.

#include <map>
#include <string>
#include <vector>

#include "config/recipe.h"
#include "run/paths.h"

namespace trainyard::run {

struct LaunchSpec {
    int num_processes = 1;
    std::string device = "cpu";  ///< cpu | cuda
    std::string main_process_ip = "127.0.0.1";
    int main_process_port = 0;            ///< 0: a free one
    int num_cpu_threads_per_process = 0;  ///< 0: cores / ranks
    std::vector<std::string> hosts{"localhost"};
};

struct RunSpec {
    config::Recipe recipe;
    LaunchSpec launch;
    std::string recipe_file;                      ///< absolute path it came from
    std::vector<std::string> command;             ///< argv of the launch
    std::map<std::string, std::string> versions;  ///< trainyard, libtorch, compiler
    std::map<std::string, std::string> git;  ///< commit, dirty of the recipe's folder; empty outside of a repository
    double created = 0;
};

/// `durable` off: the caller flushes it later (a launch does so when its ranks run; flushing takes longer than starting them).
void write_spec(const RunPaths& run, const RunSpec& spec, bool durable = true);
/// The text of run.yaml; sections recipe, launch, versions, git, command, created, recipe_file.
std::string to_yaml(const RunSpec& spec);
/// Throws UserError (InvalidInput for the recipe in it) naming the file.
RunSpec read_spec(const fs::path& file);
/// True when the file is a run.yaml and not a bare recipe: its top level has `recipe` and `launch`.
bool is_spec_file(const fs::path& file);

}  // namespace trainyard::run
