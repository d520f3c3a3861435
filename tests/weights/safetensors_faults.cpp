// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "formats/weights/safetensors.h"
#include "support/temporary_folder.h"

namespace trainyard::weights {
namespace {

TensorToWrite tensor(const std::vector<float>& values) {
    return {"a", "F32", {std::ssize(values)}, std::as_bytes(std::span(values))};
}

/// Runs `work` in a child process with a failpoint; returns its wait status.
template <class Work>
int in_child(const char* failpoint, Work work) {
    pid_t child = ::fork();
    if (child == 0) {
        ::setenv("TRAINYARD_FAILPOINT", failpoint, 1);
        try {
            work();
        } catch (const UserError& error) {
            ::_exit(std::strstr(error.what(), "the disk is full") != nullptr ? 42 : 43);
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

TEST(SafetensorsFaults, AKilledOrStarvedWriterLeavesTheEarlierFileWhole) {
    test::TemporaryFolder folder;
    fs::path path = folder.path() / "x.safetensors";
    std::vector<float> old_values{1, 2}, new_values{3, 4};
    // Failpoints are read at the first hit: this process must not hit one before its children do.
    ASSERT_EQ(in_child("", [&] { write_safetensors(path, {tensor(old_values)}); }), 0);
    std::string before = read_file(path);
    auto write = [&] { write_safetensors(path, {tensor(new_values)}); };
    for (const char* place : {"file.piece:kill@1", "file.piece:kill@2", "file.flush:kill", "file.rename:kill"}) {
        int status = in_child(place, write);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << place;
        EXPECT_EQ(read_file(path), before) << place;
    }
    int status = in_child("file.write:enospc@2", write);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 42);
    EXPECT_EQ(read_file(path), before);
    EXPECT_EQ(in_child("other:kill", write), 0);
    EXPECT_NE(read_file(path), before);
}

}  // namespace
}  // namespace trainyard::weights
