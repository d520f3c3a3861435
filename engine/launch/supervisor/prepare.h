// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks a launch before anything starts: the recipe, its data, the numbers of the command
// line, the worker, the port, the folder of the run and its disk. All problems are reported together; a launch that
// cannot start leaves no files.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.h"
#include "config/recipe/given_keys.h"
#include "formats/hub/fetch.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::launch {

/// The device as flags and settings name it.
struct DeviceChoice {
    bool cpu = false;
    std::string device = {};  ///< run::LaunchSpec::device; empty: as the specification says, or default_device()
    std::string library =
        {};  ///< run::LaunchSpec::device_library; empty: as the specification or TRAINYARD_DEVICE_LIBRARY says
};

/// Writes the choice, completed from the environment, to `launch`; the library's path becomes absolute.
void choose_device(run::LaunchSpec& launch, const DeviceChoice& choice);

/// What the user asked for. An absent value is taken from run.yaml when `file` is one, else the default.
struct LaunchOptions {
    std::filesystem::path file;          ///< recipe or run.yaml
    std::vector<std::string> overrides;  ///< key=value for the recipe, in order
    std::optional<int> num_processes;
    DeviceChoice device;
    std::optional<std::string> mixed_precision;
    std::string default_mixed_precision;  ///< of the settings file: for a recipe that leaves it at no; empty: none
    /// They hold where a recipe leaves the default, and must not contradict another value of it. A run.yaml is complete: there they do not
    /// count.
    std::vector<config::GivenKey> file_settings;
    std::optional<int> main_process_port;
    std::optional<int> num_cpu_threads_per_process;
    std::optional<int> max_restarts;
    std::optional<bool> cpu_affinity;
    std::optional<std::string> gpu_ids;  ///< run::LaunchSpec::gpu_ids
    std::optional<run::OutputSpec> output;
    std::map<std::string, std::string> environment;  ///< over run::LaunchSpec::environment
    /// Machines that find each other: machines, num_processes, main_process_ip and _port (theirs already), min_machines, join_timeout_s.
    std::optional<run::LaunchSpec> rendezvous;
    std::filesystem::path run_dir;  ///< empty: a new folder under run::runs_root()
    bool queued = false;  ///< the run will wait in a queue: resources in use by other runs need not be free yet
    /// Downloads what the recipe names on a hub and is not in the cache; none: sends no request.
    std::optional<hub::FetchOptions> fetch = {};
    std::vector<std::string> command;  ///< argv, for run.yaml
};

/// A launch that can start. Holds the port.
struct CheckedLaunch {
    run::RunSpec spec;
    std::filesystem::path worker;   ///< of a recipe
    std::filesystem::path run_dir;  ///< as in LaunchOptions
    FileDescriptor store_socket;    ///< listens on launch.main_process_ip; none where `holds_port` was off
    FileDescriptor reservation;     ///< of the port, until the run is over (base/listen_socket.h)
    int port = 0;
    bool queued = false;         ///< as in LaunchOptions
    std::vector<Message> notes;  ///< on what the run will do otherwise than expected
};

/// A run whose folder is there, in the state `preparing`, or `queued`: its supervisor waits for its turn then.
struct PreparedRun {
    run::RunPaths paths;
    run::RunSpec spec;
    run::RunState state;
    std::filesystem::path worker;
    FileDescriptor store_socket;  ///< of the first generation; none: the supervisor binds it
    FileDescriptor reservation;   ///< of its port
    int port = 0;
    bool was_there = false;  ///< the folder was there before (a job of a cluster): it stays whatever happens
};

/// Returns the specification that is asked for, without checking this machine: for a run on other machines. Throws
/// InvalidInput with all problems of the recipe and the command line.
run::RunSpec read_launch(const LaunchOptions& options);

/// Throws InvalidInput with all problems. Writes nothing.
CheckedLaunch check_launch(const LaunchOptions& options);

/// The same for a specification that is complete, of a recipe or of a program. Downloads what it names on a hub. It is this machine that is the first of its machines.
/// `holds_port` false: launch.main_process_port is in use by the listener that lets machines join. `created`,
/// `versions` and `git` are filled in.
CheckedLaunch check_spec(run::RunSpec spec, const std::filesystem::path& run_dir = {}, bool holds_port = true,
                         bool queued = false);

/// Creates the run's folder with run.yaml and the first state.json; removes it again if that fails (UserError). An
/// existing folder is taken over if it waits for this SLURM job, or in a queue whose waiting process has ended.
PreparedRun create_run(CheckedLaunch launch);

/// Returns the path of trainyard-worker next to this program, or $TRAINYARD_WORKER. Not checked.
std::filesystem::path worker_path();
/// `cuda` when this machine has an NVIDIA GPU and the CUDA plug-in is next to the worker, else `cpu`.
std::string default_device();
/// Returns the versions of trainyard, libtorch and the compiler.
std::map<std::string, std::string> build_versions();

}  // namespace trainyard::launch
