// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the memory that a program's training takes and gives back, and of the time that sums over the ranks take.

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <torch/nn/modules/linear.h>
#include <torch/optim/adamw.h>
#include <torch/optim/sgd.h>

#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "base/clock.h"
#include "distributed/parallel/backend.h"
#include "support/allocation_peak.h"

namespace trainyard::accelerator {
namespace {

constexpr std::int64_t kWidth = 160;
constexpr int kLayers = 24;
constexpr std::int64_t kWeightBytes = kLayers * (kWidth * kWidth + kWidth) * 4;

/// Blocks whose weights are much larger than their activations. A micro-batch makes the gradient of one before it is
/// added to those before, so there are many of them.
struct Wide : torch::nn::Module {
    Wide() {
        for (int i = 0; i < kLayers; ++i)
            layers.push_back(
                wrap_block(register_module("layer" + std::to_string(i), torch::nn::Linear(kWidth, kWidth))));
    }
    at::Tensor forward(at::Tensor x) {
        for (auto& layer : layers)
            x = layer(x);
        return x;
    }
    std::vector<Block*> blocks() {
        std::vector<Block*> all;
        for (auto& layer : layers)
            all.push_back(&layer);
        return all;
    }
    std::vector<CheckpointWrapper<torch::nn::LinearImpl>> layers;
};

/// Most bytes that two ranks hold while they make one update from that many micro-batches.
std::uint64_t peak_of(std::int64_t zero_stage, std::int64_t micro_batches, bool sync_each_batch) {
    const test::AllocationPeak peak;
    test::on_ranks(
        2,
        [&](std::shared_ptr<parallel::ProcessState> process) {
            AcceleratorOptions options{.gradient_accumulation_steps = micro_batches, .zero_stage = zero_stage};
            options.accumulation.sync_each_batch = sync_each_batch;
            Accelerator accelerator(options, std::move(process));
            auto net = std::make_shared<Wide>();
            auto model = accelerator.prepare(net);
            auto optimizer = accelerator.prepare(
                std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(1e-3)));
            for (std::int64_t i = 0; i < micro_batches; ++i) {
                auto scope = accelerator.accumulate(model);
                accelerator.backward(model(at::ones({2, kWidth})).square().mean());
                optimizer->step();
                optimizer->zero_grad();
            }
        },
        "cpu", false);
    return peak.bytes();
}

TEST(Memory, MicroBatchesThatAreSummedAtOnceDoNotAddUp) {
    std::map<std::int64_t, std::uint64_t> one;
    for (const std::int64_t stage : {0, 1, 2, 3}) {
        SCOPED_TRACE(stage);
        // Two ranks hold most at the same time only by chance, of which 16 micro-batches have more.
        for (int i = 0; i < 6; ++i)
            one[stage] = std::max(one[stage], peak_of(stage, 1, false));
        EXPECT_GT(one[stage], static_cast<std::uint64_t>(kWeightBytes)) << "what is counted is counted";
        const auto limit = static_cast<double>(one[stage]) * 1.05;
        EXPECT_LE(static_cast<double>(peak_of(stage, 16, true)), limit);
        // Ranks that divide gradients never keep whole ones, whatever is asked for: no_sync costs nothing there.
        if (stage >= 2) {
            EXPECT_LE(static_cast<double>(peak_of(stage, 16, false)), limit);
        }
    }
    EXPECT_LT(one[2], one[1]) << "two ranks keep half of the gradients each";
    EXPECT_LT(one[3], one[2]) << "and half of the weights";
}

TEST(Memory, WhatWasPreparedIsGivenBack) {
    const test::AllocationPeak peak;
    const auto train = [&](std::shared_ptr<parallel::ProcessState> process, std::int64_t zero_stage, bool clears) {
        Accelerator accelerator({.zero_stage = zero_stage}, process);
        for (int round = 0; round < 3; ++round) {
            process->wait_for_everyone();
            const std::int64_t before = peak.held();
            process->wait_for_everyone();
            auto net = std::make_shared<Wide>();
            auto model = accelerator.prepare(net);
            auto optimizer = accelerator.prepare(std::make_unique<torch::optim::AdamW>(net->parameters()));
            auto loader = accelerator.prepare(test::loader_over(test::samples(16), 4));
            auto average = accelerator.prepare_average(model, train::exponential(0.9));
            for (Tree& batch : *loader) {
                accelerator.backward(model(batch.at("x").as_tensor().repeat({1, kWidth / 4})).square().mean());
                optimizer->step();
                optimizer->zero_grad();
            }
            process->wait_for_everyone();
            EXPECT_GT(peak.held(), before + kWeightBytes);
            process->wait_for_everyone();
            net.reset();
            average.reset();
            if (clears)
                accelerator.clear(model, optimizer, loader);
            else
                accelerator.free_memory(model, optimizer, loader);
            EXPECT_EQ(accelerator.step(), 0);
            process->wait_for_everyone();
            EXPECT_LE(peak.held(), before + 64 * 1024) << "stage " << zero_stage << ", round " << round;
            process->wait_for_everyone();
        }
    };
    for (const bool clears : {false, true})
        train(test::alone(), 0, clears);
    for (const std::int64_t stage : {0, 1, 2, 3})
        test::on_ranks(
            2, [&](std::shared_ptr<parallel::ProcessState> process) { train(process, stage, false); }, "cpu", false);
}

/// A link on which every message takes 20 ms.
class SlowLink final : public parallel::Communicator {
  public:
    explicit SlowLink(std::shared_ptr<Communicator> inner) : inner_(std::move(inner)) {}
    int rank() const override { return inner_->rank(); }
    int size() const override { return inner_->size(); }

  protected:
    std::unique_ptr<parallel::Pending::Work> start(const parallel::Collective& collective) override {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return start_on(*inner_, collective);
    }

  private:
    std::shared_ptr<Communicator> inner_;
};

class SlowWorld final : public parallel::World {
  public:
    explicit SlowWorld(std::unique_ptr<World> inner) : inner_(std::move(inner)) {}
    int rank() const override { return inner_->rank(); }
    int size() const override { return inner_->size(); }
    std::string backend() const override { return inner_->backend(); }
    std::shared_ptr<parallel::Communicator> group(std::span<const int> ranks, const std::string& name) override {
        return std::make_shared<SlowLink>(inner_->group(ranks, name));
    }

  private:
    std::unique_ptr<World> inner_;
};

enum class Way { baseline, accumulate, no_sync, around_backward };

/// Seconds of 16 micro-batches, four for an update, on two ranks.
double seconds_of(Way way) {
    double seconds = 0;
    test::run_ranks(2, [&](std::unique_ptr<parallel::World> world) {
        parallel::ProcessPlace place;
        place.rank = place.local_rank = world->rank();
        place.world_size = place.local_world_size = world->size();
        AcceleratorOptions options;
        if (way == Way::accumulate)
            options.gradient_accumulation_steps = 4;
        Accelerator accelerator(
            options, std::make_shared<parallel::ProcessState>(std::make_shared<SlowWorld>(std::move(world)), place));
        auto net = std::make_shared<test::Net>();
        auto model = accelerator.prepare(net);
        auto optimizer =
            accelerator.prepare(std::make_unique<torch::optim::SGD>(net->parameters(), torch::optim::SGDOptions(1e-3)));
        accelerator.wait_for_everyone();
        const double began = monotonic_seconds();
        for (int i = 0; i < 16; ++i) {
            const auto forward = [&] { return model(at::ones({2, 4})).square().mean(); };
            const bool last = i % 4 == 3;
            if (way == Way::accumulate) {
                auto scope = accelerator.accumulate(model);
                accelerator.backward(forward());
            } else if (way == Way::baseline || last) {
                accelerator.backward(forward());
            } else if (way == Way::no_sync) {
                auto scope = accelerator.no_sync(model);
                accelerator.backward(forward());
            } else {
                const at::Tensor loss = forward();
                auto scope = accelerator.no_sync(model);
                accelerator.backward(loss);
            }
            if (last || way == Way::accumulate) {
                optimizer->step();
                optimizer->zero_grad();
            }
        }
        if (accelerator.is_main_process())
            seconds = monotonic_seconds() - began;
    });
    return seconds;
}

TEST(Memory, WhatIsNotSummedCostsNoTime) {
    const double baseline = seconds_of(Way::baseline);
    EXPECT_GE(baseline, 16 * 0.020);
    EXPECT_LE(seconds_of(Way::accumulate), 0.6 * baseline);
    EXPECT_LE(seconds_of(Way::no_sync), 0.6 * baseline);
    // Around the backward alone, where torch's DDP has decided in the forward already, and sums.
    EXPECT_LE(seconds_of(Way::around_backward), 0.6 * baseline);
}

}  // namespace
}  // namespace trainyard::accelerator
