// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page of a run that is active, failed, damaged, queued or large.

#include <cstdlib>
#include <fstream>

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QToolTip>
#include <QUrl>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "dashboard/run_page_test.h"
#include "desktop/dashboard/events_model.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/log_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/progress_line.h"
#include "desktop/dashboard/ranks_panel.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/dashboard/start_panel.h"
#include "desktop/dashboard/tags.h"
#include "run/journal.h"
#include "run/mirror.h"
#include "run/request.h"
#include "support/child.h"
#include "support/drag.h"
#include "support/draw_charts.h"
#include "support/patience.h"
#include "support/settle.h"
#include "support/shown_words.h"
#include "widgets/inline_message.h"
#include "widgets/label.h"
#include "widgets/languages.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/log_scroll_bar.h"
#include "widgets/plot/log_view.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class ShownRun : public RunPageTest {
  protected:
    const widgets::Series& loss() const { return page->record()->series(tag::kTrainLoss); }
    /// A message as a sentence of the window.
    static std::string capital(std::string message) {
        message[0] = static_cast<char>(std::toupper(message[0]));
        return message;
    }
};

TEST_F(ShownRun, ANewStepIsOnTheScreenWithinASecond) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    widgets::CurveChart* chart = test::child<LossPanel>(*page)->chart();
    for (int i = 0; i < 5; ++i) {
        const std::size_t before = loss().size();
        const int drawn = chart->redraws();
        QElapsedTimer clock;
        clock.start();
        run.addStep();
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return loss().size() == before + 1 && chart->redraws() > drawn; }, kPatience));
        EXPECT_LT(clock.elapsed(), 1000);
    }
    EXPECT_EQ(chart->curves().size(), 2);
    EXPECT_GE(chart->view().x.upper, 1847);
}

TEST_F(ShownRun, AFailedRunSaysTheSentenceOfItsState) {
    test::FabricatedRun run(folder.path(), {});
    const std::string sentence = capital(run.fail());
    open(run);
    ASSERT_TRUE(test::child<FailurePanel>(*page)->isVisible());
    EXPECT_EQ(test::child<FailurePanel>(*page)->sentence()->text().toStdString(), sentence);
    EXPECT_TRUE(test::child<FailurePanel>(*page)->report().contains(QString::fromStdString(sentence)));
    EXPECT_TRUE(test::child<FailurePanel>(*page)->report().contains(QStringLiteral("waited 118 ms")));
    EXPECT_TRUE(test::child<FailurePanel>(*page)->report().contains(QStringLiteral("last collective all_reduce")));
    EXPECT_FALSE(test::child<FailurePanel>(*page)->report().contains(QStringLiteral("ended by signal")))
        << "the sentence names the signal already";
    EXPECT_FALSE(test::child<RunHeader>(*page)->stopButton()->isVisible());
    QSignalSpy again(page.get(), &RunPage::runAgainRequested);
    for (QPushButton* button : test::child<FailurePanel>(*page)->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Run again"))
            button->click();
    ASSERT_EQ(again.count(), 1);
    EXPECT_EQ(again.front().front().toString().toStdString(), run.paths().spec().string());
    for (QPushButton* button : test::child<FailurePanel>(*page)->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Open log"))
            button->click();
    EXPECT_EQ(test::child<LogPanel>(*page)->view()->log()->filter().ranks, std::vector<int>{1});
}

TEST_F(ShownRun, AFailureThatComesWhileWatchingIsShownAndTheCurveStays) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    EXPECT_FALSE(test::child<FailurePanel>(*page)->isVisible());
    const std::string sentence = capital(run.fail());
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<FailurePanel>(*page)->isVisible(); }, kPatience));
    EXPECT_EQ(test::child<FailurePanel>(*page)->sentence()->text().toStdString(), sentence);
    EXPECT_TRUE(test::child<LossPanel>(*page)->isVisible());
    EXPECT_EQ(loss().size(), 1842u);
}

TEST_F(ShownRun, ADamagedEventFileShowsItsPrefixAndAWarning) {
    test::FabricatedRun run(folder.path(), {});
    {
        std::fstream bytes(run.eventFile(), std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekp(static_cast<std::streamoff>(std::filesystem::file_size(run.eventFile()) / 2));
        bytes.write("damaged", 7);
    }
    open(run);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->warning()->isVisible(); }, kPatience));
    EXPECT_TRUE(page->warning()->text().contains(QStringLiteral("events.out.tfevents")))
        << qPrintable(page->warning()->text());
    EXPECT_GT(loss().size(), 500u);
    EXPECT_TRUE(test::child<LossPanel>(*page)->isVisible());
}

TEST_F(ShownRun, BeforeTheFirstStepItSaysWhatItWaitsFor) {
    test::FabricatedPlan plan;
    plan.done = 0;
    plan.status = run::Status::starting;
    test::FabricatedRun run(folder.path(), plan);
    open(run);
    ASSERT_TRUE(test::child<StartPanel>(*page)->isVisible());
    EXPECT_TRUE(
        test::child<StartPanel>(*page)->sentence()->text().startsWith(QStringLiteral("Waiting for the first step, ")))
        << qPrintable(test::child<StartPanel>(*page)->sentence()->text());
    EXPECT_FALSE(test::child<LossPanel>(*page)->isVisible());
    // The journal has the duration of each stage, and the state of the ranks shows their progress.
    run.state().created = 1000;
    run.state().started = 1001.1;
    run.state().ranks[0].phase = "init";
    run.state().ranks[1].phase = "data";
    run.writeState();
    run::append_event(run.paths(), {1002.5, -1, "phase", -1, "building the model and reading the data", {}, 0});
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const QVector<StartStage> stages = start_stages(*page->record());
            return stages[2].began == 1002.5 && stages[2].ranks == 1;
        },
        kPatience));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            return test::child<StartPanel>(*page)->sentence()->text().startsWith(
                QStringLiteral("Waiting for the first step: build the model"));
        },
        kPatience));
    const QVector<StartStage> stages = start_stages(*page->record());
    EXPECT_EQ(
        stages[0].text(1010.9).replace(QChar(0xA0), QLatin1Char(' ')).section(QStringLiteral("·  "), 1).toStdString(),
        "1.10 s");
    EXPECT_EQ(stages[1].text(1010.9).replace(QChar(0xA0), QLatin1Char(' ')).toStdString(), "start 2 ranks  ·  1.40 s");
    EXPECT_EQ(stages[2].text(1010.9).replace(QChar(0xA0), QLatin1Char(' ')).toStdString(),
              "build the model and open the data on 2 ranks  ·  1 of 2  ·  8 s");
    run.state().status = run::Status::running;
    run.addStep(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<LossPanel>(*page)->isVisible(); }, kPatience));
    EXPECT_FALSE(test::child<StartPanel>(*page)->isVisible());
}

TEST_F(ShownRun, TheClockOfAFailedStartStops) {
    test::FabricatedPlan plan;
    plan.done = 0;
    plan.status = run::Status::failed;
    test::FabricatedRun run(folder.path(), plan);
    run.state().created = 1000;
    run.state().started = 1001.1;
    run.state().ended = 1009.6;
    for (run::RankState& rank : run.state().ranks)
        rank.phase = "init";
    run.writeState();
    run::append_event(run.paths(), {1002.5, -1, "phase", -1, "building the model and reading the data", {}, 0});
    open(run);
    StartPanel* panel = test::child<StartPanel>(*page);
    const auto says = [&](const char* words) {
        for (const QLabel* label : panel->findChildren<QLabel*>())
            if (label->text().replace(QChar(0xA0), QLatin1Char(' ')).contains(QLatin1String(words)))
                return true;
        return false;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return says("Build the model and open the data on 2 ranks"); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor([&] { return says("7 s"); }, kPatience)) << "from its beginning to the end of the run";
}

TEST_F(ShownRun, TheDurationLeavesOutPauses) {
    test::FabricatedPlan plan;
    plan.status = run::Status::finished;
    plan.steps = plan.done;
    test::FabricatedRun run(folder.path(), plan);
    const double begin = run.state().started;
    run.state().ended = begin + 600;
    run.writeState();
    run::append_event(run.paths(),
                      {begin + 100, 400, "phase", -1, "paused after step 400: ask for resume, or stop", {}, 0});
    run::append_event(run.paths(), {begin + 340, 400, "phase", -1, "training goes on after step 400", {}, 0});
    open(run);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->wasIdle(); }, kPatience));
    const QString facts = facts_line(*page->record(), begin + 700).replace(QChar(0xA0), QLatin1Char(' '));
    EXPECT_TRUE(facts.contains(QStringLiteral("took 6 min  ·  4 min paused or restarting"))) << facts.toStdString();
}

TEST_F(ShownRun, SmoothingFollowsTheNumberOfPointsUntilItIsChosen) {
    test::FabricatedPlan plan;
    plan.done = 120;
    test::FabricatedRun run(folder.path(), plan);
    open(run);
    LossPanel* panel = test::child<LossPanel>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel->chart()->smoothing() > 0; }, kPatience));
    const double weight = panel->chart()->smoothing();
    EXPECT_LE(weight / (1 - weight), 1.2) << "an average lags behind by so many steps";
    run.addSteps(1880);
    EXPECT_TRUE(QTest::qWaitFor([&] { return panel->chart()->smoothing() == 0.9; }, kPatience));
    panel->setSmoothing(0.5);
    run.addSteps(10);
    ASSERT_TRUE(QTest::qWaitFor([&] { return loss().size() == 2010; }, kPatience));
    page.reset();
    open(run);
    EXPECT_DOUBLE_EQ(test::child<LossPanel>(*page)->chart()->smoothing(), 0.5);
}

TEST_F(ShownRun, StopAndCheckpointDropRequestsAndShowTheirWay) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    EXPECT_TRUE(test::child<RunHeader>(*page)->checkpointButton()->isEnabled());
    test::child<RunHeader>(*page)->checkpointButton()->click();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !test::child<RunHeader>(*page)->checkpointButton()->isEnabled(); }, kPatience));
    test::child<RunHeader>(*page)->stopButton()->menu()->actions().front()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return run::pending_requests(run.paths()).size() == 2; }, kPatience));
    run::Request refused = run::pending_requests(run.paths()).front();
    EXPECT_EQ(refused.kind, "checkpoint");
    refused.outcome = "refused";
    refused.text = "rank 0 has ended";
    run::finish_request(run.paths(), refused);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return test::child<RunHeader>(*page)->checkpointButton()->isEnabled(); }, kPatience));
    run.state().status = run::Status::stopping;
    run.state().ranks[1].exit_code = 75;
    run.writeState();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->stage() == RunStage::Stopping; }, kPatience));
    EXPECT_EQ(stage_chip(*page->record()).text, QStringLiteral("Stopping, 1 of 2 ranks ended"));
}

TEST_F(ShownRun, EventsAreNewestFirstAndTheLogHoldsAllRanks) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    const EventsModel* events = test::child<EventsModel>(*page);
    ASSERT_GT(events->rowCount(), 5);
    EXPECT_GE(events->eventAt(0).time, events->eventAt(1).time);
    EXPECT_GT(test::child<LogPanel>(*page)->view()->log()->rowCount(), 400);
    test::child<LogPanel>(*page)->showRank(1);
    widgets::LogModel* log = test::child<LogPanel>(*page)->view()->log();
    ASSERT_TRUE(QTest::qWaitFor([&] { return log->rowCount() == 9; }, kPatience));
}

TEST_F(ShownRun, LogAndCurveLeadToEachOther) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    LogPanel* log = test::child<LogPanel>(*page);
    widgets::LogModel* lines = log->view()->log();
    test::child<QLineEdit>(*log, QStringLiteral("Find in the log"))->setText(QStringLiteral("step"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return lines->found().size() > 10 && !lines->isFiltering(); }, kPatience));
    EXPECT_GT(lines->rowCount(), static_cast<int>(lines->found().size())) << "nothing is hidden by a search";
    QTest::keyClick(log->view(), Qt::Key_F3);
    QTest::keyClick(log->view(), Qt::Key_F3);
    const int row = log->view()->currentIndex().row();
    EXPECT_EQ(row, static_cast<int>(lines->found()[1]));
    EXPECT_TRUE(test::shown_words(*log).contains(QStringLiteral("\n2 of "))) << test::shown_words(*log).toStdString();
    QTest::keyClick(log->view(), Qt::Key_Return);
    const std::int64_t step = widgets::line_step(lines->store().text(lines->lineOfRow(row)));
    ASSERT_GE(step, 0);
    EXPECT_NEAR(test::child<LossPanel>(*page)->chart()->view().crosshair, static_cast<double>(step), 1.0);
    // Conversely, the crosshair at a step marks the line of the log at that time.
    emit test::child<LossPanel>(*page)->chart()->crosshairMoved(0);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return test::child<widgets::LogScrollBar>(*log->view())->mark() >= 0; }, kPatience));
    test::child<QToolButton>(*log, QStringLiteral("Show matching lines only"))->setChecked(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !lines->isFiltering(); }, kPatience));
    EXPECT_EQ(lines->rowCount(), static_cast<int>(lines->found().size()));
}

TEST_F(ShownRun, TheMenuOfTheLogDoesNotHoldUpThePage) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    LogPanel* log = test::child<LogPanel>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return log->view()->log()->rowCount() > 5; }, kPatience));
    const QPoint at = log->view()->visualRect(log->view()->log()->index(2, 0)).center();
    emit log->view()->customContextMenuRequested(at);
    QPointer<QMenu> menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    const std::int64_t step = page->record()->step();
    run.addStep(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->step() > step; }, kPatience));
    auto* whole = test::child<QPlainTextEdit>(*log);
    EXPECT_FALSE(whole->isVisible());
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Down);
    QTest::keyClick(menu, Qt::Key_Return);
    EXPECT_TRUE(whole->isVisible());
    EXPECT_EQ(whole->toPlainText(), log->view()->log()->copyText(2));
    EXPECT_TRUE(QTest::qWaitFor([&] { return menu == nullptr; }, kPatience)) << "it is deleted";
}

TEST_F(ShownRun, WhatHappenedInARecordedStepOpensTheTraceOfThatStep) {
    test::FabricatedPlan plan;
    plan.spike_at = 0;
    test::FabricatedRun run(folder.path(), plan);
    const std::string trace = "traces/step-000010-rank-0.trace.json";
    run::append_event(run.paths(), {1002, 14, "profile", -1, "profile of steps 10 to 14", trace, 10});
    run::append_event(run.paths(), {1003, 12, "spike", -1, "the loss of step 12 is a spike", {}, 0});
    run::append_event(run.paths(), {1004, 15, "spike", -1, "the loss of step 15 is a spike", {}, 0});
    run::append_event(run.paths(), {1005, 11, "straggler", 1, "rank 1 holds up the others", {}, 0});
    open(run);
    QSignalSpy asked(page.get(), &RunPage::traceRequested);
    const QString file = QString::fromStdString((run.paths().root() / trace).string());
    EventsPanel* panel = test::child<EventsPanel>(*page);
    for (std::size_t i = 0; i < page->record()->events().size(); ++i) {
        const run::Event& event = page->record()->events()[i];
        if (event.kind == "profile" || event.kind == "spike" || event.kind == "straggler")
            emit panel->eventOpened(i);
    }
    ASSERT_EQ(asked.count(), 3) << "step 15 was not recorded";
    EXPECT_EQ(asked[0], (QVariantList{file, qint64{10}, -1}));
    EXPECT_EQ(asked[1], (QVariantList{file, qint64{12}, -1}));
    EXPECT_EQ(asked[2], (QVariantList{file, qint64{11}, 1}));
}

TEST_F(ShownRun, AMillionPointsStayUsable) {
    test::FabricatedPlan plan;
    plan.done = 1'000'000;
    plan.steps = 1'200'000;
    plan.checkpoint_every = 0;
    plan.evaluate_every = 10'000;
    plan.step_seconds = 0.01;
    plan.spike_at = 654'321;
    plan.log = false;
    test::FabricatedRun run(folder.path(), plan);
    page = std::make_unique<RunPage>(run.paths());
    page->resize(1228, 874);
    page->show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->isCaughtUp(); }, 60'000));
    ASSERT_EQ(loss().size(), 1'000'000u);
    widgets::CurveChart* chart = test::child<LossPanel>(*page)->chart();
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < 10; ++i) {
        chart->setSmoothing(0.5 + 0.04 * i);
        chart->flush();
    }
    EXPECT_LT(clock.elapsed(), 5000) << "ten pictures of a million points";
    chart->setXRange({600'000, 700'000});
    chart->flush();
    EXPECT_GT(chart->view().y.upper, 3.9) << "the spike is within the view";
    EXPECT_LT(chart->view().y.upper, 5);
}

TEST_F(ShownRun, NothingIsClippedAtTheSmallestWindow) {
    // Sizes are those of the style sheet.
    widgets::Theme::instance().install(*static_cast<QApplication*>(QCoreApplication::instance()));
    test::FabricatedRun run(folder.path(), {});
    open(run);
    page->resize(888, 674);
    test::settle();
    EXPECT_EQ(page->size(), QSize(888, 674)) << "the page asks for more than the smallest window has";
    for (const QWidget* widget : page->findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->window() != page.get())
            continue;
        const auto* button = qobject_cast<const QPushButton*>(widget);
        if (button != nullptr) {
            EXPECT_GE(button->width(), button->minimumSizeHint().width()) << qPrintable(button->text());
        }
        const auto* label = qobject_cast<const QLabel*>(widget);
        if (label != nullptr && label->metaObject() == &QLabel::staticMetaObject && !label->wordWrap() &&
            !label->text().isEmpty()) {
            EXPECT_GE(label->width(), label->sizeHint().width()) << qPrintable(label->text());
        }
    }
}

TEST_F(ShownRun, EveryControlHasANameAndThemesChangeLive) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    for (const QWidget* widget : page->findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
            widget->objectName().startsWith(QLatin1String("qt_")))
            continue;
        QString name = widget->accessibleName();
        if (name.isEmpty())
            name = widget->property("text").toString();
        EXPECT_FALSE(name.isEmpty()) << widget->metaObject()->className();
    }
    const QImage before = page->grab().toImage();
    widgets::Theme& theme = widgets::Theme::instance();
    theme.setChoice(theme.isDark() ? widgets::ThemeChoice::Light : widgets::ThemeChoice::Dark);
    test::draw_charts(page.get());
    EXPECT_NE(page->grab().toImage(), before);
    theme.setChoice(widgets::ThemeChoice::System);
}

TEST_F(ShownRun, APausedRunSaysSo) {
    test::FabricatedRun run(folder.path(), {});
    for (run::RankState& rank : run.state().ranks)
        rank.phase = "paused";
    run.writeState();
    open(run);
    EXPECT_EQ(stage_chip(*page->record()).text, QStringLiteral("Paused"));
    EXPECT_TRUE(test::child<ProgressLine>(*page)->words().contains(QStringLiteral("paused, ")))
        << test::child<ProgressLine>(*page)->words().toStdString();
    EXPECT_FALSE(test::child<ProgressLine>(*page)->words().contains(QStringLiteral("ends")))
        << "the end of a pause is unknown";
}

TEST_F(ShownRun, RanksOfSeveralHostsStandBelowTheirHost) {
    RanksModel model;
    std::vector<run::RankState> ranks(3);
    for (int i = 0; i < 3; ++i) {
        ranks[static_cast<std::size_t>(i)].rank = i;
        ranks[static_cast<std::size_t>(i)].host = i < 2 ? "gpu-a" : "gpu-b";
        ranks[static_cast<std::size_t>(i)].state = "running";
    }
    model.setRanks({ranks.begin(), ranks.begin() + 2}, -1);
    EXPECT_EQ(model.rowCount(), 2) << "one host needs no heading";
    std::vector<run::MachineState> machines{{"gpu-a", 2, "running", 0}, {"gpu-b", 1, "running", 100}};
    model.setRanks(ranks, -1, machines, 112);
    ASSERT_EQ(model.rowCount(), 5);
    EXPECT_TRUE(model.isHost(0));
    EXPECT_EQ(model.index(0, 0).data().toString(), QStringLiteral("gpu-a  ·  2 of 2 running"));
    EXPECT_EQ(model.index(3, 0).data().toString(), QStringLiteral("gpu-b  ·  silent for 12 s"));
    EXPECT_EQ(model.rank(4)->rank, 2);
    machines[1].state = "lost";
    model.setRanks(ranks, -1, machines, 112);
    EXPECT_EQ(model.index(3, 0).data().toString(), QStringLiteral("gpu-b  ·  lost"));
}

TEST_F(ShownRun, StatesAndPhasesOfRanksAreInTheLanguageOfTheWindow) {
    widgets::Languages::install(*qApp, QStringLiteral("de"));
    std::vector<run::RankState> ranks(4);
    for (std::size_t i = 0; i < ranks.size(); ++i) {
        ranks[i].rank = static_cast<int>(i);
        ranks[i].state = std::vector<std::string>{"finished", "running", "lost", "as a newer engine says"}[i];
        ranks[i].phase = std::vector<std::string>{"save", "evaluate", "reduce", "something new"}[i];
    }
    RanksModel model;
    model.setRanks(ranks, -1);
    QStringList states, phases;
    for (int row = 0; row < model.rowCount(); ++row) {
        states << model.index(row, RanksModel::State).data().toString();
        phases << model.index(row, RanksModel::Phase).data().toString();
    }
    widgets::Languages::install(*qApp, QStringLiteral("en"));
    EXPECT_EQ(states.join(QLatin1Char('|')).toStdString(), "beendet|läuft|verloren|as a newer engine says");
    EXPECT_EQ(phases.join(QLatin1Char('|')).toStdString(), "Speichern|Evaluierung|Reduktion|something new");
    EXPECT_EQ(model.index(0, RanksModel::State).data().toString(), QStringLiteral("finished"));
}

TEST_F(ShownRun, TheTipOfTheMemoryNamesItsParts) {
    std::vector<run::RankState> ranks(2);
    ranks[0].resident_bytes = ranks[1].resident_bytes = 400u << 20;
    ranks[1].rank = 1;
    ranks[0].memory = run::RankMemory{.weights = 100u << 20, .gradients = 50u << 20, .rooms = 25u << 20};
    RanksModel model;
    model.setRanks(ranks, -1);
    EXPECT_EQ(model.index(0, RanksModel::Memory).data(Qt::ToolTipRole).toString().toStdString(),
              "Most at any time:\nWeights: 100.0 MiB\nWeights of the units that compute: 25.0 MiB\n"
              "Gradients: 50.0 MiB");
    EXPECT_THAT(model.index(0, RanksModel::Step).data(Qt::ToolTipRole).toString().toStdString(),
                testing::StartsWith("Rank 0 on "));
    EXPECT_THAT(model.index(1, RanksModel::Memory).data(Qt::ToolTipRole).toString().toStdString(),
                testing::StartsWith("Rank 1 on "))
        << "a program";
}

TEST_F(ShownRun, TheTipOfTheMemoryIsReadableInBothThemes) {
    widgets::Theme::instance().install(*qApp);
    RanksPanel panel;
    panel.resize(324, 200);
    std::vector<run::RankState> ranks(1);
    ranks[0].resident_bytes = 400u << 20;
    ranks[0].memory = run::RankMemory{.weights = 100u << 20, .gradients = 50u << 20, .rooms = 25u << 20};
    panel.setRanks(ranks, -1);
    panel.show();
    const auto* table = test::child<QTableView>(panel);
    for (const auto& [choice, suffix] :
         {std::pair(widgets::ThemeChoice::Light, "-light"), std::pair(widgets::ThemeChoice::Dark, "-dark")}) {
        widgets::Theme::instance().setChoice(choice);
        const QPoint place = table->visualRect(table->model()->index(0, RanksModel::Memory)).center();
        QHelpEvent hover(QEvent::ToolTip, place, table->viewport()->mapToGlobal(place));
        QApplication::sendEvent(table->viewport(), &hover);
        ASSERT_TRUE(QTest::qWaitFor([] { return QToolTip::isVisible(); }));
        EXPECT_TRUE(QToolTip::text().contains(QStringLiteral("Weights of the units that compute: 25.0 MiB")));
        for (QWidget* window : QApplication::topLevelWidgets())
            if (window->inherits("QTipLabel") && window->isVisible()) {
                EXPECT_GE(window->width(), window->sizeHint().width()) << "no line is cut";
                if (const char* pictures = std::getenv("TRAINYARD_TEST_PICTURES"))  // it hides while a picture waits
                    window->grab().save(
                        QStringLiteral("%1/TipOfTheMemory%2.png").arg(QLatin1String(pictures), QLatin1String(suffix)));
            }
        QToolTip::hideText();
        ASSERT_TRUE(QTest::qWaitFor([] { return !QToolTip::isVisible(); }));
    }
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
}

TEST_F(ShownRun, StatesOfRanksAreNotCutInAnyLanguage) {
    for (const char* language : {"en", "de", "zh_CN"}) {
        widgets::Languages::install(*qApp, QLatin1String(language));
        RanksPanel panel;
        panel.resize(324, 200);
        panel.show();
        for (const char* state : {"starting", "running", "finished", "failed", "killed", "lost"}) {
            std::vector<run::RankState> ranks(2);
            ranks[1].rank = 1;
            ranks[1].state = state;
            ranks[1].phase = "optimizer";
            ranks[1].resident_bytes = 123'456'789;
            panel.setRanks(ranks, -1);
            test::settle();
            const auto* table = test::child<QTableView>(panel);
            for (const int column : {RanksModel::State, RanksModel::Phase}) {
                if (table->isColumnHidden(column))
                    continue;
                const QFont font = column == RanksModel::State ? widgets::Theme::instance().text(12)
                                                               : widgets::Theme::instance().mono(11);
                const QString words = table->model()->index(1, column).data().toString();
                EXPECT_GE(table->columnWidth(column), QFontMetrics(font).horizontalAdvance(words) + 14)
                    << language << ": " << words.toStdString();
            }
            EXPECT_FALSE(table->isColumnHidden(RanksModel::State));
        }
    }
    widgets::Languages::install(*qApp, QStringLiteral("en"));
}

TEST_F(ShownRun, PhasesThatWereHiddenComeBackWithRoomForTheirTitle) {
    RanksPanel panel;
    panel.resize(200, 200);
    panel.show();
    std::vector<run::RankState> ranks(1);
    ranks[0].state = "running";
    panel.setRanks(ranks, -1);
    const auto* table = test::child<QTableView>(panel);
    ASSERT_TRUE(table->isColumnHidden(RanksModel::Phase));
    panel.resize(900, 200);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !table->isColumnHidden(RanksModel::Phase); }));
    EXPECT_GE(table->columnWidth(RanksModel::Phase), table->horizontalHeader()->sectionSizeHint(RanksModel::Phase));
}

TEST_F(ShownRun, AnEndedRunWithACheckpointIsResumedHereOrElsewhere) {
    test::FabricatedRun run(folder.path(), {});
    run.fail();
    open(run);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->lastCheckpoint() == 1800; }, kPatience));
    QSignalSpy here(page.get(), &RunPage::resumeRequested);
    test::child<RunHeader>(*page)->refresh(0);
    ASSERT_NE(test::child<RunHeader>(*page)->againButton()->menu(), nullptr);
    EXPECT_EQ(test::child<RunHeader>(*page)->resumeHereAction()->text(), QStringLiteral("Resume from step 1800"));
    test::child<RunHeader>(*page)->resumeHereAction()->trigger();
    ASSERT_EQ(here.count(), 1);
    EXPECT_EQ(here.first().at(0).toString().toStdString(), run.paths().spec().string());
    EXPECT_EQ(here.first().at(1).toString().toStdString(), run.paths().root().string());
}

TEST_F(ShownRun, TheSampleRunLeadsToDataOfOnesOwn) {
    test::FabricatedPlan plan;
    plan.steps = plan.done = 400;
    plan.status = run::Status::finished;
    test::FabricatedRun other(folder.path(), plan);
    open(other);
    EXPECT_FALSE(page->strip()->isVisible()) << "only the sample";
    plan.recipe_file = "/usr/share/trainyard/samples/sample.yaml";
    test::FabricatedRun sample(folder.path(), plan);
    open(sample);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->strip()->isVisible(); }, kPatience));
    EXPECT_EQ(page->strip()->title(), QStringLiteral("The sample run is complete"));
    QSignalSpy wanted(page.get(), &RunPage::ownDataRequested);
    for (QPushButton* button : page->strip()->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Choose your data"))
            QTest::mouseClick(button, Qt::LeftButton);
    EXPECT_EQ(wanted.count(), 1);
    for (QPushButton* button : page->strip()->findChildren<QPushButton*>())
        if (button->accessibleName() == QStringLiteral("Dismiss"))
            button->click();
    QSignalSpy again(test::child<RunHeader>(*page), &RunHeader::refreshed);
    ASSERT_TRUE(again.wait(kPatience));
    EXPECT_FALSE(page->strip()->isVisible()) << "it must be shown only once";
}

TEST_F(ShownRun, AMirrorThatHearsNothingSaysSinceWhen) {
    test::FabricatedRun run(folder.path(), {});
    run::MirrorState mirror;
    mirror.host = "gpu-b";
    mirror.path = "/home/me/runs/x";
    mirror.contact = wall_seconds() - 600;
    mirror.message = "gpu-b: connection lost";
    run::write_mirror(run.paths(), mirror);
    run.writeState();
    open(run);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->strip()->isVisible(); }, kPatience));
    EXPECT_TRUE(page->strip()->title().startsWith(QStringLiteral("gpu-b silent since")))
        << page->strip()->title().toStdString();
    EXPECT_TRUE(page->strip()->text().contains(QStringLiteral("connection lost")));
    QSignalSpy again(page.get(), &RunPage::reconnectRequested);
    for (QPushButton* button : page->strip()->findChildren<QPushButton*>())
        if (button->text() == QStringLiteral("Reconnect"))
            button->click();
    ASSERT_EQ(again.count(), 1);
    EXPECT_EQ(again.first().first().toString().toStdString(), run.paths().root().string());
    EXPECT_TRUE(page->record()->isLive()) << "unreachable is not lost";
}

TEST_F(ShownRun, TheNameOfARunIsDraggedOutAsItsFolderAndTheMainChartAsFiles) {
    test::FabricatedRun run(folder.path(), {});
    RunPage* shown = open(run);
    auto* header = test::child<RunHeader>(*shown);
    widgets::ElidedLabel* name = nullptr;
    for (auto* label : header->findChildren<widgets::ElidedLabel*>())
        if (label->fullText() == shown->record()->name())
            name = label;
    ASSERT_NE(name, nullptr);
    const QMimeData* data = test::drag_from(name, name->rect().center());
    ASSERT_NE(data, nullptr);
    EXPECT_EQ(data->urls(), QList<QUrl>{QUrl::fromLocalFile(QString::fromStdString(run.paths().root().string()))});
    QLabel* title = test::child<QLabel>(*test::child<LossPanel>(*shown), QStringLiteral("Loss"));
    ASSERT_NE(title, nullptr);
    const QMimeData* chart = test::drag_from(title, title->rect().center());
    ASSERT_NE(chart, nullptr);
    EXPECT_EQ(chart->urls().size(), 2);
    EXPECT_TRUE(chart->hasImage());
}

}  // namespace
}  // namespace trainyard::desktop
