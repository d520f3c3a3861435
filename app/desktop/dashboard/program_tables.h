// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tables of metrics that a program writes (JSON lines, CSV, Weights & Biases), which its supervisor has linked into
// trackers/ of the run, as curves besides those of the event files. A name that another file has is followed by the
// name of the table: `loss (metrics.jsonl)`. For reading threads.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

class ProgramTables {
  public:
    explicit ProgramTables(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Reserves the names of curves of other files in the changes of `batch`, and renames those that a table has.
    void claim(CurveBatch& batch, std::size_t first_change);
    /// Appends new data to `batch`. Returns false if there is more.
    bool poll(CurveBatch& batch, std::uint64_t limit_bytes);
    /// Whether a table was replaced: everything has to be read again, by another object.
    bool wasReplaced() const { return replaced_; }
    std::vector<Message> problems() const;

  private:
    struct Table {
        std::string name;
        std::unique_ptr<MetricsTail> tail;
    };
    void look();
    std::string nameFor(const std::string& tag, const std::string& owner);

    std::filesystem::path folder_;
    std::vector<Table> tables_;
    std::map<std::string, std::uint64_t> sizes_;           ///< of files that are not metrics, or not yet
    std::unordered_map<std::string, std::string> owners_;  ///< curve -> table; empty: event files
    double next_look_ = 0;
    bool replaced_ = false;
};

}  // namespace trainyard::desktop
