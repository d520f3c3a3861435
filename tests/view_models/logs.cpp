// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a log and the list of logs of a folder.

#include <QSignalSpy>
#include <QTest>

#include "core_application.h"
#include "desktop/curves/log_list_model.h"
#include "desktop/sources/log_record.h"
#include "support/model_check.h"
#include "widgets/plot/log_model.h"

namespace trainyard::desktop {
namespace {

using widgets::LogBlock;
using widgets::LogFilter;
using widgets::LogModel;
using widgets::LogPattern;

class Logs : public test::CoreTest {};

std::shared_ptr<LogBlock> block(int first, int lines, int ranks = 2) {
    auto made = std::make_shared<LogBlock>();
    for (int i = first; i < first + lines; ++i)
        made->add(i % ranks,
                  (i % 5 == 0 ? "08:41:07.114 WARN  slow " : "08:41:07.114 INFO  step ") + std::to_string(i));
    return made;
}

widgets::LiveLine live(int rank, const char* words) {
    widgets::LiveLine line;
    line.rank = rank;
    line.line.text = words;
    return line;
}

TEST_F(Logs, LinesComeAreFilteredAndVanish) {
    LogModel model;
    test::check_model<LogModel>(model);
    const auto settled = [&] { return QTest::qWaitFor([&] { return !model.isFiltering(); }, 20'000); };
    model.append(block(0, 100));
    EXPECT_EQ(model.rowCount(), 100);
    auto growing = block(100, 10);
    growing->live = {live(0, "10 %"), live(1, "20 %")};
    model.append(growing);
    EXPECT_EQ(model.rowCount(), 112) << "and the lines that both ranks are writing";
    growing = block(110, 10);
    growing->live = {live(1, "30 %")};
    model.append(growing);
    EXPECT_EQ(model.rowCount(), 121);
    test::read_all(model);
    LogFilter filter;
    filter.ranks = {1};
    model.setFilter(filter);
    ASSERT_TRUE(settled());
    EXPECT_EQ(model.rowCount(), 61);
    model.append(block(120, 4));
    ASSERT_TRUE(settled());
    filter.least = widgets::LogLevel::Warning;
    model.setFilter(filter);
    ASSERT_TRUE(settled());
    EXPECT_EQ(model.rowCount(), 12);
    model.setSearch(LogPattern(QStringLiteral("slow")));
    ASSERT_TRUE(settled());
    EXPECT_EQ(model.found().size(), 12u);
    model.setFilter({});
    ASSERT_TRUE(settled());
    EXPECT_EQ(model.rowCount(), 124);
    // A line that is written over those above it takes them away, with a filter and without one.
    for (const bool filtered : {false, true}) {
        model.clear();
        filter = {};
        filter.ranks = filtered ? std::vector<int>{0} : std::vector<int>{};
        model.setFilter(filter);
        model.append(block(0, 6, 1));
        ASSERT_TRUE(settled());
        auto over = std::make_shared<LogBlock>();
        over->folds = {{0, 3}};
        over->add(0, "written over three lines");
        model.append(over);
        ASSERT_TRUE(settled());
        EXPECT_EQ(model.rowCount(), 4);
        test::read_all(model);
    }
    model.setSearch({});
    model.clear();
    EXPECT_EQ(model.rowCount(), 0);
}

TEST_F(Logs, SourcesAreAddedTickedAndFiltered) {
    std::vector<std::unique_ptr<LogRecord>> records;
    LogListModel model;
    test::check_model<LogListModel>(model);
    const auto add = [&](int from, int to) {
        std::vector<LogRecord*> added;
        for (int i = from; i < to; ++i) {
            const QString name = QStringLiteral("run %1/metrics.csv").arg(i);
            records.push_back(
                std::make_unique<LogRecord>(("/none/" + name.toStdString()), LogKind::Csv, name, i % 10 + 1));
            added.push_back(records.back().get());
        }
        model.add(added);
    };
    model.tickShown(true);
    EXPECT_EQ(model.setFilter(QStringLiteral("nothing")), QString());
    model.setFilter({});
    add(5, 20);
    add(0, 5);
    EXPECT_EQ(model.rowCount(), 20);
    EXPECT_EQ(model.ticked().size(), LogListModel::kFirstTicks);
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("run 0")) << "in order, without what all end with";
    EXPECT_EQ(test::read_all(model), 20);
    EXPECT_EQ(model.setFilter(QStringLiteral("run 1")), QString());
    EXPECT_EQ(model.rowCount(), 11);
    EXPECT_FALSE(model.setFilter(QStringLiteral("/(/")).isEmpty());
    EXPECT_EQ(model.rowCount(), 11);
    model.tickOnly(1);
    EXPECT_EQ(model.ticked().size(), 1);
    model.tickShown(true);
    EXPECT_EQ(model.shownState(), Qt::Checked);
    QSignalSpy chosen(&model, &LogListModel::ticksChosen);
    EXPECT_TRUE(model.setData(model.index(0, 0), Qt::Unchecked, Qt::CheckStateRole));
    EXPECT_EQ(chosen.count(), 1);
    EXPECT_EQ(model.shownState(), Qt::PartiallyChecked);
    model.setFilter({});
    EXPECT_EQ(model.ticked().size(), 10);
    model.setTicks({QStringLiteral("run 3/metrics.csv")});
    EXPECT_EQ(model.ticked().size(), 1);
}

}  // namespace
}  // namespace trainyard::desktop
