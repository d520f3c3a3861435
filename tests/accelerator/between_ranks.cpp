// SPDX-License-Identifier: GPL-3.0-or-later
// What ranks do together through the Accelerator: metrics, flags, seeds, Local SGD, uneven inputs.
#include <map>

#include <ATen/Context.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randperm.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/metrics_gather.h"
#include "accelerator/plain_sgd.h"
#include "accelerator/training.h"
#include "base/error.h"
#include "data/data_sets.h"
#include "data/rng_sync.h"

namespace trainyard {
namespace {

using test::alone;
using test::on_ranks;

TEST(BetweenRanks, MetricsSeeEverySampleOnce) {
    for (std::int64_t count = 5; count <= 12; ++count)
        for (const bool dispatch : {false, true})
            on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
                AcceleratorOptions options;
                options.loaders.dispatch_batches = dispatch;
                Accelerator accelerator(options, process);
                auto loader = accelerator.prepare(
                    test::loader_over(std::make_shared<data::TensorDataset>(Tree(at::arange(count))), 2));
                for (int epoch = 0; epoch < 2; ++epoch) {
                    std::vector<std::int64_t> plain, nested, texts, rows;
                    const auto keep = [](std::vector<std::int64_t>& into, const at::Tensor& values) {
                        for (std::int64_t i = 0; i < values.numel(); ++i)
                            into.push_back(values[i].item<std::int64_t>());
                    };
                    for (Tree& batch : *loader) {
                        const at::Tensor values = batch.as_tensor();
                        keep(plain, accelerator.gather_for_metrics(values));
                        const Tree dict = accelerator.gather_for_metrics(Tree::dict({{"a", Tree::tuple({values})}}));
                        keep(nested, dict.at("a").items().at(0).as_tensor());
                        Tree list = Tree::list();
                        for (std::int64_t i = 0; i < values.numel(); ++i)
                            list.append(std::to_string(values[i].item<std::int64_t>()));
                        const Tree words = accelerator.gather_for_metrics(list);
                        for (const Tree& word : words.items())
                            texts.push_back(std::stoll(word.as_text()));
                        // One entry that holds the whole batch: Accelerate would cut entries.
                        const Tree batches = accelerator.gather_for_metrics(Tree::list({values}), true);
                        for (const Tree& each : batches.items())
                            keep(rows, each.as_tensor());
                    }
                    std::vector<std::int64_t> all;
                    for (std::int64_t i = 0; i < count; ++i)
                        all.push_back(i);
                    EXPECT_EQ(plain, all) << count << dispatch;
                    EXPECT_EQ(nested, all);
                    EXPECT_EQ(texts, all);
                    EXPECT_EQ(rows, all);
                }
            });
}

TEST(BetweenRanks, TrimmedSamples) {
    const auto list = [](std::initializer_list<int> values) {
        Tree made = Tree::list();
        for (const int value : values)
            made.append(value);
        return made;
    };
    EXPECT_TRUE(accelerator::trim_samples(list({1, 2, 3, 4}), 3, 4, 2) == list({1, 2, 3}));
    // Entries that are samples and lists at once: their number decides.
    const Tree ids = Tree::list({list({7, 8}), list({9}), list({1, 1, 1}), list({2})});
    EXPECT_EQ(accelerator::trim_samples(ids, 3, 4, 2).items().size(), 3U);
    // Batches as entries.
    const Tree cut = accelerator::trim_samples(Tree::list({list({0, 1}), list({2, 0})}), 3, 4, 2);
    EXPECT_TRUE(cut == Tree::list({list({0, 1}), list({2})}));
    const Tree dicts = accelerator::trim_samples(Tree::list({Tree::dict({{"a", list({0, 1})}, {"b", at::arange(2)}}),
                                                             Tree::dict({{"a", list({2, 0})}, {"b", at::arange(2)}})}),
                                                 3, 4, 2);
    EXPECT_EQ(dicts.items().at(1).at("b").as_tensor().numel(), 1);
    EXPECT_THROW(accelerator::trim_samples(Tree::list({list({0, 1, 2}), list({3, 4})}), 3, 4, 2), UserError);
}

TEST(BetweenRanks, OneFlagStopsAll) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator accelerator({}, process);
        EXPECT_FALSE(accelerator.check_trigger());
        if (process->rank() == 1)
            accelerator.set_trigger();
        EXPECT_TRUE(accelerator.check_trigger());
        EXPECT_FALSE(accelerator.check_trigger());
    });
}

TEST(BetweenRanks, Seeds) {
    std::map<int, at::Tensor> drawn;
    on_ranks(2, [&](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator each({}, process);
        for (int turn = 0; turn < 2; ++turn) {  // ranks of one process share a generator: one after the other
            if (turn == process->rank()) {
                each.set_seed(11);
                drawn[turn] = at::rand({4});
                each.set_seed(11, true);
                drawn[10 + turn] = at::rand({4});
            }
            each.wait_for_everyone();
        }
    });
    EXPECT_TRUE(at::equal(drawn[0], drawn[1]));
    EXPECT_TRUE(at::equal(drawn[0], drawn[10]));
    EXPECT_FALSE(at::equal(drawn[0], drawn[11]));
    Accelerator accelerator({}, alone());
    accelerator.set_seed(1, false, true);
    EXPECT_TRUE(at::globalContext().deterministicAlgorithms());
    at::globalContext().setDeterministicAlgorithms(false, false);

    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator each({}, process);
        at::Generator generator = data::seeded_generator(100 + process->rank());
        each.synchronize_rng_states({"generator"}, generator);
        const at::Tensor both = each.gather(at::randperm(20, generator).reshape({1, -1}));
        EXPECT_TRUE(at::equal(both[0], both[1]));
        EXPECT_THROW(each.synchronize_rng_states({"dice"}, generator), UserError);
    });
}

TEST(BetweenRanks, LocalSgdAverages) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator accelerator({}, process);
        auto net = std::make_shared<test::Scale>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::unique_ptr<optim::Optimizer>(
            std::make_unique<test::PlainSgd>(std::vector<at::Tensor>{net->weight}, 1.0)));
        auto local = accelerator.local_sgd(model, {.steps = 2});
        std::vector<double> seen;
        for (int step = 0; step < 3; ++step) {
            accelerator.backward(model(at::full({1}, 1.0 + process->rank())).sum());
            optimizer->step();
            optimizer->zero_grad();
            local.step();
            seen.push_back(net->weight.item<double>());
        }
        local.finish();
        EXPECT_DOUBLE_EQ(seen[0], -1.0 - process->rank());
        EXPECT_DOUBLE_EQ(seen[1], -3.0);
        EXPECT_DOUBLE_EQ(seen[2], -4.0 - process->rank());
        EXPECT_DOUBLE_EQ(net->weight.item<double>(), -4.5);
    });
    Accelerator accelerator({}, alone());
    auto model = accelerator.prepare(std::make_shared<test::Scale>());
    auto local = accelerator.local_sgd(model, {.steps = 1});
    local.step();
    local.finish();
}

TEST(BetweenRanks, UnevenInputsJoin) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator accelerator({}, process);
        auto net = std::make_shared<test::Scale>();
        auto model = accelerator.prepare(net);
        auto optimizer = accelerator.prepare(std::unique_ptr<optim::Optimizer>(
            std::make_unique<test::PlainSgd>(std::vector<at::Tensor>{net->weight}, 1.0)));
        int steps = 0;
        accelerator.join_uneven_inputs(
            [&] {
                for (int step = 0; step < 3 - process->rank(); ++step) {
                    accelerator.backward(model(at::full({1}, 2.0)).sum());
                    optimizer->step();
                    optimizer->zero_grad();
                    ++steps;
                }
            },
            {}, model);
        EXPECT_EQ(steps, 3 - process->rank());
        EXPECT_DOUBLE_EQ(net->weight.item<double>(), -5.0);  // 2, 2, and (2 + 0) / 2
    });
}

TEST(BetweenRanks, EvenBatchesAreOverriddenWithinAJoin) {
    on_ranks(2, [](std::shared_ptr<parallel::ProcessState> process) {
        Accelerator accelerator({}, process);
        auto model = accelerator.prepare(std::make_shared<test::Scale>());
        auto loader = accelerator.prepare(data::LoaderSpec{.dataset = test::number_set(5), .batch_size = 1});
        auto streamed =
            accelerator.prepare(data::LoaderSpec{.stream = std::make_shared<test::NumberStream>(4), .batch_size = 1});
        auto batches_of_a_pass = [&] {
            int batches = 0;
            for (Tree& batch : *loader) {
                static_cast<void>(batch);
                ++batches;
            }
            return batches;
        };
        EXPECT_EQ(batches_of_a_pass(), 3) << "rank 1 repeats a sample";
        int within = 0;
        std::vector<Message> notes = accelerator.join_uneven_inputs(
            [&] { within = batches_of_a_pass(); }, {.join = {.enable = false}, .even_batches = false}, model);
        EXPECT_EQ(within, 3 - process->rank());
        EXPECT_THAT(notes, ::testing::ElementsAre(::testing::HasSubstr("data loader 1 ")));
        EXPECT_EQ(batches_of_a_pass(), 3);
        EXPECT_THROW(accelerator.join_uneven_inputs([] { throw UserError("no"); },
                                                    {.join = {.enable = false}, .even_batches = false}, model),
                     UserError);
        EXPECT_EQ(batches_of_a_pass(), 3) << "put back after an error, too";
    });
}

}  // namespace
}  // namespace trainyard
