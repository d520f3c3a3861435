// SPDX-License-Identifier: GPL-3.0-or-later
// Loading a device, its memory being inaccessible to the host, and random numbers that are equal on every device.

#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "data/prepare_data_loader.h"
#include "device/device.h"
#include "distributed/tensors/operations.h"
#include "models/nn/kernels/dropout.h"
#include "support/ranks.h"
#include "support/says.h"

namespace trainyard {
namespace {

using test::guarded;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;

std::string why_not_loaded(const std::string& kind, int index, const std::string& library) {
    try {
        parallel::load_device(kind, index, library);
    } catch (const UserError& error) {
        return error.what();
    }
    return "it was loaded";
}

TEST(LoadDevice, SaysWhatIsMissing) {
    EXPECT_THAT(why_not_loaded("npu", 0, ""),
                test::says("training on '{}' needs the library that brings this device to LibTorch: name it with "
                           "--device_library or in {}, or train with --cpu",
                           "npu", "TRAINYARD_DEVICE_LIBRARY"));
    EXPECT_THAT(why_not_loaded("npu", 0, "/no/such/library.so"),
                AllOf(HasSubstr("/no/such/library.so, which cannot be opened"), HasSubstr("train with --cpu")));
    EXPECT_EQ(guarded().str(), "guarded:0");
    EXPECT_THAT(why_not_loaded("mlu", 0, TRAINYARD_GUARDED_DEVICE),
                AllOf(says("the library of the device '{}' is another device's: {}", "mlu", _),
                      says("it brings '{}'", "guarded")));
    EXPECT_THAT(why_not_loaded("guarded", 4, ""), HasSubstr("has no device guarded:4: there are 4"));
    EXPECT_TRUE(parallel::load_device("cpu", 3).is_cpu());
}

TEST(GuardedMemory, IsOutOfTheHostsReach) {
    const at::Tensor numbers = at::arange(6, at::TensorOptions().dtype(at::kFloat).device(guarded()));
    EXPECT_TRUE(at::equal(numbers.add(1).cpu(), at::arange(1, 7, at::kFloat)));
    EXPECT_EXIT(numbers.mutable_data_ptr<float>()[0] = 1, testing::KilledBySignal(SIGSEGV), "");
    EXPECT_EXIT(std::exit(numbers.const_data_ptr<float>()[0] > 0 ? 1 : 0), testing::KilledBySignal(SIGSEGV), "");
}

TEST(Copies, ToTheProcessorAreThereWhenTheyAreRead) {
    const c10::Device device = test::guarded();
    const at::Tensor numbers = at::arange(6);
    const Tree on_device = send_to_device(Tree::dict({{"x", numbers}}), device, true);
    EXPECT_EQ(on_device.at("x").as_tensor().device(), device);
    EXPECT_TRUE(send_to_device(on_device, at::kCPU, true).at("x").as_tensor().equal(numbers));
    EXPECT_THROW(on_device.at("x").as_tensor().to(at::kCPU, /*non_blocking=*/true), c10::Error)
        << "the device tells such copies apart";
    // A loader whose batches are made on the device, for a program on the processor.
    struct OnDevice final : data::Dataset {
        explicit OnDevice(Tree all) : batch(std::move(all)) {}
        std::int64_t size() const override { return 6; }
        Tree get(std::int64_t) const override { return batch; }
        Tree get_batch(std::span<const std::int64_t>) const override { return batch; }
        Tree batch;
    };
    data::LoaderSpec spec;
    spec.dataset = std::make_shared<OnDevice>(on_device);
    spec.batch_size = 6;
    data::PrepareOptions options;
    options.non_blocking = true;
    const std::unique_ptr<data::Loader> loader = data::prepare_data_loader(spec, options);
    for (Tree& batch : *loader)
        EXPECT_TRUE(batch.at("x").as_tensor().equal(numbers));
}

TEST(Dropout, DropsTheSameElementsOnEveryDevice) {
    for (const auto& [samples, width] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 4}, {5, 7}, {2, 1023}}) {
        const at::Tensor ones = at::ones({samples, width});
        for (double probability : {0.1, 0.5}) {
            const models::DropoutKey key{0x9e3779b97f4a7c15, 5'000'000'123, 0xfffffff1, (std::int64_t{1} << 31) - 2};
            const at::Tensor here = models::counter_dropout(ones, key, probability);
            const at::Tensor there = models::counter_dropout(ones.to(guarded()), key, probability);
            EXPECT_EQ(there.device().str(), "guarded:0");
            EXPECT_TRUE(at::equal(there.cpu(), here)) << samples << " x " << width << ", " << probability;
        }
    }
}

TEST(Collectives, OfADeviceWithoutOwnGoThroughTheHost) {
    guarded();
    test::run_ranks(
        3,
        [&](std::unique_ptr<parallel::World> world) {
            const int ranks[] = {0, 1, 2};
            const auto group = world->group(ranks, "test");
            EXPECT_EQ(group->device().str(), world->device());
            const auto mine = at::TensorOptions().dtype(at::kFloat).device(group->device());
            const auto number = static_cast<float>(group->rank() + 1);
            at::Tensor sum = at::ones({4}, mine).mul(number);
            group->all_reduce(sum, "sum").wait();
            EXPECT_TRUE(at::equal(sum.cpu(), at::ones({4}).mul(6)));
            at::Tensor from_last = at::ones({2}, mine).mul(number);
            group->broadcast(from_last, 2, "from the last");
            EXPECT_TRUE(at::equal(from_last.cpu(), at::ones({2}).mul(3)));
            at::Tensor all = at::zeros({3, 1}, mine);
            group->all_gather(all, at::ones({1}, mine).mul(number), "all");
            EXPECT_TRUE(at::equal(all.cpu().view({-1}), at::arange(1, 4, at::kFloat)));
            at::Tensor part = at::zeros({1}, mine);
            group->reduce_scatter(part, at::arange(3, mine), "parts").wait();
            EXPECT_EQ(part.item<float>(), 3.0f * static_cast<float>(group->rank()));
            group->barrier("end");
        },
        true, "guarded");
}

}  // namespace
}  // namespace trainyard
