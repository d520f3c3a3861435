// SPDX-License-Identifier: GPL-3.0-or-later
// Tests the first steps of a new user with the real programs, from the empty window to a trained sample and then to a
// model trained on the user's own data. Runs once with the keyboard only and once with the mouse.

#include <fstream>

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/dashboard/run_page.h"
#include "desktop/launch/check_table.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/launch_page.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "desktop/wizard/field_editor.h"
#include "desktop/wizard/step_page.h"
#include "desktop/wizard/wizard_page.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr int kSoon = 30000;
constexpr int kMostTabs = 150;

struct Newcomer {
    const char* name;
    bool by_keyboard;
    widgets::ThemeChoice theme;
    QSize window;
};

class TourTest : public testing::TestWithParam<Newcomer> {
  protected:
    void SetUp() override {
        for (const char* name :
             {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HF_HOME", "TRAINYARD_RUNS"})
            ::setenv(name, (folder_.path() / name).c_str(), 1);
        ::unsetenv("TRAINYARD_CONFIG");
        ::setenv("TRAINYARD_SAMPLE", (folder_.path() / "samples" / "sample.yaml").c_str(), 1);
        widgets::Theme::instance().setChoice(GetParam().theme);
        widgets::Theme::instance().install(*qApp);
        std::filesystem::create_directories(folder_.path() / "samples");
        writeText("samples/text.txt", "the quick brown fox jumps over the lazy dog");
        std::filesystem::create_directories(folder_.path() / "mine");
        writeText("mine/notes.txt", "words of my own");
        std::ofstream(folder_.path() / "samples" / "sample.yaml")
            << "name: sample\nmodel:\n  n_layer: 2\n  n_head: 2\n  n_embd: 32\n  n_positions: 32\n"
            << "data:\n  path: text.txt\n  sequence_length: 32\n"
            << "training:\n  steps: 30\n  batch_size: 4\n  evaluate_batches: 2\n";
    }
    void TearDown() override { window_.reset(); }
    void writeText(const char* name, const char* words) {
        std::ofstream text(folder_.path() / name);
        for (int i = 0; i < 3000; ++i)
            text << "Line " << i << ": " << words << ".\n";
    }
    static bool byKeyboard() { return GetParam().by_keyboard; }

    /// Activates a button with a mouse click, or with the keyboard: Tab until it has the focus, then Space.
    void press(QPushButton* button) {
        ASSERT_NE(button, nullptr);
        ASSERT_TRUE(button->isVisible() && button->isEnabled()) << button->text().toStdString();
        if (!byKeyboard()) {
            QTest::mouseClick(button, Qt::LeftButton);
            return;
        }
        ASSERT_TRUE(tabTo(button)) << button->text().toStdString() << " is not reached by Tab";
        QTest::keyClick(button, Qt::Key_Space);
    }
    bool tabTo(const QWidget* wanted) {
        for (int i = 0; i < kMostTabs && !wanted->hasFocus(); ++i) {
            QWidget* focus = QApplication::focusWidget();
            QTest::keyClick(focus != nullptr ? focus : window_.get(), Qt::Key_Tab);
        }
        return wanted->hasFocus();
    }
    QPushButton* button(QWidget* within, const QString& text) {
        for (QPushButton* one : within->findChildren<QPushButton*>())
            if (one->isVisible() && one->text() == text)
                return one;
        return nullptr;
    }
    RunPage* runPage() { return qobject_cast<RunPage*>(window_->currentPage()); }
    bool isOver(const QString& id, RunPhase& phase) {
        return QTest::qWaitFor(
            [&] {
                const RunSummary* run = window_->store()->find(id);
                if (run == nullptr || run->isLive())
                    return false;
                phase = run->phase;
                return true;
            },
            kPatience);
    }

    test::ViewsFolder views_;
    test::TemporaryFolder folder_;
    Preferences preferences_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace

TEST_P(TourTest, FromTheEmptyWindowToATrainedModelOfOnesOwnText) {
    preferences_.setEnginePath(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
    Options options;
    options.size = GetParam().window;
    window_ = std::make_unique<MainWindow>(&preferences_, options);
    settings::Machine machine;
    machine.physical_cores = 2;
    window_->context()->setMachine(machine);
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
    window_->begin();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return window_->engine()->isReady() && window_->currentPage() == window_->page<FirstRunPage>(); },
        kSoon));

    // The sample, to its end.
    const QSignalSpy failures(window_.get(), &MainWindow::launchFailed);
    ASSERT_NO_FATAL_FAILURE(press(window_->page<FirstRunPage>()->startButton()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window_->launchedRun().isEmpty(); }, kSoon))
        << (failures.isEmpty() ? std::string() : failures[0][0].toString().toStdString());
    const QString sample = window_->launchedRun();
    ASSERT_TRUE(QTest::qWaitFor([&] { return runPage() != nullptr && runPage()->record()->hasSteps(); }, kPatience));
    RunPhase phase = RunPhase::Preparing;
    ASSERT_TRUE(isOver(sample, phase));
    ASSERT_EQ(phase, RunPhase::Finished);

    // One line leads on: the same with data of one's own.
    ASSERT_TRUE(QTest::qWaitFor([&] { return runPage()->strip()->isVisible(); }, kSoon));
    test::take_picture(window_.get(), byKeyboard() ? "-keys-sample" : "-mouse-sample");
    ASSERT_NO_FATAL_FAILURE(press(button(runPage()->strip(), QStringLiteral("Choose your data"))));
    WizardPage* wizard = window_->page<WizardPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == wizard && wizard->isChecked(); }, kSoon));
    EXPECT_EQ(wizard->currentStep(), Step::Data);
    auto* path = qobject_cast<QLineEdit*>(wizard->page(Step::Data)->editor(QStringLiteral("data.path"))->widget());
    ASSERT_NE(path, nullptr);
    if (byKeyboard())
        ASSERT_TRUE(tabTo(path));
    else
        QTest::mouseClick(path, Qt::LeftButton);
    QTest::keyClick(path, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(path, QString::fromStdString((folder_.path() / "mine").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->isChecked(); }, kSoon));
    EXPECT_TRUE(wizard->problems().isEmpty() || std::none_of(wizard->problems().begin(), wizard->problems().end(),
                                                             [](const FieldProblem& problem) { return problem.error; }))
        << "a folder of texts must be accepted";
    test::take_picture(window_.get(), byKeyboard() ? "-keys-data" : "-mouse-data");

    // Training: the checks pass, and the run starts automatically.
    if (byKeyboard())
        QTest::keyClick(path, Qt::Key_Return, Qt::ControlModifier);
    else
        QTest::mouseClick(wizard->launchButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->launchedRun() != sample; }, kPatience))
        << wizard->message()->text().toStdString()
        << test::child<CheckTable>(*window_->page<LaunchPage>())->report().toStdString();
    const QString own = window_->launchedRun();
    ASSERT_TRUE(isOver(own, phase));
    EXPECT_EQ(phase, RunPhase::Finished);
    EXPECT_NE(window_->store()->find(own)->name, window_->store()->find(sample)->name) << "names of runs must differ";
    EXPECT_TRUE(QTest::qWaitFor([&] { return runPage() != nullptr && runPage()->record()->hasSteps(); }, kSoon));
    EXPECT_FALSE(runPage()->strip()->isVisible()) << "the run is not a sample run";
    test::take_picture(window_.get(), byKeyboard() ? "-keys-own" : "-mouse-own");
}

INSTANTIATE_TEST_SUITE_P(
    Hands, TourTest,
    testing::Values(Newcomer{"KeyboardInTheDarkAndSmall", true, widgets::ThemeChoice::Dark, {1100, 700}},
                    Newcomer{"MouseInTheLight", false, widgets::ThemeChoice::Light, {1440, 900}}),
    [](const testing::TestParamInfo<Newcomer>& newcomer) { return std::string(newcomer.param.name); });
