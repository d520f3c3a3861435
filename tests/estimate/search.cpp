// SPDX-License-Identifier: GPL-3.0-or-later
// Answers are what the estimate of their setup says: the largest that fits does, the next does not.

#include "estimate/search.h"

#include <algorithm>
#include <chrono>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/says.h"

namespace trainyard::estimate {
namespace {

Search search_on(const char* device, std::int64_t hosts = 1, const char* layers = "32") {
    Hardware hardware;
    hardware.device = *find_device(device);
    hardware.hosts = hosts;
    hardware.devices_per_host = 8;
    return {model_parts(std::string(R"({"model_type": "llama", "num_hidden_layers": )") + layers + "}", "llama"),
            hardware};
}

TEST(Search, TheLargestBatchFitsAndTheNextDoesNot) {
    const Search search = search_on("H100");
    TrainingSetup setup;
    setup.zero_stage = 3;
    setup.layout.dp_shard = 8;
    setup.sequence = 2048;
    const auto largest = search.largest_batch(setup);
    ASSERT_TRUE(largest);
    EXPECT_LE(largest->memory, search.limit());
    TrainingSetup more = largest->setup;
    EXPECT_TRUE(search.fits(more));
    ++more.batch;
    EXPECT_FALSE(search.fits(more));
    const auto longest = search.longest_sequence(setup, 128);
    ASSERT_TRUE(longest);
    TrainingSetup longer = longest->setup;
    EXPECT_TRUE(search.fits(longer));
    longer.sequence += 128;
    EXPECT_FALSE(search.fits(longer));
    const Search limited(
        model_parts(R"({"model_type": "llama", "num_hidden_layers": 2, "max_position_embeddings": 2048})", "llama"),
        search.hardware());
    EXPECT_EQ(limited.longest_sequence(setup, 128)->setup.sequence, 2048) << "the model has no more positions";
}

TEST(Search, SaysWhichMemoryIsShortAndByHowMuch) {
    Hardware hardware = search_on("H100").hardware();
    hardware.host_memory = 64.0 * (1u << 30);
    const Search search(search_on("H100").model(), hardware);
    TrainingSetup setup;
    setup.zero_stage = 3;
    setup.layout.dp_shard = 8;
    setup.offload_optimizer = Offload::cpu;
    const MemoryEstimate memory = estimate_memory(search.model(), setup, hardware.device);
    const Shortage missing = search.shortage(memory);
    EXPECT_EQ(missing.device, 0);
    EXPECT_NEAR(missing.host, search.of_host(memory, Place::host) - hardware.host_memory, 1);
    EXPECT_GT(missing.host, 0);
    EXPECT_FALSE(search.fits(setup));
    EXPECT_THAT(search.why_not(setup), test::says("a host needs {} for what is offloaded and has {}: {} short",
                                                  testing::_, testing::_, testing::_));
    EXPECT_THAT(search.why_not(setup), test::says("a host needs {} for what is offloaded and has {}: {} short",
                                                  testing::_, testing::_, testing::EndsWith("GiB")));
    setup.offload_optimizer = Offload::disk;
    const MemoryEstimate on_disk = estimate_memory(search.model(), setup, hardware.device);
    EXPECT_GT(search.of_host(on_disk, Place::disk), search.of_host(on_disk, Place::host));
    EXPECT_TRUE(search.fits(setup));
    setup.offload_optimizer = Offload::none;
    setup.zero_stage = 0;
    setup.layout = {.dp_replicate = 8};
    const MemoryEstimate whole = estimate_memory(search.model(), setup, hardware.device);
    EXPECT_NEAR(search.shortage(whole).device, whole.total() - search.limit(), 1);
    EXPECT_EQ(search.shortage(whole).host, 0);
}

TEST(Search, WhatCannotFitIsExplained) {
    const Search search = search_on("RTX 4090");
    TrainingSetup setup;
    EXPECT_FALSE(search.largest_batch(setup));
    EXPECT_THAT(search.why_not(setup), test::says("a rank needs {} of {}, most of it for {} ({})", testing::_,
                                                  testing::_, testing::StartsWith("optimizer"), testing::_));
    EXPECT_THAT(search.why_not(setup), test::says("{}; no single change is enough, but it fits on {} devices with {}",
                                                  testing::_, testing::_, testing::_));
    TrainingSetup many = setup;
    many.accumulation = 64;
    const auto found = search.fewest_devices(many);
    ASSERT_TRUE(found);
    EXPECT_TRUE(search.fits(found->setup));
    EXPECT_GT(found->setup.layout.ranks(), 1);
    EXPECT_EQ(found->setup.batch * found->setup.accumulation * found->setup.layout.data_ranks(), 64) << "the same step";
}

TEST(Search, AnswersDoNotContradictEachOther) {
    const Search search = search_on("H100");
    TrainingSetup setup;
    setup.zero_stage = 3;
    setup.layout.dp_shard = 8;
    setup.sequence = 4096;
    const std::int64_t largest = search.largest_batch(setup)->setup.batch;
    ASSERT_GT(largest, 1);
    setup.batch = 512;  // far more: half of it does not fit
    ASSERT_FALSE(search.fits(setup));
    const std::vector<Search::Saving> savings = search.savings(setup);
    const auto batch = std::ranges::find(savings, "batch", &Search::Saving::field);
    ASSERT_NE(batch, savings.end());
    EXPECT_TRUE(batch->enough);
    EXPECT_LE(batch->setup.batch, largest);
    EXPECT_GT(2 * batch->setup.batch, largest) << "the next larger one does not fit";
    EXPECT_EQ(batch->setup.batch * batch->setup.accumulation, 512) << "the same step";
    EXPECT_THAT(search.why_not(setup), test::says("{}; {} {} is enough", testing::_, testing::_, testing::_));
    setup.batch = 1;
    setup.sequence = search.longest_sequence(setup)->setup.sequence * 8;
    if (!search.fits(setup)) {
        EXPECT_THAT(search.why_not(setup), testing::Not(testing::HasSubstr("no single change")))
            << "a shorter sequence is one";
    }
}

TEST(Search, LayoutsAreFoundWithCheckpointingOffloadAndPrecision) {
    const Search search = search_on("RTX 4090", 1, "4");
    TrainingSetup setup;
    setup.precision = ProductFormat::no;
    setup.batch = 4;
    const auto fits_one = [&] {
        TrainingSetup one = setup;
        one.batch = 1;
        return search.fits(one);
    };
    ASSERT_TRUE(fits_one());
    // A smaller micro-batch of the same step comes first: nothing else of what is asked for is changed without need.
    while (search.fits(setup))
        setup.sequence *= 2;
    if (fits_one()) {
        const std::vector<Answer> smaller = search.best_layouts(setup, 1);
        ASSERT_FALSE(smaller.empty());
        EXPECT_LT(smaller.front().setup.batch, 4);
        EXPECT_EQ(smaller.front().setup.batch * smaller.front().setup.accumulation, 4);
        EXPECT_EQ(smaller.front().setup.checkpointing, setup.checkpointing);
    }
    while (fits_one())
        setup.sequence *= 2;
    const std::vector<Answer> layouts = search.best_layouts(setup, 1);
    ASSERT_FALSE(layouts.empty()) << "with the sequence " << setup.sequence;
    for (const Answer& layout : layouts) {
        EXPECT_TRUE(search.fits(layout.setup));
        EXPECT_EQ(layout.setup.batch * layout.setup.accumulation, 4);
        EXPECT_EQ(layout.setup.sequence, setup.sequence);
        EXPECT_NE(layout.setup.checkpointing, setup.checkpointing);
        EXPECT_EQ(layout.setup.precision, setup.precision);
    }
    // Weights and their state that one device does not hold are offloaded.
    const Search large = search_on("RTX 4090", 1, "16");
    setup.sequence = 512;
    setup.checkpointing = Recomputation::full;
    setup.batch = 1;
    ASSERT_FALSE(large.fits(setup));
    const std::vector<Answer> offloaded = large.best_layouts(setup, 1);
    ASSERT_FALSE(offloaded.empty());
    EXPECT_EQ(offloaded.front().setup.offload_optimizer, Offload::cpu);
    EXPECT_EQ(large.fewest_devices(setup)->setup.layout.ranks(), 1);
}

TEST(Search, SavingsSaveWhatTheySay) {
    const Search search = search_on("A100", 2);
    TrainingSetup setup;
    setup.batch = 8;
    setup.sequence = 2048;
    setup.chunked_loss = false;
    setup.layout.dp_replicate = 16;
    const std::vector<Search::Saving> savings = search.savings(setup);
    EXPECT_GT(savings.size(), 5u);
    const double now = search.answer(setup).memory;
    for (const Search::Saving& saving : savings) {
        EXPECT_DOUBLE_EQ(now - search.answer(saving.setup).memory, saving.saved) << saving.field;
        EXPECT_EQ(saving.enough, search.fits(saving.setup)) << saving.field;
    }
    EXPECT_EQ(search.why_not(search.best_layouts(setup, 16, 1).front().setup), "");
}

TEST(Search, LayoutsUseAllRanksAndAreSorted) {
    const Search search = search_on("H100", 8, "80");
    TrainingSetup setup;
    setup.batch = 1;
    setup.accumulation = 16;
    setup.layout.dp_replicate = 64;
    setup.checkpointing = Recomputation::full;
    const std::vector<Answer> layouts = search.best_layouts(setup, 64);
    ASSERT_FALSE(layouts.empty());
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        EXPECT_EQ(layouts[i].setup.layout.ranks(), 64);
        EXPECT_TRUE(search.fits(layouts[i].setup));
        EXPECT_EQ(layouts[i].time.tokens, layouts[0].time.tokens);
        if (i > 0) {
            EXPECT_GE(layouts[i].time.seconds(), layouts[i - 1].time.seconds());
        }
    }
}

TEST(Search, TimeOfATokenIsSixOperationsAParameter) {
    const Search search = search_on("H100");
    TrainingSetup setup;
    setup.sequence = 1;
    const double products = search.model().parameters() - search.model().embedding_parameters;
    EXPECT_NEAR(flops_per_token(search.model(), setup), 6 * products, 0.001 * 6 * products);
    const StepTime time = search.answer(setup).time;
    EXPECT_NEAR(time.compute, time.flops / (search.hardware().device.flops16 * search.hardware().device.utilisation),
                1e-9);
    EXPECT_LT(time.fastest(), time.seconds());
    EXPECT_GT(time.slowest(), time.seconds());
}

TEST(Devices, AreFoundByTheNamesOfDrivers) {
    const auto name = [](const char* wanted, double memory = 0) {
        const Device* found = find_device(wanted, memory);
        return found != nullptr ? found->name : "";
    };
    EXPECT_EQ(name("H100"), "H100 80 GB");
    EXPECT_EQ(name("NVIDIA H100 80GB HBM3"), "H100 80 GB");
    EXPECT_EQ(name("NVIDIA H100 PCIe"), "H100 PCIe 80 GB");
    EXPECT_EQ(name("NVIDIA A100-SXM4-40GB", 40e9), "A100 40 GB");
    EXPECT_EQ(name("A100 40"), "A100 40 GB");
    EXPECT_EQ(name("Tesla V100-SXM2-16GB", 16e9), "V100 16 GB");
    EXPECT_EQ(name("NVIDIA L40S"), "L40S 48 GB");
    EXPECT_EQ(name("NVIDIA GeForce RTX 4090"), "RTX 4090 24 GB");
    EXPECT_EQ(name("GeForce GTX 1080"), "");
    EXPECT_EQ(name(""), "");
}

}  // namespace
}  // namespace trainyard::estimate
