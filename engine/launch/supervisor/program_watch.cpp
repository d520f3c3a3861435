// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/program_watch.h"

namespace trainyard::launch {

ProgramWatch::ProgramWatch(const run::RunPaths& paths, const run::ProgramSpec& program)
    : files_(paths.metrics(), program.directory, program.command) {}

bool ProgramWatch::wrote(int rank, std::string_view bytes, bool standard_error) {
    ProgressBars& bars = bars_[rank];
    if (!bars.read(bytes, standard_error))
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
