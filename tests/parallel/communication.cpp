// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks that really talk: Gloo over the loopback, one thread a rank.

#include <fstream>
#include <set>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>

#include <gtest/gtest.h>

#include "distributed/parallel/mesh.h"
#include "support/ranks.h"

namespace trainyard::parallel {
namespace {

TEST(Communication, CollectivesGiveTheSameOnEveryRank) {
    test::run_ranks(3, [](std::unique_ptr<World> world) {
        int rank = world->rank();
        Mesh mesh(replicas(3), std::move(world));
        Communicator& everyone = mesh.everyone();
        at::Tensor sum = at::full({1000}, static_cast<double>(rank + 1));
        Pending pending = everyone.all_reduce(sum, "test");
        pending.wait();
        EXPECT_EQ(sum.sum().item<float>(), 6000.0f);

        at::Tensor value = at::full({4}, static_cast<double>(rank));
        everyone.broadcast(value, 2, "test");
        EXPECT_EQ(value[0].item<float>(), 2.0f);

        at::Tensor all = at::empty({3}, at::kLong);
        everyone.all_gather(all, at::full({1}, rank * 10, at::kLong), "test");
        EXPECT_EQ(all[2].item<std::int64_t>(), 20);
        everyone.barrier("test");
        EXPECT_EQ(everyone.stats().count, 4u);
        EXPECT_GE(everyone.stats().bytes, 4000u);
    });
}

TEST(Communication, GroupsOfAMeshJoinTheRightRanks) {
    test::run_ranks(4, [](std::unique_ptr<World> world) {
        int rank = world->rank();
        Mesh mesh({1, 2, 1, 1, 1, 2}, std::move(world));  // dp_replicate 2 × tp 2, tp fastest
        EXPECT_EQ(mesh.describe(), "dp_replicate 2 × tp 2");
        EXPECT_EQ(mesh.coordinate(Dimension::dp_replicate), rank / 2);
        EXPECT_EQ(mesh.coordinate(Dimension::tp), rank % 2);
        at::Tensor data = at::full({1}, static_cast<double>(rank));
        mesh.data().all_reduce(data, "data").wait();
        EXPECT_EQ(data.item<float>(), static_cast<float>(rank % 2 * 2 + 2)) << "0+2 or 1+3";
        at::Tensor tensor = at::full({1}, static_cast<double>(rank));
        mesh.group({Dimension::tp}).all_reduce(tensor, "tp").wait();
        EXPECT_EQ(tensor.item<float>(), static_cast<float>(rank / 2 * 4 + 1)) << "0+1 or 2+3";
    });
}

TEST(Communication, DataOfAMeshReachesRanksThatShareSamplesByPosition) {
    test::run_ranks(4, [](std::unique_ptr<World> world) {
        int rank = world->rank();
        Mesh mesh({1, 2, 1, 2, 1, 1}, std::move(world));  // dp_replicate 2 x cp 2
        EXPECT_EQ(mesh.data().size(), 4) << "gradients of one sample are spread over cp";
        EXPECT_EQ(mesh.batch().size(), 2) << "both ranks of cp read the same samples";
        EXPECT_EQ(mesh.batch().rank(), rank / 2);
        EXPECT_EQ(&mesh.everyone(), &mesh.data()) << "all ranks are one group";
        at::Tensor sum = at::full({1}, static_cast<double>(rank));
        mesh.data().all_reduce(sum, "data").wait();
        EXPECT_EQ(sum.item<float>(), 6.0f);
        at::Tensor batch = at::full({1}, static_cast<double>(rank));
        mesh.batch().all_reduce(batch, "batch").wait();
        EXPECT_EQ(batch.item<float>(), static_cast<float>(rank % 2 * 2 + 2)) << "0+2 or 1+3";
    });
}

TEST(Communication, ShardsOfAMeshAreOneOfEachCopy) {
    test::run_ranks(4, [](std::unique_ptr<World> world) {
        const int rank = world->rank();
        Mesh hybrid({1, 2, 2, 1, 1, 1}, std::move(world));
        EXPECT_EQ(hybrid.data().size(), 4);
        at::Tensor shards = at::full({1}, static_cast<double>(rank)), copies = shards.clone();
        hybrid.shards().all_reduce(shards, "shards").wait();
        EXPECT_EQ(shards.item<float>(), static_cast<float>(rank / 2 * 4 + 1)) << "0+1 or 2+3";
        hybrid.copies().all_reduce(copies, "copies").wait();
        EXPECT_EQ(copies.item<float>(), static_cast<float>(rank % 2 * 2 + 2)) << "0+2 or 1+3";
    });
    test::run_ranks(2, [](std::unique_ptr<World> world) {
        Mesh mesh(replicas(2), std::move(world));
        EXPECT_EQ(&mesh.shards(), &mesh.data()) << "without dp_shard all data ranks share";
        EXPECT_EQ(mesh.copies().size(), 1);
    });
}

TEST(Communication, WishesOfAPipelineHaveAGroupOfTheirOwn) {
    test::run_ranks(2, [](std::unique_ptr<World> world) {
        Mesh mesh({2, 1, 1, 1, 1, 1}, std::move(world));
        EXPECT_EQ(mesh.data().size(), 1);
        EXPECT_EQ(mesh.everyone().size(), 2);
        EXPECT_NE(&mesh.everyone(), &mesh.group({Dimension::pp})) << "stages are at different collectives at a time";
    });
}

/// Local addresses of listening TCP sockets (state 0A), hexadecimal as in /proc/net/tcp.
std::set<std::string> listening() {
    std::set<std::string> found;
    for (const char* table : {"/proc/self/net/tcp", "/proc/self/net/tcp6"}) {
        std::ifstream file(table);
        std::string line;
        std::getline(file, line);
        while (std::getline(file, line)) {
            std::istringstream words(line);
            std::string number, local, remote, state;
            words >> number >> local >> remote >> state;
            if (state == "0A")
                found.insert(local);
        }
    }
    return found;
}

TEST(Communication, NothingListensBeyondTheLoopback) {
    std::set<std::string> before = listening();
    test::run_ranks(2, [&](std::unique_ptr<World> world) {
        Mesh mesh(replicas(2), std::move(world));
        mesh.everyone().barrier("test");
        for (const std::string& local : listening())
            if (!before.contains(local)) {
                // 0100007F: 127.0.0.1 as the kernel prints it; or its form mapped into IPv6
                EXPECT_TRUE(local.starts_with("0100007F:") || local.find("0100007F:") != std::string::npos) << local;
            }
        mesh.everyone().barrier("test");
    });
}

TEST(Communication, NamesTheNewestCollective) {
    test::run_ranks(2, [](std::unique_ptr<World> world) {
        Mesh mesh(replicas(2), std::move(world));
        mesh.everyone().barrier("end of test");
    });
    EXPECT_EQ(last_collective(), "barrier #1 end of test");
}

TEST(Communication, ALostPeerIsAnExceptionNotAHang) {
    std::atomic<bool> left{false};
    test::run_ranks(2, [&](std::unique_ptr<World> world) {
        int rank = world->rank();
        Mesh mesh(replicas(2), std::move(world));
        Communicator& everyone = mesh.everyone();
        everyone.barrier("start");
        if (rank == 1)
            return;  // its sockets close
        at::Tensor tensor = at::full({1000}, 1.0);
        EXPECT_THROW(
            {
                for (int i = 0; i < 1000; ++i)
                    everyone.all_reduce(tensor, "nobody answers").wait();
            },
            PeerLost);
        left = true;
    });
    EXPECT_TRUE(left);
}

TEST(Communication, ARankThatLeavesARingOfSocketsEndsItForAll) {
    for (const bool gathers : {true, false}) {
        std::atomic<int> lost{0};
        test::run_ranks(
            3,
            [&](std::unique_ptr<World> world) {
                const int rank = world->rank();
                Mesh mesh(replicas(3), std::move(world));
                Communicator& everyone = mesh.everyone();
                everyone.barrier("start");
                if (rank == 2)
                    return;
                const at::Tensor part = at::full({1000}, 1.0), whole = at::full({3000}, 1.0);
                EXPECT_THROW(
                    {
                        for (int i = 0; i < 1000; ++i)
                            gathers ? everyone.all_gather(whole, part, "nobody answers")
                                    : everyone.reduce_scatter(part, whole, "nobody answers").wait();
                    },
                    PeerLost);
                ++lost;
            },
            false);
        EXPECT_EQ(lost, 2);
    }
}

}  // namespace
}  // namespace trainyard::parallel
