// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of an active run with the real programs: it is evaluated, paused and stopped, and resumed from its checkpoint
// directly and with the wizard.

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/launch/launch_page.h"
#include "desktop/launch/more_steps_dialog.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/shown_words.h"
#include "widgets/segmented_control.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class RunAgain : public test::WizardFixture {
  protected:
    RunHeader* header() { return test::child<RunHeader>(*page()); }
    void start() {
        open(cpu());
        ::setenv("OMP_NUM_THREADS", "1", 1);
        window_->engine()->locate(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }, kPatience));
        std::ofstream text(file("data.txt"));
        for (int i = 0; i < 3000; ++i)
            text << "line " << i * 7919 % 3000 << " of a text that repeats itself\n";
        text.close();
        write("recipe.yaml",
              "name: again\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\ndata: {path: " +
                  file("data.txt") +
                  ", sequence_length: 32}\ntraining: {steps: 100000, batch_size: 2, evaluate_batches: 2}\n"
                  "checkpoint: {every: 100000}\n");
        LaunchRequest request;
        request.name = QStringLiteral("again");
        request.recipe_file = QString::fromStdString(file("recipe.yaml"));
        request.words = QStringList{QStringLiteral("--cpu"), request.recipe_file};
        QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
        open_launch(window_->context(), request);
        ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, kPatience));
        ASSERT_TRUE(hasSteps(3));
    }
    RunPage* page() { return qobject_cast<RunPage*>(window_->currentPage()); }
    RunRecord* record() { return page()->record(); }
    bool hasSteps(std::int64_t more) {
        return QTest::qWaitFor([&] { return page() != nullptr && record()->step() >= more && record()->hasSteps(); },
                               kPatience);
    }
    bool becomes(RunStage stage) {
        return QTest::qWaitFor([&] { return record()->stage() == stage; }, kPatience);
    }
};

}  // namespace

TEST_F(RunAgain, EvaluatesHoldsGoesOnAndIsResumedHereAndElsewhere) {
    ASSERT_NO_FATAL_FAILURE(start());
    const QString first = QString::fromStdString(record()->paths().root().string());
    page()->record()->ask(run::EvaluateRequest());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !record()->series("eval/loss").empty(); }, kPatience));
    header()->pauseAction()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->isPaused(); }, kPatience));
    const std::int64_t held = record()->step();
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return header()->pauseAction()->text() == QStringLiteral("Continue"); }, kPatience));
    header()->pauseAction()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !record()->isPaused() && record()->step() > held; }, kPatience));

    page()->record()->ask(run::StopRequest());
    ASSERT_TRUE(becomes(RunStage::Stopped)) << record()->state()->message;
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->lastCheckpoint() > 0; }, kPatience));
    const std::int64_t saved = record()->lastCheckpoint();
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return header()->againButton()->text() == QStringLiteral("Resume"); }, kPatience));

    // Resuming directly: a new run continues where this one stopped.
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    header()->resumeHereAction()->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return page() != nullptr && QString::fromStdString(record()->paths().root().string()) != first; },
        kPatience));
    ASSERT_TRUE(hasSteps(saved + 2));
    // One curve from the first step on, with a mark at the seam: no step is missing, none is there twice.
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->isCaughtUp(); }, kPatience));
    const widgets::Series& loss = record()->series("train/loss");
    EXPECT_EQ(loss.step(0), 1);
    for (std::size_t i = 1; i < loss.size(); ++i)
        ASSERT_EQ(loss.step(i), loss.step(i - 1) + 1);
    EXPECT_FALSE(record()->series("eval/loss").empty()) << "evaluated before the seam";
    EXPECT_TRUE(std::any_of(record()->events().begin(), record()->events().end(),
                            [&](const run::Event& event) { return event.kind == "resume" && event.step == saved; }));

    // Resuming with the wizard: it has the recipe of the run and the checkpoint to resume from.
    const QString second = QString::fromStdString(record()->paths().root().string());
    page()->record()->ask(run::StopRequest());
    ASSERT_TRUE(becomes(RunStage::Stopped));
    emit header()->resumeElsewhereRequested();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == wizard(); }, kPatience));
    EXPECT_TRUE(QTest::qWaitFor(
        [&] { return draft().recipeValue(QStringLiteral("checkpoint.resume_from")).startsWith(second); }, kPatience))
        << draft().recipeValue(QStringLiteral("checkpoint.resume_from")).toStdString();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("name")), QStringLiteral("again"));
}

TEST_F(RunAgain, AStoppedRunContinuesWithMoreSteps) {
    ASSERT_NO_FATAL_FAILURE(start());
    const std::filesystem::path first = record()->paths().root();
    EXPECT_FALSE(header()->continueAction()->isVisible()) << "the run is still active";
    page()->record()->ask(run::StopRequest());
    ASSERT_TRUE(becomes(RunStage::Stopped));
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->lastCheckpoint() > 0; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return header()->continueAction()->isVisible(); }, kPatience));
    const std::int64_t saved = record()->lastCheckpoint();

    // The dialog says what differs before the start: the schedule of the recipe is a cosine over all its steps.
    header()->continueAction()->trigger();
    MoreStepsDialog* dialog = nullptr;
    ASSERT_TRUE(QTest::qWaitFor([&] { return (dialog = window_->findChild<MoreStepsDialog*>()) != nullptr; }));
    EXPECT_EQ(test::child<QSpinBox>(*dialog)->minimum(), saved + 1);
    test::child<QSpinBox>(*dialog)->setValue(static_cast<int>(saved) + 5);
    auto* schedule = test::child<widgets::SegmentedControl>(*dialog);
    ASSERT_NE(schedule, nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] {
        return test::shown_words(*dialog).contains(QStringLiteral("100000")) ||
               test::shown_words(*dialog).contains(QStringLiteral("100,000"));
    })) << test::shown_words(*dialog).toStdString();
    schedule->setCurrent(1);
    EXPECT_TRUE(QTest::qWaitFor([&] { return test::shown_words(*dialog).contains(QStringLiteral("uninterrupted")); }))
        << test::shown_words(*dialog).toStdString();
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    test::child<QPushButton>(*dialog, QStringLiteral("Start"))->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, kPatience));
    ASSERT_TRUE(QTest::qWaitFor([&] { return page() != nullptr && record()->paths().root() != first; }, kPatience));
    ASSERT_TRUE(becomes(RunStage::Finished)) << record()->state()->message;
    EXPECT_EQ(record()->state()->progress.step, saved + 5);
    const run::RunSpec spec = run::read_spec(record()->paths().spec());
    EXPECT_EQ(spec.recipe.schedule.decay_steps, 100000);
    EXPECT_EQ(spec.recipe.training.steps, saved + 5);
}
