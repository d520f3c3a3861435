// SPDX-License-Identifier: GPL-3.0-or-later
// Graphs of a device: what captured work reads and writes, what cannot be captured, and what a step's graph takes.

#include <ATen/core/grad_mode.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "device/device.h"
#include "distributed/parallel/device_graph.h"
#include "models/nn/kernels/dropout.h"
#include "train/step_graph.h"

namespace trainyard {
namespace {

using testing::HasSubstr;

std::unique_ptr<parallel::DeviceGraph> new_graph() {
    return parallel::make_device_graph("guarded", test::guarded());
}

at::TensorOptions on_guarded(at::ScalarType type = at::kFloat) {
    return at::TensorOptions().dtype(type).device(test::guarded());
}

template <class Call>
std::string refusal_of(const Call& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "not refused";
}

TEST(DeviceGraphs, ReadAndWriteTheMemoryOfTheCapture) {
    const auto graph = new_graph();
    const at::Tensor in = at::ones({3}, on_guarded()), sum = at::zeros({3}, on_guarded());
    at::Tensor out;
    double factor = 2;
    graph->capture([&] {
        out = in.mul(factor).add(1);
        sum.add_(out);
    });
    EXPECT_EQ(sum.cpu().sum().item<double>(), 0) << "captured work has not run";
    factor = 100;
    for (const double value : {1.0, 5.0}) {
        in.fill_(value);
        graph->replay();
        EXPECT_EQ(out.cpu()[0].item<double>(), 2 * value + 1) << "the host's number is that of the capture";
    }
    EXPECT_EQ(sum.cpu()[2].item<double>(), 3 + 11);
}

TEST(DeviceGraphs, RefuseWhatTheHostReads) {
    const auto graph = new_graph();
    const at::Tensor x = at::arange(4, on_guarded());
    EXPECT_THAT(refusal_of([&] { graph->capture([&] { (void)x.sum().item<double>(); }); }),
                HasSubstr("not permitted while a graph is captured: aten::_local_scalar_dense"));
    EXPECT_THAT(refusal_of([&] { graph->capture([&] { (void)x.cpu(); }); }), HasSubstr("between device and host"));
    EXPECT_THAT(refusal_of([&] { graph->capture([&] { (void)x.index({x.gt(1)}); }); }), HasSubstr("aten::nonzero"));
    EXPECT_THAT(refusal_of([&] { graph->capture([&] { (void)x.nonzero(); }); }), HasSubstr("aten::nonzero"));
    EXPECT_EQ(x.cpu().sum().item<double>(), 6) << "and nothing is left of the captures";
    graph->capture([&] { x.add_(1); });
    graph->replay();
    EXPECT_EQ(x.cpu().sum().item<double>(), 10);
}

TEST(DeviceGraphs, DropoutFollowsTheCountersOfTheDevice) {
    const auto graph = new_graph();
    const at::Tensor x = at::ones({2, 5, 8}, on_guarded()), counters = at::zeros({2}, on_guarded(at::kLong));
    const auto dropped = [&](std::int64_t step, std::int64_t first, const at::Tensor& read) {
        return models::counter_dropout(
            x, {.seed = 77, .step = step, .place = 3, .first_sample = first, .counters = read}, 0.4);
    };
    at::Tensor out;
    graph->capture([&] { out = dropped(0, 0, counters); });
    for (const std::int64_t step : {std::int64_t{1}, std::int64_t{5'000'000'123}}) {
        const std::int64_t first = (std::int64_t{1} << 31) - step % 7;
        counters.select(0, 0).fill_(step);
        counters.select(0, 1).fill_(first);
        graph->replay();
        const at::Tensor expected = dropped(step, first, {});
        EXPECT_TRUE(out.cpu().equal(expected.cpu())) << step;
    }
}

TEST(StepGraphs, TakeBatchesOfOneShapeWithoutMasks) {
    test::guarded();
    parallel::FlatArena arena({}, at::kFloat, test::guarded(), false);
    EXPECT_THAT(refusal_of([&] { train::StepGraph graph(at::kCPU, 1, arena); }),
                HasSubstr("training.cuda_graph: the device cpu has no graphs"));
    train::StepGraph graph(test::guarded(), 2, arena);
    EXPECT_FALSE(graph.is_due()) << "the first steps warm up";
    const auto batch = [](std::int64_t length, bool masked) {
        train::Batch made;
        made.tokens = made.labels = at::zeros({2, length}, on_guarded(at::kLong));
        if (masked)
            made.attention_mask = at::ones({2, length}, on_guarded(at::kLong));
        return made;
    };
    EXPECT_THAT(refusal_of([&] {
                    graph.set_inputs({batch(8, false), batch(8, true)}, 0, 1);
                }),
                HasSubstr("attention mask"));
    graph.set_inputs({batch(8, false), batch(8, false)}, 0, 1);
    EXPECT_THAT(refusal_of([&] {
                    graph.set_inputs({batch(8, false), batch(9, false)}, 4, 1);
                }),
                HasSubstr("the batches of step 5 have other shapes"));
    EXPECT_THAT(refusal_of([&] { graph.capture([&] { (void)graph.loss_factor().item<double>(); }); }),
                HasSubstr("training.cuda_graph: the step cannot be captured on guarded:0: not permitted"));
    EXPECT_FALSE(graph.is_capturing());
    EXPECT_FALSE(graph.is_captured());
}

}  // namespace
}  // namespace trainyard
