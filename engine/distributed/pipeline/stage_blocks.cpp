// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/pipeline/stage_blocks.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "base/counted.h"
#include "base/error.h"

namespace trainyard::pipeline {

std::vector<StageBlocks> split_into_stages(const std::vector<double>& costs, int stages) {
    int blocks = static_cast<int>(costs.size());
    if (stages < 1 || stages > blocks)
        throw UserError("{} pipeline stages cannot be cut from a model of {}: give from 1 to {}", stages,
                        text::blocks(blocks), blocks);
    std::vector<double> before(costs.size() + 1, 0);
    for (std::size_t i = 0; i < costs.size(); ++i)
        before[i + 1] = before[i] + costs[i];
    auto cost = [&](int begin, int end) {
        return before[static_cast<std::size_t>(end)] - before[static_cast<std::size_t>(begin)];
    };
    // largest[k][b]: the largest cost when the blocks from b are divided into k stages.
    constexpr double kNever = std::numeric_limits<double>::infinity();
    auto count = static_cast<std::size_t>(blocks) + 1;
    std::vector<std::vector<double>> largest(static_cast<std::size_t>(stages) + 1, std::vector<double>(count, kNever));
    std::vector<std::vector<int>> ends(largest.size(), std::vector<int>(count, 0));
    largest[0][count - 1] = 0;
    for (std::size_t k = 1; k < largest.size(); ++k)
        for (int begin = 0; begin < blocks; ++begin)
            for (int end = begin + 1; end <= blocks; ++end) {
                double now = std::max(cost(begin, end), largest[k - 1][static_cast<std::size_t>(end)]);
                if (now < largest[k][static_cast<std::size_t>(begin)]) {
                    largest[k][static_cast<std::size_t>(begin)] = now;
                    ends[k][static_cast<std::size_t>(begin)] = end;
                }
            }
    std::vector<StageBlocks> result;
    for (int begin = 0, left = stages; left > 0; --left) {
        int end = ends[static_cast<std::size_t>(left)][static_cast<std::size_t>(begin)];
        result.push_back({begin, end});
        begin = end;
    }
    return result;
}

std::string to_text(std::span<const StageBlocks> stages) {
    std::string text;
    for (const StageBlocks& stage : stages)
        text += fmt::format("{}{}", text.empty() ? "" : ", ",
                            stage.end - stage.begin == 1 ? fmt::format("{}", stage.begin)
                                                         : fmt::format("{}-{}", stage.begin, stage.end - 1));
    return text;
}

}  // namespace trainyard::pipeline
