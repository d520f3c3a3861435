// SPDX-License-Identifier: GPL-3.0-or-later
// Tests with the real programs: one click in the window trains a model, and the run continues if the window is killed.

#include <csignal>
#include <fstream>

#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/launch/check_table.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/launch_page.h"
#include "desktop/runs/metrics_summary.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "desktop/wizard/wizard_page.h"
#include "run/paths.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class SampleRunTest : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("TRAINYARD_SAMPLE", (folder_.path() / "sample.yaml").c_str(), 1);
        std::ofstream text(folder_.path() / "text.txt");
        for (int i = 0; i < 3000; ++i)
            text << "Line " << i << ": the quick brown fox jumps over the lazy dog.\n";
    }
    void writeSample(int steps, int batch) {
        std::ofstream(folder_.path() / "sample.yaml")
            << "name: sample\nmodel:\n  n_layer: 2\n  n_head: 2\n  n_embd: 32\n  n_positions: 32\n"
            << "data:\n  path: text.txt\n  sequence_length: 32\n"
            << "training:\n  steps: " << steps << "\n  batch_size: " << batch << "\n  evaluate_batches: 2\n";
    }
    /// The train losses of the event files, one per step.
    static qsizetype curvePoints(const QString& run, std::int64_t of) {
        MetricsSummary tail(run::RunPaths(run.toStdString()).metrics());
        while (tail.poll(1 << 20)) {
        }
        return tail.lossPoints(of).size();
    }
    test::TemporaryFolder folder_;
};

}  // namespace

TEST_F(SampleRunTest, OneClickTrainsToTheEnd) {
    constexpr int kSteps = 40;
    writeSample(kSteps, 4);
    Preferences preferences;
    preferences.setEnginePath(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
    Options options;
    options.sample = true;
    MainWindow window(&preferences, options);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    window.begin();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.engine()->isReady(); }, 10000))
        << window.engine()->problem().toStdString();
    ASSERT_EQ(window.currentPage(), window.page<FirstRunPage>());

    const QSignalSpy failures(&window, &MainWindow::launchFailed);
    QTest::mouseClick(window.page<FirstRunPage>()->startButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !window.launchedRun().isEmpty() || !failures.isEmpty(); }, 30000));
    ASSERT_TRUE(failures.isEmpty()) << failures[0][0].toString().toStdString();
    EXPECT_NE(window.currentPage(), window.page<FirstRunPage>());
    const QString id = window.launchedRun();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const RunSummary* run = window.store()->find(id);
            return run != nullptr && !run->isLive();
        },
        kPatience));
    const RunSummary run = *window.store()->find(id);
    EXPECT_EQ(run.phase, RunPhase::Finished) << run.failure.toStdString();
    EXPECT_EQ(run.step, kSteps);
    ASSERT_TRUE(run.loss.has_value());
    EXPECT_LT(*run.loss, 5.6);
    EXPECT_EQ(curvePoints(run.path, kSteps), kSteps);
    EXPECT_TRUE(QTest::qWaitFor([&] { return window.store()->find(id)->spark.size() == kSteps; }, 10000));
}

TEST_F(SampleRunTest, TheWizardIsFilledInSoThatOneClickTrains) {
    constexpr int kSteps = 12;
    writeSample(kSteps, 4);
    ::setenv("XDG_STATE_HOME", (folder_.path() / "state").c_str(), 1);
    Preferences preferences;
    preferences.setEnginePath(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
    MainWindow window(&preferences, {});
    settings::Machine machine;
    machine.physical_cores = 2;
    window.context()->setMachine(machine);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    window.begin();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window.engine()->isReady(); }, 10000));
    window.open({QStringLiteral("new"), {}});
    WizardPage* wizard = window.page<WizardPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->isChecked(); }, 10000));
    wizard->draft()->answer(QStringLiteral("machine_type"), QStringLiteral("MULTI_CPU"));
    wizard->draft()->answer(QStringLiteral("num_processes"), QStringLiteral("2"));
    // Uses the mouse, because a virtual display without a window manager does not activate the window for shortcuts.
    QTest::mouseClick(wizard->launchButton(), Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return !window.launchedRun().isEmpty() || wizard->message()->isVisible(); }, 30000))
        << test::child<CheckTable>(*window.page<LaunchPage>())->report().toStdString();
    ASSERT_FALSE(wizard->message()->isVisible()) << wizard->message()->copyText().toStdString();
    const QString id = window.launchedRun();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const RunSummary* run = window.store()->find(id);
            return run != nullptr && !run->isLive();
        },
        kPatience));
    const RunSummary run = *window.store()->find(id);
    EXPECT_EQ(run.phase, RunPhase::Finished) << run.failure.toStdString();
    EXPECT_EQ(run.step, kSteps);
    EXPECT_EQ(run.ranks, 2) << "as the settings say";
}

TEST_F(SampleRunTest, RunGoesOnWhenTheWindowIsKilled) {
    constexpr int kSteps = 250;
    writeSample(kSteps, 2);
    QProcess window;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    window.setProcessEnvironment(environment);
    window.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard-desktop"),
                 {QStringLiteral("--sample"), QStringLiteral("--autostart")});
    ASSERT_TRUE(window.waitForStarted());
    QByteArray said;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            window.waitForReadyRead(50);
            said += window.readAllStandardOutput();
            return said.contains("run ") && said.endsWith('\n');
        },
        60000))
        << window.readAllStandardError().toStdString();
    const QString id = QString::fromUtf8(said.mid(said.indexOf("run ") + 4)).section(QLatin1Char('\n'), 0, 0);
    ::kill(static_cast<pid_t>(window.processId()), SIGKILL);
    ASSERT_TRUE(window.waitForFinished());

    RunStore store;
    store.start();
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const RunSummary* run = store.find(id);
            return run != nullptr && !run->isLive();
        },
        kPatience));
    const RunSummary run = *store.find(id);
    EXPECT_EQ(run.phase, RunPhase::Finished) << run.failure.toStdString();
    EXPECT_EQ(run.step, kSteps);
    EXPECT_EQ(curvePoints(run.path, kSteps), kSteps);
}
