// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives through shared memory: more parts than slots, equal bits, mixed with sockets, and peers that die, leave or stand still.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <vector>

#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "distributed/parallel/agreement.h"
#include "distributed/parallel/mesh.h"
#include "distributed/parallel/shared_region.h"
#include "distributed/tensors/tree.h"
#include "support/ranks.h"

namespace trainyard::parallel {
namespace {

void on_replicas(int size, const std::function<void(Communicator&)>& body) {
    test::run_ranks(size, [&](std::unique_ptr<World> world) {
        Mesh mesh(replicas(size), std::move(world));
        body(mesh.everyone());
    });
}

/// Larger than all slots together, and not a whole number of parts.
constexpr std::int64_t kLarge = (kSlots * 2 + 1) * kSlotBytes / sizeof(float) + 12345;

TEST(SharedMemory, TensorsLargerThanTheSlots) {
    on_replicas(3, [](Communicator& everyone) {
        int rank = everyone.rank();
        at::Tensor digits = at::arange(kLarge, at::kLong).remainder(1000).to(at::kFloat);
        at::Tensor tensor = digits.add(rank);
        everyone.all_reduce(tensor, "large").wait();
        EXPECT_EQ(Tree(tensor), Tree(digits.mul(3).add(3)));
        at::Tensor all = at::empty({3, kLarge}, at::kFloat);
        everyone.all_gather(all, at::full({kLarge}, rank, at::kFloat), "large");
        for (int other = 0; other < 3; ++other)
            EXPECT_EQ(all[other].sum().item<double>(), static_cast<double>(kLarge * other));
        tensor.fill_(rank);
        everyone.broadcast(tensor, 1, "large");
        EXPECT_EQ(tensor.min().item<float>(), 1);
        EXPECT_EQ(tensor.max().item<float>(), 1);
    });
}

TEST(SharedMemory, ManyUnderWayWaitedForInAnyOrder) {
    on_replicas(2, [](Communicator& everyone) {
        std::vector<at::Tensor> tensors;
        std::vector<Pending> pending;
        Pending sent;
        for (int i = 0; i < 100; ++i) {
            tensors.push_back(at::full({1000 + i * 100}, i * (everyone.rank() + 1), at::kFloat));
            pending.push_back(everyone.all_reduce(tensors.back(), "bucket " + std::to_string(i)));
            if (i == 50) {  // through the sockets, between the others
                sent = everyone.send(at::zeros({1}), 1 - everyone.rank(), "x");
                pending.front().wait();
            }
        }
        at::Tensor got = at::empty({1});
        everyone.receive(got, 1 - everyone.rank(), "x").wait();
        sent.wait();
        for (std::size_t i = pending.size(); i-- > 0;)
            pending[i].wait();
        for (int i = 0; i < 100; ++i)
            EXPECT_EQ(tensors[static_cast<std::size_t>(i)].min().item<float>(), static_cast<float>(3 * i));
    });
}

TEST(SharedMemory, RanksThatSleepAreWokenByTheLastOneAndNotByALookAtTheClock) {
    // Each in turn comes late by far more than anybody spins. A waking that got lost would show as the 50 ms between two looks, every time:
    // the median of many is far below that on a busy machine too.
    constexpr int kRanks = 3, kMeetings = 61;
    std::array<std::atomic<double>, kMeetings> last_came{};
    std::mutex lock;
    std::vector<double> delays;
    on_replicas(kRanks, [&](Communicator& everyone) {
        for (int meeting = 0; meeting < kMeetings; ++meeting) {
            auto& came = last_came[static_cast<std::size_t>(meeting)];
            bool late = meeting % kRanks == everyone.rank();
            if (late) {
                ::usleep(3000);
                came = monotonic_seconds();
            }
            everyone.barrier("meeting");
            if (late)
                continue;
            std::lock_guard hold(lock);
            delays.push_back(monotonic_seconds() - came);
        }
    });
    ASSERT_EQ(delays.size(), static_cast<std::size_t>((kRanks - 1) * kMeetings));
    std::nth_element(delays.begin(), delays.begin() + kMeetings, delays.end());
    EXPECT_LT(delays[kMeetings], 0.02);
}

TEST(SharedMemory, TheSameBitsOnEveryRankInTheOrderOfTheRanks) {
    at::manual_seed(1);
    std::vector<at::Tensor> parts;
    for (int rank = 0; rank < 4; ++rank)
        parts.push_back(at::randn({100003}).mul(std::pow(10.0, rank)));
    for (at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble}) {
        at::Tensor expected = parts[0].to(type).to(type == at::kDouble ? at::kDouble : at::kFloat);
        for (std::size_t rank = 1; rank < 4; ++rank)
            expected = expected.add(parts[rank].to(type).to(expected.scalar_type()));
        expected = expected.to(type);  // half formats are rounded once
        on_replicas(4, [&](Communicator& everyone) {
            at::Tensor mine = parts[static_cast<std::size_t>(everyone.rank())].to(type, false, true);
            everyone.all_reduce(mine, "test").wait();
            EXPECT_EQ(Tree(mine), Tree(expected)) << type;
        });
    }
}

TEST(SharedMemory, MismatchIsAnExceptionOnEveryRank) {
    std::atomic<int> errors = 0;
    on_replicas(3, [&](Communicator& everyone) {
        everyone.barrier("fine");
        try {
            everyone.all_reduce(at::zeros({everyone.rank() == 2 ? 7 : 5}), "gradients").wait();
        } catch (const DistributedOperationError& error) {
            ++errors;
            EXPECT_THAT(error.what(), ::testing::HasSubstr("ranks 0-1: float32, 20 bytes   rank 2: float32, 28 bytes"));
        }
        EXPECT_THROW(everyone.barrier("nothing works any more"), DistributedOperationError);
    });
    EXPECT_EQ(errors, 3);
}

/// A rank of its own process; `body` ends it by returning (exit code) or however it likes.
pid_t start_rank(const test::LoopbackSocket& socket, int rank, int size, std::chrono::milliseconds timeout,
                 const std::function<int(Communicator&)>& body) {
    pid_t child = ::fork();
    if (child != 0)
        return child;
    int code = 99;
    try {
        Rendezvous rendezvous;
        rendezvous.rank = rank;
        rendezvous.world_size = size;
        rendezvous.port = socket.port;
        rendezvous.store_fd = rank == 0 ? socket.fd : -1;
        rendezvous.timeout = timeout;
        Mesh mesh(replicas(size), World::connect(rendezvous, "cpu"));
        code = body(mesh.everyone());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", rank, error.what());
    }
    ::_exit(code);
}

int end_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

constexpr int kLost = 3;

/// Sums for ever; kLost when a peer was.
int sum_until_lost(Communicator& everyone) {
    at::Tensor tensor = at::zeros({1000});
    try {
        for (;;)
            everyone.all_reduce(tensor, "sums").wait();
    } catch (const PeerLost& lost) {
        return std::string(lost.what()).find("rank 1 is gone") != std::string::npos ? kLost : 4;
    }
}

TEST(SharedMemoryFault, AKilledPeerIsLostSoonThoughNobodyReapedIt) {
    test::LoopbackSocket socket;
    pid_t survivors[2];
    survivors[0] = start_rank(socket, 0, 3, std::chrono::minutes(5), sum_until_lost);
    pid_t victim = start_rank(socket, 1, 3, std::chrono::minutes(5), [](Communicator& everyone) {
        at::Tensor tensor = at::zeros({1000});
        for (int i = 0; i < 1000; ++i)
            everyone.all_reduce(tensor, "sums").wait();
        ::raise(SIGKILL);
        return 0;
    });
    survivors[1] = start_rank(socket, 2, 3, std::chrono::minutes(5), sum_until_lost);
    EXPECT_EQ(end_of(survivors[0]), kLost);
    EXPECT_EQ(end_of(survivors[1]), kLost);
    EXPECT_EQ(end_of(victim), -SIGKILL);
    ::close(socket.fd);
}

TEST(SharedMemoryFault, APeerThatStandsStillIsLostAfterTheTimeOut) {
    test::LoopbackSocket socket;
    pid_t survivor = start_rank(socket, 0, 2, std::chrono::seconds(2), [](Communicator& everyone) {
        try {
            everyone.barrier("nobody comes");
        } catch (const PeerLost& lost) {
            return std::string(lost.what()).find("rank 1 did not come in 2000 ms") != std::string::npos ? kLost : 4;
        }
        return 5;
    });
    pid_t sleeper = start_rank(socket, 1, 2, std::chrono::seconds(2), [](Communicator&) {
        ::raise(SIGSTOP);
        return 0;
    });
    EXPECT_EQ(end_of(survivor), kLost);
    ::kill(sleeper, SIGKILL);
    EXPECT_EQ(end_of(sleeper), -SIGKILL);
    ::close(socket.fd);
}

}  // namespace
}  // namespace trainyard::parallel
