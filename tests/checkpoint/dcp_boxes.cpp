// SPDX-License-Identifier: GPL-3.0-or-later
// Ranges of elements as boxes, and states that several ranks write to a folder of torch.distributed.checkpoint.

#include <numeric>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>

#include <gtest/gtest.h>

#include "checkpoint/dcp_state.h"
#include "checkpoint/logical_tensor.h"
#include "checkpoint/write_files.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

TEST(DcpBoxes, CoverEveryRangeOnce) {
    using DcpShape = std::vector<std::int64_t>;
    for (const DcpShape& shape : std::vector<DcpShape>{{}, {1}, {7}, {3, 4}, {2, 3, 4}, {2, 1, 3, 2}, {4, 1}}) {
        const std::int64_t count =
            std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<std::int64_t>());
        const at::Tensor whole = at::arange(count).reshape(shape);
        for (std::int64_t begin = 0; begin <= count; ++begin)
            for (std::int64_t end = begin + 1; end <= count; ++end) {
                std::int64_t next = begin;
                const at::Tensor flat = at::arange(begin, end);
                for (const LogicalTensor& part : LogicalTensor::of_range("t", shape, begin, flat)) {
                    at::Tensor inside = whole;
                    for (std::size_t d = 0; d < shape.size(); ++d)
                        inside = inside.narrow(static_cast<std::int64_t>(d), part.box.offset[d], part.box.size[d]);
                    EXPECT_TRUE(part.local.equal(inside));
                    EXPECT_TRUE(inside.reshape({-1}).equal(at::arange(next, next + inside.numel())));
                    next += inside.numel();
                }
                EXPECT_EQ(next, end);
            }
    }
}

TEST(DcpState, ReadsWhatSeveralRanksWrote) {
    const test::TemporaryFolder folder;
    const at::Tensor whole = at::arange(60, at::kFloat).reshape({3, 4, 5});
    test::run_ranks(3, [&](std::unique_ptr<parallel::World> world) {
        const int mine[] = {0, 1, 2};
        const auto ranks = world->group(mine, "all");
        DcpShare share;
        const std::int64_t bounds[] = {0, 7, 33, 60};
        const std::int64_t begin = bounds[ranks->rank()], end = bounds[ranks->rank() + 1];
        share.add({"optimizer", "state", "a.weight", "exp_avg"}, {3, 4, 5}, begin,
                  whole.reshape({-1}).narrow(0, begin, end - begin));
        if (ranks->rank() == 0) {
            share.add({"optimizer", "state", "a.weight", "step"}, at::full({}, 4.0));
            share.add({"optimizer", "param_groups", "0", "lr"}, Tree(0.25));
            share.add({"optimizer", "param_groups", "0", "params"}, Tree::list({Tree("a.weight")}));
        }
        FilesToSave files;
        share.add_files(files, "optimizer_0", *ranks);
        for (const FileToSave& file : files)
            write_file(folder.path(), file);
    });
    const Tree state = read_dcp_state(folder.path() / "optimizer_0").at("optimizer");
    EXPECT_TRUE(state.at("state").at("a.weight").at("exp_avg").as_tensor().equal(whole));
    EXPECT_EQ(state.at("state").at("a.weight").at("step").as_tensor().item<double>(), 4);
    const Tree& group = state.at("param_groups").items().at(0);
    EXPECT_EQ(group.at("lr").as_real(), 0.25);
    // Names become the numbers of the optimizer that loads, and back.
    const Tree own = Tree::dict(
        {{"state", Tree::dict({})},
         {"param_groups", Tree::list({Tree::dict({{"lr", 1.0}, {"params", Tree::list({Tree(0), Tree(1)})}})})}});
    const std::vector<std::string> names{"b.weight", "a.weight"};
    const Tree numbered = with_numbers(state, own, names);
    EXPECT_EQ(numbered.at("state").entries().size(), 1U);
    EXPECT_TRUE(numbered.at("state").at(std::int64_t{1}).at("exp_avg").as_tensor().equal(whole));
    EXPECT_EQ(numbered.at("param_groups").items().at(0).at("lr").as_real(), 0.25);
    EXPECT_TRUE(with_names(numbered, names).at("state") == state.at("state"));
    EXPECT_TRUE(with_numbers(numbered, own, names) == numbered);
}

}  // namespace
}  // namespace trainyard::checkpoint
