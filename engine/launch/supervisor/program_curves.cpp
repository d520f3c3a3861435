// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/program_curves.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/process_memory.h"
#include "formats/events/event_layout.h"
#include "launch/supervisor/process_tree.h"

namespace trainyard::launch {

namespace fs = std::filesystem;

namespace {
constexpr std::uint64_t kPrintedPoints = 20'000;  // of a figure, however fast they come
constexpr double kPrintedInterval = 1;            // seconds between two points after those
constexpr double kMemoryInterval = 1;             // seconds
constexpr double kCurveRetry = 5;                 // seconds until a file is tried again
}  // namespace

void ProgramCurves::write(File& file, const fs::path& folder, std::string_view suffix, double now,
                          const std::vector<PrintedFigure>& figures) {
    if (now < file.not_before)
        return;
    try {
        if (!file.writer) {
            if (fs::is_directory(metrics_))  // a run that was removed does not come back
                make_private_folder(folder);
            file.writer.emplace(folder, suffix);
        }
        const double wall = wall_seconds();
        for (const PrintedFigure& figure : figures)
            file.writer->add_scalars(figure.step, wall, {{figure.name, figure.value}});
        file.writer->flush();
    } catch (const UserError&) {
        file.writer.reset();
        file.not_before = now + kCurveRetry;
    }
}

void ProgramCurves::printed(const std::vector<PrintedFigure>& figures, double now) {
    std::vector<PrintedFigure> due;
    for (const PrintedFigure& figure : figures) {
        Written& written = written_[figure.name];
        if (written.points >= kPrintedPoints && now - written.last < kPrintedInterval)
            continue;
        ++written.points;
        written.last = now;
        due.push_back({"printed/" + figure.name, figure.step, figure.value});
    }
    if (!due.empty())
        write(printed_, metrics_, ".printed", now, due);
}

std::uint64_t ProgramCurves::measure(int rank, pid_t process, std::int64_t step, double now) {
    Memory& memory = ranks_[rank];
    if (now < memory.next)
        return 0;
    memory.next = now + kMemoryInterval;
    std::uint64_t most = 0;
    std::map<pid_t, ProcessMemory> processes;
    for (const pid_t pid : with_descendants({process})) {
        const auto known = memory.processes.find(pid);
        ProcessMemory& one =
            processes.emplace(pid, known != memory.processes.end() ? known->second : ProcessMemory(pid)).first->second;
        most = std::max(most, one.bytes());
    }
    memory.processes = std::move(processes);
    if (most > 0)
        write(memory.file, events::rank_event_folder(metrics_, rank), {}, now,
              {{"system/resident_bytes", step, static_cast<double>(most)}});
    return most;
}

}  // namespace trainyard::launch
