#include <fstream>

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "desktop/runs/metrics_summary.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_model.h"
#include "fabricated_runs.h"
#include "run/paths.h"
#include "run/request.h"
#include "support/temporary_folder.h"
#include "widgets/cell_delegate.h"

using namespace trainyard;
using desktop::RunPhase;
using desktop::RunStore;
using desktop::RunSummary;
using run::Status;
using test::fabricate;

namespace {

class StoreTest : public testing::Test {
  protected:
    void SetUp() override { ::setenv("TRAINYARD_RUNS", folder_.path().c_str(), 1); }
    const std::filesystem::path& root() const { return folder_.path(); }
    const RunSummary* named(const RunStore& store, const char* name) {
        for (const RunSummary& run : store.runs())
            if (run.name == QLatin1String(name))
                return &run;
        return nullptr;
    }
    void load(RunStore& store) {
        store.start();
        ASSERT_TRUE(QTest::qWaitFor([&] { return store.isLoaded(); }));
    }

  private:
    test::TemporaryFolder folder_;
};

}  // namespace

TEST_F(StoreTest, NothingThereIsLoadedToo) {
    ::setenv("TRAINYARD_RUNS", (root() / "not yet").c_str(), 1);
    RunStore store;
    load(store);
    EXPECT_TRUE(store.runs().isEmpty());
    EXPECT_EQ(store.liveCount(), 0);
}

TEST_F(StoreTest, EveryKindOfRunHasItsState) {
    fabricate(root(), {.name = "live", .status = Status::running, .step = 400, .age_s = 10});
    fabricate(root(), {.name = "done", .age_s = 1000});
    fabricate(root(), {.name = "broken",
                       .status = Status::failed,
                       .step = 12,
                       .age_s = 2000,
                       .failure = "Rank 0 was killed by signal 9 at step 12."});
    fabricate(root(), {.name = "gone", .status = Status::running, .step = 5, .age_s = 3000, .silent_s = 60},
              ProcessId{1, 1});
    const auto corrupt = fabricate(root(), {.name = "torn", .age_s = 4000});
    std::ofstream(run::RunPaths(corrupt).state()) << "{\"run_id\": \"x";
    std::filesystem::create_directories(root() / "no run at all");

    RunStore store;
    load(store);
    ASSERT_EQ(store.runs().size(), 5);
    EXPECT_EQ(named(store, "live")->phase, RunPhase::Running);
    EXPECT_EQ(named(store, "live")->step, 400);
    EXPECT_EQ(named(store, "live")->hosts, QStringList{QStringLiteral("this machine")});
    EXPECT_EQ(named(store, "done")->phase, RunPhase::Finished);
    EXPECT_EQ(named(store, "broken")->phase, RunPhase::Failed);
    EXPECT_EQ(named(store, "broken")->failure.toStdString(), "Rank 0 was killed by signal 9 at step 12.");
    EXPECT_EQ(named(store, "gone")->phase, RunPhase::Lost);
    ASSERT_NE(named(store, "torn"), nullptr);
    EXPECT_EQ(named(store, "torn")->phase, RunPhase::Unreadable);
    EXPECT_TRUE(named(store, "torn")->failure.contains(QStringLiteral("state.json")));
    EXPECT_EQ(store.liveCount(), 1);
    // Newest first, numbers from the oldest.
    EXPECT_EQ(store.runs().first().name, QStringLiteral("live"));
    EXPECT_EQ(store.runs().first().number, 5);
}

TEST_F(StoreTest, CurveHoldsEveryStepOfAShortRun) {
    const test::FabricatedRun fake{.name = "short", .step = 200, .of = 200};
    fabricate(root(), fake);
    RunStore store;
    load(store);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().first().spark.size() == 200; }));
    const QPolygonF& spark = store.runs().first().spark;
    EXPECT_DOUBLE_EQ(spark.first().x(), 1.0 / 200);
    EXPECT_DOUBLE_EQ(spark.last().x(), 1.0);
    EXPECT_NEAR(spark.last().y(), test::fabricated_loss(fake, 200), 1e-6);
}

TEST_F(StoreTest, LongCurvesAreThinned) {
    const test::FabricatedRun fake{.name = "long", .step = 5000, .of = 5000};
    const auto folder = fabricate(root(), fake);
    desktop::MetricsSummary tail(run::RunPaths(folder).metrics());
    while (tail.poll(64 << 10)) {
    }
    const QPolygonF points = tail.lossPoints(5000);
    EXPECT_LE(points.size(), 257);
    EXPECT_GE(points.size(), 120);
    for (qsizetype i = 1; i < points.size(); ++i)
        EXPECT_GT(points[i].x(), points[i - 1].x());
}

TEST_F(StoreTest, FollowsChangesAndSaysWhenARunEnds) {
    const auto folder = fabricate(root(), {.name = "live", .status = Status::running, .step = 10, .age_s = 10});
    RunStore store;
    QSignalSpy ended(&store, &RunStore::runEnded);
    load(store);
    run::RunState state = *run::read_state(run::RunPaths(folder));
    state.progress.step = 11;
    run::write_state(run::RunPaths(folder), state);
    ASSERT_TRUE(QTest::qWaitFor([&] { return named(store, "live")->step == 11; }));
    EXPECT_EQ(ended.count(), 0);
    state.status = Status::finished;
    run::write_state(run::RunPaths(folder), state);
    ASSERT_TRUE(QTest::qWaitFor([&] { return ended.count() == 1; }));
    EXPECT_EQ(named(store, "live")->phase, RunPhase::Finished);
    fabricate(root(), {.name = "second", .status = Status::starting, .step = 0, .age_s = 1});
    ASSERT_TRUE(QTest::qWaitFor([&] { return named(store, "second") != nullptr; }));
    EXPECT_EQ(named(store, "second")->phase, RunPhase::Starting);
}

TEST_F(StoreTest, RequestsAreDroppedIntoTheRun) {
    const auto folder = fabricate(root(), {.name = "live", .status = Status::running, .step = 10});
    RunStore store;
    QSignalSpy failed(&store, &RunStore::requestFailed);
    store.request(QString::fromStdString(folder.string()), QStringLiteral("stop"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(run::RunPaths(folder)).empty(); }));
    EXPECT_EQ(run::pending_requests(run::RunPaths(folder)).front().kind, "stop");
    EXPECT_EQ(run::pending_requests(run::RunPaths(folder)).front().from, "desktop");
    store.request(QStringLiteral("/nowhere/at/all"), QStringLiteral("stop"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() == 1; }));
    EXPECT_TRUE(failed.first().first().toString().contains(QStringLiteral("/nowhere/at/all")));
}

TEST_F(StoreTest, AnotherFolderIsReadFromTheStart) {
    fabricate(root(), {.name = "here"});
    test::TemporaryFolder other;
    fabricate(other.path(), {.name = "there"});
    RunStore store;
    load(store);
    ASSERT_NE(named(store, "here"), nullptr);
    store.setRoot(QString::fromStdString(other.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return named(store, "there") != nullptr; }));
    EXPECT_EQ(named(store, "here"), nullptr);
}

TEST(RunsModelTest, KeepsRowsByIdAndLiveOnesOnTop) {
    auto summary = [](const char* id, RunPhase phase, double loss) {
        RunSummary run;
        run.id = run.name = QLatin1String(id);
        run.phase = phase;
        run.loss = loss;
        return run;
    };
    desktop::RunsModel model;
    desktop::RunsProxy proxy(&model);
    model.setRuns({summary("3", RunPhase::Finished, 1.0), summary("2", RunPhase::Running, 2.0),
                   summary("1", RunPhase::Failed, 3.0)});
    EXPECT_EQ(proxy.at(proxy.index(0, 0)).id, QStringLiteral("2"));
    EXPECT_EQ(proxy.at(proxy.index(1, 0)).id, QStringLiteral("3"));
    proxy.sort(desktop::RunsModel::Train, Qt::AscendingOrder);
    EXPECT_EQ(proxy.at(proxy.index(0, 0)).id, QStringLiteral("2"));
    EXPECT_EQ(proxy.at(proxy.index(1, 0)).id, QStringLiteral("3"));
    proxy.sort(desktop::RunsModel::Train, Qt::DescendingOrder);
    EXPECT_EQ(proxy.at(proxy.index(0, 0)).id, QStringLiteral("2"));
    EXPECT_EQ(proxy.at(proxy.index(1, 0)).id, QStringLiteral("1"));

    const QPersistentModelIndex kept(model.index(2, 0));
    model.setRuns({summary("4", RunPhase::Starting, 9.0), summary("3", RunPhase::Finished, 1.0),
                   summary("1", RunPhase::Failed, 3.0)});
    EXPECT_EQ(model.rowCount(), 3);
    ASSERT_TRUE(kept.isValid());
    EXPECT_EQ(model.at(kept.row()).id, QStringLiteral("1"));

    EXPECT_FALSE(proxy.setFilterText(QStringLiteral("loss>>1")).isEmpty());
    EXPECT_EQ(proxy.rowCount(), 3);
    EXPECT_TRUE(proxy.setFilterText(QStringLiteral("loss>2")).isEmpty());
    EXPECT_EQ(proxy.rowCount(), 2);
    proxy.setSegment(desktop::RunSegment::Failed);
    EXPECT_EQ(proxy.rowCount(), 1);
}

TEST(RunsModelTest, AThousandRunsAreFilteredAtOnce) {
    desktop::RunSummaries runs;
    for (int i = 1000; i > 0; --i) {
        RunSummary run;
        run.id = QStringLiteral("id%1").arg(i, 5, 10, QLatin1Char('0'));
        run.name = QStringLiteral("run-%1").arg(i);
        run.loss = i;
        run.phase = RunPhase::Finished;
        runs << run;
    }
    desktop::RunsModel model;
    desktop::RunsProxy proxy(&model);
    model.setRuns(runs);
    EXPECT_EQ(proxy.rowCount(), 1000);
    EXPECT_TRUE(proxy.setFilterText(QStringLiteral("loss<11")).isEmpty());
    EXPECT_EQ(proxy.rowCount(), 10);
    EXPECT_EQ(model.data(model.index(0, desktop::RunsModel::Name), widgets::CellRole).value<widgets::Cell>().text,
              QStringLiteral("run-1000"));
}
