// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names inside a run directory: docs in run/README.md (the contract between desktop, command line, supervisor, worker).

#include <filesystem>
#include <string>

namespace trainyard::run {

namespace fs = std::filesystem;

/// A run directory and the names inside it. Cheap value; touches no disk.
class RunPaths {
  public:
    explicit RunPaths(fs::path root) : root_(std::move(root)) {}
    const fs::path& root() const { return root_; }
    std::string id() const { return root_.filename().string(); }
    fs::path spec() const { return root_ / "run.yaml"; }
    fs::path state() const { return root_ / "state.json"; }
    fs::path journal() const { return root_ / "events.jsonl"; }
    fs::path requests() const { return root_ / "requests"; }
    fs::path requests_done() const { return root_ / "requests" / "done"; }
    fs::path logs() const { return root_ / "logs"; }
    fs::path supervisor_log() const { return logs() / "supervisor.log"; }
    fs::path console_log() const { return logs() / "console.log"; }  ///< teed streams, as a terminal shows them
    fs::path rank_log(int rank) const;                               ///< logs/rank-00003.log
    fs::path metrics() const { return root_ / "metrics"; }
    fs::path checkpoints() const { return root_ / "checkpoints"; }
    fs::path traces() const { return root_ / "traces"; }
    /// Number of the generation that may write checkpoints and state: a fence for ranks that were thought dead.
    fs::path generation() const { return root_ / "generation"; }
    fs::path queue() const { return root_ / "queue.json"; }
    fs::path estimate() const { return root_ / "estimate.json"; }

  private:
    fs::path root_;
};

/// $TRAINYARD_RUNS, else $XDG_DATA_HOME/trainyard/runs, else ~/.local/share/trainyard/runs.
fs::path runs_root();

/// `20261121-074512-gpt2-perldoc-4f2a`: time, name made safe for files, four random hex digits.
std::string new_run_id(const std::string& name);

/// Makes the folders of a new run (0700). Throws UserError when the place cannot be written.
RunPaths create_run_directory(const fs::path& runs_root, const std::string& name);
/// The same for a folder the user names. Throws UserError when it is there already and not empty.
RunPaths create_run_directory_at(const fs::path& folder);

}  // namespace trainyard::run
