// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Cache of what was read from the run.yaml and event files of runs, so that a list of thousands appears immediately at
// the next start: runs.cache in the cache folder (base/files/user_folders.h). Entries are identified by the run's path
// and the times and sizes of the files; an entry that does not match is read again, and an unreadable cache counts as
// empty. Also stores the number of each run's colour. For the scanner's thread.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include <QPointF>
#include <QVector>

#include "desktop/runs/run_details.h"

namespace trainyard::desktop {

/// Returns a hash of the modification time, inode number and size of a file, or of all files of a folder; 0 if it does
/// not exist.
std::uint64_t fileMark(const std::filesystem::path& file);
std::uint64_t folderMark(const std::filesystem::path& folder);

struct CachedRun {
    int order = 0;  ///< 0: none yet
    std::uint64_t configMark = 0;
    std::shared_ptr<const RunConfig> config;
    std::uint64_t metricsMark = 0;
    std::shared_ptr<const RunMetrics> metrics;
    QVector<QPointF> spark;
};

class SummaryCache {
  public:
    explicit SummaryCache(std::filesystem::path file) : file_(std::move(file)) {}
    static std::filesystem::path usualFile();

    void load();
    /// Replaces the file when something changed.
    void save();
    CachedRun& run(const std::string& path) { return runs_[path]; }
    const CachedRun* find(const std::string& path) const;
    void forget(const std::string& path);
    void changed() { dirty_ = true; }
    int highestOrder() const;

  private:
    std::filesystem::path file_;
    std::unordered_map<std::string, CachedRun> runs_;
    bool dirty_ = false;
};

}  // namespace trainyard::desktop
