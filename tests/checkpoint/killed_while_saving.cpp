// kill -9 at every failpoint of a save: the earlier checkpoint loads, and the next save sweeps what was left.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checkpoint/content.h"
#include "support/temporary_folder.h"

namespace trainyard::checkpoint {
namespace {

class KilledWhileSaving : public ::testing::TestWithParam<const char*> {};

TEST_P(KilledWhileSaving, LeavesTheEarlierCheckpointWhole) {
    test::TemporaryFolder folder;
    fs::path checkpoints = folder.path() / "checkpoints";
    // Both saves happen in children, so that the failpoint of one is not read in the other.
    auto save_in_child = [&](std::int64_t step, const char* failpoint) {
        pid_t child = ::fork();
        if (child == 0) {
            if (failpoint != nullptr)
                ::setenv("TRAINYARD_FAILPOINT", failpoint, 1);
            save(checkpoints, make_content(step, static_cast<double>(step)));
            ::_exit(0);
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return status;
    };
    ASSERT_EQ(save_in_child(1, nullptr), 0);
    int status = save_in_child(2, GetParam());
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) << "the failpoint was not reached";

    EXPECT_EQ(find(checkpoints), checkpoints / "checkpoint_1");
    Content target = make_content(0, 0);
    EXPECT_EQ(load(find(checkpoints), target).step, 1);

    ASSERT_EQ(save_in_child(3, nullptr), 0);
    prune(checkpoints, 1);
    EXPECT_EQ(std::distance(fs::directory_iterator(checkpoints), fs::directory_iterator{}), 1);
}

INSTANTIATE_TEST_SUITE_P(Places, KilledWhileSaving,
                         ::testing::Values("checkpoint.write:kill@1", "checkpoint.write:kill@2",
                                           "checkpoint.rename:kill@1"));

}  // namespace
}  // namespace trainyard::checkpoint
