// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// run.yaml: what was asked, resolved; written once, never changed. `trainyard launch <run>/run.yaml` starts the same
// run again.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"
#include "run/paths.h"

namespace trainyard::run {

/// One machine of a run. The first one is where the supervisor is and rank 0.
struct MachineSpec {
    std::string host = "localhost";  ///< as people name it: an alias of ~/.ssh/config, a host name, an address
    int ranks = 1;
    std::string address;  ///< of the interface that its ranks bind to; empty: the loopback address
    bool operator==(const MachineSpec&) const = default;
};

/// Where the output of ranks goes beside their logs; the words are torchrun's, see launch/supervisor/rank_output.h.
struct OutputSpec {
    std::string redirects = "0";     ///< streams that go to files of log_dir only
    std::string tee = "0";           ///< streams that go to files of log_dir and, with the rank's name, to the terminal
    std::string local_ranks_filter;  ///< local ranks whose streams are shown, as in 0,2; empty: all
    std::string log_dir;             ///< absolute, on each machine; empty: no files
    bool operator==(const OutputSpec&) const = default;
};

struct LaunchSpec {
    int num_processes = 1;       ///< of all machines
    std::string device = "cpu";  ///< cpu, cuda, or the kind of device that device_library brings
    std::string device_library;  ///< shared library with a PrivateUse1 back end of LibTorch; empty: none
    std::string main_process_ip = "127.0.0.1";
    int main_process_port = 0;            ///< 0: a free port, chosen for every generation
    int num_cpu_threads_per_process = 0;  ///< 0: cores / ranks
    std::vector<MachineSpec> machines;    ///< empty: this machine alone, with num_processes ranks

    int max_restarts = 0;         ///< how often all ranks are restarted after a failure
    int min_machines = 0;         ///< least number of machines for a restart; 0: all
    double join_timeout_s = 600;  ///< to wait for machines, at the start and at a restart
    double hang_timeout_s =
        1800;                    ///< without a step, phase or collective for so long a rank counts as failed; 0: never
    double stop_timeout_s = 30;  ///< between asking the ranks to stop and killing them
    bool cpu_affinity = false;   ///< each rank on cores of its own, near its GPU
    std::string gpu_ids;         ///< numbers of the devices of each machine that ranks use, as in 0,2; empty: all
    OutputSpec output;
    std::map<std::string, std::string> environment;  ///< variables of the launch that ranks of all machines get: NCCL_*
    bool self_check = false;  ///< the ranks check themselves and each other (`trainyard test`) instead of training
};

/// A user's program that ranks run instead of a recipe. It is started without a shell.
struct ProgramSpec {
    std::vector<std::string> command;  ///< argv of every rank
    std::map<std::string, std::string>
        environment;               ///< on top of the machine's own; no secrets: it is kept in run.yaml
    std::string directory;         ///< to start in; empty: where the launch was
    bool rendezvous = true;        ///< torchrun's variables are set (RANK, MASTER_ADDR, TORCHELASTIC_*)
    std::string role = "default";  ///< ROLE_NAME
    std::string run_id = "none";   ///< TORCHELASTIC_RUN_ID
};

struct RunSpec {
    config::Recipe recipe;               ///< with a program: defaults, except for the name
    std::optional<ProgramSpec> program;  ///< run instead of the recipe
    LaunchSpec launch;
    std::string recipe_file;                      ///< absolute path it came from
    std::vector<std::string> command;             ///< argv of the launch
    std::map<std::string, std::string> versions;  ///< trainyard, libtorch, compiler
    std::map<std::string, std::string> git;  ///< commit, dirty of the recipe's folder; empty outside of a repository
    double created = 0;
};

/// `durable` off: the caller flushes it later (a launch does so when its ranks run; flushing takes longer than starting them).
void write_spec(const RunPaths& run, const RunSpec& spec, bool durable = true);
/// The machines of a launch; one that names none is this machine alone.
std::vector<MachineSpec> machines_of(const LaunchSpec& launch);

/// The text of run.yaml; sections recipe or program, launch, versions, git, command, created, recipe_file.
std::string to_yaml(const RunSpec& spec);
/// Throws UserError (InvalidInput for the recipe in it) naming the file.
RunSpec read_spec(const fs::path& file);
/// The same for a text that came another way; `file` is what sentences call it.
RunSpec parse_spec(const std::string& yaml, const fs::path& file);
/// True when the file is a run.yaml and not a bare recipe: its top level has `launch` and `recipe` or `program`.
bool is_spec_file(const fs::path& file);

}  // namespace trainyard::run
