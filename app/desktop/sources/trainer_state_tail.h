#pragma once
// trainer_state.json of transformers' Trainer: its log_history, one object a logged step. The Trainer writes it anew beside each checkpoint
// (`checkpoint-500/trainer_state.json`) and at the end of the run beside them, each time with everything from the start: the newest is read, and
// of it what is new. What differs from what was read before (a run that went on from an earlier checkpoint) comes again as a whole.

#include <filesystem>
#include <memory>
#include <string>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

inline constexpr const char* kTrainerState = "trainer_state.json";

/// `checkpoint-500` -> 500; -1: another name.
std::int64_t checkpoint_step(const std::string& folder_name);

/// `file`: trainer_state.json beside the checkpoints; need not be there.
std::unique_ptr<MetricsTail> make_trainer_state_tail(std::filesystem::path file);

}  // namespace trainyard::desktop
