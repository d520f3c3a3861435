// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Divides the blocks of a model among pipeline stages.

#include <span>
#include <string>
#include <vector>

namespace trainyard::pipeline {

/// Blocks [begin, end).
struct StageBlocks {
    int begin = 0;
    int end = 0;
    bool operator==(const StageBlocks&) const = default;
};

/// Contiguous ranges of blocks that minimise the largest cost of a stage; if there are several, the first stages are as
/// short as possible. `costs`: of each block, including the embedding in the first and the head in the last. Throws
/// UserError if there are more stages than blocks.
std::vector<StageBlocks> split_into_stages(const std::vector<double>& costs, int stages);

/// "0-2, 5"
std::string to_text(std::span<const StageBlocks> stages);

}  // namespace trainyard::pipeline
