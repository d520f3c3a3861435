// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads trainer_state.json of the transformers Trainer: its log_history has one object per logged step. The Trainer
// writes a complete copy with each checkpoint (`checkpoint-500/trainer_state.json`) and one next to the checkpoints at
// the end of the run. The newest file is read, and only its new entries are used. If it differs from what was read
// before (a run resumed from an earlier checkpoint), everything is reported again.

#include <filesystem>
#include <memory>
#include <string>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

inline constexpr const char* kTrainerState = "trainer_state.json";

/// `checkpoint-500` -> 500; -1: another name.
std::int64_t checkpoint_step(const std::string& folder_name);

/// `file`: trainer_state.json next to the checkpoints; it may be missing.
std::unique_ptr<MetricsTail> make_trainer_state_tail(std::filesystem::path file);

}  // namespace trainyard::desktop
