// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the tests of saves share: failpoints, what a run's journal and checkpoints hold.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "fault/real_run.h"
#include "formats/events/scalar_folder.h"
#include "run/journal.h"

namespace trainyard::test {

/// Sets the failpoint of everything that is started while it lives.
class Failpoint {
  public:
    explicit Failpoint(const std::string& value) { ::setenv("TRAINYARD_FAILPOINT", value.c_str(), 1); }
    ~Failpoint() { ::unsetenv("TRAINYARD_FAILPOINT"); }
    Failpoint(const Failpoint&) = delete;
    Failpoint& operator=(const Failpoint&) = delete;
};

/// What the events of a kind say; `about`: those alone that have these words in them.
inline std::vector<std::string> texts_of(const RealRun& run, const std::string& kind, const std::string& about = {}) {
    std::vector<std::string> chosen;
    for (const run::Event& event : run::JournalReader(run.paths->journal()).poll())
        if (event.kind == kind && event.text.text().find(about) != std::string::npos)
            chosen.push_back(event.text);
    return chosen;
}

inline std::string joined(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines)
        all += line + "\n";
    return all;
}

inline std::vector<std::int64_t> saved_steps(const RealRun& run) {
    std::vector<std::int64_t> steps;
    for (const fs::directory_entry& entry : fs::directory_iterator(run.paths->checkpoints()))
        if (std::string name = entry.path().filename().string(); name.starts_with("checkpoint_"))
            steps.push_back(std::stoll(name.substr(11)));
    std::sort(steps.begin(), steps.end());
    return steps;
}

inline fs::path checkpoint_of(const RealRun& run, std::int64_t step) {
    return run.paths->checkpoints() / ("checkpoint_" + std::to_string(step));
}

inline std::vector<std::string> with(std::vector<std::string> flags, const std::vector<std::string>& settings) {
    for (const std::string& setting : settings)
        flags.insert(flags.end(), {"--set", setting});
    return flags;
}

/// train/loss by step.
inline std::map<std::int64_t, double> losses_of(const RealRun& run) {
    events::ScalarFolder folder(run.paths->metrics());
    folder.poll();
    std::map<std::int64_t, double> losses;
    auto found = folder.curves().find("train/loss");
    if (found != folder.curves().end())
        for (const events::CurvePoint& point : found->second)
            losses[point.step] = point.value;
    return losses;
}

}  // namespace trainyard::test
