// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Run directories that no engine has written, made with the engine's own writers: for tests of the desktop and for the
// pictures of it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "run/state.h"

namespace trainyard::test {

struct FabricatedRunSpec {
    std::string name = "run";
    run::Status status = run::Status::finished;
    std::int64_t step = 1000;
    std::int64_t of = 1000;
    int ranks = 1;
    double age_s = 600;   ///< since it was made
    double silent_s = 0;  ///< since the last heartbeat
    double tokens_per_s = 24000;
    double start_loss = 5.5;
    double end_loss = 1.9;
    Message failure = {};  ///< empty: none
    bool metrics = true;
    double lr = 2e-3;
    bool bf16 = false;
    std::vector<std::string> tags = {};  ///< of labels.json
    std::string note = {};
    int more_metrics = 0;  ///< tags beside the usual ones, ten points each
};

/// A smooth fall from start to end with a little noise, the same for the same step.
double fabricated_loss(const FabricatedRunSpec& run, std::int64_t step);

/// Writes run.yaml, state.json, events.jsonl, metrics/ and logs/. A live one claims `supervisor` as its process.
/// Returns the run's folder.
std::filesystem::path fabricate(const std::filesystem::path& root, const FabricatedRunSpec& run,
                                ProcessId supervisor = this_process());

/// One of each: live, finished (a sweep of three), failed, stopped, lost. The first is live, the sixth failed.
std::vector<std::filesystem::path> fabricate_gallery(const std::filesystem::path& root,
                                                     ProcessId supervisor = this_process());

}  // namespace trainyard::test
