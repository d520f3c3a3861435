// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/logical_tensor.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

namespace trainyard::checkpoint {
namespace {

TEST(LogicalTensor, IntersectsBoxes) {
    EXPECT_EQ(intersection({{0, 0}, {4, 6}}, {{2, 3}, {4, 6}}), (Box{{2, 3}, {2, 3}}));
    EXPECT_FALSE(intersection({{0, 0}, {2, 6}}, {{2, 0}, {2, 6}}).has_value());
    EXPECT_EQ(intersection(whole({}), whole({})), (Box{})) << "a scalar meets itself";
}

/// Rows split over `ranks`, as a sharded layout holds them.
std::vector<LogicalTensor> rows_over(int ranks, const at::Tensor& full) {
    std::vector<LogicalTensor> parts;
    std::int64_t rows = full.size(0), share = (rows + ranks - 1) / ranks;
    for (int rank = 0; rank < ranks; ++rank) {
        std::int64_t begin = std::min(rows, rank * share), size = std::min(rows, begin + share) - begin;
        parts.push_back(
            {"w", full.sizes().vec(), {{begin, 0}, {size, full.size(1)}}, full.narrow(0, begin, size).clone()});
    }
    return parts;
}

TEST(LogicalTensor, AnyLayoutLoadsIntoAnyOther) {
    at::Tensor full = at::arange(7 * 3, at::kFloat).view({7, 3});
    for (int from : {1, 2, 3, 7})
        for (int to : {1, 2, 4}) {
            auto target = rows_over(to, at::zeros({7, 3}));
            std::int64_t copied = 0;
            for (const auto& source : rows_over(from, full))
                for (const auto& part : target)
                    copied += copy_overlap(source, part);
            EXPECT_EQ(copied, 21);
            for (const auto& part : target)
                EXPECT_TRUE(at::equal(part.local, full.narrow(0, part.box.offset[0], part.box.size[0])));
        }
}

TEST(LogicalTensor, ARangeOfElementsIsAFewBoxesThatAreRuns) {
    for (const std::vector<std::int64_t>& shape :
         std::vector<std::vector<std::int64_t>>{{6}, {4, 3}, {1, 5}, {2, 3, 4}}) {
        std::int64_t count = 1;
        for (std::int64_t size : shape)
            count *= size;
        const at::Tensor full = at::arange(1, count + 1, at::kFloat).view(shape);
        for (std::int64_t begin = 0; begin <= count; ++begin)
            for (std::int64_t end = begin; end <= count; ++end) {
                at::Tensor flat = at::zeros({end - begin});
                const std::vector<LogicalTensor> parts = LogicalTensor::of_range("w", shape, begin, flat);
                EXPECT_LE(parts.size(), 2 * shape.size() - 1);
                std::int64_t copied = 0, next = begin;
                for (const LogicalTensor& part : parts) {
                    copied += copy_overlap(LogicalTensor::of_whole("w", full), part);
                    if (part.local.numel() == 0)
                        continue;
                    EXPECT_EQ(run_of(part.box, shape), next);
                    next += part.local.numel();
                }
                EXPECT_EQ(copied, end - begin);
                EXPECT_TRUE(at::equal(flat, full.view(-1).narrow(0, begin, end - begin)));
            }
    }
    EXPECT_EQ(run_of({{0, 1}, {2, 2}}, {2, 3}), std::nullopt);
    EXPECT_EQ(run_of({{1, 0, 0}, {1, 3, 4}}, {2, 3, 4}), 12);
    EXPECT_EQ(run_of({{0, 1, 0}, {2, 1, 4}}, {2, 3, 4}), std::nullopt);
}

TEST(LogicalTensor, ColumnsOfRowsAndOtherTypes) {
    at::Tensor full = at::arange(12, at::kFloat).view({3, 4});
    LogicalTensor column{"w", {3, 4}, {{0, 1}, {3, 2}}, at::zeros({3, 2}, at::kDouble)};
    EXPECT_EQ(copy_overlap(LogicalTensor::of_whole("w", full), column), 6);
    EXPECT_TRUE(at::equal(column.local, full.narrow(1, 1, 2).to(at::kDouble)));
}

}  // namespace
}  // namespace trainyard::checkpoint
