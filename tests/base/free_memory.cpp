// SPDX-License-Identifier: GPL-3.0-or-later
// Memory that a process can still have: the system's, and the limits of control groups of both versions.

#include "base/free_memory.h"

#include <fstream>

#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;

class FreeMemory : public ::testing::Test {
  protected:
    void write(const std::string& path, const std::string& text) const {
        fs::create_directories((folder_.path() / path).parent_path());
        std::ofstream(folder_.path() / path) << text;
    }
    test::TemporaryFolder folder_;
};

TEST_F(FreeMemory, OfTheSystem) {
    write("proc/meminfo", "MemTotal: 1000 kB\nMemFree: 100 kB\nMemAvailable: 600 kB\n");
    EXPECT_EQ(available_memory(folder_.path()), 600u * 1024);
    EXPECT_GT(available_memory(), 0u);
}

TEST_F(FreeMemory, WithinAGroupOfVersion2AndThoseAboveIt) {
    write("proc/meminfo", "MemAvailable: 600 kB\n");
    write("proc/self/cgroup", "0::/jobs/mine\n");
    write("sys/fs/cgroup/jobs/mine/memory.max", "max\n");
    write("sys/fs/cgroup/jobs/memory.max", "400000\n");
    write("sys/fs/cgroup/jobs/memory.current", "300000\n");
    // Pages of files are taken back when memory is needed.
    write("sys/fs/cgroup/jobs/memory.stat", "anon 100000\ninactive_file 150000\nactive_file 50000\n");
    EXPECT_EQ(available_memory(folder_.path()), 300'000u);
}

TEST_F(FreeMemory, WithinAGroupOfVersion1) {
    write("proc/meminfo", "MemAvailable: 600 kB\n");
    write("proc/self/cgroup", "9:name=systemd:/\n4:cpu,memory:/jobs\n0::/\n");
    write("sys/fs/cgroup/memory/jobs/memory.limit_in_bytes", "200000\n");
    write("sys/fs/cgroup/memory/jobs/memory.usage_in_bytes", "250000\n");
    EXPECT_EQ(available_memory(folder_.path()), 0u);
}

}  // namespace
}  // namespace trainyard
