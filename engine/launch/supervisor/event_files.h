// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds the TensorBoard event files that a user's program writes to any folder while it runs, and links them into the
// run's metrics/ folder, so that all curves of a run are in one place.
//
// A file is a program's own when a process of it has it open, or when the file's name ends as TensorBoard writes it
// (events.out.tfevents.<seconds>.<host>.<pid>.<count>; that file is not kept open) with the pid of one. The second kind is looked for
// under the program's working directory and under folders that its arguments name. Source: tensorboard/summary/writer/event_file_writer.

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
    /// `metrics`: where the links go. `directory`, `arguments`: of the program, as it was started.
    EventFiles(std::filesystem::path metrics, const std::filesystem::path& directory,
               const std::vector<std::string>& arguments, const EventFileLimits& limits = {});

    /// True when it is time for a look: soon after the start, then ever more rarely, at least every 15 s. `now`: monotonic seconds.
    bool due(double now) const { return now >= next_; }
    /// Looks for files of these processes, of what they started, and of those of earlier looks, which may have ended; links what is new.
    /// Returns the files that are new. Files that cannot be linked are skipped; that is not an error.
    std::vector<std::filesystem::path> look(const std::vector<pid_t>& processes, double now);

  private:
    void add_place(const std::filesystem::path& directory, const std::string& argument);
    void add_process(pid_t pid);
    void search(const std::filesystem::path& place, int& left);

    std::filesystem::path metrics_;
    EventFileLimits limits_;
    std::set<std::filesystem::path> places_;
    std::set<std::string> pids_;  ///< in the form used in file names: `.4711.`
    std::set<std::filesystem::path> found_;
    double next_ = 0;
    double gap_ = 1;
};

}  // namespace trainyard::launch
