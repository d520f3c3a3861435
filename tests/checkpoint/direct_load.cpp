// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints into tensors of every kind: read straight into them, or aside and converted.

#include <fstream>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "checkpoint/content.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

using test::says;
using testing::EndsWith;

/// Tensors of odd sizes, some larger than what is read at once.
Content odd_sizes() {
    Content content = make_content(7, 0);
    content.weights.clear();
    for (std::int64_t count : {1, 3, 1021, 700'001, 2, 400'000, 5})
        content.weights.push_back(
            LogicalTensor::of_whole("w" + std::to_string(count), at::arange(count, 2 * count, at::kFloat)));
    content.weights.push_back(LogicalTensor::of_whole("empty", at::empty({0, 4})));
    return content;
}

class DirectLoads : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    fs::path checkpoints_ = folder_.path() / "checkpoints";
    Content saved_ = odd_sizes();

    void SetUp() override { save(checkpoints_, saved_); }
};

TEST_F(DirectLoads, FillTensorsOfAnySize) {
    Content target = odd_sizes();
    for (LogicalTensor& tensor : target.weights)
        tensor.local = at::zeros_like(tensor.local);
    EXPECT_EQ(load(checkpoints_ / "checkpoint_7", target).position.step, 7);
    for (std::size_t i = 0; i < saved_.weights.size(); ++i)
        EXPECT_TRUE(at::equal(target.weights[i].local, saved_.weights[i].local)) << saved_.weights[i].name;
}

TEST_F(DirectLoads, ConvertTypesAndStridesAndTakeParts) {
    Content target = odd_sizes();
    for (LogicalTensor& tensor : target.weights)
        if (tensor.name == "w700001") {
            tensor.local = at::zeros({1000}, at::kDouble);
            tensor.box = {{699'001}, {1000}};
        } else if (tensor.name == "w400000") {
            tensor.local = at::zeros({400'000, 2}).select(1, 0);
        }
    load(checkpoints_ / "checkpoint_7", target);
    for (std::size_t i = 0; i < saved_.weights.size(); ++i) {
        at::Tensor expected = saved_.weights[i].local;
        if (saved_.weights[i].name == "w700001")
            expected = expected.narrow(0, 699'001, 1000).to(at::kDouble);
        EXPECT_TRUE(at::equal(target.weights[i].local, expected)) << saved_.weights[i].name;
    }
}

TEST_F(DirectLoads, FillSeveralBoxesOfOneTensor) {
    Content target = odd_sizes();
    std::erase_if(target.weights, [](const LogicalTensor& tensor) { return tensor.name == "w700001"; });
    const at::Tensor first = at::zeros({1000}), second = at::zeros({300'000}), third = at::zeros({7}, at::kDouble);
    target.weights.push_back({"w700001", {700'001}, {{400'001}, {300'000}}, second});
    target.weights.push_back({"w700001", {700'001}, {{3}, {1000}}, first});
    load(checkpoints_ / "checkpoint_7", target);
    const at::Tensor whole = at::arange(700'001, 2 * 700'001, at::kFloat);
    EXPECT_TRUE(at::equal(first, whole.narrow(0, 3, 1000)));
    EXPECT_TRUE(at::equal(second, whole.narrow(0, 400'001, 300'000)));
    target.weights.push_back({"w700001", {700'001}, {{1}, {7}}, third});  // one of them needs a detour
    first.zero_();
    load(checkpoints_ / "checkpoint_7", target);
    EXPECT_TRUE(at::equal(first, whole.narrow(0, 3, 1000)));
    EXPECT_TRUE(at::equal(third, whole.narrow(0, 1, 7).to(at::kDouble)));
}

TEST_F(DirectLoads, WhatDoesNotFitChangesNothing) {
    Content target = odd_sizes();
    for (LogicalTensor& tensor : target.weights)
        tensor.local = at::zeros_like(tensor.local);
    target.optimizer.push_back(LogicalTensor::of_whole("exp_avg.other", at::zeros({2})));
    try {
        load(checkpoints_ / "checkpoint_7", target);
        FAIL() << "loaded";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says("tensor {} is missing", "exp_avg.other"));
    }
    for (const LogicalTensor& tensor : target.weights)
        EXPECT_EQ(tensor.local.sum().item<float>(), 0) << tensor.name;
}

TEST_F(DirectLoads, DamageIsNamedBeforeWhatItLeadsTo) {
    fs::path damaged = checkpoints_ / "checkpoint_7" / "model.safetensors";
    std::string bytes = read_file(damaged);
    bytes[bytes.find("w1021")] = 'v';
    std::ofstream(damaged, std::ios::binary) << bytes;
    try {
        load(checkpoints_ / "checkpoint_7", odd_sizes());
        FAIL() << "loaded";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), says("{} is damaged (its checksum differs)", EndsWith("model.safetensors")));
    }
}

}  // namespace
}  // namespace trainyard::checkpoint
