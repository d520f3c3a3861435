// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a run is deleted, emptied or moved.

#include "launch/supervisor/run_folder_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using FolderState = RunFolderWatch::State;
using test::says;
using testing::_;
using testing::StartsWith;

class RunFolder : public testing::Test {
  protected:
    RunFolder() {
        write_file_atomically(paths_.spec(), "name: x\n", false);
        watch_.begin();
    }

    test::TemporaryFolder folder_;
    run::RunPaths paths_ = run::create_run_directory(folder_.path(), "folder");
    RunFolderWatch watch_{paths_};
};

TEST_F(RunFolder, DeletedOrEmptied) {
    EXPECT_EQ(watch_.look().state, FolderState::there);
    fs::remove(paths_.spec());
    fs::remove_all(paths_.logs());
    EXPECT_EQ(watch_.look().state, FolderState::deleted) << "the removal is under way";
    fs::remove_all(paths_.root());
    const RunFolderWatch::Look look = watch_.look();
    EXPECT_EQ(look.state, FolderState::deleted);
    EXPECT_THAT(look.sentence.text(), says("the run's folder {} was deleted while it ran", _).at_end());
}

TEST_F(RunFolder, Moved) {
    const fs::path elsewhere = folder_.path() / "elsewhere";
    fs::rename(paths_.root(), elsewhere);
    EXPECT_EQ(watch_.look().state, FolderState::moved);
    EXPECT_THAT(watch_.look().sentence.text(),
                says("the run's folder {} was moved to {} while it ran", _, StartsWith(elsewhere.string())));
}

TEST_F(RunFolder, IsMadeAgainOrAbandoned) {
    EXPECT_FALSE(watch_.was_lost());
    fs::remove_all(paths_.root());
    watch_.make_again("it was deleted", {}, 4);
    EXPECT_TRUE(watch_.was_lost());
    EXPECT_EQ(watch_.look().state, FolderState::there);
    EXPECT_EQ(read_file(paths_.generation()), "4\n");
    EXPECT_EQ(watch_.sentence(false, 7),
              "it was deleted: it was stopped at step 7 without a checkpoint; "
              "what was in the folder before is not there");
    fs::remove_all(paths_.root());
    watch_.abandon("it was deleted again");
    EXPECT_EQ(watch_.look().state, FolderState::there) << "it is not looked at any more";
    EXPECT_EQ(watch_.sentence(true, 7), "it was deleted again: its ranks were ended, nothing more was written there");
}

}  // namespace
}  // namespace trainyard::launch
