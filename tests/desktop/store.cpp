// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/file.h"
#include "desktop/runs/metrics_summary.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_proxy.h"
#include "desktop/runs/summary_cache.h"
#include "fabricated_runs.h"
#include "formats/events/event_file.h"
#include "run/mirror.h"
#include "run/paths.h"
#include "run/request.h"
#include "run/run_labels.h"
#include "sources/written_wandb.h"
#include "support/says.h"
#include "support/settle.h"
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

TEST_F(StoreTest, TheMachineOfAMirroredRunIsCalledAsTheUserCallsIt) {
    // The other machine has the name of this one.
    run::MirrorState mirror;
    mirror.host = "gpu-a";
    mirror.path = "/runs/far";
    mirror.complete = true;
    run::write_mirror(run::RunPaths(test::fabricate(root(), {.name = "far"})), mirror);
    test::fabricate(root(), {.name = "near"});
    RunStore store;
    load(store);
    EXPECT_EQ(named(store, "far")->hosts, QStringList{QStringLiteral("gpu-a")});
    EXPECT_EQ(named(store, "near")->hosts, QStringList{QStringLiteral("this machine")});
}

TEST_F(StoreTest, CurveHoldsEveryStepOfAShortRun) {
    const test::FabricatedRunSpec fake{.name = "short", .step = 200, .of = 200};
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
    const test::FabricatedRunSpec fake{.name = "long", .step = 5000, .of = 5000};
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
    // The folder exists a moment before its state file.
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return named(store, "second") != nullptr && named(store, "second")->phase == RunPhase::Starting; }));
}

TEST_F(StoreTest, RequestsAreDroppedIntoTheRun) {
    const auto folder = fabricate(root(), {.name = "live", .status = Status::running, .step = 10});
    RunStore store;
    QSignalSpy failed(&store, &RunStore::requestFailed);
    store.request(QString::fromStdString(folder.string()), run::StopRequest());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(run::RunPaths(folder)).empty(); }));
    EXPECT_EQ(run::pending_requests(run::RunPaths(folder)).front().kind, "stop");
    EXPECT_EQ(run::pending_requests(run::RunPaths(folder)).front().from, "desktop");
    store.request(QStringLiteral("/nowhere/at/all"), run::StopRequest());
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

/// As on a disk that is disconnected: the list neither empties nor counts runs as ended.
TEST_F(StoreTest, AFolderThatVanishesKeepsItsRunsAndSaysSo) {
    const std::filesystem::path runs = root() / "disk";
    std::filesystem::create_directories(runs);
    ::setenv("TRAINYARD_RUNS", runs.c_str(), 1);
    fabricate(runs, {.name = "live", .status = Status::running, .step = 400, .age_s = 10});
    fabricate(runs, {.name = "done", .age_s = 1000});
    RunStore store;
    QSignalSpy ended(&store, &RunStore::runEnded);
    load(store);
    ASSERT_EQ(store.runs().size(), 2);
    EXPECT_TRUE(store.unreadableFolders().isEmpty());
    std::filesystem::rename(runs, root() / "away");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !store.unreadableFolders().isEmpty(); }));
    EXPECT_TRUE(store.unreadableFolders().contains(QString::fromStdString(runs.string())));
    EXPECT_TRUE(store.unreadableFolders().contains(QStringLiteral("its disk is not connected")));
    EXPECT_EQ(store.runs().size(), 2);
    EXPECT_EQ(ended.count(), 0);
    std::filesystem::rename(root() / "away", runs);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.unreadableFolders().isEmpty(); }));
    EXPECT_EQ(store.runs().size(), 2);
    EXPECT_NE(named(store, "live"), nullptr);
}

/// Clocks of hosts differ, and a notebook that slept is ahead of the heartbeats on a shared disk.
TEST_F(StoreTest, ARunOfAHostWhoseClockIsBehindIsNotLost) {
    const run::RunPaths paths(fabricate(root(), {.name = "far", .status = Status::running, .step = 10, .age_s = 60}));
    run::RunState state = *run::read_state(paths);
    state.supervisor_host = "gpu-a";
    state.progress.eta_s.reset();
    const auto write_heartbeat = [&](double heartbeat) {
        state.heartbeat = heartbeat;
        write_file_atomically(paths.state(), run::to_json(state), false);
    };
    const double behind = wall_seconds() - 3600;
    write_heartbeat(behind);
    RunStore store;
    load(store);
    EXPECT_EQ(store.runs().first().phase, RunPhase::Lost) << "nothing else is known yet";
    write_heartbeat(behind + 1);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().first().phase == RunPhase::Running; }));
}

TEST_F(StoreTest, AFolderThatCannotBeReadIsNotAnEmptyOne) {
    std::ofstream(root() / "file") << "not a folder";
    ::setenv("TRAINYARD_RUNS", (root() / "file").c_str(), 1);
    RunStore store;
    load(store);
    EXPECT_TRUE(store.unreadableFolders().contains(QStringLiteral("cannot be read")));
    test::TemporaryFolder other;
    fabricate(other.path(), {.name = "there"});
    store.setRoot(QString::fromStdString(other.path().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return named(store, "there") != nullptr; }));
    EXPECT_TRUE(store.unreadableFolders().isEmpty());
}

TEST_F(StoreTest, SettingsAndMetricsAreThereAndExactOverRestarts) {
    const auto folder = fabricate(root(), {.name = "one", .step = 100, .of = 100, .lr = 7e-4});
    {
        // The run was restarted from step 60, which discards the later points.
        events::EventFileWriter writer(run::RunPaths(folder).metrics(), ".2");
        writer.add_restart(60, 5e9);
        for (int step = 60; step <= 80; ++step)
            writer.add_scalars(step, 5e9 + step, {{"train/loss", 100.0 + step}});
        writer.flush();
    }
    RunStore store;
    load(store);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().first().metrics && store.runs().first().config; }));
    ASSERT_TRUE(QTest::qWaitFor([&] {
        // A first look may not have come to the losses.
        const desktop::MetricEntry* loss = store.runs().first().metrics->find(QStringLiteral("train/loss"));
        return loss != nullptr && loss->count == 59 + 21;
    }));
    const desktop::MetricEntry loss = *store.runs().first().metrics->find(QStringLiteral("train/loss"));
    EXPECT_EQ(loss.step, 80);
    EXPECT_DOUBLE_EQ(loss.last, 180);
    EXPECT_DOUBLE_EQ(loss.highest, 180);
    EXPECT_DOUBLE_EQ(store.runs().first().config->find(QStringLiteral("lr"))->number, 7e-4);
}

TEST_F(StoreTest, TheCacheGivesTheSameWithoutReading) {
    const auto folder = fabricate(root(), {.name = "one", .step = 50, .of = 50});
    desktop::RunSummary first;
    {
        RunStore store;
        load(store);
        ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().first().spark.size() == 50; }));
        test::settle();
        first = store.runs().first();
    }
    ASSERT_TRUE(std::filesystem::exists(desktop::SummaryCache::usualFile()));
    // The file keeps its name, size and time, but nothing in it can be read: only the cache knows.
    for (const auto& file : std::filesystem::directory_iterator(run::RunPaths(folder).metrics())) {
        const auto time = std::filesystem::last_write_time(file);
        const auto size = std::filesystem::file_size(file);
        std::ofstream(file.path(), std::ios::binary) << std::string(size, 'x');
        std::filesystem::last_write_time(file, time);
    }
    RunStore store;
    load(store);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().first().metrics && store.runs().first().config; }));
    EXPECT_EQ(store.runs().first().spark, first.spark);
    EXPECT_EQ(store.runs().first().metrics->entries().size(), first.metrics->entries().size());
    ASSERT_EQ(store.runs().first().config->entries().size(), first.config->entries().size());
    EXPECT_EQ(store.runs().first().config->find(QStringLiteral("steps"))->text, QStringLiteral("50"));
    EXPECT_EQ(store.runs().first().order, first.order);
}

TEST_F(StoreTest, ABrokenCacheIsNothing) {
    fabricate(root(), {.name = "one", .step = 20, .of = 20});
    std::filesystem::create_directories(desktop::SummaryCache::usualFile().parent_path());
    std::ofstream(desktop::SummaryCache::usualFile()) << "TRNS and then something else";
    RunStore store;
    load(store);
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().first().spark.size() == 20; }));
}

TEST_F(StoreTest, LabelsShowAtOnceAndAreInTheFile) {
    const auto folder = fabricate(root(), {.name = "one", .tags = {"a"}});
    RunStore store;
    load(store);
    EXPECT_EQ(store.runs().first().tags, QStringList{QStringLiteral("a")});
    run::Labels labels = store.runs().first().labels();
    labels.name = "best";
    labels.note = "kept";
    store.setLabels(QString::fromStdString(folder.string()), labels);
    EXPECT_EQ(store.runs().first().name, QStringLiteral("best")) << "before anything was written";
    ASSERT_TRUE(QTest::qWaitFor([&] { return run::labels_or_none(run::RunPaths(folder)).note == "kept"; }));
    store.refresh();
    test::settle();
    EXPECT_EQ(store.runs().first().name, QStringLiteral("best"));
    EXPECT_EQ(store.runs().first().ownName, QStringLiteral("one"));
    // Labels written by another process are read, too.
    run::write_labels(run::RunPaths(folder), {.name = "from elsewhere"});
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().first().name == QStringLiteral("from elsewhere"); }));
}

TEST_F(StoreTest, QueuedPausedAndStalledRunsAreToldApart) {
    const auto change = [&](const char* name, auto edit) {
        const auto folder = fabricate(root(), {.name = name, .status = Status::running, .step = 100, .of = 1000});
        run::RunState state = *run::read_state(run::RunPaths(folder));
        edit(state);
        run::write_state(run::RunPaths(folder), state);
    };
    change("queued", [](run::RunState& state) {
        state.status = Status::queued;
        state.supervisor = {};
    });
    change("second", [](run::RunState& state) {
        state.status = Status::queued;
        state.queue_place = 2;
        state.message = "waits for fine on here, 1 before it";
    });
    change("paused", [](run::RunState& state) { state.ranks[0].phase = "paused"; });
    change("fine", [](run::RunState&) {});
    RunStore store;
    load(store);
    EXPECT_EQ(named(store, "queued")->phase, RunPhase::Queued);
    EXPECT_EQ(named(store, "paused")->phase, RunPhase::Paused);
    EXPECT_EQ(named(store, "fine")->phase, RunPhase::Running);
    EXPECT_EQ(named(store, "second")->phase, RunPhase::Queued);
    EXPECT_EQ(named(store, "second")->queuePlace, 2);
    EXPECT_THAT(named(store, "second")->message,
                test::says_only("waits for {} on {}, {} before it", "fine", "here", 1));
    EXPECT_EQ(store.liveCount(), 4);
}

TEST_F(StoreTest, AQueuedRunWhoseWaiterIsGoneIsNeitherLiveNorFailed) {
    fabricate(root(), {.name = "waits", .status = Status::queued, .step = 0, .silent_s = 60, .metrics = false},
              ProcessId{4'000'000, 1});
    RunStore store;
    load(store);
    const RunSummary* run = named(store, "waits");
    EXPECT_EQ(run->phase, RunPhase::Abandoned);
    EXPECT_FALSE(run->isLive() || run->hasFailed());
    EXPECT_TRUE(run->message.contains(QStringLiteral("lost its place in the queue"))) << qPrintable(run->message);
}

TEST_F(StoreTest, MoreFoldersAndLogsOfOthersAreRows) {
    fabricate(root(), {.name = "here"});
    test::TemporaryFolder other;
    const auto there = fabricate(other.path(), {.name = "there"});
    test::TemporaryFolder logs;
    {
        events::EventFileWriter writer(logs.path());
        writer.add_scalars(1, 1e9, {{"loss", 2.5}});
        writer.flush();
    }
    RunStore store;
    store.setMore({QString::fromStdString(other.path().string())}, {QString::fromStdString(logs.path().string())});
    load(store);
    ASSERT_EQ(store.runs().size(), 3);
    ASSERT_NE(named(store, "there"), nullptr);
    EXPECT_EQ(named(store, "there")->path.toStdString(), there.string());
    const RunSummary* imported = store.findPath(QString::fromStdString(logs.path().string()));
    ASSERT_NE(imported, nullptr);
    EXPECT_EQ(imported->phase, RunPhase::Imported);
    store.setMore({}, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.runs().size() == 1; }));
}

TEST_F(StoreTest, FilesOfOthersAreRowsWithTheirFiguresAndWhatIsMissingStaysGreyed) {
    test::TemporaryFolder logs;
    const auto file = logs.path() / "metrics.csv";
    std::ofstream(file) << "step,loss,acc\n1,2.5,0.1\n2,1.5,0.3\n3,2,0.2\n";
    const auto runs = logs.path() / "runs";
    const auto later = logs.path() / "later.jsonl";
    const auto path = [](const std::filesystem::path& one) { return QString::fromStdString(one.string()); };
    RunStore store;
    store.setMore({path(runs)}, {path(file), path(later), QStringLiteral("gpu-a:runs")});
    load(store);
    const auto known = [&](const std::filesystem::path& one) { return store.findPath(path(one)); };
    ASSERT_TRUE(QTest::qWaitFor([&] { return known(file) != nullptr && known(file)->metrics != nullptr; }));
    ASSERT_EQ(store.runs().size(), 3) << "a path on another host must not count as missing";
    EXPECT_EQ(known(file)->phase, RunPhase::Imported);
    const desktop::MetricEntry* loss = known(file)->metrics->find(QStringLiteral("loss"));
    ASSERT_NE(loss, nullptr);
    EXPECT_EQ(loss->last, 2);
    EXPECT_EQ(loss->lowest, 1.5);
    EXPECT_EQ(known(file)->spark.size(), 3);
    ASSERT_NE(known(runs), nullptr);
    EXPECT_EQ(known(runs)->phase, RunPhase::Missing);
    EXPECT_TRUE(known(runs)->failure.contains(path(runs)));
    EXPECT_FALSE(known(runs)->hasFailed() || known(runs)->isLive() || known(runs)->isOurs());
    ASSERT_NE(known(later), nullptr);
    EXPECT_EQ(known(later)->phase, RunPhase::Missing);

    const auto run = fabricate(runs, {.name = "back"});
    std::ofstream(later) << "{\"step\": 1, \"loss\": 2}\n";
    store.refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] {
        return known(runs) == nullptr && known(run) != nullptr && known(later) != nullptr &&
               known(later)->phase == RunPhase::Imported;
    })) << "it is connected again";
    std::filesystem::remove(file);
    store.refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return known(file)->phase == RunPhase::Missing; }));
}

TEST_F(StoreTest, LogsOfOthersHaveTheNamesTagsAndSettingsThatTheyWrote) {
    test::TemporaryFolder logs;
    const auto session = logs.path() / "tensorboard" / "1767222000.5";
    std::filesystem::create_directories(session);
    {
        events::EventFileWriter curves(session.parent_path()), hparams(session);
        curves.add_scalars(1, 1e9, {{"loss", 2.5}});
        hparams.add_hparams(1e9, {{"lr", 0.01}, {"optimizer", "adamw"}}, {});
        curves.flush();
        hparams.flush();
    }
    test::WrittenWandb wandb;
    wandb.run("brave-llama", {"lora"}, "0.001");
    wandb.history(0, 2);
    const auto file = logs.path() / "run-x.wandb";
    wandb.write(file);
    const auto path = [](const std::filesystem::path& one) { return QString::fromStdString(one.string()); };
    // The second time, what was read of the folder is in the cache.
    for (int time = 0; time < 2; ++time) {
        SCOPED_TRACE(time);
        RunStore store;
        store.setMore({}, {path(session.parent_path()), path(file)});
        load(store);
        const auto setting = [&](const std::filesystem::path& of, const char* key) {
            const RunSummary* run = store.findPath(path(of));
            const desktop::ConfigEntry* entry =
                run == nullptr || !run->config ? nullptr : run->config->find(QLatin1String(key));
            return entry == nullptr ? QString() : entry->text;
        };
        ASSERT_TRUE(QTest::qWaitFor([&] { return setting(session.parent_path(), "lr") == QStringLiteral("0.01"); }));
        EXPECT_EQ(setting(session.parent_path(), "optimizer"), QStringLiteral("adamw"));
        ASSERT_TRUE(QTest::qWaitFor([&] { return setting(file, "lr") == QStringLiteral("0.001"); }));
        const RunSummary* run = store.findPath(path(file));
        EXPECT_EQ(run->name, QStringLiteral("brave-llama"));
        EXPECT_EQ(run->tags, QStringList{QStringLiteral("lora")});
        EXPECT_EQ(setting(file, "summary/best"), QStringLiteral("0.25"));
    }
}

TEST_F(StoreTest, TheFirstToFailAndDamagedCurvesAreTold) {
    const auto failed = fabricate(root(), {.name = "broken", .status = Status::failed, .failure = "Rank 1 ended."});
    run::RunState state = run::read_state(run::RunPaths(failed)).value();
    state.first_failure->rank = 1;
    state.first_failure->host = "gpu-a";
    state.first_failure->step = 412;
    state.first_failure->log = {"Traceback", "\x1b[31mRuntimeError: shapes differ\x1b[0m", "  "};
    run::write_state(run::RunPaths(failed), state);
    const auto torn = fabricate(root(), {.name = "torn", .age_s = 900});
    for (const auto& file : std::filesystem::directory_iterator(run::RunPaths(torn).metrics())) {
        std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(file.path()) / 2));
        bytes << "damaged damaged damaged";
    }
    RunStore store;
    load(store);
    EXPECT_EQ(named(store, "broken")->failureDetails.toStdString(),
              "Rank 1 failed first on gpu-a, at step 412.\nRuntimeError: shapes differ");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !named(store, "torn")->metricsProblem.isEmpty(); }));
    desktop::RunsModel model;
    model.setRuns(store.runs());
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString tip = model.index(row, desktop::RunsModel::State).data(Qt::ToolTipRole).toString();
        EXPECT_TRUE(tip.contains(model.at(row).name == QStringLiteral("torn") ? QStringLiteral("byte")
                                                                              : QStringLiteral("shapes differ")))
            << tip.toStdString();
    }
}

TEST(RunsModelTest, ASecondKeyDecidesAndMissingValuesComeLast) {
    auto summary = [](const char* id, const char* name, std::optional<double> loss) {
        RunSummary run;
        run.id = QLatin1String(id);
        run.name = QLatin1String(name);
        run.phase = RunPhase::Finished;
        run.loss = loss;
        return run;
    };
    desktop::RunsModel model;
    desktop::RunsProxy proxy(&model);
    model.setRuns({summary("4", "b", 1.0), summary("3", "a", {}), summary("2", "b", 0.5), summary("1", "a", 2.0)});
    auto ids = [&] {
        std::string text;
        for (int row = 0; row < proxy.rowCount(); ++row)
            text += proxy.at(proxy.index(row, 0)).id.toStdString();
        return text;
    };
    proxy.sort(desktop::RunsModel::Train, Qt::AscendingOrder);
    EXPECT_EQ(ids(), "2413");
    proxy.sort(desktop::RunsModel::Train, Qt::DescendingOrder);
    EXPECT_EQ(ids(), "1423");
    proxy.sort(desktop::RunsModel::Name, Qt::AscendingOrder);
    proxy.setSecondKey(desktop::RunsModel::Train, Qt::AscendingOrder);
    EXPECT_EQ(ids(), "1324");
    proxy.setSecondKey(desktop::RunsModel::Train, Qt::DescendingOrder);
    EXPECT_EQ(ids(), "1342");
    EXPECT_TRUE(model.headerData(desktop::RunsModel::Train, Qt::Horizontal, Qt::DisplayRole)
                    .toString()
                    .contains(QStringLiteral("²")));
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
