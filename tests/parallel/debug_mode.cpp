// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the debug mode: if ranks call different collectives, all of them throw the same exception, which lists the
// call of every rank, and can continue afterwards.

#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "distributed/parallel/agreement.h"
#include "distributed/parallel/collectives.h"
#include "distributed/parallel/fingerprint.h"
#include "distributed/parallel/mesh.h"
#include "support/ranks.h"
#include "support/says.h"

namespace trainyard::parallel {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

/// Returns the message of each rank's DistributedOperationError, or an empty string. Then all ranks add up their
/// numbers, which shows that collectives still work.
std::vector<std::string> errors(int size, bool debug, const std::function<void(Communicator&)>& body) {
    std::vector<std::string> texts(static_cast<std::size_t>(size));
    test::run_ranks(size, [&](std::unique_ptr<World> world) {
        int rank = world->rank();
        Mesh mesh(replicas(size), std::move(world));
        Communicator& everyone = mesh.everyone();
        everyone.verify_every_call(debug);
        try {
            body(everyone);
        } catch (const DistributedOperationError& error) {
            texts[static_cast<std::size_t>(rank)] = error.what();
        }
        at::Tensor count = at::full({1}, 1.0);
        everyone.all_reduce(count, "still together").wait();
        EXPECT_EQ(count.item<float>(), static_cast<float>(size));
    });
    return texts;
}

TEST(Mismatch, ShapesAreATableOnEveryRank) {
    for (bool debug : {false, true}) {
        auto texts = errors(3, debug, [](Communicator& everyone) {
            int rows = everyone.rank() == 1 ? 5 : 4;
            gather(everyone, Tree::dict({{"loss", at::zeros({1})}, {"logits", Tree::list({at::zeros({rows, 2})})}}),
                   "predictions");
        });
        EXPECT_THAT(texts, Each(test::says("{} is not the same on all ranks:\n{}\n{}",
                                           testing::EndsWith("gather 'predictions'"), testing::_, testing::_)));
        EXPECT_THAT(texts,
                    Each(HasSubstr("logits[0]   ranks 0, 2: float32 [4, 2] on cpu   rank 1: float32 [5, 2] on cpu")));
        EXPECT_THAT(texts, Each(Not(HasSubstr("loss  ")))) << "only differences are listed";
    }
}

/// The example of Accelerate's troubleshooting guide, whose message has the operation and the shape of every process.
TEST(Mismatch, TheWholeMessage) {
    for (bool debug : {false, true})
        EXPECT_THAT(
            errors(2, debug,
                   [](Communicator& everyone) {
                       broadcast(everyone, Tree(everyone.rank() == 0 ? at::zeros({1, 5}) : at::zeros({1, 2, 5})));
                   }),
            Each(test::says("{} is not the same on all ranks:\n{}\n{}", "broadcast",
                            "  tensor   rank 0: float32 [1, 5] on cpu   rank 1: float32 [1, 2, 5] on cpu",
                            "Give every rank the same; pad_across_processes makes sizes equal.")));
}

TEST(Mismatch, StructuresDtypesRootsAndOperations) {
    EXPECT_THAT(errors(2, false,
                       [](Communicator& everyone) {
                           reduce(everyone, at::zeros({2}, everyone.rank() == 0 ? at::kFloat : at::kHalf));
                       }),
                Each(HasSubstr("rank 0: float32 [2] on cpu   rank 1: float16 [2] on cpu")));
    EXPECT_THAT(errors(2, false,
                       [](Communicator& everyone) {
                           Tree one = Tree::list({at::zeros({1})});
                           gather(everyone, everyone.rank() == 0 ? one : Tree::tuple({at::zeros({1}), "x"}));
                       }),
                Each(HasSubstr("rank 0: [Tensor]   rank 1: (Tensor, str)")));
    EXPECT_THAT(
        errors(2, false, [](Communicator& everyone) { broadcast(everyone, Tree(at::zeros({1})), everyone.rank()); }),
        Each(HasSubstr("rank 0: broadcast from rank 0   rank 1: broadcast from rank 1")));
    EXPECT_THAT(errors(2, false,
                       [](Communicator& everyone) {
                           if (everyone.rank() == 0)
                               gather(everyone, at::zeros({1}));
                           else
                               broadcast_object(everyone, Tree(1));
                       }),
                Each(HasSubstr("rank 0: gather   rank 1: object of rank 0")));
    EXPECT_THAT(
        errors(2, false,
               [](Communicator& everyone) {
                   pad_across_processes(everyone, Tree(everyone.rank() == 0 ? at::zeros({1}) : at::zeros({1, 1})));
               }),
        Each(HasSubstr("rank 0: float32 of 1 dimensions   rank 1: float32 of 2 dimensions")));
}

TEST(DebugMode, ComparesEveryPlainCollective) {
    EXPECT_THAT(errors(2, true,
                       [](Communicator& everyone) {
                           everyone.all_reduce(at::zeros({everyone.rank() + 3}), "gradients").wait();
                       }),
                Each(HasSubstr("rank 0: float32 [3] on cpu   rank 1: float32 [4] on cpu")));
    EXPECT_THAT(errors(2, true,
                       [](Communicator& everyone) {
                           if (everyone.rank() == 0)
                               everyone.barrier("end");
                           else
                               everyone.broadcast(at::zeros({1}), 0, "weights");
                       }),
                Each(HasSubstr("rank 0: barrier 'end'   rank 1: broadcast 'weights'")));
    EXPECT_THAT(errors(2, true,
                       [](Communicator& everyone) {
                           ReduceOp op = everyone.rank() == 0 ? ReduceOp::sum : ReduceOp::average;
                           everyone.all_reduce(at::zeros({1}), "x", op).wait();
                       }),
                Each(HasSubstr("rank 0: sum   rank 1: average")));
    EXPECT_THAT(
        errors(2, true, [](Communicator& everyone) { everyone.broadcast(at::zeros({1}), everyone.rank(), "x"); }),
        Each(HasSubstr("rank 0: 0   rank 1: 1")));
}

TEST(DebugMode, OffItSendsNothingMore) {
    auto traffic = [](bool debug) {
        CollectiveStats stats;
        test::run_ranks(2, [&](std::unique_ptr<World> world) {
            int rank = world->rank();
            Mesh mesh(replicas(2), std::move(world));
            Communicator& everyone = mesh.everyone();
            everyone.verify_every_call(debug);
            everyone.all_reduce(at::zeros({1000}), "gradients").wait();
            everyone.broadcast(at::zeros({10}), 0, "weights");
            everyone.barrier("end");
            if (rank == 0)
                stats = everyone.stats();
        });
        return stats;
    };
    CollectiveStats off = traffic(false), on = traffic(true);
    EXPECT_EQ(off.operations(CollectiveKind::check).count, 0u);
    EXPECT_EQ(off.count, 3u);
    EXPECT_EQ(off.bytes, 4040u);
    EXPECT_EQ(on.operations(CollectiveKind::check).count, 3u);
    EXPECT_EQ(on.bytes, 4040u + 3 * 24u);
}

TEST(Fingerprint, NamesTheParametersAndTheRanks) {
    std::vector<std::string> texts = errors(4, false, [](Communicator& everyone) {
        int rank = everyone.rank();
        NamedTensors model{{"wte", at::zeros({8, 4})}, {"h.0.w", at::zeros({4, rank == 2 ? 5 : 4})}};
        if (rank != 3)
            model.emplace_back("h.0.bias", at::zeros({4}, rank == 0 ? at::kFloat : at::kBFloat16));
        check_same_on_all_ranks(everyone, model, "the model");
    });
    EXPECT_THAT(texts, Each(test::says("{} is not the same on all ranks:\n{}\n{}", testing::EndsWith("the model"),
                                       testing::_, testing::_)));
    EXPECT_THAT(texts,
                Each(HasSubstr("h.0.w      ranks 0-1, 3: float32 [4, 4] on cpu   rank 2: float32 [4, 5] on cpu")));
    EXPECT_THAT(
        texts,
        Each(HasSubstr("h.0.bias   rank 0: float32 [4] on cpu   ranks 1-2: bfloat16 [4] on cpu   rank 3: none")));
    EXPECT_THAT(texts, Each(Not(HasSubstr("wte"))));
}

TEST(Fingerprint, AlikeItIsOneSmallMessage) {
    test::run_ranks(2, [](std::unique_ptr<World> world) {
        Mesh mesh(replicas(2), std::move(world));
        NamedTensors model;
        for (int i = 0; i < 100; ++i)
            model.emplace_back("layer." + std::to_string(i), at::zeros({i}));
        check_same_on_all_ranks(mesh.everyone(), model, "the model");
        EXPECT_EQ(mesh.everyone().stats().count, 1u);
        EXPECT_EQ(mesh.everyone().stats().bytes, 24u);
    });
}

TEST(Differences, AnotherOrderAndLongTables) {
    Description a{{"x", "1"}, {"y", "2"}}, b{{"y", "2"}, {"x", "1"}};
    EXPECT_EQ(differences({a, b}), "  number 0   rank 0: x   rank 1: y\n  number 1   rank 0: y   rank 1: x");
    EXPECT_EQ(differences({a, a}), "");
    Description many, others;
    for (int i = 0; i < 30; ++i) {
        many.emplace_back("p" + std::to_string(i), "1");
        others.emplace_back("p" + std::to_string(i), "2");
    }
    EXPECT_THAT(differences({many, others}), HasSubstr("and 10 more"));
}

}  // namespace
}  // namespace trainyard::parallel
