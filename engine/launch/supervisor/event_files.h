// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds the TensorBoard event files that a user's program writes to any folder while it runs, and links them into the
// run's metrics/ folder, so that all curves of a run are in one place. Tables of metrics (JSON lines, CSV, the files of
// Weights & Biases) are linked into another folder: readers decide by the content whether they are metrics.
//
// A file is a program's own when a process of it has it open, or when the file's name ends as TensorBoard writes it
// (events.out.tfevents.<seconds>.<host>.<pid>.<count>; that file is not kept open) with the pid of one. The second kind
// is looked for under the program's working directory and under folders that its arguments name. Tables have no pid in
// their name: the program's are those that a process of it has open, or that changed after its start, except in folders
// of runs. Source: tensorboard/summary/writer/event_file_writer.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <sys/types.h>

namespace trainyard::launch {

/// Limits of a search: files beyond them are not found, so that a search stays short.
struct EventFileLimits {
    int depth = 5;       ///< folders below a starting point
    int entries = 4000;  ///< of all folders together
};

class EventFiles {
  public:
    /// `metrics`: where the links go. `directory`, `arguments`: of the program, as it was started. `tables`: where links
    /// to tables go; empty: tables are left out.
    EventFiles(std::filesystem::path metrics, const std::filesystem::path& directory,
               const std::vector<std::string>& arguments, const EventFileLimits& limits = {},
               std::filesystem::path tables = {});

    /// True when it is time for a look: soon after the start, then ever more rarely, at least every 15 s. `now`: monotonic seconds.
    bool due(double now) const { return now >= next_; }
    /// Looks for files of these processes, of what they started, and of those of earlier looks, which may have ended; links what is new.
    /// Returns the event files that are new. Files that cannot be linked are skipped; that is not an error.
    std::vector<std::filesystem::path> look(const std::vector<pid_t>& processes, double now);

  private:
    void add_place(const std::filesystem::path& directory, const std::string& argument);
    void add_process(pid_t pid);
    void search(const std::filesystem::path& place, int& left);
    void take_table(const std::filesystem::path& file);

    std::filesystem::path metrics_, tables_;
    EventFileLimits limits_;
    std::set<std::filesystem::path> places_;
    std::set<std::string> pids_;  ///< in the form used in file names: `.4711.`
    std::set<std::filesystem::path> found_;
    std::set<std::filesystem::path> found_tables_;
    std::filesystem::file_time_type begun_{};  ///< start of the first process
    double next_ = 0;
    double gap_ = 1;
};

}  // namespace trainyard::launch
