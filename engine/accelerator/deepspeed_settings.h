// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of DeepSpeed's file that wait for what a program prepares: its number format, and the sections optimizer
// and scheduler. launch/plan/deepspeed_config.h resolves `auto` as Accelerate does, launch/plan/deepspeed_file.h knows
// the optimizers and schedules of DeepSpeed.

#include <cstdint>
#include <memory>
#include <string>

#include <trainyard/deepspeed_sections.h>

#include "launch/plan/deepspeed_config.h"
#include "optim/optimizer.h"
#include "train/loop/precision.h"

namespace trainyard::accelerator {

class DeepspeedSettings {
  public:
    /// Without a file: a program with placeholders is refused.
    DeepspeedSettings() : config_(plan::DeepspeedConfig::Json::object()) {}
    /// `file` names it in messages. Throws UserError where Accelerate's plug-in refuses it.
    DeepspeedSettings(plan::DeepspeedConfig config, std::string file);

    /// The format that the file enables; else `asked`. Throws UserError if they contradict each other.
    Precision precision(Precision asked);

    /// Throws UserError if the file has an optimizer, too.
    void note_own_optimizer(const optim::Optimizer& optimizer);
    /// Throws UserError if the file has a schedule, or the optimizer that it would follow.
    void note_own_schedule();
    /// Throws UserError if the file has no optimizer, or an `auto` is left in its section.
    std::unique_ptr<optim::Optimizer> make_optimizer(const DummyOptim& dummy);
    /// The same for the schedule. `ranks`: 1 where loaders split batches.
    std::unique_ptr<optim::Schedule> make_schedule(const DummyScheduler& dummy, optim::Optimizer& optimizer,
                                                   std::int64_t ranks);

  private:
    /// The sections without `auto`.
    plan::DeepspeedConfig resolved() const;

    plan::DeepspeedConfig config_;
    std::string file_;
    plan::DeepspeedRun run_;  ///< what was prepared so far
};

}  // namespace trainyard::accelerator
