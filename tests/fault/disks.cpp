// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of disks that fail and folders that disappear during a save: the save fails with path and reason, training
// continues, and earlier checkpoints are unchanged.

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "fault/saves.h"
#include "support/says.h"

namespace trainyard {
namespace {

using run::Status;
using namespace test;
using test::says;
using testing::_;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kThreeSaves{"training.steps=30", "checkpoint.every=10", "checkpoint.keep_last=0"};

/// Expects that saves, whether they failed or completed, have left no temporary files next to the checkpoints.
void expect_no_leftovers(const RealRun& run) {
    for (const fs::directory_entry& entry : fs::directory_iterator(run.paths->checkpoints()))
        EXPECT_TRUE(entry.path().filename().string().starts_with("checkpoint_")) << entry.path();
}

class BrokenDisk : public testing::TestWithParam<const char*> {
  protected:
    void run_with(const std::string& passes) {
        Failpoint broken(GetParam() + std::string(":eio@") + passes);
        ASSERT_EQ(run_.start(with({}, kThreeSaves)).code, 0);
        run::RunState state = run_.wait_until_over();
        EXPECT_EQ(state.status, Status::finished) << state.message;
        expect_no_leftovers(run_);
    }
    RealRun run_;
};

TEST_P(BrokenDisk, AnErrorThatPassesCostsASecondAttempt) {
    run_with("1");
    EXPECT_THAT(saved_steps(run_), ElementsAre(10, 20, 30));
    EXPECT_THAT(
        texts_of(run_, "warning", "checkpoint "),
        ElementsAre(AllOf(HasSubstr("checkpoint 10: model.safetensors was written a second time: cannot write " +
                                    run_.paths->checkpoints().string()),
                          HasSubstr("Input/output error"))));
}

TEST_P(BrokenDisk, AnErrorThatStaysFailsTheSaveAndTrainingGoesOn) {
    run_with("1-2");
    EXPECT_THAT(saved_steps(run_), ElementsAre(20, 30));
    EXPECT_THAT(
        texts_of(run_, "warning", "checkpoint "),
        ElementsAre(AllOf(HasSubstr("checkpoint 10 was not saved: cannot write " + run_.paths->checkpoints().string()),
                          HasSubstr("model.safetensors: Input/output error (a second attempt as well)"))));
}

INSTANTIATE_TEST_SUITE_P(Of, BrokenDisk, testing::Values("file.pwrite", "file.fsync"),
                         [](const auto& chosen) { return std::string(chosen.param).substr(5); });

/// A run that saves continuously, without root's capability to override file permissions.
class FolderInMidRun : public testing::Test {
  protected:
    FolderInMidRun() {
        Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", "--set", "checkpoint.every=20",
                         "--set", "checkpoint.keep_last=0", run_.recipe()},
                        [] {
                            ::prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
                            ::prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
                        });
        EXPECT_EQ(program.wait().code, 0);
        run_.paths = run::list_runs(run_.runs()).front().paths;
        // The first checkpoint may be there before the state says that the run is running.
        run_.wait_for(
            [&](const run::RunState& s) { return s.status == Status::running && run::has_checkpoint(*run_.paths); });
        folder_ = run_.paths->checkpoints();
    }
    /// The first warning with `text`, once training has gone on for a while after it. The save that was being written when the folder
    /// changed may fail in another of its steps, so an earlier warning may have other words; each one names the folder.
    std::string warning_while_training_goes_on(const std::string& text) {
        auto told = [&] {
            std::vector<std::string> warnings = texts_of(run_, "warning", "checkpoint ");
            auto found = std::find_if(warnings.begin(), warnings.end(), [&](const std::string& warning) {
                return warning.find(text) != std::string::npos;
            });
            return found == warnings.end() ? std::string() : *found;
        };
        run::RunState state =
            run_.wait_for([&](const run::RunState& s) { return run::is_over(s.status) || !told().empty(); });
        EXPECT_THAT(texts_of(run_, "warning", "checkpoint "),
                    Each(AllOf(says("checkpoint {} was not saved: {}", _, _), HasSubstr(folder_.string()))));
        run::RunState later = run_.wait_for_step(state.progress.step + 50);
        EXPECT_EQ(later.status, Status::running) << later.message;
        return told();
    }
    void expect_saved_again() {
        const std::int64_t step = run::read_state(*run_.paths)->progress.step;
        run::RunState later = run_.wait_for([&](const run::RunState& s) {
            return run::is_over(s.status) || run::newest_good_checkpoint(*run_.paths).value_or(0) > step;
        });
        EXPECT_EQ(later.status, Status::running) << later.message;
        EXPECT_GT(run::newest_good_checkpoint(*run_.paths).value_or(0), step);
    }
    RealRun run_;
    fs::path folder_;
};

TEST_F(FolderInMidRun, ReadOnly) {
    const std::int64_t first = run::newest_good_checkpoint(*run_.paths).value();
    const std::string before = read_file(checkpoint_of(run_, first) / "model.safetensors");
    ::chmod(folder_.c_str(), 0500);
    EXPECT_THAT(warning_while_training_goes_on("Permission denied"), HasSubstr(folder_.string()));
    EXPECT_TRUE(read_file(checkpoint_of(run_, first) / "model.safetensors") == before);
    ::chmod(folder_.c_str(), 0700);
    expect_saved_again();
}

TEST_F(FolderInMidRun, VanishedWithSomethingElseInItsPlace) {
    const fs::path aside = run_.root() / "aside";
    std::ofstream(aside) << "a file";
    // The two paths are exchanged atomically, because a save could create the folder again in between.
    auto exchange = [&] {
        ASSERT_EQ(::renameat2(AT_FDCWD, folder_.c_str(), AT_FDCWD, aside.c_str(), RENAME_EXCHANGE), 0);
    };
    exchange();
    EXPECT_THAT(warning_while_training_goes_on("cannot make the folder " + folder_.string()), HasSubstr("File exists"));
    exchange();
    expect_saved_again();
}

TEST_F(FolderInMidRun, Removed) {
    std::error_code busy;
    do {
        fs::remove_all(folder_, busy);  // a save may be writing into it
    } while (fs::exists(folder_) && busy);
    expect_saved_again();
}

}  // namespace
}  // namespace trainyard
