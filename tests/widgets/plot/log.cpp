// The log: what is taken from a line, filters, following the newest line, a million lines.

#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "widgets/plot/log_view.h"

namespace trainyard::widgets {
namespace {

std::shared_ptr<LogBlock> block(const std::vector<std::pair<int, std::string>>& lines) {
    auto made = std::make_shared<LogBlock>();
    for (const auto& [rank, line] : lines)
        made->add(rank, line);
    return made;
}

TEST(Log, EscapeSequencesAndOvertypedTextGo) {
    EXPECT_EQ(plain_text("\x1b[31mred\x1b[0m and \x1b[1;32mgreen\x1b[m"), "red and green");
    EXPECT_EQ(plain_text("\x1b]0;title\x07words"), "words");
    EXPECT_EQ(plain_text(" 10 %\r 20 %\r 30 %\r\n"), " 30 %");
    EXPECT_EQ(plain_text("ends in an escape \x1b["), "ends in an escape ");
    EXPECT_EQ(plain_text("\x1b"), "");
}

TEST(Log, FindsTimeAndLevel) {
    EXPECT_EQ(line_time("08:41:07.114 INFO  words"), ((8 * 60 + 41) * 60 + 7) * 1000 + 114);
    EXPECT_EQ(line_time("8:41:07 INFO"), -1);
    const auto lines = block({{0, "08:41:07.114 INFO  step 3"},
                              {1, "08:41:07.114 WARN  waited"},
                              {1, "08:41:07.115 ERROR gone"},
                              {0, "Traceback (most recent call last):"},
                              {0, "just words"}})
                           ->lines;
    EXPECT_EQ(lines[0].level, LogLevel::Info);
    EXPECT_EQ(lines[0].head, 19);
    EXPECT_EQ(lines[1].level, LogLevel::Warning);
    EXPECT_EQ(lines[2].level, LogLevel::Error);
    EXPECT_EQ(lines[3].level, LogLevel::Error);
    EXPECT_EQ(lines[3].head, 0);
    EXPECT_EQ(lines[4].level, LogLevel::None);
}

TEST(Log, FilterByRankLevelAndWords) {
    LogModel model;
    model.append(block({{0, "08:41:07.114 INFO  loss 2.5"}, {1, "08:41:07.115 WARN  Slow rank"}}));
    EXPECT_EQ(model.rowCount(), 2);
    LogFilter filter;
    filter.rank = 1;
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 1; }));
    EXPECT_EQ(model.lineOfRow(0), 1u);
    model.append(block({{1, "08:41:08.000 INFO  more of rank 1"}, {0, "08:41:08.000 INFO  of rank 0"}}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 2; }));
    filter = {};
    filter.setWords(QStringLiteral("slow RANK"));
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 1; }));
    filter.setWords(QStringLiteral("/loss [0-9.]+$/"));
    EXPECT_TRUE(filter.problem().isEmpty());
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 1 && !model.isFiltering(); }));
    EXPECT_EQ(model.copyText(0), QStringLiteral("r0  08:41:07.114 INFO  loss 2.5"));
    filter.setWords(QStringLiteral("/(/"));
    EXPECT_FALSE(filter.problem().isEmpty());
    model.setFilter({});
    EXPECT_EQ(model.rowCount(), 4);
}

TEST(Log, AMillionLinesAreHeldAndFilteredInSlices) {
    LogModel model;
    for (int part = 0; part < 100; ++part) {
        auto made = std::make_shared<LogBlock>();
        for (int i = 0; i < 10'000; ++i)
            made->add(i % 2,
                      i == 5000 ? "08:41:07.114 WARN  the one to find" : "08:41:07.114 INFO  step 18420 loss 2.4893");
        model.append(made);
    }
    ASSERT_EQ(model.rowCount(), 1'000'000);
    EXPECT_EQ(model.store().count(LogLevel::Warning), 100u);
    LogFilter filter;
    filter.setWords(QStringLiteral("one to find"));
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model.isFiltering(); }, 30'000));
    EXPECT_EQ(model.rowCount(), 100);
}

TEST(Log, FollowingEndsWhenOneScrollsUpAndComesBack) {
    LogView view(QStringLiteral("log"));
    view.resize(500, 200);
    view.show();
    const auto lines = [](int count) {
        auto made = std::make_shared<LogBlock>();
        for (int i = 0; i < count; ++i)
            made->add(0, "08:41:07.114 INFO  line");
        return made;
    };
    view.log()->append(lines(100));
    QTest::qWait(1);
    EXPECT_TRUE(view.isFollowing());
    EXPECT_EQ(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    QSignalSpy changes(&view, &LogView::followingChanged);
    view.verticalScrollBar()->triggerAction(QAbstractSlider::SliderPageStepSub);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.isFollowing(); }));
    const int place = view.verticalScrollBar()->value();
    view.log()->append(lines(7));
    EXPECT_EQ(view.newLines(), 7);
    EXPECT_EQ(view.verticalScrollBar()->value(), place);
    view.setFollowing(true);
    EXPECT_EQ(view.newLines(), 0);
    EXPECT_EQ(view.verticalScrollBar()->value(), view.verticalScrollBar()->maximum());
    EXPECT_EQ(changes.count(), 2);
}

}  // namespace
}  // namespace trainyard::widgets
