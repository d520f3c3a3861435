// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the texts and requests of the small dialogs of a run's page, with keyboard input.

#include "desktop/dashboard/asks.h"

#include <algorithm>
#include <functional>

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/profile_dialog.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "run/journal.h"
#include "run/request.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/settle.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {
namespace {

class Asks : public ::testing::Test {
  protected:
    void open(const test::FabricatedRun& run) {
        page = std::make_unique<RunPage>(run.paths());
        page->resize(1228, 874);
        page->show();
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return page->record()->isCaughtUp() && page->record()->facts() && page->record()->rate() > 0; },
            kPatience));
    }
    /// Opens the dialog of the action, which does not block, and hands it over.
    void inDialog(const std::function<void(QDialog&)>& act) {
        test::child<QAction>(*page, QStringLiteral("Change the learning rate…"))->trigger();
        QPointer<QDialog> dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        act(*dialog);
        ASSERT_TRUE(QTest::qWaitFor([&] { return dialog == nullptr; }, kPatience)) << "it is deleted when it is closed";
    }
    static bool says(const QDialog& dialog, const QString& words) {
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (label->text().contains(words))
                return true;
        return false;
    }

    test::ViewsFolder views;
    test::TemporaryFolder folder;
    std::unique_ptr<RunPage> page;
};

TEST_F(Asks, TheFieldOfTheLearningRateHoldsThePeakAndEnterChangesNothing) {
    const test::FabricatedRun run(folder.path(), {});
    open(run);
    // The recipe's own rate is the peak; by now the schedule gives less.
    const double peak = page->record()->facts()->peak_rate, now = page->record()->rate();
    ASSERT_LT(now, 0.9 * peak);
    inDialog([&](QDialog& dialog) {
        auto* field = dialog.findChild<QLineEdit*>();
        EXPECT_DOUBLE_EQ(field->text().toDouble(), peak);
        EXPECT_TRUE(says(dialog, QStringLiteral("Now %1 → %1.").arg(widgets::value_number(now))));
        QTest::keyClick(field, Qt::Key_Return);
        if (dialog.isVisible())
            dialog.accept();
    });
    test::settle();
    EXPECT_TRUE(run::pending_requests(run.paths()).empty()) << "nothing was changed, so nothing is asked for";
}

TEST_F(Asks, TypingAPeakSaysWhatBecomesOfTheRateOfNow) {
    const test::FabricatedRun run(folder.path(), {});
    open(run);
    const double peak = page->record()->facts()->peak_rate, now = page->record()->rate();
    inDialog([&](QDialog& dialog) {
        auto* field = dialog.findChild<QLineEdit*>();
        field->selectAll();
        QTest::keyClicks(field, QString::number(peak / 2));
        EXPECT_TRUE(says(
            dialog, QStringLiteral("Now %1 → %2.").arg(widgets::value_number(now), widgets::value_number(now / 2))));
        QTest::keyClick(field, Qt::Key_Return);
        if (dialog.isVisible())
            dialog.accept();
    });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(run.paths()).empty(); }, kPatience));
    const run::Request asked = run::pending_requests(run.paths()).front();
    EXPECT_EQ(asked.kind, "set");
    EXPECT_DOUBLE_EQ(std::stod(asked.values.at("lr")), peak / 2);
}

TEST_F(Asks, APeakThatWasChangedOnTheWayIsTheOneInTheField) {
    const test::FabricatedRun run(folder.path(), {});
    run::append_event(run.paths(),
                      {wall_seconds(), 1800, "rate", -1, "the peak is 0.0005 from step 1801 on", {}, 5e-4});
    open(run);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->peakRate() == 5e-4; }, kPatience));
    inDialog([&](QDialog& dialog) {
        EXPECT_DOUBLE_EQ(dialog.findChild<QLineEdit*>()->text().toDouble(), 5e-4);
        dialog.reject();
    });
}

TEST_F(Asks, ARunIsKilledAfterAQuestionWhoseEnterCancels) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    const auto kill = [&]() -> QMessageBox* {
        const QList<QAction*> stops = test::child<RunHeader>(*page)->stopButton()->menu()->actions();
        const auto found = std::find_if(stops.begin(), stops.end(), [](const QAction* stop) {
            return stop->text().startsWith(QStringLiteral("Kill"));
        });
        if (found == stops.end())
            return nullptr;
        (*found)->trigger();
        return page->findChild<QMessageBox*>();
    };
    QPointer<QMessageBox> question = kill();
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->text().contains(QStringLiteral("at step"))) << question->text().toStdString();
    EXPECT_TRUE(question->informativeText().contains(QStringLiteral("will be lost")));
    // The run continues while the question is open.
    const QString text = question->text(), lost = question->informativeText();
    run.addStep(true);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return question->text() != text && question->informativeText() != lost; }, kPatience))
        << question->text().toStdString();
    ASSERT_TRUE(QTest::qWaitForWindowActive(question));
    QTest::keyClick(question, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return question == nullptr; }, kPatience));
    EXPECT_TRUE(run::pending_requests(run.paths()).empty());

    question = kill();
    ASSERT_NE(question, nullptr);
    for (QAbstractButton* button : question->buttons())
        if (question->buttonRole(button) == QMessageBox::AcceptRole)
            QTest::mouseClick(button, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(run.paths()).empty(); }, kPatience));
    EXPECT_EQ(run::pending_requests(run.paths()).front().kind, "kill");
}

/// The dialog follows the run, and the trace is opened as soon as it is recorded.
TEST_F(Asks, AProfileIsOpenedWhenItIsRecorded) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    QSignalSpy opened(page.get(), &RunPage::traceRequested);
    run::append_event(run.paths(), {wall_seconds(), 10, "profile", -1, "steps 8 to 10", "traces/early.trace.json", 8});
    const auto profile = [&](const std::function<void(ProfileDialog&)>& act) {
        QTest::mouseClick(test::child<RunHeader>(*page)->profileButton(), Qt::LeftButton);
        auto* dialog = qobject_cast<ProfileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        act(*dialog);
        dialog->findChild<QDialogButtonBox*>()->buttons().front()->click();
    };
    const auto events = [&](std::size_t more) {
        const std::size_t before = page->record()->events().size();
        EXPECT_TRUE(QTest::qWaitFor([&] { return page->record()->events().size() >= before + more; }, kPatience));
    };
    profile([&](ProfileDialog& dialog) {
        const QString words = dialog.words();
        run.addStep(true);
        EXPECT_TRUE(QTest::qWaitFor([&] { return dialog.words() != words; }, kPatience)) << "the steps that are meant";
    });
    test::settle();
    EXPECT_EQ(opened.count(), 0) << "the profile of before was not asked for here";
    run::append_event(run.paths(),
                      {wall_seconds(), 60, "profile", -1, "steps 58 to 60", "traces/asked.trace.json", 58});
    ASSERT_TRUE(QTest::qWaitFor([&] { return opened.count() == 1; }, kPatience));
    EXPECT_TRUE(opened[0][0].toString().endsWith(QStringLiteral("traces/asked.trace.json")));
    EXPECT_EQ(opened[0][1].toLongLong(), 58);
    // If the user has left the page by then, it offers the trace.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(run.paths()).empty(); }, kPatience));
    run::Request answered = run::pending_requests(run.paths()).front();
    EXPECT_EQ(answered.kind, "profile");
    answered.outcome = "done";
    run::finish_request(run.paths(), answered);
    const QPushButton* button = test::child<RunHeader>(*page)->profileButton();
    ASSERT_TRUE(QTest::qWaitFor([&] { return button->isEnabled(); }, kPatience));
    profile([](ProfileDialog&) {});
    page->hide();
    run::append_event(run.paths(),
                      {wall_seconds(), 90, "profile", -1, "steps 88 to 90", "traces/later.trace.json", 88});
    events(1);
    page->show();
    QPushButton* offer = nullptr;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return (offer = test::child<QPushButton>(*page, QStringLiteral("Open the trace"))) != nullptr; },
        kPatience));
    EXPECT_EQ(opened.count(), 1);
    offer->click();
    EXPECT_EQ(opened.count(), 2);
}

TEST_F(Asks, ANoteIsWrittenWhileTheRunGoesOn) {
    test::FabricatedRun run(folder.path(), {});
    open(run);
    test::child<QAction>(*page, QStringLiteral("Add a note…"))->trigger();
    QPointer<QDialog> dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
    ASSERT_NE(dialog, nullptr);
    const std::int64_t step = page->record()->step();
    run.addStep(true);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->record()->step() > step; }, kPatience)) << "nothing blocks the page";
    QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_TRUE(says(*dialog, QStringLiteral("Enter a note.")));
    QTest::keyClicks(dialog->findChild<QLineEdit*>(), QStringLiteral("warmer"));
    QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !run::pending_requests(run.paths()).empty(); }, kPatience));
    const run::Request asked = run::pending_requests(run.paths()).front();
    EXPECT_EQ(asked.kind, "note");
    EXPECT_EQ(asked.values.at("text"), "warmer");
    EXPECT_EQ(asked.values.at("step"), std::to_string(step)) << "the step of the question";
}

TEST(RatePreview, SaysWhatDoesNotFollowThePeak) {
    EXPECT_TRUE(
        rate_preview({1e-3, 6.9e-4, true}, QStringLiteral("5e-4")).startsWith(QStringLiteral("Now 6.9e-4 → 3.45e-4.")));
    EXPECT_TRUE(rate_preview({1e-3, 2e-4, false}, QStringLiteral("5e-4")).contains(QStringLiteral("training.swa_lr")));
    EXPECT_FALSE(rate_preview({1e-3, 6.9e-4, true}, QStringLiteral("x")).contains(QStringLiteral("→")));
}

}  // namespace
}  // namespace trainyard::desktop
