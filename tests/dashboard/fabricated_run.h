// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Creates run folders with the engine's own writers, for tests, the benchmark of the dashboard, and screenshots. The
// curves resemble those of a language model, and depend on the seed only.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "formats/events/event_file.h"
#include "run/paths.h"
#include "run/spec.h"
#include "run/state.h"

namespace trainyard::test {

struct FabricatedPlan {
    std::string name = "gpt2-perldoc";
    int ranks = 2;
    std::int64_t steps = 4000;  ///< asked for
    std::int64_t done = 1842;   ///< written
    std::int64_t first = 1;     ///< first step; more than 1 if the run was resumed from another run
    std::int64_t checkpoint_every = 300;
    std::int64_t evaluate_every = 100;
    double step_seconds = 0.24;
    double end = 0;  ///< wall time of the last step; 0: now
    run::Status status = run::Status::running;
    std::int64_t spike_at = 1320;  ///< step with a loss spike; 0: no spike
    std::uint32_t seed = 1;
    bool log = true;
    bool health = false;  ///< phases, own times of ranks, machines with two GPUs
    int hosts = 1;        ///< gpu-a, gpu-b, ...; 1: this machine
    double slowness = 1;  ///< its loss falls so many times more slowly
    std::string recipe_file = "/home/someone/recipes/gpt2-perldoc.yaml";
    std::string resume_from = {};  ///< checkpoint or folder of another run
    int slow_rank = -1;            ///< with health: 1.3 times as long in the last third
};

/// A fabricated run folder to which steps can be added.
class FabricatedRun {
  public:
    FabricatedRun(const std::filesystem::path& runs_root, const FabricatedPlan& plan);

    const run::RunPaths& paths() const { return paths_; }
    run::RunState& state() { return state_; }
    void writeState();
    /// One more step in the metrics (flushed) and, with `state`, in state.json.
    void addStep(bool state = false);
    /// `count` more steps with one flush.
    void addSteps(std::int64_t count);
    void addLogLine(int rank, const std::string& line);
    std::int64_t step() const { return step_; }
    events::EventFileWriter& metrics() { return *metrics_; }
    std::filesystem::path eventFile() const { return metrics_->path(); }
    /// Rank 1 killed by signal 9: state, event and log as the supervisor writes them. Returns the sentence.
    std::string fail();

  private:
    void writeStep(std::int64_t step, double wall);
    void writeHealth(double end);
    std::string hostOf(int rank) const;
    double noise();

    FabricatedPlan plan_;
    run::RunPaths paths_;
    run::RunState state_;
    std::unique_ptr<events::EventFileWriter> metrics_;
    std::int64_t step_ = 0;
    double begin_ = 0;
    std::uint64_t random_ = 1;
};

}  // namespace trainyard::test
