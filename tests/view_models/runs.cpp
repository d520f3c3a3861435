// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the models of the list of runs and of the tables of one run: they are filled, changed, moved, sorted and
// filtered while a QAbstractItemModelTester checks them.

#include <QMimeData>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include "core_application.h"
#include "desktop/dashboard/events_model.h"
#include "desktop/dashboard/ranks_model.h"
#include "desktop/runs/runs_proxy.h"
#include "support/model_check.h"
#include "widgets/cell.h"

namespace trainyard::desktop {
namespace {

class RunModels : public test::CoreTest {};

RunSummary summary(int order, RunPhase phase = RunPhase::Finished) {
    RunSummary run;
    run.id = QStringLiteral("run-%1").arg(order, 4, 10, QLatin1Char('0'));
    run.path = QStringLiteral("/runs/") + run.id;
    run.name = run.ownName = QStringLiteral("name %1").arg(order % 7);
    run.phase = phase;
    run.order = run.number = order;
    run.created = 1.7e9 + order;
    run.step = order * 10;
    run.of = 1000;
    if (order % 3 != 0)
        run.loss = 1.0 / order;
    run.spark = {{0, 1}, {1, 0.5}};
    return run;
}

QStringList ids(const QAbstractItemModel& model) {
    QStringList list;
    for (int row = 0; row < model.rowCount(); ++row)
        list << model.index(row, RunsModel::Name).data(Qt::DisplayRole).toString();
    return list;
}

QStringList paths(const RunsProxy& proxy) {
    QStringList list;
    for (int row = 0; row < proxy.rowCount(); ++row)
        list << proxy.at(proxy.index(row, 0)).path;
    return list;
}

TEST_F(RunModels, RunsComeGoAndChange) {
    RunsModel model;
    RunsProxy proxy(&model);
    test::check_model<RunsModel>(model);
    test::check_model<RunsProxy>(proxy);
    RunSummaries runs;
    for (int order = 1; order <= 40; ++order)
        runs << summary(order, order % 10 == 0 ? RunPhase::Running : RunPhase::Finished);
    model.setRuns(runs);
    EXPECT_EQ(proxy.rowCount(), 40);
    EXPECT_EQ(test::read_all(proxy), 40 * RunsModel::ColumnCount);
    const QPersistentModelIndex kept(model.index(20, RunsModel::Name));
    // Some at the beginning, in the middle and at the end go, others come, one changes.
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    runs.removeAt(39);
    runs.removeAt(17);
    runs.removeAt(0);
    runs.insert(5, summary(105, RunPhase::Queued));
    runs.prepend(summary(100));
    runs << summary(141);
    runs[3].tags = {QStringLiteral("new")};
    model.setRuns(runs);
    EXPECT_EQ(resets.count(), 0) << "remaining rows must keep their position and selection";
    EXPECT_EQ(model.at(kept.row()).id, QStringLiteral("run-0021"));
    EXPECT_EQ(model.rowCount(), runs.size());
    for (int row = 0; row < model.rowCount(); ++row)
        EXPECT_EQ(model.at(row), runs[row]);
    // Another order, and nothing at all.
    std::reverse(runs.begin(), runs.end());
    model.setRuns(runs);
    EXPECT_EQ(ids(model).size(), runs.size());
    model.setRuns({});
    EXPECT_EQ(proxy.rowCount(), 0);
    model.setRuns(runs);
    EXPECT_EQ(proxy.rowCount(), runs.size());
}

TEST_F(RunModels, RandomChangesLeaveTheListRight) {
    RunsModel model;
    RunsProxy proxy(&model);
    test::check_model<RunsModel>(model);
    test::check_model<RunsProxy>(proxy);
    QRandomGenerator random(20261123);
    RunSummaries runs;
    for (int turn = 0; turn < 60; ++turn) {
        for (int change = random.bounded(4); change >= 0; --change)
            switch (random.bounded(4)) {
                case 0:
                    if (!runs.isEmpty())
                        runs.removeAt(random.bounded(static_cast<int>(runs.size())));
                    break;
                case 1:
                    if (!runs.isEmpty())
                        runs[random.bounded(static_cast<int>(runs.size()))].step += 1;
                    break;
                default:
                    runs.insert(random.bounded(static_cast<int>(runs.size()) + 1), summary(turn * 10 + change + 1));
            }
        model.setRuns(runs);
        ASSERT_EQ(model.rowCount(), runs.size());
        for (int row = 0; row < model.rowCount(); ++row)
            ASSERT_EQ(model.at(row), runs[row]);
        ASSERT_EQ(proxy.rowCount(), runs.size());
    }
}

TEST_F(RunModels, ColumnsTicksSortingAndFilters) {
    RunsModel model;
    RunsProxy proxy(&model);
    test::check_model<RunsModel>(model);
    test::check_model<RunsProxy>(proxy);
    RunSummaries runs;
    for (int order = 1; order <= 12; ++order)
        runs << summary(order, order == 4 ? RunPhase::Running : RunPhase::Finished);
    runs[6].queuePlace = 1;
    runs[6].phase = RunPhase::Queued;
    runs[8].queuePlace = 2;
    runs[8].phase = RunPhase::Queued;
    model.setRuns(runs);
    model.setExtraColumns({QStringLiteral("optimizer.lr"), QStringLiteral("eval/loss.best"), QStringLiteral("tag")});
    EXPECT_EQ(proxy.columnCount(), RunsModel::ColumnCount + 3);
    model.setExtraColumns({QStringLiteral("eval/loss.best"), QStringLiteral("train/loss")});
    EXPECT_EQ(model.columnOf(QStringLiteral("train/loss")), RunsModel::ColumnCount + 1);
    model.tick({runs[2].path}, true);
    EXPECT_EQ(model.ticked(), QStringList{runs[2].path});
    for (int column = 0; column < proxy.columnCount(); ++column)
        for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
            proxy.sort(column, order);
            EXPECT_EQ(paths(proxy).first(), runs[3].path) << "live runs are on top";
        }
    proxy.sort(RunsModel::Train, Qt::AscendingOrder);
    proxy.setSecondKey(RunsModel::Name, Qt::AscendingOrder);
    EXPECT_TRUE(proxy.setFilterText(QStringLiteral("name")).isEmpty());
    EXPECT_EQ(proxy.rowCount(), 12);
    EXPECT_TRUE(proxy.setFilterText(QStringLiteral("state:queued")).isEmpty());
    EXPECT_EQ(proxy.rowCount(), 2);
    EXPECT_TRUE(proxy.index(0, 0).flags() & Qt::ItemIsDragEnabled);
    const std::unique_ptr<QMimeData> dragged(proxy.mimeData({proxy.index(1, 0)}));
    ASSERT_NE(dragged, nullptr);
    QSignalSpy moves(&proxy, &RunsProxy::queueMoveWanted);
    proxy.dropMimeData(dragged.get(), Qt::MoveAction, 0, 0, {});
    EXPECT_EQ(moves.count(), 1);
    EXPECT_TRUE(proxy.setFilterText({}).isEmpty());
    proxy.setOnly(QSet<QString>{runs[0].path, runs[1].path});
    EXPECT_EQ(proxy.rowCount(), 2);
    proxy.setOnly({});
    proxy.setSegment(RunSegment::All);
    EXPECT_EQ(test::read_all(proxy), 12 * proxy.columnCount());
}

run::RankState rank(int number, const std::string& host, const std::string& state = "running") {
    run::RankState rank;
    rank.rank = number;
    rank.host = host;
    rank.device = "cpu";
    rank.state = state;
    rank.step = 10 * number;
    return rank;
}

TEST_F(RunModels, RanksOfOneHostAndOfSeveral) {
    RanksModel model;
    test::check_model<RanksModel>(model);
    model.setRanks({rank(0, "here"), rank(1, "here")}, -1);
    EXPECT_EQ(model.rowCount(), 2);
    EXPECT_EQ(test::read_all(model), 2 * RanksModel::ColumnCount);
    model.setRanks({rank(0, "here"), rank(1, "here", "failed")}, 1);
    const auto cell = [&](int row, int column) {
        return model.index(row, column).data(widgets::CellRole).value<widgets::Cell>();
    };
    EXPECT_EQ(cell(1, RanksModel::Rank).ink, widgets::Token::Error);
    EXPECT_EQ(cell(1, RanksModel::State).ink, widgets::Token::Error);
    EXPECT_EQ(cell(0, RanksModel::State).ink, widgets::Token::Ok);
    EXPECT_EQ(cell(0, RanksModel::Step).alignment, Qt::AlignRight);
    run::MachineState lost;
    lost.host = "b";
    lost.state = "lost";
    model.setRanks({rank(0, "a"), rank(1, "a"), rank(2, "b"), rank(3, "b")}, -1, {lost}, 100);
    EXPECT_EQ(model.rowCount(), 6);
    EXPECT_TRUE(model.isHost(0));
    EXPECT_TRUE(model.isHost(3));
    EXPECT_TRUE(cell(3, 0).strong);
    EXPECT_EQ(cell(3, 0).ink, widgets::Token::Error);
    EXPECT_EQ(test::read_all(model), 6 * RanksModel::ColumnCount);
    model.setRanks({}, -1);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(RunModels, EventsAreAddedOnTop) {
    EventsModel model;
    test::check_model<EventsModel>(model);
    std::vector<run::Event> events;
    model.follow(events);
    for (int i = 0; i < 30; ++i) {
        run::Event event;
        event.time = 1.7e9 + i;
        event.step = i;
        event.kind = i % 5 == 4 ? "phase" : i % 7 == 6 ? "failure" : "checkpoint";
        event.rank = i % 5 == 4 ? 1 : -1;
        event.text = Message("event {}", i);
        events.push_back(event);
        if (i % 4 == 3)
            model.follow(events);
    }
    model.follow(events);
    EXPECT_EQ(model.rowCount(), 24) << "phases of ranks belong in the table of ranks";
    EXPECT_EQ(model.eventAt(0).text, "event 28");
    EXPECT_EQ(model.rowOf(28), 0);
    EXPECT_EQ(model.rowOf(29), -1);
    EXPECT_EQ(test::read_all(model), 24);
}

}  // namespace
}  // namespace trainyard::desktop
