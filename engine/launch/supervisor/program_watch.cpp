// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/program_watch.h"

#include "base/clock.h"

namespace trainyard::launch {

ProgramWatch::ProgramWatch(const run::RunPaths& paths, const run::ProgramSpec& program)
    : files_(paths.metrics(), program.directory, program.command, {}, paths.root() / "trackers"),
      curves_(paths.metrics()) {}

bool ProgramWatch::wrote(int rank, std::string_view bytes, bool standard_error) {
    ProgressBars& bars = bars_[rank];
    const bool changed = bars.read(bytes, standard_error);
    const std::vector<PrintedFigure> figures = bars.take_figures();
    if (curves_rank_ < 0 && !figures.empty())
        curves_rank_ = rank;
    if (rank == curves_rank_)
        curves_.printed(figures, monotonic_seconds());
    if (!changed)
        return false;
    for (const auto& [other, seen] : bars_)
        if (seen.progress().step > 0 || seen.progress().loss) {
            if (other != rank)
                return false;
            progress_ = seen.progress();
            return true;
        }
    return false;
}

std::int64_t ProgramWatch::step_of(int rank) const {
    auto found = bars_.find(rank);
    return found == bars_.end() ? 0 : found->second.progress().step;
}

std::vector<std::filesystem::path> ProgramWatch::look(const std::vector<pid_t>& processes, double now, bool ended) {
    return ended || files_.due(now) ? files_.look(processes, now) : std::vector<std::filesystem::path>{};
}

}  // namespace trainyard::launch
