// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives through shared memory: more parts than slots, equal bits, mixed with sockets, and peers that die, leave or stand still.

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <vector>

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/equal.h>
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
#include "support/says.h"

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

/// [rows, 2] whose numbers name the ranks and the place: from * 1e6 + to * 1e4 + row % 1000.
at::Tensor rows_between(int from, int to, std::int64_t rows) {
    return at::arange(rows * 2, at::kFloat).remainder(1000).add(from * 1e6 + to * 1e4).view({rows, 2});
}

TEST(SharedMemory, RowsOfUnequalNumbersReachTheirRanks) {
    // Rank r sends to rank d: nothing to itself, more than all slots hold to the next rank, and a few to the third.
    const auto rows = [](int from, int to) -> std::int64_t {
        return from == to ? 0 : (from + 1) % 3 == to ? kLarge / 2 + from : 5 * from + to;
    };
    on_replicas(3, [&](Communicator& everyone) {
        const int rank = everyone.rank();
        std::vector<at::Tensor> sent, expected;
        std::vector<std::int64_t> given, got;
        for (int other = 0; other < 3; ++other) {
            sent.push_back(rows_between(rank, other, rows(rank, other)));
            expected.push_back(rows_between(other, rank, rows(other, rank)));
            given.push_back(rows(rank, other));
            got.push_back(rows(other, rank));
        }
        // Others are under way before and after it.
        at::Tensor before = at::full({10}, rank + 1, at::kFloat), after = before.clone();
        Pending first = everyone.all_reduce(before, "before");
        const at::Tensor all = at::empty_like(at::cat(expected));
        Pending exchange = everyone.all_to_all(all, at::cat(sent), "rows", got, given);
        Pending last = everyone.all_reduce(after, "after");
        last.wait();
        exchange.wait();
        first.wait();
        EXPECT_TRUE(at::equal(all, at::cat(expected)));
        EXPECT_EQ(before.min().item<float>(), 6);
        EXPECT_EQ(after.max().item<float>(), 6);
        // No rank has anything, and equal shares that are larger than the slots.
        const at::Tensor nothing = at::empty({0, 2});
        everyone.all_to_all(nothing, nothing, "nothing", {0, 0, 0}, {0, 0, 0}).wait();
        const at::Tensor third = at::full({kLarge / 3 * 3}, rank, at::kFloat), thirds = at::empty_like(third);
        everyone.all_to_all(thirds, third, "equal shares").wait();
        for (int other = 0; other < 3; ++other)
            EXPECT_TRUE(thirds.narrow(0, kLarge / 3 * other, kLarge / 3).eq(other).all().item<bool>());
    });
}

TEST(SharedMemory, RowsThatNobodyExpectsAreAnException) {
    std::atomic<int> errors = 0;
    on_replicas(2, [&](Communicator& everyone) {
        const std::vector<std::int64_t> two{1, 1}, three{1, 2};
        const at::Tensor out = at::empty({everyone.rank() == 0 ? 3 : 2, 4});
        try {
            everyone.all_to_all(out, at::zeros({2, 4}), "rows", everyone.rank() == 0 ? three : two, two).wait();
        } catch (const DistributedOperationError& error) {
            ++errors;
            EXPECT_THAT(error.what(),
                        test::says("{}: rank {} sends {} bytes to rank {}, which expects {}. Let the ranks agree on "
                                   "the numbers of rows first.",
                                   ::testing::_, 1, 16, 0, 32));
        } catch (const PeerLost&) {  // the other rank left
        }
    });
    EXPECT_EQ(errors, 1);
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
