// SPDX-License-Identifier: GPL-3.0-or-later
// The cores of a rank: on made-up machines, and what ranks of this machine really get.

#include "base/cpu_affinity.h"

#include <cstdlib>
#include <fstream>
#include <functional>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

CpuTopology two_nodes(test::TemporaryFolder& folder) {
    auto write = [&](const std::string& name, const std::string& text) {
        fs::create_directories((folder.path() / name).parent_path());
        std::ofstream(folder.path() / name) << text << "\n";
    };
    // Eight threads: cores {0,4} {1,5} on node 0, {2,6} {3,7} on node 1; 7 may not be used. A GPU at each node, one
    // more at node 1.
    for (int thread = 0; thread < 8; ++thread)
        write("sys/devices/system/cpu/cpu" + std::to_string(thread) + "/topology/thread_siblings_list",
              std::to_string(thread % 4) + "," + std::to_string(thread % 4 + 4));
    write("sys/devices/system/node/node0/cpulist", "0-1,4-5");
    write("sys/devices/system/node/node1/cpulist", "2-3,6-7");
    write("sys/devices/system/node/has_cpu", "0-1");
    const char* gpus[][2] = {{"0000:3b:00.0", "2-3,6-7"}, {"0000:17:00.0", "0-1,4-5"}, {"0000:5e:00.0", "2-3,6-7"}};
    for (const auto& [address, near] : gpus) {
        write(std::string("sys/bus/pci/devices/") + address + "/local_cpulist", near);
        write(std::string("proc/driver/nvidia/gpus/") + address + "/information", "");
    }
    return CpuTopology::read(folder.path(), {0, 1, 2, 3, 4, 5, 6});
}

TEST(CpuAffinity, WholeCoresOfOneNode) {
    test::TemporaryFolder folder;
    CpuTopology topology = two_nodes(folder);
    ASSERT_EQ(topology.cores.size(), 4u);
    EXPECT_EQ(topology.cores[3].threads, std::vector<int>{3}) << "thread 7 may not be used";
    topology.near_gpus.clear();
    EXPECT_THAT(cores_of_ranks(2, topology), ElementsAre(std::vector<int>{0, 4, 1, 5}, std::vector<int>{2, 6, 3}));
    EXPECT_THAT(cores_of_ranks(3, topology),
                ElementsAre(std::vector<int>{0, 4, 1, 5}, std::vector<int>{2, 6}, std::vector<int>{3}));
    EXPECT_THAT(cores_of_ranks(5, topology), testing::Each(IsEmpty())) << "no core for each of them";
}

TEST(CpuAffinity, RanksStayNextToTheirGpu) {
    test::TemporaryFolder folder;
    CpuTopology topology = two_nodes(folder);
    ASSERT_EQ(topology.near_gpus.size(), 3u);
    EXPECT_THAT(cores_of_ranks(3, topology),
                ElementsAre(std::vector<int>{0, 4, 1, 5}, std::vector<int>{2, 6}, std::vector<int>{3}));
    EXPECT_THAT(cores_of_ranks(1, topology), ElementsAre(std::vector<int>{0, 4, 1, 5}));
}

TEST(CpuAffinity, ListsAsTheKernelWritesThem) {
    EXPECT_THAT(parse_cpu_list("0-2,8,10-11\n"), ElementsAre(0, 1, 2, 8, 10, 11));
    EXPECT_THAT(parse_cpu_list(""), IsEmpty());
    EXPECT_THAT(parse_cpu_list("x,3,9-"), testing::Contains(3));
}

/// A machine of as many memory nodes as this one has threads, with GPU i next to the i-th thread from the end.
class RankAffinity : public testing::Test {
  protected:
    RankAffinity() : threads_(allowed_threads()) {
        ::unsetenv("CUDA_VISIBLE_DEVICES");
        for (std::size_t i = 0; i < threads_.size(); ++i) {
            const std::string thread = std::to_string(threads_[i]);
            write("sys/devices/system/cpu/cpu" + thread + "/topology/thread_siblings_list", thread);
            write("sys/devices/system/node/node" + std::to_string(i) + "/cpulist", thread);
            const std::string address = fmt::format("0000:{:02x}:00.0", i + 1);
            write("proc/driver/nvidia/gpus/" + address + "/information", "");
            write("sys/bus/pci/devices/" + address + "/local_cpulist",
                  std::to_string(threads_[threads_.size() - 1 - i]));
        }
    }
    void write(const std::string& name, const std::string& text) {
        fs::create_directories((folder_.path() / name).parent_path());
        std::ofstream(folder_.path() / name) << text << "\n";
    }
    AffinityOptions rank(std::size_t local_rank) const {
        return {.local_rank = static_cast<int>(local_rank),
                .local_ranks = static_cast<int>(threads_.size()),
                .root = folder_.path()};
    }
    /// Runs `work` in a process of its own. Returns its result and the affinity of a thread that was started before it.
    std::pair<std::string, std::string> in_process(const std::function<std::vector<int>()>& work) const {
        const fs::path result = folder_.path() / "result", after = folder_.path() / "after";
        const pid_t child = ::fork();
        if (child == 0) {
            std::promise<void> done;
            std::thread other([&] {
                done.get_future().wait();
                write_file_atomically(after, cpu_list(allowed_threads()), false);
            });
            write_file_atomically(result, cpu_list(work()), false);
            done.set_value();
            other.join();
            ::_exit(0);
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
        return {read_file(result), read_file(after)};
    }

    test::TemporaryFolder folder_;
    std::vector<int> threads_;
};

TEST_F(RankAffinity, EveryThreadOfARankRunsNextToItsGpu) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const std::string near = std::to_string(threads_[threads_.size() - 1 - i]);
        const auto [given, had] = in_process([&] { return override_numa_affinity(rank(i)); });
        EXPECT_EQ(given, near) << "rank " << i;
        EXPECT_EQ(had, near) << "rank " << i;
    }
}

TEST_F(RankAffinity, GpusAreThoseThatTheRankSees) {
    const auto [given, had] = in_process([&] {
        std::string reversed;
        for (std::size_t i = threads_.size(); i-- > 0;)
            reversed += std::to_string(i) + ",";
        ::setenv("CUDA_VISIBLE_DEVICES", reversed.c_str(), 1);
        return override_numa_affinity(rank(0));
    });
    EXPECT_EQ(given, std::to_string(threads_.front()));
    EXPECT_EQ(had, given);
}

TEST_F(RankAffinity, WithoutGpuARankHasItsShareOfTheCores) {
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        const auto [given, had] = in_process([&] {
            AffinityOptions options = rank(i);
            options.on_gpu = false;
            return override_numa_affinity(options);
        });
        EXPECT_EQ(given, std::to_string(threads_[i]));
        EXPECT_EQ(had, given);
    }
    const auto [given, had] = in_process([&] {
        return override_numa_affinity(
            {.local_ranks = static_cast<int>(threads_.size()) + 1, .on_gpu = false, .root = folder_.path()});
    });
    EXPECT_EQ(given, "") << "more ranks than cores share them";
    EXPECT_EQ(had, cpu_list(threads_));
}

TEST_F(RankAffinity, IsSetOnceAndCanBeOverridden) {
    const std::string first = std::to_string(threads_.back()), last = std::to_string(threads_[0]);
    const auto again = in_process([&] {
        set_numa_affinity(rank(0));
        return set_numa_affinity(rank(threads_.size() - 1));
    });
    EXPECT_EQ(again, std::pair(first, first));
    const auto other = in_process([&] {
        set_numa_affinity(rank(0));
        return override_numa_affinity(rank(threads_.size() - 1));
    });
    EXPECT_EQ(other, std::pair(last, last)) << "the cores of before the first call count";
}

TEST_F(RankAffinity, CoresThatALauncherGaveARankStay) {
    const std::string own = std::to_string(threads_.front());
    const auto [given, had] = in_process([&] {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(static_cast<std::size_t>(threads_.front()), &set);
        ::sched_setaffinity(::getpid(), sizeof set, &set);
        override_numa_affinity(rank(0));
        return allowed_threads();
    });
    EXPECT_EQ(given, own);
}

}  // namespace
}  // namespace trainyard
