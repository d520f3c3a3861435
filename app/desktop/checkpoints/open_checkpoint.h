// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The checkpoint that the page shows: its contents, and the results of passes in other threads. Everything here is
// shared with those threads: the contents never change, and statistics are accessed under a lock.

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <QString>

#include "observe/inspect/compare.h"
#include "observe/inspect/quantized_values.h"
#include "observe/inspect/statistics.h"
#include "observe/inspect/tensor_tree.h"
#include "remote/remote_checkpoint.h"

namespace trainyard::desktop {

struct OpenCheckpoint {
    explicit OpenCheckpoint(const std::string& path)
        : own(inspect::read_contents(path)),
          contents(own),
          names(contents),
          reader(contents),
          quantized(reader.quantized()) {}
    explicit OpenCheckpoint(std::unique_ptr<remote::RemoteCheckpoint> checkpoint)
        : far(std::move(checkpoint)),
          contents(far->contents()),
          names(contents),
          reader(contents, far->need()),
          quantized(reader.quantized()) {}

    const std::unique_ptr<remote::RemoteCheckpoint> far;  ///< on a host; nullptr: on this machine
    const inspect::Contents own;
    const inspect::Contents& contents;
    const inspect::NameIndex names;
    const inspect::Reader reader;
    const inspect::QuantizedValues& quantized;  ///< of the reader; its states are read with the headers
};
using OpenCheckpointPointer = std::shared_ptr<const OpenCheckpoint>;

/// Two checkpoints and their differences.
struct OpenComparison {
    OpenCheckpointPointer before;
    QString before_name = {};  ///< as the page shows it: a step, a file, a folder
    inspect::Comparison comparison;
    std::vector<std::size_t> row_of;  ///< by index of the newer one's tensors: index in comparison.rows
};
using OpenComparisonPointer = std::shared_ptr<const OpenComparison>;

/// Results of a pass over the tensors that have not been fetched yet, and its progress.
class PassFeed {
  public:
    void add(std::size_t tensor, const inspect::Statistics& figures) {
        std::lock_guard lock(mutex_);
        found_.emplace_back(tensor, figures);
    }
    std::vector<std::pair<std::size_t, inspect::Statistics>> take() {
        std::lock_guard lock(mutex_);
        return std::exchange(found_, {});
    }
    std::atomic<quint64> done = 0, total = 0;
    std::atomic<bool> cancelled = false;

    Progress::Report report() {
        return [this](std::uint64_t now, std::uint64_t all) {
            done = now;
            total = all;
            return !cancelled;
        };
    }

  private:
    std::mutex mutex_;
    std::vector<std::pair<std::size_t, inspect::Statistics>> found_;
};

}  // namespace trainyard::desktop
