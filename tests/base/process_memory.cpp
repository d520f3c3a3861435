// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the memory of a process: of pages that it shares it counts its part.

#include "base/process_memory.h"

#include <cstring>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.h"

namespace trainyard {
namespace {

constexpr std::size_t kBytes = 64 << 20;

TEST(ProcessMemory, CountsAPartOfSharedPages) {
    EXPECT_EQ(ProcessMemory(-1).bytes(), 0u);
    const std::uint64_t before = ProcessMemory(::getpid()).bytes();
    EXPECT_GT(before, 1u << 20);
    void* const shared = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    std::memset(shared, 1, kBytes);
    const std::uint64_t alone = ProcessMemory(::getpid()).bytes();
    EXPECT_NEAR(static_cast<double>(alone), static_cast<double>(before + kBytes), 8e6);
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        volatile char sum = 0;
        for (std::size_t i = 0; i < kBytes; i += 4096)
            sum = sum + static_cast<char*>(shared)[i];
        (void)!::write(ready[1], "x", 1);
        ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    ProcessMemory ours(::getpid());
    const std::uint64_t halved = ours.bytes();
    EXPECT_LT(halved, alone - kBytes / 2 + (8u << 20));
    EXPECT_GT(ours.bytes_of_others(), kBytes / 2 - (1u << 20));
    const std::uint64_t peak = peak_memory_bytes();
    EXPECT_LT(peak, alone - kBytes / 4) << "the peak counts its part, too";
    EXPECT_GT(peak, kBytes / 4);
    EXPECT_GT(ProcessMemory(child).bytes(), kBytes / 4);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_NEAR(static_cast<double>(ProcessMemory(::getpid()).bytes()), static_cast<double>(alone), 8e6);
    ::munmap(shared, kBytes);
    ::close(ready[0]);
    ::close(ready[1]);
}

/// Another program that maps the same file does not change the figure; each rank of a host counts its share.
TEST(ProcessMemory, PagesOfFilesAreThoseOfTheRanks) {
    test::TemporaryFolder folder;
    const std::string path = (folder.path() / "weights").string();
    std::ofstream(path) << std::string(kBytes, 'x');
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(file, 0);
    void* const mapped = ::mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, file, 0);
    ASSERT_NE(mapped, MAP_FAILED);
    const auto touch = [&] {
        volatile char sum = 0;
        for (std::size_t i = 0; i < kBytes; i += 4096)
            sum = sum + static_cast<char*>(mapped)[i];
    };
    touch();
    const auto alone = static_cast<double>(peak_memory_bytes());
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        touch();
        (void)!::write(ready[1], "x", 1);
        ::pause();
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_NEAR(static_cast<double>(peak_memory_bytes()), alone, 24e6) << "heaps are shared after a fork, too";
    EXPECT_LT(static_cast<double>(peak_memory_bytes(2)), alone - kBytes / 2 + 8e6);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::munmap(mapped, kBytes);
    for (const int descriptor : {file, ready[0], ready[1]})
        ::close(descriptor);
}

}  // namespace
}  // namespace trainyard
