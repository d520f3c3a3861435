// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the texts and requests of the small dialogs of a run's page, with keyboard input.

#include "desktop/dashboard/asks.h"

#include <algorithm>
#include <functional>

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include <gtest/gtest.h>

#include "base/clock.h"
#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/tags.h"
#include "run/journal.h"
#include "run/request.h"
#include "support/child.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {
namespace {

constexpr int kPatience = 10'000;  // ms

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
    /// Opens the dialog of the action and hands it over.
    void inDialog(const std::function<void(QDialog&)>& act) {
        bool came = false;
        QTimer::singleShot(0, page.get(), [&] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            came = true;
            act(*dialog);
        });
        test::child<QAction>(*page, QStringLiteral("Change the learning rate…"))->trigger();
        EXPECT_TRUE(came);
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
    QTest::qWait(200);
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
    const test::FabricatedRun run(folder.path(), {});
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

TEST(RatePreview, SaysWhatDoesNotFollowThePeak) {
    EXPECT_TRUE(
        rate_preview({1e-3, 6.9e-4, true}, QStringLiteral("5e-4")).startsWith(QStringLiteral("Now 6.9e-4 → 3.45e-4.")));
    EXPECT_TRUE(rate_preview({1e-3, 2e-4, false}, QStringLiteral("5e-4")).contains(QStringLiteral("training.swa_lr")));
    EXPECT_FALSE(rate_preview({1e-3, 6.9e-4, true}, QStringLiteral("x")).contains(QStringLiteral("→")));
}

}  // namespace
}  // namespace trainyard::desktop
