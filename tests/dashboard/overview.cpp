// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the overview of a run: overlays of other runs, layouts, keyboard shortcuts, and every figure of the page
// compared with values computed by hand.

#include <functional>
#include <limits>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "dashboard/run_page_test.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/dashboard/config_diff.h"
#include "desktop/dashboard/events_model.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/failure_cause.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/metric_tile.h"
#include "desktop/dashboard/progress_line.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_view.h"
#include "desktop/dashboard/samples_panel.h"
#include "desktop/dashboard/tags.h"
#include "desktop/dashboard/tile_row.h"
#include "run/journal.h"
#include "support/child.h"
#include "support/draw_charts.h"
#include "support/patience.h"
#include "support/settle.h"
#include "support/shown_words.h"
#include "widgets/label.h"
#include "widgets/layouts.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

using widgets::XUnit;

class Overview : public RunPageTest {
  protected:
    widgets::CurveChart* chart() const { return test::child<LossPanel>(*page)->chart(); }
    Overlays* overlays() const { return test::child<LossPanel>(*page)->overlays(); }
    bool waitForOffers(std::size_t count) const {
        return QTest::qWaitFor([&] { return overlays()->offered().size() == count; }, kPatience);
    }
};

test::FabricatedPlan earlier_run() {
    test::FabricatedPlan plan;
    plan.name = "baseline";
    plan.status = run::Status::finished;
    plan.done = plan.steps = 600;
    plan.step_seconds = 0.5;
    plan.slowness = 1.5;
    plan.end = wall_seconds() - 9000;
    return plan;
}

TEST_F(Overview, AnotherRunIsLaidOverWithItsDifferenceAndTheConfigurationFollows) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    EXPECT_EQ(overlays()->offered().front().name, QStringLiteral("baseline"));
    const QString path = QString::fromStdString(other.paths().root().string());
    overlays()->toggle(path);
    ASSERT_EQ(chart()->curves().size(), 3);
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->curves()[2].series->size() == 600; }, kPatience));
    const widgets::Curve& curve = chart()->curves()[2];
    EXPECT_EQ(curve.name, QStringLiteral("baseline"));
    EXPECT_EQ(curve.dash, Qt::DashLine);
    EXPECT_NE(curve.color, color::kTrain);
    EXPECT_NE(curve.color, color::kValidation);
    EXPECT_EQ(test::child<ConfigDiffPanel>(*page)->chosen(), path);

    // The table shows the values of this run minus those of the other one.
    test::child<LossPanel>(*page)->setSmoothing(0);
    chart()->setCrosshair(100);
    chart()->flush();
    const widgets::Series& mine = page->record()->series(tag::kTrainLoss);
    const double difference = mine.value(99) - curve.series->value(99);
    ASSERT_LT(difference, 0);
    const auto rows = chart()->crosshair().rows();
    ASSERT_EQ(rows.size(), 3);
    EXPECT_EQ(rows[2].name, QStringLiteral("baseline (Δ %1)").arg(widgets::value_number(difference)));

    // A − B at the steps that both have, on a linear axis; and back.
    overlays()->setDifference(true);
    ASSERT_EQ(chart()->curves().size(), 1);
    const widgets::Series& less = *chart()->curves()[0].series;
    EXPECT_EQ(less.size(), 600u);
    EXPECT_DOUBLE_EQ(less.value(99), difference);
    EXPECT_FALSE(chart()->isLogY());
    overlays()->setDifference(false);
    EXPECT_TRUE(chart()->isLogY());
    overlays()->toggle(path);
    EXPECT_EQ(chart()->curves().size(), 2);
}

TEST_F(Overview, AlignedAtResumeTheFirstPointsLieOnEachOther) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    overlays()->toggle(QString::fromStdString(other.paths().root().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->curves()[2].series->size() == 600; }, kPatience));
    page->setUnit(XUnit::Time);
    test::child<LossPanel>(*page)->setUnit(XUnit::Time);
    const auto first = [&](int number) {
        const widgets::Curve& curve = chart()->curves()[number];
        return curve.series->x(0, widgets::scale_of(curve, chart()->view()));
    };
    // Both began 0.9 s before the first step began: step times of 0.24 and 0.5 s.
    EXPECT_NEAR(first(0), 0.9 + 0.24, 0.01);
    EXPECT_NEAR(first(2), 0.9 + 0.5, 0.01);
    overlays()->setAtResume(true);
    EXPECT_NEAR(first(2), first(0), 1e-6);
}

TEST_F(Overview, AlignedAtResumeTheStepFromWhichItWentOnLiesOnTheFirstPoint) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    test::FabricatedPlan plan;
    plan.first = 301;
    plan.done = 500;
    const test::FabricatedRun run(folder.path() / "runs", plan);
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    overlays()->toggle(QString::fromStdString(other.paths().root().string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return chart()->curves()[2].series->size() == 600; }, kPatience));
    test::child<LossPanel>(*page)->setUnit(XUnit::Time);
    overlays()->setAtResume(true);
    const widgets::Curve& theirs = chart()->curves()[2];
    const widgets::Curve& mine = chart()->curves()[0];
    ASSERT_EQ(mine.series->step(0), 301);
    ASSERT_EQ(theirs.series->step(300), 301);
    EXPECT_NEAR(theirs.series->x(300, widgets::scale_of(theirs, chart()->view())),
                mine.series->x(0, widgets::scale_of(mine, chart()->view())), 1e-6);
}

TEST_F(Overview, ActiveTimeLeavesOutPausesAndRestarts) {
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    const widgets::Series& loss = page->record()->series(tag::kTrainLoss);
    ASSERT_EQ(loss.size(), 1842u);
    EXPECT_FALSE(page->record()->wasIdle());
    const auto at = [&](std::size_t step) { return loss.wallTime(step - 1); };
    constexpr double kJournal = 0.003;  // seconds; the journal has milliseconds
    const auto tell = [&](double time, const char* kind, const char* text) {
        run::append_event(run.paths(), {time, -1, kind, -1, Message::verbatim(text), {}, 0});
    };
    tell(at(100), "phase", "paused after step 100: ask for resume, or stop");
    tell(at(150), "phase", "training goes on after step 100");
    tell(at(1000) + 0.1, "restart", "restart 1 of 3: all ranks start again from checkpoint 900");
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->events().back().kind == "restart"; }, kPatience));
    ASSERT_TRUE(page->record()->wasIdle());
    test::child<LossPanel>(*page)->setUnit(XUnit::Time);
    const double start = page->record()->scale(XUnit::Time).start;
    const auto x = [&](std::size_t step) { return loss.x(step - 1, page->record()->scale(XUnit::Time)); };
    EXPECT_DOUBLE_EQ(x(1500), at(1500) - start) << "wall time is the default";
    auto* active = test::child<QCheckBox>(*test::child<LossPanel>(*page));
    EXPECT_TRUE(active->isVisible()) << "a control says what the axis leaves out";
    test::child<LossPanel>(*page)->setUnit(XUnit::Step);
    EXPECT_FALSE(active->isVisible());
    test::child<LossPanel>(*page)->setUnit(XUnit::Time);
    // Clicks on Time no longer change its meaning.
    QPushButton* time = test::child<LossPanel>(*page)->findChildren<widgets::SegmentedControl*>().front()->button(1);
    time->click();
    time->click();
    EXPECT_DOUBLE_EQ(x(1500), at(1500) - start);
    active->click();
    EXPECT_NEAR(x(100), at(100) - start, kJournal);
    EXPECT_NEAR(x(130), at(100) - start, kJournal) << "within the pause";
    EXPECT_NEAR(x(800), at(800) - start - (at(150) - at(100)), kJournal);
    EXPECT_NEAR(x(1500), at(1500) - start - (at(150) - at(100)) - (at(1001) - at(1000) - 0.1), kJournal);
    // The line has a thin break where the run was started again.
    EXPECT_EQ(chart()->curves()[0].breaks, QVector<std::int64_t>{1001});
    active->click();
    EXPECT_DOUBLE_EQ(x(1500), at(1500) - start);
}

TEST_F(Overview, OverlaysAndLayoutAreThereAgain) {
    const test::FabricatedRun other(folder.path() / "runs", earlier_run());
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    overlays()->toggle(QString::fromStdString(other.paths().root().string()));
    chart()->setBands(false);
    test::child<LossPanel>(*page)->setSmoothing(0.5);
    page.reset();
    open(run);
    ASSERT_TRUE(waitForOffers(1));
    EXPECT_EQ(chart()->curves().size(), 3);
    EXPECT_FALSE(chart()->hasBands());
    EXPECT_DOUBLE_EQ(chart()->smoothing(), 0.5);
}

TEST_F(Overview, ALayoutGetsANameAndIsResetAndShownAgain) {
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    RunView* view = test::child<RunView>(*page);
    const QStringList usual = test::child<TileRow>(*page)->chosen();
    test::child<TileRow>(*page)->choose({QStringLiteral("train/lr"), QStringLiteral("train/loss")});
    test::child<LossPanel>(*page)->setLogY(false);
    test::child<LossPanel>(*page)->setUnit(XUnit::Tokens);
    view->layouts()->save(QStringLiteral("mine"));
    view->reset();
    EXPECT_EQ(test::child<TileRow>(*page)->chosen(), usual);
    EXPECT_TRUE(chart()->isLogY());
    EXPECT_EQ(test::child<LossPanel>(*page)->unit(), XUnit::Step);
    QMenu menu;
    view->layouts()->fill(&menu);
    ASSERT_EQ(menu.actions().first()->text(), QStringLiteral("mine"));
    menu.actions().first()->trigger();
    EXPECT_EQ(test::child<TileRow>(*page)->chosen(),
              (QStringList{QStringLiteral("train/lr"), QStringLiteral("train/loss")}));
    EXPECT_FALSE(chart()->isLogY());
    EXPECT_EQ(test::child<LossPanel>(*page)->unit(), XUnit::Tokens);
}

TEST_F(Overview, KeysGoThroughEventsOpenTilesAndSwitchBands) {
    const test::FabricatedRun run(folder.path() / "runs", {});
    open(run);
    page->setFocus();
    const EventsModel* events = test::child<EventsModel>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return events->rowCount() > 5; }, kPatience));
    QTest::keyClick(page.get(), Qt::Key_BracketLeft);
    EXPECT_DOUBLE_EQ(chart()->view().crosshair, static_cast<double>(events->eventAt(0).step));
    QTest::keyClick(page.get(), Qt::Key_BracketLeft);
    EXPECT_DOUBLE_EQ(chart()->view().crosshair, static_cast<double>(events->eventAt(1).step));
    QTest::keyClick(page.get(), Qt::Key_BracketRight);
    EXPECT_DOUBLE_EQ(chart()->view().crosshair, static_cast<double>(events->eventAt(0).step));
    EXPECT_TRUE(chart()->hasBands());
    QTest::keyClick(page.get(), Qt::Key_B);
    EXPECT_FALSE(chart()->hasBands());
    QTest::keyClick(page.get(), Qt::Key_O);
    EXPECT_TRUE(test::child<QMenu>(*test::child<LossPanel>(*page))->isVisible());
    test::child<QMenu>(*test::child<LossPanel>(*page))->hide();
    EXPECT_EQ(test::child<CurvesPanel>(*page), nullptr);
    QTest::keyClick(page.get(), Qt::Key_6);
    ASSERT_NE(test::child<CurvesPanel>(*page), nullptr) << "the gradient norm opens as a chart";
    EXPECT_TRUE(test::child<CurvesPanel>(*page)->isVisible());
}

/// Two ranks, 400 of 1000 steps, every value chosen.
class Figures : public Overview {
  protected:
    /// Step times of the last 200 steps: 0.2 s, and 0.3 s where `slow`.
    void write(const std::function<bool(std::int64_t step)>& slow) {
        test::FabricatedPlan plan;
        plan.steps = 1000;
        plan.done = 0;
        run = std::make_unique<test::FabricatedRun>(folder.path() / "runs", plan);
        events::EventFileWriter& out = run->metrics();
        const double begin = wall_seconds() - 200;
        for (std::int64_t step = 1; step <= 400; ++step) {
            out.add_scalars(step, begin + 0.5 * static_cast<double>(step),
                            {{"train/loss", step <= 200   ? 4.0
                                            : step == 400 ? 2.9375
                                                          : 3.0},
                             {"train/lr", 3e-4},
                             {"train/grad_norm", step == 400 ? 0.84 : 7},
                             {"train/tokens_per_s", step <= 200 ? 900 : 12'800},
                             {"train/step_time_s", step <= 200  ? 5
                                                   : slow(step) ? 0.3
                                                                : 0.2},
                             {"train/mfu", step <= 200 ? 0.1 : 0.42}});
            if (step % 100 == 0)
                out.add_scalars(step, begin + 0.5 * static_cast<double>(step),
                                {{"eval/loss", 4.5 - static_cast<double>(step) / 400}});
        }
        out.add_scalars(20, begin, {{"train/peak_flops_per_s", 1.5e12}});
        out.flush();
        for (const auto& [rank, mebibytes] : {std::pair(0, 300.0), std::pair(1, 512.0)}) {
            events::EventFileWriter system(run->paths().metrics(), "", "system-0000" + std::to_string(rank) + ".");
            for (const auto& [step, share] : {std::pair(100, 0.5), std::pair(200, 1.0), std::pair(400, 0.75)})
                system.add_scalars(step, begin + 0.5 * step,
                                   {{"system/resident_bytes", share * mebibytes * (1 << 20)}});
            system.flush();
        }
        run->state().progress.step = 400;
        run->state().progress.eta_s = 120;
        run->state().started = begin - 0.2;
        run::append_event(run->paths(), {begin + 150, 300, "checkpoint", -1, "checkpoint 300, 9.9 MB in 41 ms",
                                         "checkpoints/checkpoint_300", 9.9e6});
        for (run::RankState& rank : run->state().ranks)
            rank.resident_bytes = 0;
        run->writeState();
        open(*run);
        ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->series(tag::kTrainLoss).size() == 400; }, kPatience));
        test::draw_charts(page.get());
    }
    /// `3.00 [-5.31/1k]`
    QString tile(const char* tag) const {
        const MetricTile* one = test::child<TileRow>(*page)->tile(tag);
        if (one == nullptr)
            return {};
        const QString note = one->note().isEmpty() ? QString() : QStringLiteral(" [%1]").arg(one->note());
        QString words = (one->value() + QLatin1Char(' ') + one->unit()).trimmed() + note;
        return words.replace(QChar(0xA0), QLatin1Char(' '));
    }
    QString timeLeft() const {
        return test::child<ProgressLine>(*page)
            ->words()
            .replace(QChar(0xA0), QLatin1Char(' '))
            .section(QStringLiteral(" left"), 0, 0);
    }
    std::unique_ptr<test::FabricatedRun> run;
};

TEST_F(Figures, OfEveryTileAreThoseWorkedOutByHand) {
    write([](std::int64_t step) { return step % 20 == 0; });
    // Mean of the last 200 less that of the 200 before: (199 * 3 + 2.9375) / 200 - 4 = -1.0003125, over 200 steps:
    // -5.0015625 a thousand.
    EXPECT_EQ(tile(tag::kTrainLoss).toStdString(), "2.938 [−5.00/1k]");
    EXPECT_EQ(tile(tag::kValidationLoss).toStdString(), "3.500 [step 400]");
    EXPECT_EQ(tile(tag::kTokensPerSecond).toStdString(), "12.8 k tok/s [median]");
    EXPECT_EQ(tile(tag::kMfu).toStdString(), "42.0 % [of 1.50 TFLOP/s]");
    // 10 of 200 are slow: the 198th of 200 in order is.
    EXPECT_EQ(tile(tag::kStepTime).toStdString(), "200 ms [p99 300]");
    EXPECT_EQ(tile(tag::kGradientNorm).toStdString(), "0.84 [clip 1.0]");
    // The fuller of the two ranks, at its most.
    EXPECT_TRUE(tile(tag::kMemory).startsWith(QStringLiteral("512.0 MiB [est. "))) << tile(tag::kMemory).toStdString();
    // Shows the estimate of the supervisor, as the list of runs and the command line do, not one from the last steps.
    EXPECT_EQ(timeLeft().toStdString(), "40.0 % · 2 min");
    EXPECT_EQ(page->record()->step(), 400);
    EXPECT_DOUBLE_EQ(page->record()->share(), 0.4);
    EXPECT_EQ(page->record()->lastCheckpoint(), 300);
    // 256 * 128 + 64 * 128 + 4 * 198,272 + 256 parameters.
    EXPECT_EQ(test::child<RunHeader>(*page)->facts()->fullText().replace(QChar(0xA0), QLatin1Char(' ')).toStdString(),
              "2 ranks  ·  CPU  ·  fp32  ·  834 k parameters  ·  started 3 min 20 s ago");
}

/// The note next to the title of a tile is shown in full or not at all, with the theme of the program, whether the text
/// or the size is set first.
TEST(MetricTiles, ANoteIsNeverCut) {
    widgets::Theme::instance().install(*qobject_cast<QApplication*>(QCoreApplication::instance()));
    const MetricFigure figure{QStringLiteral("41,9"), QStringLiteral("%"), QStringLiteral("von 206\u00a0GFLOP/s")};
    int shown = 0;
    for (const bool words_first : {true, false})
        for (int width = 96; width < 260; ++width) {
            QWidget window;
            auto* tile = new MetricTile(QStringLiteral("MFU"), nullptr, 3);
            window.setLayout(widgets::make_row({0, 0, 0, 0}, {tile}));
            window.resize(width, 62);
            if (words_first)
                tile->setFigure(figure);
            window.show();
            if (!words_first)
                tile->setFigure(figure);
            test::settle();
            for (const QLabel* label : tile->findChildren<QLabel*>())
                if (label->text() == figure.note && label->isVisible()) {
                    ++shown;
                    EXPECT_GE(label->width(), label->sizeHint().width()) << width << ' ' << words_first;
                    EXPECT_LE(label->geometry().right(), tile->contentsRect().right()) << width;
                }
        }
    EXPECT_GT(shown, 100);
}

TEST_F(Overview, KnownCausesOfFailuresAreExplained) {
    struct Case {
        FailureCause cause;
        std::string message;
        std::string words;  ///< that the explanation has
    };
    const Case cases[] = {
        {FailureCause::OutOfMemory, "rank 1 on gpu-b failed at step 9 (forward): out of memory: this rank held 4.0 GB",
         "activations"},
        {FailureCause::OutOfMemory,
         "rank 1 on gpu-b was killed by SIGKILL at step 9 by the kernel's out-of-memory killer: it held 4.0 GB",
         "training.batch_size"},
        {FailureCause::DiskFull, "rank 0 failed: cannot write x: No space left on device (0 B free)", "keep_last"},
        {FailureCause::Collective,
         "rank 0 on a failed: it hangs, nothing has moved for 60 s: rank 0 waits in all_reduce", "rank 1 on "},
        {FailureCause::Unknown, "rank 1 was killed by signal 9; the kernel's out-of-memory killer did not do it", ""}};
    int number = 0;
    for (const Case& one : cases) {
        test::FabricatedPlan plan;
        plan.name = "case-" + std::to_string(++number);
        plan.done = 40;
        test::FabricatedRun made(folder.path() / "runs", plan);
        made.fail();
        made.state().first_failure->message = Message::verbatim(one.message);
        made.state().ranks[0].last_collective = "all_reduce #1204 grads.h.3";
        made.state().ranks[1].last_collective = "all_reduce #1203 grads.h.4";
        made.writeState();
        open(made);
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return test::child<FailurePanel>(*page)->isVisible() && page->record()->facts(); }, kPatience));
        const Explanation found = explain_failure(*page->record());
        EXPECT_EQ(found.cause, one.cause) << one.message;
        EXPECT_TRUE(found.words.contains(QString::fromStdString(one.words))) << found.words.toStdString();
        EXPECT_TRUE(test::shown_words(*test::child<FailurePanel>(*page)).contains(found.words));
        EXPECT_EQ(test::child<FailurePanel>(*page)->report().contains(found.words), true);
    }
}

TEST_F(Overview, ALossThatIsNotFiniteBeforeAFailureIsNamedWithItsParameter) {
    test::FabricatedRun made(folder.path() / "runs", {});
    run::append_event(made.paths(),
                      {wall_seconds(), 1800, "nan", -1, "the gradient of h.3.attn.c_attn.weight is not finite", {}, 0});
    made.fail();
    made.state().first_failure->message = "rank 1 failed: the loss is not a number";
    made.writeState();
    open(made);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return test::shown_words(*test::child<FailurePanel>(*page))
                .contains(QStringLiteral("h.3.attn.c_attn.weight"));
        },
        kPatience));
    EXPECT_EQ(explain_failure(*page->record()).cause, FailureCause::NotFinite);
    EXPECT_TRUE(test::shown_words(*test::child<FailurePanel>(*page)).contains(QStringLiteral("step 1,800")));
}

TEST_F(Overview, TheErrorStandsBelowTheFiveLinesBeforeIt) {
    EXPECT_EQ(error_line({"a", "12:00:01 ERROR it broke", "b"}), 1);
    EXPECT_EQ(error_line({"Traceback (most recent call last):", "ValueError: no", "bye"}), 1);
    EXPECT_EQ(error_line({"a", "b"}), -1);
}

TEST_F(Overview, WhatTheModelWritesStandsBesideTheCurve) {
    test::FabricatedPlan plan;
    plan.done = 600;
    test::FabricatedRun made(folder.path() / "runs", plan);
    open(made);
    SamplesPanel* samples = test::child<SamplesPanel>(*page);
    EXPECT_FALSE(samples->isVisible());
    const auto write = [&](std::int64_t step, const char* tag, const char* text) {
        made.metrics().add_text(step, wall_seconds(), tag, text);
        made.metrics().flush();
    };
    write(200, "samples/1", "The sea zxq");
    write(400, "samples/1", "The sea is a # b");
    write(400, "samples/2", "Once upon");
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<QComboBox>(*samples)->count() == 2; }, kPatience));
    EXPECT_TRUE(samples->isVisible());
    EXPECT_GT(samples->x(), test::child<LossPanel>(*page)->geometry().right());
    EXPECT_EQ(test::child<QPlainTextEdit>(*samples)->toPlainText(),
              QStringLiteral("The sea is a # b"));  // as it was written, not as Markdown
    EXPECT_EQ(samples->shownStep(), 400);

    // The crosshair of the loss selects the text of its step while it is shown.
    emit chart()->crosshairMoved(250);
    EXPECT_EQ(test::child<QPlainTextEdit>(*samples)->toPlainText(), QStringLiteral("The sea zxq"));
    write(600, "samples/1", "The sea is wide");
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<QSlider>(*samples)->maximum() == 2; }, kPatience));
    EXPECT_EQ(samples->shownStep(), 200);
    emit chart()->crosshairMoved(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(test::child<QPlainTextEdit>(*samples)->toPlainText(), QStringLiteral("The sea is wide"));

    // The slider's choice stays when another text comes, and after the crosshair.
    test::child<QSlider>(*samples)->setValue(1);
    write(601, "samples/1", "The sea is deep");
    ASSERT_TRUE(QTest::qWaitFor([&] { return test::child<QSlider>(*samples)->maximum() == 3; }, kPatience));
    EXPECT_EQ(samples->shownStep(), 400);
    emit chart()->crosshairMoved(10);
    EXPECT_EQ(samples->shownStep(), 200);
    emit chart()->crosshairMoved(std::numeric_limits<double>::quiet_NaN());
    EXPECT_EQ(samples->shownStep(), 400);

    test::child<QComboBox>(*samples)->setCurrentIndex(1);
    EXPECT_EQ(test::child<QPlainTextEdit>(*samples)->toPlainText(), QStringLiteral("Once upon"));
    page->showCurves(true);
    EXPECT_FALSE(samples->isVisible());
    page->showCurves(false);
    EXPECT_TRUE(samples->isVisible());
}

}  // namespace
}  // namespace trainyard::desktop
