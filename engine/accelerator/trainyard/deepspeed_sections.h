// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Placeholders of an optimizer and a schedule that the sections `optimizer` and `scheduler` of DeepSpeed's file
// describe (deepspeed_config_file). Accelerator::prepare() makes the real ones:
//
//     auto [model, optimizer, schedule] = accelerator.prepare(net, DummyOptim{.params = net->parameters(), .lr = 1e-3},
// DummyScheduler{.total_num_steps = 1000, .warmup_num_steps = 100});
//
// `auto` in the file takes the values that the placeholders have.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include <trainyard/prepared_optimizer.h>

#include "optim/schedule.h"

namespace trainyard::accelerator {

/// The optimizer of DeepSpeed's file: accelerate.utils.DummyOptim.
struct DummyOptim {
    /// Parameters with options of their own.
    struct Group {
        /// The parameters.
        std::vector<at::Tensor> params;
        /// Learning rate. Empty: that of the others.
        std::optional<double> lr = std::nullopt;
        /// Weight decay. Empty: that of the others.
        std::optional<double> weight_decay = std::nullopt;
    };
    /// The parameters of one group; `groups` may have others.
    std::vector<at::Tensor> params = {};
    double lr = 0.001;               ///< of `optimizer.params.lr: auto`
    double weight_decay = 0;         ///< of `optimizer.params.weight_decay: auto`
    std::vector<Group> groups = {};  ///< further parameters
};

/// The schedule of DeepSpeed's file: accelerate.utils.DummyScheduler.
struct DummyScheduler {
    /// The optimizer whose rates it changes. Null: the only one that is prepared.
    std::shared_ptr<PreparedOptimizer> optimizer = nullptr;
    /// Of `total_num_steps: auto`, counted as in Accelerate: the steps of all ranks, unless loaders split batches.
    std::optional<std::int64_t> total_num_steps = std::nullopt;
    std::int64_t warmup_num_steps = 0;  ///< of `warmup_num_steps: auto`, in updates
    /// Makes the schedule instead of the file.
    std::function<std::unique_ptr<optim::Schedule>(optim::Optimizer&)> lr_scheduler_callable = nullptr;
};

}  // namespace trainyard::accelerator

namespace trainyard {
using accelerator::DummyOptim;
using accelerator::DummyScheduler;
}  // namespace trainyard
