// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of kill -9 and a full disk at every failpoint of a save, and of kill -9 of one or two ranks at random moments:
// a complete checkpoint always exists, it is never older than before, and the next save removes leftover files.

#include <chrono>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/content.h"
#include "checkpoint/saver.h"
#include "support/ranks.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

constexpr int kRefused = 7;

/// Runs `work` in a child process, because a program reads its failpoint only once. Returns the process id.
template <class Work>
pid_t begin_child(const char* failpoint, Work work) {
    pid_t child = ::fork();
    if (child != 0)
        return child;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (failpoint != nullptr)
        ::setenv("TRAINYARD_FAILPOINT", failpoint, 1);
    int code = 0;
    try {
        work();
    } catch (const UserError& error) {
        code = std::string(error.what()).find("No space left on device") == std::string::npos ? 1 : kRefused;
    }
    ::_exit(code);
}

int end_of(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

int save_in_child(const fs::path& checkpoints, std::int64_t step, const char* failpoint, std::int64_t keep = 0) {
    return end_of(begin_child(failpoint, [&] {
        SaverOptions options;
        options.retention.keep_last = keep;
        Saver saver(options);
        saver.save(checkpoints, make_content(step, static_cast<double>(step)));
        saver.flush();
    }));
}

std::ptrdiff_t entries_of(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), fs::directory_iterator{});
}

class KilledWhileSaving : public ::testing::TestWithParam<const char*> {};

TEST_P(KilledWhileSaving, LeavesTheEarlierCheckpointWhole) {
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    ASSERT_EQ(save_in_child(checkpoints, 1, nullptr), 0);
    int status = save_in_child(checkpoints, 2, GetParam());
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the failpoint was not reached";

    EXPECT_EQ(find(checkpoints), checkpoints / "checkpoint_1");
    Content target = make_content(0, 0);
    EXPECT_EQ(load(find(checkpoints), target).position.step, 1);

    ASSERT_EQ(save_in_child(checkpoints, 3, nullptr, 1), 0);
    EXPECT_EQ(entries_of(checkpoints), 1);
}

INSTANTIATE_TEST_SUITE_P(Places, KilledWhileSaving,
                         ::testing::Values("checkpoint.write:kill@1", "checkpoint.write:kill@4", "file.piece:kill@3",
                                           "file.flush:kill@2", "file.rename:kill@1", "checkpoint.manifest:kill",
                                           "checkpoint.rename:kill"));

class KilledAfterSaving : public ::testing::TestWithParam<const char*> {};

TEST_P(KilledAfterSaving, HasTheNewCheckpointWhole) {
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    ASSERT_EQ(save_in_child(checkpoints, 1, nullptr), 0);
    int status = save_in_child(checkpoints, 2, GetParam(), 1);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the failpoint was not reached";
    Content target = make_content(0, 0);
    EXPECT_EQ(load(find(checkpoints), target).position.step, 2);
    ASSERT_EQ(save_in_child(checkpoints, 3, nullptr, 1), 0);
    EXPECT_EQ(entries_of(checkpoints), 1);
}

INSTANTIATE_TEST_SUITE_P(Places, KilledAfterSaving,
                         ::testing::Values("checkpoint.committed:kill", "checkpoint.remove:kill"));

TEST(KilledWhileReplacing, TheNameIsAlwaysThere) {
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    for (const char* place : {"checkpoint.rename:kill", "checkpoint.replaced:kill"}) {
        ASSERT_EQ(save_in_child(checkpoints, 1, nullptr), 0);
        ASSERT_TRUE(WIFSIGNALED(save_in_child(checkpoints, 1, place))) << place;
        Content target = make_content(0, 0);
        EXPECT_EQ(load(checkpoints / "checkpoint_1", target).position.step, 1) << place;
        ASSERT_EQ(save_in_child(checkpoints, 1, nullptr), 0);
        EXPECT_EQ(entries_of(checkpoints), 1);
    }
}

TEST(FullDisk, LeavesNothingAndKeepsTheEarlier) {
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    ASSERT_EQ(save_in_child(checkpoints, 1, nullptr), 0);
    int status = save_in_child(checkpoints, 2, "checkpoint.write:enospc@2");
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), kRefused);
    EXPECT_EQ(entries_of(checkpoints), 1);
    EXPECT_EQ(find(checkpoints), checkpoints / "checkpoint_1");
}

std::int64_t newest_step(const fs::path& checkpoints) {
    std::error_code error;
    if (list(checkpoints).empty())
        return -1;
    fs::path before = list(checkpoints).back();
    std::vector<Message> skipped;
    fs::path found = newest_checkpoint(checkpoints, &skipped);
    // The other rank may have completed another checkpoint meanwhile.
    fs::path after = list(checkpoints).back();
    EXPECT_TRUE(found == before || found == after) << before << " " << found << " " << after;
    EXPECT_TRUE(skipped.empty()) << skipped.front();
    return checkpoint_number(found);
}

/// Kills the process that `begin` starts at twenty random moments. It saves checkpoints from a given step on,
/// endlessly.
template <class Begin>
void kill_twenty_times(const fs::path& checkpoints, Begin begin) {
    std::mt19937 random(20);
    std::int64_t step = 0;
    for (int round = 0; round < 20; ++round) {
        pid_t child = begin(step + 1);
        auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        if (round == 0)  // one must be there to be lost
            while (list(checkpoints).empty() && std::chrono::steady_clock::now() < limit)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 120'000));
        ::kill(child, SIGKILL);
        int status = end_of(child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child exited with status " << WEXITSTATUS(status);
        std::int64_t now = newest_step(checkpoints);
        ASSERT_GE(now, step) << "a checkpoint was lost";
        ASSERT_GE(now, 1);
        step = now;
    }
    EXPECT_EQ(save_in_child(checkpoints, step + 1, nullptr, 1), 0);
    EXPECT_EQ(entries_of(checkpoints), 1) << "leftovers";
}

TEST(KilledAtRandom, NeverLosesACheckpoint) {
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    kill_twenty_times(checkpoints, [&](std::int64_t step) {
        return begin_child(nullptr, [&] {
            SaverOptions options;
            options.retention.keep_last = 1;
            Saver saver(options);
            for (;; ++step) {
                Content content = make_content(step, 1);
                content.weights.push_back(LogicalTensor::of_whole("large", at::full({1 << 20}, 1.0, at::kFloat)));
                saver.save(checkpoints, content);
            }
        });
    });
}

TEST(KilledAtRandom, OneOfTwoRanksNeverCostsACheckpoint) {
    // Ranks 0 and 1 run in two processes. Each is killed in turn, and the other one must then exit.
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    std::mt19937 random(21);
    std::int64_t step = 0;
    for (int round = 0; round < 10; ++round) {
        test::LoopbackSocket socket;
        auto begin_rank = [&](int rank) {
            return begin_child(nullptr, [&, rank] {
                parallel::Rendezvous rendezvous;
                rendezvous.rank = rank;
                rendezvous.world_size = 2;
                rendezvous.port = socket.port;
                rendezvous.store_fd = rank == 0 ? socket.fd : -1;
                rendezvous.timeout = std::chrono::seconds(20);
                auto world = parallel::World::connect(rendezvous, "cpu");
                std::vector<int> all{0, 1};
                auto together = world->group(all, "savers");
                Saver saver({}, together.get());
                try {
                    for (std::int64_t next = step + 1;; ++next) {
                        SaveRequest request;
                        request.folder = checkpoints / ("checkpoint_" + std::to_string(next));
                        request.number = next;
                        request.files = {{"model_" + std::to_string(rank) + ".safetensors",
                                          WeightsFile{{{"w", at::full({1 << 18}, 1.0, at::kFloat)}}}}};
                        saver.save(std::move(request));
                    }
                } catch (const std::exception&) {  // the other rank is gone
                    ::_exit(0);
                }
            });
        };
        pid_t ranks[] = {begin_rank(0), begin_rank(1)};
        ::close(socket.fd);
        auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(30);
        while (newest_step(checkpoints) <= step && std::chrono::steady_clock::now() < limit)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
        ::kill(ranks[round % 2], SIGKILL);
        end_of(ranks[0]);
        end_of(ranks[1]);
        std::int64_t now = newest_step(checkpoints);
        ASSERT_GT(now, step);
        step = now;
    }
    EXPECT_EQ(save_in_child(checkpoints, step + 1, nullptr, 1), 0);
    EXPECT_EQ(entries_of(checkpoints), 1) << "leftovers";
}

}  // namespace
}  // namespace trainyard::checkpoint
