// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes curves of a program that does not know Trainyard into the run's metrics/ folder: the figures that it prints,
// as `printed/<name>`, and the memory of its ranks, as a worker does. A full disk leaves gaps in the curves.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sys/types.h>

#include "base/process_memory.h"
#include "formats/events/event_file.h"
#include "launch/supervisor/progress_bar.h"

namespace trainyard::launch {

class ProgramCurves {
  public:
    explicit ProgramCurves(std::filesystem::path metrics) : metrics_(std::move(metrics)) {}

    /// Writes figures with the step at which they were printed; after 20,000 points of a name at most one a second.
    /// `now`: monotonic seconds.
    void printed(const std::vector<PrintedFigure>& figures, double now);
    /// Returns the resident memory in bytes of the largest of a rank's processes, at most once a second; 0: not
    /// measured.
    std::uint64_t measure(int rank, pid_t process, std::int64_t step, double now);

  private:
    struct File {
        std::optional<events::EventFileWriter> writer;
        double not_before = 0;  ///< after an error
    };
    void write(File& file, const std::filesystem::path& folder, std::string_view suffix, double now,
               const std::vector<PrintedFigure>& figures);

    std::filesystem::path metrics_;
    File printed_;
    struct Written {
        std::uint64_t points = 0;
        double last = 0;
    };
    std::map<std::string, Written> written_;  ///< by name
    struct Memory {
        File file;
        double next = 0;
        std::map<pid_t, ProcessMemory> processes;
    };
    std::map<int, Memory> ranks_;
};

}  // namespace trainyard::launch
