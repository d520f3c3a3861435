// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folder of a sweep that no process ever continued.

#include <cmath>
#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "base/file.h"

namespace trainyard::test {

/// `over` of `trials` trials are over; the best is number 5, or the last one. Returns the folder.
inline std::filesystem::path fabricate_sweep(const std::filesystem::path& runs, const std::string& id, int trials,
                                             int over) {
    const std::filesystem::path folder = runs / ".sweeps" / id;
    std::filesystem::create_directories(folder);
    write_file_atomically(folder / "sweep.yaml",
                          fmt::format("name: {}\nrecipe: recipe.yaml\nmethod: random\ntrials: {}\nat_once: 4\n"
                                      "parameters:\n  optimizer.lr: {{min: 1e-5, max: 0.1, scale: log}}\n"
                                      "  training.batch_size: [8, 16, 32]\n  model.n_layer: {{min: 2, max: 12}}\n",
                                      id, trials),
                          false);
    write_file_atomically(folder / "begun.json", fmt::format(R"({{"name": "{}", "directory": "/tmp"}})", id), false);
    std::string log;
    for (int i = 0; i < over; ++i) {
        const double lr = std::pow(10, -5 + 4.0 * (i * 37 % 1000) / 1000);
        const double value = i == std::min(5, over - 1) ? 0.5 : 1 + std::abs(std::log10(lr) + 3) + 0.01 * (i % 7);
        const char* state = i % 50 == 49 ? "failed" : i % 20 == 19 ? "stopped" : "finished";
        log += fmt::format(R"({{"number": {}, "point": ["{:.6g}", "{}", "{}"], "state": "{}", "run": "{}-{:03}"{}}})",
                           i, lr, 8 << i % 3, 2 + i % 11, state, id, i,
                           i % 50 == 49 ? std::string(R"(, "problem": "the batch does not fit")")
                                        : fmt::format(R"(, "value": {:.6g}, "step": {})", value, 100 + i)) +
               "\n";
    }
    write_file_atomically(folder / "trials.jsonl", log, false);
    return folder;
}

}  // namespace trainyard::test
