// SPDX-License-Identifier: GPL-3.0-or-later
// The files that are written of a run, and when.

#include "launch/supervisor/run_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::launch {
namespace {

using testing::HasSubstr;

class Reports : public testing::Test {
  protected:
    Reports() {
        options_.foreground = true;
        fs::create_directories(paths_.logs());
    }

    test::TemporaryFolder folder_;
    run::RunPaths paths_{folder_.path() / "run"};
    SupervisorOptions options_;
    RunReport report_{paths_, {}, options_};
};

TEST_F(Reports, ChangesAreWrittenSoonAndFiguresLessSoon) {
    report_.write(100, {});
    EXPECT_EQ(report_.due(), 100 + options_.state_every_s);
    report_.change_figures();
    EXPECT_EQ(report_.due(), 100 + options_.figures_gap_s);
    report_.set_status(run::Status::running, "training");
    EXPECT_EQ(report_.due(), 100 + options_.state_gap_s);
    report_.change().machines.resize(1);
    report_.write(101, {7.5});
    EXPECT_EQ(report_.due(), 101 + options_.state_every_s);
    const run::RunState written = run::read_state(paths_).value();
    EXPECT_EQ(written.status, run::Status::running);
    EXPECT_EQ(written.message, "training");
    EXPECT_EQ(written.machines.at(0).last_contact, 7.5);
}

TEST_F(Reports, WhatCannotBeWrittenIsWrittenLater) {
    fs::rename(paths_.root(), folder_.path() / "away");
    report_.record("note", "first");
    report_.change().message = "changed";
    report_.write(100, {});
    EXPECT_TRUE(report_.has_failed());
    EXPECT_EQ(report_.due(), 100 + options_.state_gap_s) << "the change is not forgotten";
    fs::rename(folder_.path() / "away", paths_.root());
    report_.record("note", "second", 1, 7);
    report_.write(101, {});
    EXPECT_FALSE(report_.has_failed());
    const std::vector<run::Event> events = run::JournalReader(paths_.journal()).poll();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].text, "first");
    EXPECT_EQ(events[1].rank, 1);
    EXPECT_EQ(events[1].step, 7);
}

TEST_F(Reports, NothingIsWrittenIntoTheFolderOfAnotherRun) {
    report_.abandon_folder();
    report_.record("note", "lost");
    report_.write(100, {});
    report_.write_last();
    EXPECT_FALSE(fs::exists(paths_.state()));
    EXPECT_FALSE(fs::exists(paths_.journal()));
}

TEST_F(Reports, HangsAreNumbered) {
    std::vector<RankStatus> ranks(1);
    ranks[0].phase = "reduce";
    report_.record_hang("rank 0 hangs", ranks, 0);
    report_.record_hang("it still does", ranks, std::nullopt);
    const std::vector<run::Event> events = run::JournalReader(paths_.journal()).poll();
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[0].kind, "warning");
    EXPECT_EQ(events[0].rank, 0);
    EXPECT_EQ(events[1].rank, -1);
    EXPECT_EQ(events[1].path, "logs/hang-2.json");
    EXPECT_THAT(read_file(paths_.root() / events[0].path), HasSubstr("\"phase\":\"reduce\""));
}

TEST_F(Reports, AReportOfProgressNamesWhatIsNew) {
    ProgressReport report;
    report.progress = {.step = 1, .of = 100, .loss = 4.0, .validation_loss = 5.0, .tokens_per_s = 10.0};
    report.step_s = 0.5;
    report_.progress(report, 1);
    report.progress = {.loss = 3.0};
    for (int step = 2; step <= 21; ++step) {
        report.progress.step = step;
        report_.progress(report, step);
    }
    const run::Progress& progress = report_.state().progress;
    EXPECT_EQ(progress.step, 21);
    EXPECT_EQ(progress.of, 100);
    EXPECT_EQ(progress.loss, 3.0);
    EXPECT_EQ(progress.validation_loss, 5.0);
    EXPECT_EQ(progress.tokens_per_s, 10.0);
    report.progress.of = 100;
    report_.progress(report, 22);
    EXPECT_TRUE(report_.state().progress.eta_s);
    report_.restart_progress();
    EXPECT_FALSE(report_.state().progress.eta_s);
}

TEST_F(Reports, LogsAreOpenedForEveryRankAndAgainInANewFolder) {
    report_.open_logs(2);
    report_.log(1).write("one\n");
    report_.open_logs(2);
    report_.log(1).write("two\n");
    EXPECT_EQ(read_file(paths_.rank_log(1)), "one\ntwo\n");
    fs::remove_all(paths_.logs());
    fs::create_directories(paths_.logs());
    report_.reopen_logs(2);
    report_.log(1).write("three\n");
    EXPECT_EQ(read_file(paths_.rank_log(1)), "three\n");
}

}  // namespace
}  // namespace trainyard::launch
