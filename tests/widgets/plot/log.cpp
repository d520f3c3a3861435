// SPDX-License-Identifier: GPL-3.0-or-later
// The log: what is taken from a line, filters, following the newest line, a million lines.

#include <QElapsedTimer>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "support/child.h"
#include "support/settle.h"
#include "widgets/plot/log_ansi.h"
#include "widgets/plot/log_line_delegate.h"
#include "widgets/plot/log_scroll_bar.h"
#include "widgets/plot/log_view.h"
#include "widgets/theme.h"

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

TEST(Log, WhatTheProfilerPrintsWithoutAGpuIsNotAnError) {
    const auto lines = block({{0,
                               "ERROR:2026-11-27 22:30:54 20064:20064 DeviceProperties.cpp:56] gpuGetDeviceCount "
                               "failed with code 35"},
                              {0, "ERROR: External init callback must run in same thread as registerClient (1 != 2)"},
                              {0, "ERROR:2026-11-27 22:30:54 1:1 CuptiActivityApi.cpp:5] cannot record"}})
                           ->lines;
    EXPECT_EQ(lines[0].level, LogLevel::Info);
    EXPECT_EQ(lines[1].level, LogLevel::Info);
    EXPECT_EQ(lines[2].level, LogLevel::Error);
}

TEST(Log, FilterByRankLevelAndWords) {
    LogModel model;
    model.append(block({{0, "08:41:07.114 INFO  loss 2.5"}, {1, "08:41:07.115 WARN  Slow rank"}}));
    EXPECT_EQ(model.rowCount(), 2);
    LogFilter filter;
    filter.ranks = {1};
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 1; }));
    EXPECT_EQ(model.lineOfRow(0), 1u);
    model.append(block({{1, "08:41:08.000 INFO  more of rank 1"}, {0, "08:41:08.000 INFO  of rank 0"}}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 2; }));
    filter = {};
    filter.pattern = LogPattern(QStringLiteral("slow RANK"));
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 1; }));
    filter.pattern = LogPattern(QStringLiteral("/loss [0-9.]+$/"));
    EXPECT_TRUE(filter.pattern.problem().isEmpty());
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 1 && !model.isFiltering(); }));
    EXPECT_EQ(model.copyText(0), QStringLiteral("r0  08:41:07.114 INFO  loss 2.5"));
    EXPECT_FALSE(LogPattern(QStringLiteral("/(/")).problem().isEmpty());
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
    filter.pattern = LogPattern(QStringLiteral("one to find"));
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
    test::settle();
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

TEST(Log, ColoursOfTheTerminalAreKept) {
    const TerminalLine line =
        terminal_line("a \x1b[1;31mred\x1b[0m \x1b[38;5;208morange\x1b[38;2;1;2;3mdark\x1b[39m end");
    EXPECT_EQ(line.text, "a red orangedark end");
    ASSERT_EQ(line.styled.size(), 3u);
    EXPECT_EQ(line.text.substr(line.styled[0].begin, line.styled[0].end - line.styled[0].begin), "red");
    EXPECT_TRUE(line.styled[0].style.bold);
    EXPECT_EQ(line.styled[0].style.color, 1u);
    EXPECT_EQ(line.styled[1].style.color, 208u);
    EXPECT_EQ(line.styled[2].style.kind, LogStyle::Kind::Rgb);
    EXPECT_EQ(line.styled[2].style.color, 0x010203u);
    // A colour outlives what is overwritten; a backspace takes one character, whatever its bytes.
    const TerminalLine over = terminal_line("old \x1b[32m10 %\r20 %\x1b[0m");
    ASSERT_EQ(over.styled.size(), 1u);
    EXPECT_EQ(over.text, "20 %");
    EXPECT_EQ(over.styled[0].end, 4u);
    EXPECT_EQ(plain_text("gr\u00fcn\b\b\u00f6n"), "gr\u00f6n");
    EXPECT_EQ(plain_text("99999999999999999999\x1b[99999999999999999999m;"), "99999999999999999999;");
}

TEST(Log, EveryColourCanBeReadInBothThemes) {
    for (ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        Theme::instance().setChoice(choice);
        const QColor panel = Theme::instance().color(Token::BgPanel);
        for (std::uint32_t index = 0; index < 256; ++index) {
            LogStyle style{LogStyle::Kind::Indexed, index, false, index % 2 == 0, false};
            EXPECT_GE(contrast_ratio(log_ink(style, Theme::instance().color(Token::Text)), panel), 4.5) << index;
        }
        EXPECT_GE(contrast_ratio(log_ink({LogStyle::Kind::Rgb, 0x000080}, {}), panel), 4.5);
    }
}

TEST(Log, BarsThatAreDrawnOverThemselvesAreOneLine) {
    LogModel model;
    auto first = block({{0, "Epoch 1"}, {0, "train 10%"}, {1, "other"}, {0, "valid 0%"}});
    model.append(first);
    ASSERT_EQ(model.rowCount(), 4);
    // Two bars of rank 0, drawn again: the lines of rank 1 between them stay.
    model.append(
        block({{0, "\x1b[2A\x1b[2Ktrain 20%"}, {0, "valid 5%"}, {0, "\x1b[2A\x1b[2Ktrain 30%"}, {0, "valid 9%"}}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model.isFiltering(); }));
    QStringList shown;
    for (int row = 0; row < model.rowCount(); ++row)
        shown << model.copyText(row);
    EXPECT_EQ(shown, QStringList({QStringLiteral("r0  Epoch 1"), QStringLiteral("r1  other"),
                                  QStringLiteral("r0  train 30%"), QStringLiteral("r0  valid 9%")}));
}

TEST(Log, WhatIsBeingWrittenStandsLastAndChangesInPlace) {
    LogModel model;
    auto made = block({{0, "Epoch 1"}});
    made->live.push_back({0, terminal_line(" 10%|#")});
    made->live.push_back({1, terminal_line(" 12%|#")});
    model.append(made);
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.copyText(1), QStringLiteral("r0   10%|#"));
    auto next = std::make_shared<LogBlock>();
    next->live.push_back({0, terminal_line(" 10%|#\r 20%|##")});
    model.append(next);
    ASSERT_EQ(model.rowCount(), 2);
    EXPECT_EQ(model.copyText(1), QStringLiteral("r0   20%|##"));
    LogFilter filter;
    filter.ranks = {1};
    model.setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model.isFiltering(); }));
    EXPECT_EQ(model.rowCount(), 0);
    model.append(block({{1, "done"}}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.rowCount() == 1 && !model.isFiltering(); }));
    EXPECT_EQ(model.liveOfRow(0), nullptr);
}

TEST(Log, SearchCountsMarksAndGoesRound) {
    LogView view(QStringLiteral("log"));
    view.resize(600, 200);
    view.show();
    auto made = std::make_shared<LogBlock>();
    for (int i = 0; i < 1000; ++i)
        made->add(i % 2, i % 100 == 7 ? "08:41:07.114 INFO  loss is nan" : "08:41:07.114 INFO  line");
    view.log()->append(made);
    view.log()->setSearch(LogPattern(QStringLiteral("/\\bNaN$/")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.log()->isFiltering(); }));
    EXPECT_EQ(view.log()->rowCount(), 1000);
    EXPECT_EQ(view.log()->found().size(), 10u);
    const std::vector<bool> pixels = test::child<LogScrollBar>(view)->foundPixels();
    EXPECT_EQ(std::count(pixels.begin(), pixels.end(), true), 10);
    EXPECT_TRUE(view.goToFound(true));
    EXPECT_EQ(view.currentIndex().row(), 7);
    EXPECT_FALSE(view.isFollowing());
    view.goToFound(true);
    EXPECT_EQ(view.currentIndex().row(), 107);
    view.goToFound(false);
    view.goToFound(false);
    EXPECT_EQ(view.currentIndex().row(), 907);
    view.log()->append(block({{0, "nan"}}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return view.log()->found().size() == 11; }));
    // In rows that a filter lets through the places are those of the rows.
    LogFilter filter;
    filter.ranks = {1};
    view.log()->setFilter(filter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !view.log()->isFiltering(); }));
    ASSERT_EQ(view.log()->found().size(), 10u);
    EXPECT_EQ(view.log()->found().front(), 3u);
}

TEST(Log, AnExpressionThatNeverEndsIsGivenUp) {
    const LogPattern pattern(QStringLiteral("/(a+)+$/"));
    ASSERT_TRUE(pattern.problem().isEmpty());
    QElapsedTimer clock;
    clock.start();
    EXPECT_FALSE(pattern.found(std::string(60, 'a') + "b"));
    EXPECT_LT(clock.elapsed(), 2000);
    EXPECT_GE(pattern.givenUp(), 1u);
    EXPECT_FALSE(pattern.found("\xff\xfe broken"));
    EXPECT_EQ(LogPattern(QStringLiteral("/./")).places("\xc3\xbc!").size(), 2u);
}

TEST(Log, RanksAreChosenByNumbersAndRanges) {
    QString problem;
    EXPECT_EQ(parse_ranks(QStringLiteral("3-5, 0,4"), 8, problem), std::vector<int>({0, 3, 4, 5}));
    EXPECT_TRUE(problem.isEmpty());
    EXPECT_TRUE(parse_ranks(QStringLiteral("9"), 8, problem).empty());
    EXPECT_EQ(problem, QStringLiteral("9 names no ranks: write 0 to 7, as in 0, 3-5."));
    EXPECT_TRUE(parse_ranks(QStringLiteral("5-3"), 8, problem).empty());
    EXPECT_FALSE(problem.isEmpty());
}

TEST(Log, StepsAndTimesOfLines) {
    EXPECT_EQ(line_step("step 18420 loss 2.5"), 18420);
    EXPECT_EQ(line_step("{'loss': 2.1, 'global_step': 7}"), 7);
    EXPECT_EQ(line_step(" 46%|####   | 920/2000 [00:10<00:12, 88.1it/s]"), 920);
    EXPECT_EQ(line_step("stepping stones, 3/4 done"), -1);
    LogModel model;
    model.append(block({{0, "23:59:59.000 INFO  before"}, {0, "no time"}, {0, "00:00:01.500 INFO  after midnight"}}));
    constexpr std::int64_t kDay = 86'400'000;
    EXPECT_EQ(model.timeOfRow(1), kDay - 1000);
    EXPECT_EQ(model.timeOfRow(2), kDay + 1500);
    EXPECT_EQ(model.rowAtTime(kDay + 1000), 0);
    EXPECT_EQ(model.rowAtTime(kDay + 2000), 2);
    EXPECT_EQ(model.rowAtTime(5), -1);
    EXPECT_EQ(model.snapshot().text(0), "r0  23:59:59.000 INFO  before");
}

}  // namespace
}  // namespace trainyard::widgets
