// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the two ways of Weights & Biases share: settings of a run, rows of its history, media. Inside this library.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "base/filesystem.h"
#include "observe/track/remote_tracker.h"
#include "observe/track/tracked_values.h"

namespace trainyard::track {

/// Settings of a run by name: id, project, entity, name, notes, tags (a list), group, job_type, config, resume (a truth
/// value), folder. Throws UserError.
Values wandb_settings(const TrackerContext& context);

/// The address of the server, without a slash at its end.
std::string wandb_address();
/// WANDB_API_KEY, else the password for the server in the file of netrc; empty: none. No message contains it.
std::string wandb_key();

/// A row of the history: all values of a step.
struct WandbRow {
    std::int64_t step = 0;
    double time = 0;
    Values values;
};

/// Joins calls to rows: those with the same step are one row, and a call without a step belongs to the row of the
/// current step and completes it.
class WandbRows {
  public:
    WandbRows() = default;
    /// Continues from state().
    explicit WandbRows(const Value& state);

    /// Returns the rows that are complete.
    std::vector<WandbRow> add(const Values& values, std::optional<std::int64_t> step, double time);
    /// The row of the current step, which then is complete; nothing if it has no values.
    std::optional<WandbRow> take_open();
    /// The run continues from this step.
    std::optional<WandbRow> restart(std::int64_t step);
    std::int64_t step() const { return open_.step; }
    Value state() const;

  private:
    WandbRow open_;
    bool has_values_ = false;
};

/// The values of a row with those that W&B adds.
Values wandb_history(const WandbRow& row, double start_time);
/// The values of a row that are in the summary: those that are not None.
Values wandb_summary(const WandbRow& row);

/// A file of a run, relative to its folder `files`.
struct WandbMedia {
    std::vector<std::string> paths;  ///< of the files
    Value value;                     ///< for the history
};
/// Writes pictures and tables below `files`.
WandbMedia add_wandb_pictures(const fs::path& files, const std::string& name, std::int64_t step,
                              const std::vector<std::string>& pngs, std::int64_t width, std::int64_t height);
WandbMedia add_wandb_table(const fs::path& files, const std::string& name, std::int64_t step, const Value& columns,
                           const Value& rows);

/// The run is written to a folder that `wandb sync` sends. `note`: a message for the user.
std::unique_ptr<Tracker> make_wandb_folder(const TrackerContext& context, Message note);
ServiceKind wandb_service();

}  // namespace trainyard::track
