// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of a page each: hyper-parameters, checks before a start, rows of a trace, checkpoints, values of a chart.

#include <QSignalSpy>

#include "core_application.h"
#include "curves/fake_source.h"
#include "desktop/checkpoints/checkpoint_list_model.h"
#include "desktop/curves/parameters_model.h"
#include "desktop/launch/check_table.h"
#include "desktop/sweeps/trials_model.h"
#include "desktop/traces/profile_model.h"
#include "desktop/traces/trace_table_model.h"
#include "support/model_check.h"
#include "widgets/cell.h"
#include "widgets/cell_rows.h"
#include "widgets/plot/value_table_model.h"

namespace trainyard::desktop {
namespace {

class Tables : public test::CoreTest {};

widgets::Cell cell(const QAbstractItemModel& model, int row, int column) {
    return model.index(row, column).data(widgets::CellRole).value<widgets::Cell>();
}

TEST_F(Tables, ParametersOfSeveralSources) {
    test::FakeSource a(QStringLiteral("a")), b(QStringLiteral("b")), none(QStringLiteral("none"));
    a.setParameters({{"lr", "0.1"}, {"layers", "2"}});
    b.setParameters({{"lr", "0.2"}, {"layers", "2"}, {"seed", "1"}});
    ParametersModel model;
    test::check_model<ParametersModel>(model);
    model.setSources({&a});
    EXPECT_EQ(model.columnCount(), 2);
    model.setSources({&a, &none, &b});
    EXPECT_EQ(model.columnCount(), 3);
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.differing(), 2);
    EXPECT_EQ(test::read_all(model), 9);
    EXPECT_TRUE(cell(model, 0, 1).strong) << "what differs stands first and stands out";
    EXPECT_FALSE(cell(model, 0, 0).strong);
    EXPECT_EQ(cell(model, 0, 0).ink, widgets::Token::TextSecondary);
    EXPECT_FALSE(cell(model, 2, 1).strong);
    model.setSources({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Tables, ChecksByHost) {
    const std::vector<std::pair<std::string, std::string>> checks{{"reach", "Reachable"}, {"disk", "Disk"}};
    CheckTable model;
    test::check_model<CheckTable>(model);
    model.reset(checks, {QStringLiteral("a"), QStringLiteral("b")});
    EXPECT_EQ(model.columnCount(), 3);
    remote::CheckResult result;
    result.check = "disk";
    result.host = "b";
    result.state = CheckState::failed;
    result.text = "4 GB free";
    result.mend = "Free some";
    model.take(result);
    EXPECT_EQ(model.worst(), model.index(1, 2));
    EXPECT_EQ(cell(model, 1, 2).chip.color, widgets::Token::Error);
    EXPECT_EQ(cell(model, 1, 2).text, QStringLiteral("4 GB free"));
    EXPECT_EQ(cell(model, 1, 0).text, QStringLiteral("Disk"));
    model.setText(QStringLiteral("reach"), QStringLiteral("a"), QStringLiteral("soon"));
    EXPECT_EQ(model.index(0, 1).data().toString(), QStringLiteral("soon"));
    EXPECT_EQ(test::read_all(model), 6);
    // More hosts than columns: a summary, and the hosts where something failed.
    QStringList hosts;
    for (int host = 0; host < 9; ++host)
        hosts << QStringLiteral("host%1").arg(host);
    model.reset(checks, hosts);
    EXPECT_EQ(model.columnCount(), 2);
    for (const char* host : {"host3", "host7"}) {
        result.host = host;
        model.take(result);
    }
    EXPECT_EQ(model.columnCount(), 4);
    result.state = CheckState::passed;
    model.take(result);
    EXPECT_EQ(model.columnCount(), 3);
    test::read_all(model);
    model.reset({}, {});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Tables, RecordedProfiles) {
    ProfileModel model;
    test::check_model<ProfileModel>(model);
    QVector<RecordedProfile> profiles;
    for (int i = 0; i < 5; ++i)
        profiles.append({QStringLiteral("run %1").arg(i),
                         QStringLiteral("step %1").arg(i),
                         {QStringLiteral("/a/%1.trace.json").arg(i)},
                         static_cast<quint64>(i) * 1000,
                         i * 1e9});
    model.setProfiles(profiles);
    EXPECT_EQ(model.rowCount(), 5);
    test::read_all(model);
    EXPECT_EQ(model.index(1, 0).data(Qt::ToolTipRole).toString(), QStringLiteral("/a/1.trace.json"));
    model.setProfiles({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Tables, RowsOfATrace) {
    TraceTableModel model;
    test::check_model<TraceTableModel>(model);
    QVector<TraceRow> rows;
    for (int i = 0; i < 20; ++i) {
        TraceRow row;
        row.name = QStringLiteral("op %1").arg((i * 7) % 20);
        row.family = QStringLiteral("compute");
        row.count = static_cast<std::uint64_t>(i + 1);
        row.total = 1000 * ((i * 3) % 20);
        row.share = i / 20.0;
        row.color = i % 4;
        rows << row;
    }
    for (const TraceTable table :
         {TraceTable::Kernels, TraceTable::Operations, TraceTable::Calls, TraceTable::Slices, TraceTable::Compared}) {
        model.setRows(table, rows);
        EXPECT_EQ(model.rowCount(), 20);
        test::read_all(model);
        for (int column = 0; column < model.columnCount(); ++column) {
            model.sort(column, Qt::DescendingOrder);
            model.sort(column, Qt::AscendingOrder);
        }
        EXPECT_EQ(model.plain().size(), 21) << "a line for the titles";
    }
    model.setRows(TraceTable::Kernels, rows);
    model.sort(0);
    EXPECT_EQ(model.at(0).name, QStringLiteral("op 0"));
    model.setRows(TraceTable::Kernels, {});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Tables, CheckpointsOnTheirShelf) {
    CheckpointListModel model;
    test::check_model<CheckpointListModel>(model);
    inspect::CheckpointList checkpoint_list;
    for (int step = 5; step > 0; --step) {
        inspect::CheckpointEntry item;
        item.folder = "/runs/a/checkpoint_" + std::to_string(step);
        item.name = "checkpoint_" + std::to_string(step);
        item.step = step;
        item.metric = 1.0 / step;
        item.layout = "one file";
        item.pinned = step == 3;
        if (step == 2)
            item.not_good = "its loss is not finite";
        checkpoint_list.items.push_back(item);
    }
    model.setShelf(checkpoint_list);
    EXPECT_EQ(model.rowCount(), 5);
    EXPECT_EQ(model.columnCount(model.index(0, 0)), 0) << "a table has no second level";
    model.setTicks(0, 4);
    EXPECT_TRUE(cell(model, 0, CheckpointListModel::Step).tick.value_or(false));
    inspect::PrunePlan plan;
    for (std::size_t item = 0; item < 5; ++item)
        plan.rows.push_back({item, item == 3, "no rule keeps it"});
    model.setPlan(plan);
    EXPECT_EQ(cell(model, 3, CheckpointListModel::Step).ink, widgets::Token::TextMuted);
    EXPECT_EQ(cell(model, 3, CheckpointListModel::Layout).ink, widgets::Token::Error);
    EXPECT_EQ(test::read_all(model), 5 * CheckpointListModel::ColumnCount);
    checkpoint_list.items.pop_back();
    model.setShelf(checkpoint_list);
    EXPECT_EQ(model.rowCount(), 4);
    model.setShelf({});
    model.setTicks(-1, -1);
    model.setPlan({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Tables, TrialsOfASweep) {
    TrialsModel model;
    test::check_model<TrialsModel>(model);
    EXPECT_EQ(model.rowCount(), 0);
    sweep::StoredSweep sweep;
    sweep.folder = "/runs/.sweeps/lr-0a1b";
    sweep.file.metric = "eval/loss";
    sweep.file.parameters.resize(2);
    sweep.file.parameters[0].key = "optimizer.lr";
    sweep.file.parameters[1].key = "model.family";
    const char* rates[] = {"1e-2", "0.002", "3e-5"};
    for (int i = 0; i < 3; ++i) {
        sweep::Trial& trial = sweep.trials[i];
        trial.number = i;
        trial.point = {rates[i], i == 1 ? "llama" : "gpt2"};
        trial.state = i == 2 ? sweep::TrialState::failed : sweep::TrialState::finished;
        if (i < 2)
            trial.value = 2.0 - i;
        else
            trial.problem = Message("the batch does not fit");
    }
    model.setSweep(sweep);
    EXPECT_EQ(model.columnCount(), TrialsModel::FirstParameter + 3);
    EXPECT_TRUE(cell(model, 1, TrialsModel::Value).strong) << "the best";
    EXPECT_EQ(cell(model, 2, TrialsModel::State).chip.color, widgets::Token::Error);
    EXPECT_EQ(model.index(2, TrialsModel::State).data(Qt::ToolTipRole), QStringLiteral("The batch does not fit"));
    EXPECT_EQ(test::read_all(model), 3 * model.columnCount());
    model.sort(TrialsModel::FirstParameter, Qt::AscendingOrder);
    EXPECT_EQ(model.trial(0)->number, 2) << "by number, not by letters";
    model.sort(TrialsModel::Value, Qt::AscendingOrder);
    EXPECT_EQ(model.trial(0)->number, 1);
    EXPECT_EQ(model.trial(2)->number, 2) << "without a value";
    EXPECT_EQ(model.rowOf(0), 1);
    EXPECT_EQ(model.rowOf(7), -1);
    EXPECT_EQ(model.trial(3), nullptr);
    sweep.trials.clear();
    model.setSweep(sweep);
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Tables, ValuesOfAChart) {
    widgets::ChartValues values;
    for (int curve = 0; curve < 2; ++curve) {
        widgets::ChartValues::Column column;
        column.name = QStringLiteral("curve %1").arg(curve);
        for (int step = 0; step < 10; ++step)
            column.series.append(widgets::SeriesPoint{step * (curve + 1), 1.7e9 + step, 0.5 * step});
        values.columns.push_back(std::move(column));
    }
    widgets::ValueTableModel model(values);
    test::check_model<widgets::ValueTableModel>(model);
    EXPECT_TRUE(model.isWhole());
    EXPECT_EQ(model.rowCount(), 15) << "the steps of both";
    EXPECT_EQ(test::read_all(model), 45);
    EXPECT_EQ(model.index(14, 2).data(Qt::UserRole).toDouble(), 4.5);
    EXPECT_FALSE(model.index(14, 1).data().isValid()) << "the first curve has no such step";
    values.in_sight = true;
    values.range = {2, 4};
    const widgets::ValueTableModel part(values);
    EXPECT_EQ(part.rowCount(), 3);
    widgets::ValueTableModel empty(widgets::ChartValues{});
    test::check_model<widgets::ValueTableModel>(empty);
    EXPECT_EQ(empty.rowCount(), 0);
}

TEST_F(Tables, RowsThatAreSetAsAWhole) {
    using widgets::CellRows;
    CellRows model({{QStringLiteral("Name")}, {.title = QStringLiteral("Size"), .number = true}});
    test::check_model<CellRows>(model);
    const auto row = [](const char* name, const char* size) {
        return CellRows::Row{{{.text = QLatin1String(name)}, QStringLiteral("tip"), 7},
                             {{.text = QLatin1String(size)}}};
    };
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset), changes(&model, &QAbstractItemModel::dataChanged);
    model.setRows({row("a", "1"), row("b", "2"), row("c", "3")});
    const QPersistentModelIndex second = model.index(1, 0);
    model.setRows({row("x", "4"), row("y", "5")});
    EXPECT_TRUE(second.isValid()) << "rows that stay keep their selection";
    EXPECT_EQ(second.data().toString(), QStringLiteral("y"));
    EXPECT_EQ(second.data(Qt::ToolTipRole).toString(), QStringLiteral("tip"));
    EXPECT_EQ(second.data(Qt::UserRole).toInt(), 7);
    EXPECT_EQ(cell(model, 1, 1).alignment, Qt::AlignRight);
    EXPECT_EQ(resets.count(), 0);
    EXPECT_EQ(changes.count(), 2);
    model.setRows({{{{.chip = {QStringLiteral("Failed")}}}}});  // a chip, and no second cell
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("Failed"));
    EXPECT_EQ(model.index(0, 1).data().toString(), QString());
    EXPECT_EQ(test::read_all(model), 2);
    model.setColumns({{QStringLiteral("Only")}});
    EXPECT_EQ(resets.count(), 1);
    EXPECT_EQ(model.headerData(0, Qt::Horizontal).toString(), QStringLiteral("Only"));
    model.setRows({});
    EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace trainyard::desktop
