// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small real run: the command line, the supervisor and LibTorch ranks, in a temporary folder. Nothing outlives it.

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>

#include "cli/program.h"
#include "run/listing.h"
#include "run/state.h"
#include "support/temporary_folder.h"

namespace trainyard::test {

class RealRun {
  public:
    RealRun() {
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::unsetenv("TRAINYARD_WORKER");
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::ofstream text(root() / "text.txt");
        for (int i = 0; i < 40'000; ++i)
            text << i << " is a number\n";
        std::ofstream(root() / "recipe.yaml") << "name: fault\n"
                                                 "model: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 16}\n"
                                                 "data: {path: text.txt, sequence_length: 16}\n"
                                                 "training: {steps: 1000000, batch_size: 2}\n";
    }
    ~RealRun() {
        for (const run::ListedRun& run : run::list_runs(runs()))
            if (run.state && is_alive(run.state->supervisor))
                ::kill(run.state->supervisor.pid, SIGKILL);
    }
    std::filesystem::path root() const { return folder_.path(); }
    std::filesystem::path runs() const { return folder_.path() / "runs"; }
    std::string recipe() const { return recipe_.string(); }
    /// Sets keys of the launch section: the resolved run.yaml of a dry run with them is launched in the recipe's place.
    void use_spec(const std::map<std::string, std::string>& keys, std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"launch", "--cpu", "--dry-run"});
        flags.push_back(recipe());
        std::string yaml = trainyard(flags).out;
        for (const auto& [key, value] : keys) {
            std::size_t begin = yaml.find("  " + key + ": "), end = yaml.find('\n', begin);
            yaml.replace(begin, end - begin, "  " + key + ": " + value);
        }
        recipe_ = root() / "again.yaml";
        std::ofstream(recipe_) << yaml;
    }
    bool has_no_runs() const { return !std::filesystem::exists(runs()) || std::filesystem::is_empty(runs()); }

    /// Starts a detached run, with `flags` before the recipe.
    Said start(std::vector<std::string> flags) {
        flags.insert(flags.begin(), {"launch", "--cpu", "--detach"});
        flags.push_back(recipe());
        Said said = trainyard(flags);
        if (auto all = run::list_runs(runs()); said.code == 0 && !all.empty())
            paths = all.front().paths;
        return said;
    }
    /// The first state for which `holds`, else the last seen.
    template <typename Holds>
    run::RunState wait_for(Holds holds, double seconds = 120) const {
        double deadline = monotonic_seconds() + seconds;
        run::RunState last = run::read_state(*paths).value();
        while (!holds(last) && monotonic_seconds() < deadline) {
            ::usleep(5'000);
            last = run::read_state(*paths).value();
        }
        return last;
    }
    run::RunState wait_for_step(std::int64_t step) const {
        return wait_for([&](const run::RunState& s) { return run::is_over(s.status) || s.progress.step >= step; });
    }
    run::RunState wait_until_over() const {
        return wait_for([](const run::RunState& s) { return run::is_over(s.status); });
    }

    std::optional<run::RunPaths> paths;

  private:
    TemporaryFolder folder_;
    std::filesystem::path recipe_ = folder_.path() / "recipe.yaml";
};

/// Seconds until all ranks are gone, at most `limit`.
inline double seconds_until_gone(const run::RunState& state, double limit) {
    double began = monotonic_seconds();
    for (;;) {
        bool any = false;
        for (const run::RankState& rank : state.ranks)
            any = any || is_alive(rank.process);
        double waited = monotonic_seconds() - began;
        if (!any || waited > limit)
            return waited;
        ::usleep(2'000);
    }
}

}  // namespace trainyard::test
