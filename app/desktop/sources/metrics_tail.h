// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A growing log of any format as batches. Used by LogRecord in the pool and by the list of runs for its figures. For
// reading threads.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "desktop/sources/curve_batch.h"

namespace trainyard::desktop {

enum class LogKind {
    Events,        ///< a folder of TensorBoard files
    Jsonl,         ///< log_lines.h
    Csv,           ///< log_lines.h
    TrainerState,  ///< trainer_state.json of transformers' Trainer, beside it or in its checkpoints: trainer_state_tail.h
    Mlflow,        ///< a run in the file store of MLflow, by its meta.yaml: mlflow_tail.h
    Swanlab,       ///< run-*.swanlab: swanlab_tail.h
    Trackio,       ///< a project of Trackio, an SQLite file: trackio_tail.h
    Wandb,         ///< run-*.wandb, as Weights & Biases writes offline: wandb_tail.h
};

class MetricsTail {
  public:
    virtual ~MetricsTail() = default;
    /// Appends new data to `batch`. Returns false if there is more; then call again.
    virtual bool poll(CurveBatch& batch, std::uint64_t limit_bytes) = 0;
    /// Parts that cannot be read now, one message each.
    virtual std::vector<Message> problems() const = 0;
    /// Whether the last line or record is incomplete: poll again after LineTail::kLastLineWaits even if nothing
    /// changes.
    virtual bool hasOpenEnd() const { return false; }
};

std::unique_ptr<MetricsTail> make_tail(const std::filesystem::path& place, LogKind kind);

/// The kind of log by content and name; std::nullopt if it is not a log.
std::optional<LogKind> kind_of_log(const std::filesystem::path& place);
/// The kind of log by the file name alone; never Events.
std::optional<LogKind> kind_of_log_file(const std::string& name);
/// Whether the beginning of a file looks like metrics. Reads up to 64 KB.
bool looks_like_metrics(const std::filesystem::path& file, LogKind kind);

}  // namespace trainyard::desktop
