// SPDX-License-Identifier: GPL-3.0-or-later
// RunFeed and RunRecord against run directories that come, grow, fail and are damaged.

#include <fstream>

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/run_record.h"
#include "desktop/dashboard/stage_words.h"
#include "run/request.h"
#include "support/patience.h"
#include "support/settle.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

TEST(Feed, ReadsWhatLiesThereAndFollows) {
    const test::TemporaryFolder folder;
    test::FabricatedRun run(folder.path(), {});
    RunRecord record(run.paths());
    EXPECT_EQ(record.stage(), RunStage::Loading);
    record.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.isCaughtUp() && record.state(); }, kPatience));
    EXPECT_EQ(record.stage(), RunStage::Running);
    EXPECT_EQ(record.series("train/loss").size(), 1842u);
    EXPECT_EQ(record.step(), 1842);
    EXPECT_EQ(record.steps(), 4000);
    ASSERT_TRUE(record.facts());
    EXPECT_EQ(record.largestMemory().first, 1);
    const std::size_t events = record.events().size();
    EXPECT_GE(events, 8u);
    run.addStep(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.series("train/loss").size() == 1843; }, kPatience));
    EXPECT_EQ(record.step(), 1843);
}

TEST(Feed, AFolderThatComesLaterIsFollowed) {
    const test::TemporaryFolder folder;
    const run::RunPaths paths(folder.path() / "later");
    RunRecord record(paths);
    record.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.stage() == RunStage::Missing; }, kPatience));
    run::create_run_directory_at(paths.root());
    run::RunState state;
    state.name = "late";
    state.supervisor = this_process();
    state.status = run::Status::starting;
    run::write_state(paths, state, false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.stage() == RunStage::Starting; }, kPatience));
    EXPECT_EQ(record.name(), QStringLiteral("late"));
}

TEST(Feed, ASupervisorThatIsGoneMeansLost) {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 10;
    test::FabricatedRun run(folder.path(), plan);
    run::RunState state = run.state();
    state.supervisor = {1, 1};
    state.heartbeat = wall_seconds() - 60;
    std::ofstream(run.paths().state()) << run::to_json(state);
    RunRecord record(run.paths());
    record.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.stage() == RunStage::Lost; }, kPatience));
    EXPECT_FALSE(record.isLive());
}

TEST(Feed, ARestartCutsTheCurves) {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 200;
    test::FabricatedRun run(folder.path(), plan);
    RunRecord record(run.paths());
    record.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.series("train/loss").size() == 200; }, kPatience));
    run.metrics().add_restart(151, wall_seconds());
    run.metrics().add_scalars(151, wall_seconds(), {{"train/loss", 9.0}});
    run.metrics().flush();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.series("train/loss").size() == 151; }, kPatience));
    EXPECT_EQ(record.series("train/loss").value(150), 9.0);
    EXPECT_EQ(record.series("train/lr").size(), 150u);
    EXPECT_FALSE(record.series("system/resident_bytes#0").empty());
}

TEST(Feed, ADamagedFileShowsItsReadablePartAndSaysSo) {
    const test::TemporaryFolder folder;
    test::FabricatedRun run(folder.path(), {});
    {
        std::fstream bytes(run.eventFile(), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(run.eventFile()) / 2));
        bytes.write("damaged", 7);
    }
    RunRecord record(run.paths());
    record.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !record.problems().empty(); }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.isCaughtUp(); }, kPatience));
    EXPECT_GT(record.series("train/loss").size(), 500u);
    EXPECT_LT(record.series("train/loss").size(), 1500u);
    EXPECT_NE(record.problems().front().text().find("events.out.tfevents"), std::string::npos);
}

TEST(Feed, AnUnreadableStateIsAProblemNotAnEnd) {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 30;
    test::FabricatedRun run(folder.path(), plan);
    std::ofstream(run.paths().state()) << "{\"run_id\": 3";
    RunRecord record(run.paths());
    record.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !record.problems().empty(); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return record.series("train/loss").size() == 30; }, kPatience));
    run.writeState();
    EXPECT_TRUE(QTest::qWaitFor([&] { return record.state() && record.problems().empty(); }, kPatience));
}

TEST(Feed, ARequestIsDroppedAndItsAnswerTold) {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 30;
    test::FabricatedRun run(folder.path(), plan);
    RunRecord record(run.paths());
    record.start();
    record.ask(run::CheckpointRequest());
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.pending().contains("checkpoint"); }, kPatience));
    std::vector<run::Request> pending = run::pending_requests(run.paths());
    ASSERT_EQ(pending.size(), 1u);
    EXPECT_EQ(pending[0].kind, "checkpoint");
    EXPECT_EQ(pending[0].from, "desktop");
    std::vector<RequestNews> news;
    QObject::connect(&record, &RunRecord::requestChanged, [&](const RequestNews& one) { news.push_back(one); });
    pending[0].outcome = "failed";
    pending[0].text = "the disk is full";
    run::finish_request(run.paths(), pending[0]);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !news.empty(); }, kPatience));
    EXPECT_EQ(news.back().outcome, "failed");
    EXPECT_EQ(news.back().text, "the disk is full");
    EXPECT_TRUE(record.pending().empty());
}

TEST(Feed, EndsAtOnceAndLeavesTheFolderAsItWas) {
    const test::TemporaryFolder folder;
    test::FabricatedRun run(folder.path(), {});
    const auto files = [&] {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(run.paths().root()))
            found.push_back(entry.path().string());
        std::sort(found.begin(), found.end());
        return found;
    };
    const std::vector<std::string> before = files();
    const double begin = monotonic_seconds();
    for (int i = 0; i < 5; ++i) {
        RunRecord record(run.paths());
        record.start();
        test::settle();
    }
    EXPECT_LT(monotonic_seconds() - begin, 5);
    EXPECT_EQ(files(), before);
}

TEST(Feed, StagesOfTheStartAreTickedOff) {
    const test::TemporaryFolder folder;
    test::FabricatedPlan plan;
    plan.done = 0;
    plan.status = run::Status::starting;
    test::FabricatedRun run(folder.path(), plan);
    for (run::RankState& rank : run.state().ranks)
        rank.phase = "init";
    run.writeState();
    RunRecord record(run.paths());
    record.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record.state() && record.facts(); }, kPatience));
    const QVector<StartStage> stages = start_stages(record);
    EXPECT_TRUE(stages[0].done);
    EXPECT_TRUE(stages[1].done);
    EXPECT_TRUE(stages[2].current);
    EXPECT_FALSE(stages[3].done);
}

}  // namespace
}  // namespace trainyard::desktop
