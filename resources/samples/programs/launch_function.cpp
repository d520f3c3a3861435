// SPDX-License-Identifier: GPL-3.0-or-later
// Starts ranks without a launcher: a function of this program runs on two ranks, and the results are returned to the
// caller.

#include <cstdlib>
#include <string>

#include <trainyard/function_launcher.h>

#include "main.h"
#include "rings.h"

namespace {

/// The function that every rank runs: each contributes its rank, and all get the sum.
std::string sum_of_ranks(int rank) {
    trainyard::Accelerator accelerator;
    at::Tensor mine = at::full({1}, rank + 1, at::kFloat);
    return std::to_string(static_cast<int>(accelerator.reduce(mine).item<float>()));
}

}  // namespace

bool sample() {
    // Under `trainyard launch` this process is already a rank and starts no others.
    if (std::getenv("WORLD_SIZE") != nullptr)
        return !sum_of_ranks(std::atoi(std::getenv("RANK"))).empty();
    std::vector<std::string> sums = trainyard::launch::debug_launch(sum_of_ranks, 2);
    return sums == std::vector<std::string>{"3", "3"};
}
