// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The table of runs that the soak injects faults into. They end within seconds, and together they use every kind of
// state that a resumed run must restore (accumulated gradients, dropout, averages of the weights, the loss scale, the
// state of PowerSGD, the position in packed documents).

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard::soak {

struct Shape {
    const char* name;
    std::vector<int> ranks;             ///< of each machine; one entry: this machine alone
    std::int64_t steps;                 ///< number of steps of the whole run; for a program, lines that it writes
    std::vector<std::string> settings;  ///< `key=value` of the recipe (--set)
    bool program = false;               ///< runs a script instead of a recipe; a script reports no losses
};

inline const std::vector<Shape>& shapes() {
    static const std::vector<Shape> all{
        {"one rank", {1}, 1500, {"checkpoint.every=100"}},
        {"one rank in fp16",
         {1},
         800,
         {"checkpoint.every=60", "training.mixed_precision=fp16", "training.loss_scale_window=50",
          "schedule.name=OneCycleLR", "schedule.arguments={max_lr: 0.01, total_steps: 800}"}},
        {"two ranks with dropout and averages",
         {2},
         600,
         {"checkpoint.every=40", "model.resid_pdrop=0.1", "training.ema_decay=0.99",
          "training.gradient_accumulation_steps=2"}},
        {"two ranks with PowerSGD",
         {2},
         600,
         {"checkpoint.every=50", "checkpoint.async=false", "parallel.comm_hook=power_sgd",
          "parallel.comm_state_option={start_powerSGD_iter: 20}"}},
        {"two ranks, documents in bf16",
         {2},
         500,
         {"checkpoint.every=30", "checkpoint.keep_best=1", "training.evaluate_every=60", "training.evaluate_batches=2",
          "training.mixed_precision=bf16", "data.format=jsonl", "data.path=documents.jsonl", "data.pack=false"}},
        {"two machines", {1, 1}, 200, {"checkpoint.every=20"}},
        {"a script on two ranks", {2}, 150, {}, true},
    };
    return all;
}

}  // namespace trainyard::soak
