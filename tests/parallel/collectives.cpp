// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of collectives on nested containers of tensors, and of the plain collectives below them, between communicating
// ranks.

#include "distributed/parallel/collectives.h"

#include <array>
#include <functional>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/mesh.h"
#include "support/ranks.h"

namespace trainyard::parallel {
namespace {

/// Runs `body(communicator)` on every rank, by each of the two ways in which ranks of a machine talk.
void on_ranks(int size, const std::function<void(Communicator&)>& body) {
    for (bool share_memory : {true, false})
        test::run_ranks(
            size,
            [&](std::unique_ptr<World> world) {
                Mesh mesh(replicas(size), std::move(world));
                body(mesh.everyone());
            },
            share_memory);
}

at::Tensor numbers(std::initializer_list<double> values, at::ScalarType type = at::kFloat) {
    return at::tensor(std::vector<double>(values), at::TensorOptions(at::kDouble)).to(type);
}

at::Tensor full(at::IntArrayRef shape, double value, at::ScalarType type = at::kFloat) {
    return at::full(shape, value, at::TensorOptions(type));
}

constexpr std::array kEveryType{at::kFloat, at::kDouble, at::kHalf,          at::kBFloat16,
                                at::kLong,  at::kInt,    at::kShort,         at::kChar,
                                at::kByte,  at::kBool,   at::kFloat8_e4m3fn, at::kComplexFloat};

TEST(Communicator, ReducesByEveryOperation) {
    on_ranks(3, [](Communicator& everyone) {
        auto reduced = [&](ReduceOp op, at::ScalarType type) {
            at::Tensor tensor = full({5}, everyone.rank() + 2, type);
            everyone.all_reduce(tensor, "test", op).wait();
            return tensor.to(at::kDouble)[4].item<double>();
        };
        for (at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) {
            EXPECT_EQ(reduced(ReduceOp::sum, type), 9);
            EXPECT_EQ(reduced(ReduceOp::average, type), 3);
            EXPECT_EQ(reduced(ReduceOp::max, type), 4);
            EXPECT_EQ(reduced(ReduceOp::min, type), 2);
            EXPECT_EQ(reduced(ReduceOp::product, type), 24);
        }
        EXPECT_EQ(reduced(ReduceOp::min, at::kLong), 2);
        EXPECT_THROW(everyone.all_reduce(full({1}, 1, at::kLong), "test", ReduceOp::average), std::invalid_argument);
        EXPECT_THROW(everyone.all_reduce(full({2, 2}, 1).t(), "test"), std::invalid_argument);
    });
}

TEST(Communicator, ScattersAndExchangesParts) {
    on_ranks(3, [](Communicator& everyone) {
        int rank = everyone.rank();
        at::Tensor part = at::empty({2});
        everyone.reduce_scatter(part, at::arange(6, at::kFloat).mul(rank + 1), "test").wait();
        EXPECT_EQ(Tree(part), Tree(numbers({12.0 * rank, 12.0 * rank + 6})));
        everyone.reduce_scatter(part, at::arange(6, at::kFloat).mul(rank + 1), "test", ReduceOp::average).wait();
        EXPECT_EQ(Tree(part), Tree(numbers({4.0 * rank, 4.0 * rank + 2})));
        everyone.reduce_scatter(part, at::arange(6, at::kFloat).mul(rank + 1), "test", ReduceOp::max).wait();
        EXPECT_EQ(Tree(part), Tree(numbers({6.0 * rank, 6.0 * rank + 3})));

        at::Tensor flags = at::empty({2}, at::kBool);
        everyone
            .scatter(flags, rank == 1 ? numbers({1, 1, 0, 1, 0, 0}, at::kBool).view({3, 2}) : at::Tensor(), 1, "test")
            .wait();
        EXPECT_EQ(flags[0].item<bool>(), rank == 0);
        EXPECT_EQ(flags[1].item<bool>(), rank != 2);

        at::Tensor received = at::empty({3, 2}, at::kBFloat16);
        everyone.all_to_all(received, at::arange(6).view({3, 2}).add(10 * rank).to(at::kBFloat16), "test").wait();
        for (int from = 0; from < 3; ++from)
            EXPECT_EQ(received[from][1].item<float>(), static_cast<float>(10 * from + 2 * rank + 1));

        // Rank r sends d rows of the number r to rank d.
        at::Tensor uneven = at::empty({3 * rank, 2}, at::kLong);
        everyone.all_to_all(uneven, at::full({3, 2}, rank, at::kLong), "test", {rank, rank, rank}, {0, 1, 2}).wait();
        for (std::int64_t row = 0; row < uneven.size(0); ++row)
            EXPECT_EQ(uneven[row][0].item<std::int64_t>(), row / rank);
        EXPECT_THROW(everyone.all_to_all(uneven, uneven, "test", {1, 1}, {1, 1}), std::invalid_argument);
    });
}

TEST(Communicator, MessagesBetweenTwoRanksKeepTheirOrder) {
    on_ranks(2, [](Communicator& everyone) {
        at::Tensor first = numbers({1, 2}, at::kBFloat16), second = numbers({3}, at::kBool);
        if (everyone.rank() == 0) {
            Pending a = everyone.send(first, 1, "activations");
            Pending b = everyone.send(second, 1, "activations");
            a.wait();
            b.wait();
        } else {
            at::Tensor got = at::empty({2}, at::kBFloat16), flag = at::zeros({1}, at::kBool);
            everyone.receive(got, 0, "activations").wait();
            everyone.receive(flag, 0, "activations").wait();
            EXPECT_EQ(Tree(got), Tree(first));
            EXPECT_EQ(Tree(flag), Tree(second));
        }
        EXPECT_THROW(everyone.send(first, everyone.rank(), "itself"), std::invalid_argument);
        EXPECT_EQ(everyone.stats().operations(CollectiveKind::send).count, everyone.rank() == 0 ? 2u : 0u);
        EXPECT_EQ(everyone.stats().operations(CollectiveKind::receive).bytes, everyone.rank() == 0 ? 0u : 5u);
    });
}

TEST(Communicator, GathersRowsOfUnequalNumber) {
    on_ranks(3, [](Communicator& everyone) {
        at::Tensor mine = at::full({everyone.rank() * 2, 3}, everyone.rank(), at::kShort);
        std::vector<at::Tensor> parts = everyone.all_gather_unequal(mine, "test");
        for (int rank = 0; rank < 3; ++rank)
            EXPECT_EQ(Tree(parts[static_cast<std::size_t>(rank)]), Tree(at::full({rank * 2, 3}, rank, at::kShort)));
        for (const at::Tensor& empty : everyone.all_gather_unequal(at::empty({0, 3}), "test"))
            EXPECT_EQ(empty.sizes(), (std::vector<std::int64_t>{0, 3}));
    });
}

TEST(Communicator, OneRankAloneIsTheIdentity) {
    Mesh mesh(replicas(1), World::connect({}, "cpu"));
    Communicator& alone = mesh.everyone();
    at::Tensor tensor = numbers({3}), out = at::empty({1, 1});
    alone.all_reduce(tensor, "test", ReduceOp::average).wait();
    alone.all_gather(out, tensor, "test");
    EXPECT_EQ(out.item<float>(), 3);
    at::Tensor part = at::empty({1});
    alone.scatter(part, out, 0, "test").wait();
    alone.reduce_scatter(part, out, "test").wait();
    EXPECT_EQ(part.item<float>(), 3);
    EXPECT_EQ(Tree(alone.all_gather_unequal(tensor, "test")[0]), Tree(tensor));
    EXPECT_EQ(alone.stats().count, 0u);
}

TEST(Gather, EveryDtypeAndShape) {
    on_ranks(3, [](Communicator& everyone) {
        int rank = everyone.rank();
        Tree::List given, expected;
        auto add = [&](const std::function<at::Tensor(int)>& of_rank, const at::Tensor& all) {
            given.push_back(of_rank(rank));
            expected.push_back(all);
        };
        for (at::ScalarType type : kEveryType)
            add([type](int r) { return full({2}, r, type); }, numbers({0, 0, 1, 1, 2, 2}).to(type));
        add([](int r) { return full({}, r); }, numbers({0, 1, 2}));     // 0-dimensional
        add([](int) { return at::empty({0, 4}); }, at::empty({0, 4}));  // empty
        add(
            [](int r) {
                return at::arange(4).view({2, 2}).add(10 * r).t();
            },  // not contiguous
            at::tensor({0, 2, 1, 3, 10, 12, 11, 13, 20, 22, 21, 23}, at::TensorOptions(at::kLong)).view({6, 2}));
        add([](int r) { return full({40000}, r); },  // large
            at::arange(3, at::kFloat).view({3, 1}).expand({3, 40000}).reshape({120000}));
        Tree tree = Tree::dict({{"list", Tree::list(given)}, {"tuple", Tree::tuple({given[0], Tree::list()})}});
        Tree got = gather(everyone, tree);
        EXPECT_TRUE(got.at("tuple").is_tuple());
        ASSERT_EQ(got.at("list").items().size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_EQ(got.at("list").items()[i], expected[i]) << i;
        EXPECT_EQ(got.at("tuple").items()[0], expected[0]);
        EXPECT_EQ(got.at("tuple").items()[1], Tree::list());
        EXPECT_EQ(everyone.stats().operations(CollectiveKind::all_gather).count, 2u)
            << "one for the large, one for the others";
        EXPECT_EQ(everyone.stats().operations(CollectiveKind::check).count, 1u);

        at::Tensor needs_gradient = full({1}, rank).requires_grad_();
        EXPECT_EQ(Tree(gather(everyone, needs_gradient)), Tree(numbers({0, 1, 2})));
        EXPECT_THROW(gather(everyone, Tree::list({"text"})), UserError);
    });
}

TEST(GatherObject, AnythingOfAnySize) {
    on_ranks(3, [](Communicator& everyone) {
        int rank = everyone.rank();
        Tree::List mine(static_cast<std::size_t>(rank), Tree::dict({{"rank", rank}, {"t", at::full({rank}, rank)}}));
        Tree joined = gather_object(everyone, Tree::list(mine));
        ASSERT_EQ(joined.items().size(), 3u);
        EXPECT_EQ(joined.items()[0].at("rank"), Tree(1));
        EXPECT_EQ(joined.items()[2].at("t"), Tree(at::full({2}, 2)));
        std::vector<Tree> all = all_gather_objects(everyone, rank == 1 ? Tree("text") : Tree(rank));
        EXPECT_EQ(all, (std::vector<Tree>{0, "text", 2}));
        EXPECT_THROW(gather_object(everyone, rank == 2 ? Tree(5) : Tree::list()), UserError);
        EXPECT_EQ(gather_object(everyone, Tree::tuple({rank})), Tree::list({0, 1, 2}))
            << "collectives must work after an error";
    });
}

TEST(Reduce, SumMeanMaxNone) {
    on_ranks(3, [](Communicator& everyone) {
        double rank = everyone.rank();
        Tree tree =
            Tree::tuple({numbers({rank, 3 - rank}), full({}, rank, at::kBFloat16), full({30000}, rank, at::kHalf),
                         full({2, 0}, rank), full({2, 2}, rank, at::kDouble).t()});
        Tree before = tree.map_tensors([](const at::Tensor& t) { return t.clone(); });
        Tree sum = reduce(everyone, tree, Reduction::sum);
        EXPECT_EQ(tree, before) << "the input stays";
        EXPECT_TRUE(sum.is_tuple());
        EXPECT_EQ(sum.items()[0], Tree(numbers({3, 6})));
        EXPECT_EQ(sum.items()[1], Tree(full({}, 3, at::kBFloat16)));
        EXPECT_EQ(sum.items()[2], Tree(full({30000}, 3, at::kHalf)));
        EXPECT_EQ(sum.items()[3], Tree(full({2, 0}, 0)));
        EXPECT_EQ(sum.items()[4], Tree(full({2, 2}, 3, at::kDouble)));
        EXPECT_EQ(reduce(everyone, tree, Reduction::mean).items()[0], Tree(numbers({1, 2})));
        EXPECT_EQ(reduce(everyone, tree, Reduction::max).items()[0], Tree(numbers({2, 3})));
        EXPECT_EQ(reduce(everyone, tree, Reduction::mean, 10.0).items()[1], Tree(full({}, 10, at::kBFloat16)));
        std::uint64_t messages = everyone.stats().count;
        EXPECT_EQ(reduce(everyone, tree, Reduction::none), tree);
        EXPECT_EQ(everyone.stats().count, messages) << "the operation `none` must not send messages";
    });
}

TEST(Reduce, OtherDtypes) {
    on_ranks(2, [](Communicator& everyone) {
        int rank = everyone.rank();
        for (at::ScalarType type : {at::kLong, at::kInt, at::kShort, at::kChar, at::kByte, at::kUInt16,
                                    at::kFloat8_e4m3fn, at::kComplexFloat})
            EXPECT_EQ(Tree(reduce(everyone, full({2}, rank + 1, type), Reduction::sum)), Tree(full({2}, 3, type)))
                << type;
        at::Tensor flags = numbers({rank * 1.0, 0, 1}, at::kBool);
        EXPECT_EQ(Tree(reduce(everyone, flags, Reduction::sum)), Tree(numbers({1, 0, 1}, at::kBool))) << "on any rank";
        EXPECT_THROW(reduce(everyone, full({1}, 1, at::kLong), Reduction::mean), UserError);
        EXPECT_THROW(reduce(everyone, full({1}, 1, at::kComplexFloat), Reduction::max), UserError);
    });
}

TEST(Broadcast, WritesIntoWhatIsThere) {
    on_ranks(3, [](Communicator& everyone) {
        int rank = everyone.rank();
        Tree::List leaves;
        for (at::ScalarType type : kEveryType)
            leaves.push_back(full({2}, rank, type));
        leaves.push_back(full({}, rank));
        leaves.push_back(full({30000}, rank));
        leaves.push_back(at::empty({0}));
        at::Tensor whole = full({4, 4}, rank), view = whole.t().narrow(0, 1, 2);
        Tree tree = Tree::dict({{"leaves", Tree::list(leaves)}, {"view", view}, {"name", "stays"}});
        broadcast(everyone, tree, 2);
        for (std::size_t i = 0; i < kEveryType.size(); ++i)
            EXPECT_EQ(Tree(leaves[i]), Tree(full({2}, 2, kEveryType[i])));
        EXPECT_EQ(leaves[kEveryType.size()], Tree(full({}, 2)));
        EXPECT_EQ(leaves[kEveryType.size() + 1], Tree(full({30000}, 2)));
        EXPECT_EQ(whole.sum().item<float>(), 8.0f * static_cast<float>(rank) + 16.0f)
            << "elements outside of the view must not change";
        EXPECT_EQ(tree.at("name"), Tree("stays"));
        EXPECT_THROW(broadcast(everyone, tree, 3), UserError);
    });
}

TEST(BroadcastObject, ComesFromTheRoot) {
    on_ranks(3, [](Communicator& everyone) {
        Tree mine = everyone.rank() == 1 ? Tree::list({"from one", at::arange(3), Tree()}) : Tree(7);
        EXPECT_EQ(broadcast_object(everyone, mine, 1), Tree::list({"from one", at::arange(3), Tree()}));
        EXPECT_EQ(broadcast_object(everyone, Tree::list(), 0), Tree::list());
    });
}

TEST(PadAcrossProcesses, ToTheLongestOfAllRanks) {
    on_ranks(3, [](Communicator& everyone) {
        int rank = everyone.rank();
        Tree tree =
            Tree::dict({{"rows", at::full({rank, 2}, rank, at::kLong)}, {"scalar", full({}, rank)}, {"text", "x"}});
        Tree padded = pad_across_processes(everyone, tree, 0, -1);
        EXPECT_EQ(padded.at("rows").as_tensor().sizes(), (std::vector<std::int64_t>{2, 2}));
        EXPECT_EQ(padded.at("rows").as_tensor()[1][0].item<std::int64_t>(), rank == 2 ? 2 : -1);
        EXPECT_EQ(padded.at("scalar"), Tree(full({}, rank))) << "has no such dimension";
        Tree first = pad_across_processes(everyone, tree, 0, -1, true);
        EXPECT_EQ(first.at("rows").as_tensor()[0][0].item<std::int64_t>(), rank == 2 ? 2 : -1);
        Tree wide = pad_across_processes(everyone, Tree(at::ones({rank + 1, 4 - rank}, at::kBFloat16)), -1, 0.5);
        EXPECT_EQ(wide.as_tensor().sizes(), (std::vector<std::int64_t>{rank + 1, 4}));
        Tree beyond = Tree(full({rank + 1}, 1));
        EXPECT_EQ(pad_across_processes(everyone, beyond, 3), beyond);
        EXPECT_EQ(pad_across_processes(everyone, Tree("no tensor")), Tree("no tensor"));
        // Tensors of equal size after padding can be gathered.
        EXPECT_EQ(gather(everyone, padded.at("rows").as_tensor()).size(0), 6);
    });
}

TEST(OneRank, EveryCollectiveIsTheIdentity) {
    Mesh mesh(replicas(1), World::connect({}, "cpu"));
    Communicator& alone = mesh.everyone();
    Tree tree = Tree::dict({{"a", at::arange(3, at::kFloat)}, {"b", Tree::tuple({full({}, 2)})}});
    EXPECT_EQ(gather(alone, tree), tree);
    EXPECT_EQ(reduce(alone, tree), tree);
    EXPECT_EQ(reduce(alone, tree, Reduction::sum, 2.0).at("b").items()[0], Tree(full({}, 4)));
    EXPECT_EQ(pad_across_processes(alone, tree), tree);
    EXPECT_EQ(gather_object(alone, Tree::list({1, "x"})), Tree::list({1, "x"}));
    EXPECT_EQ(broadcast_object(alone, tree), tree);
    broadcast(alone, tree);
    EXPECT_EQ(alone.stats().count, 0u);
}

TEST(Collectives, TheFirstMessageOfTheRanksIsKnownToAllWithItsForm) {
    on_ranks(3, [](Communicator& everyone) {
        const Message own =
            everyone.rank() == 0 ? Message() : Message("{} cannot be read by rank {}", "a.bin", everyone.rank());
        const Message found = first_message(everyone, own, "read");
        EXPECT_EQ(found, "a.bin cannot be read by rank 1");
        EXPECT_EQ(found.form(), "{} cannot be read by rank {}");
        EXPECT_TRUE(first_message(everyone, {}, "read").empty());
    });
}

}  // namespace
}  // namespace trainyard::parallel
