// kill -9 and a full disk at every failpoint of a save: the earlier checkpoint loads, and the next save sweeps what was left.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "checkpoint/content.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

constexpr int kRefused = 7;

// Saves happen in children, because a program reads its failpoint once.
int save_in_child(const fs::path& checkpoints, std::int64_t step, const char* failpoint) {
    pid_t child = ::fork();
    if (child == 0) {
        if (failpoint != nullptr)
            ::setenv("TRAINYARD_FAILPOINT", failpoint, 1);
        try {
            save(checkpoints, make_content(step, static_cast<double>(step)));
        } catch (const UserError& error) {
            ::_exit(std::string(error.what()).find("No space left on device") == std::string::npos ? 1 : kRefused);
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
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
    EXPECT_EQ(load(find(checkpoints), target).step, 1);

    ASSERT_EQ(save_in_child(checkpoints, 3, nullptr), 0);
    prune(checkpoints, 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints), fs::directory_iterator{}), 1);
}

INSTANTIATE_TEST_SUITE_P(Places, KilledWhileSaving,
                         ::testing::Values("checkpoint.write:kill@1", "checkpoint.write:kill@2",
                                           "checkpoint.rename:kill@1"));

TEST(FullDisk, LeavesNothingAndKeepsTheEarlier) {
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    ASSERT_EQ(save_in_child(checkpoints, 1, nullptr), 0);
    int status = save_in_child(checkpoints, 2, "checkpoint.write:enospc@2");
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), kRefused);
    EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints), fs::directory_iterator{}), 1);
    EXPECT_EQ(find(checkpoints), checkpoints / "checkpoint_1");
}

}  // namespace
}  // namespace trainyard::checkpoint
