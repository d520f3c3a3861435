#pragma once
// Which blocks of a model each pipeline stage gets.

#include <vector>

namespace trainyard::pipeline {

/// Blocks [begin, end).
struct StageBlocks {
    int begin = 0;
    int end = 0;
    bool operator==(const StageBlocks&) const = default;
};

/// Runs of neighbouring blocks whose largest cost is as small as it can be; among such cuts the one whose first stages are shortest. `costs`: of
/// each block, what comes before the first and behind the last added to those. Throws UserError when there are more stages than blocks.
std::vector<StageBlocks> split_into_stages(const std::vector<double>& costs, int stages);

}  // namespace trainyard::pipeline
