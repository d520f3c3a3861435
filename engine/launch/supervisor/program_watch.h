// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What can be seen of a program that does not know Trainyard: its progress and figures, from what its ranks print, its
// files of metrics, and the memory of its processes.

#include <map>
#include <string_view>
#include <vector>

#include "launch/supervisor/event_files.h"
#include "launch/supervisor/program_curves.h"
#include "launch/supervisor/progress_bar.h"
#include "run/spec.h"

namespace trainyard::launch {

class ProgramWatch {
  public:
    ProgramWatch(const run::RunPaths& paths, const run::ProgramSpec& program);

    /// True when progress() has changed: the lowest rank that prints any counts for the run.
    bool wrote(int rank, std::string_view bytes, bool standard_error);
    const run::Progress& progress() const { return progress_; }
    std::int64_t step_of(int rank) const;
    /// Returns the resident memory of a rank's largest process in bytes, and records it as a curve, at most once a
    /// second; 0: not measured.
    std::uint64_t measure(int rank, pid_t process, double now) {
        return curves_.measure(rank, process, step_of(rank), now);
    }
    /// Event files that are new and linked into metrics/, where it is time to look for them or the program has ended.
    std::vector<std::filesystem::path> look(const std::vector<pid_t>& processes, double now, bool ended);
    bool due(double now) const { return files_.due(now); }

  private:
    std::map<int, ProgressBars> bars_;
    int curves_rank_ = -1;  ///< the first rank that printed figures: the others print the same ones, or none
    EventFiles files_;
    ProgramCurves curves_;
    run::Progress progress_;
};

}  // namespace trainyard::launch
