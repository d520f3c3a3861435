// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page with real runs of a user's program: its curves from event files, tables and output, its end and its
// memory; and with a disk that becomes full.

#include <fstream>

#include <QComboBox>
#include <QLabel>
#include <QTest>

#include <gtest/gtest.h>

#include "dashboard/fabricated_run.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/metric_figures.h"
#include "desktop/dashboard/ranks_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/dashboard/start_panel.h"
#include "desktop/dashboard/tags.h"
#include "desktop/dashboard/tile_row.h"
#include "fault/real_run.h"
#include "formats/events/event_file.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/views_folder.h"
#include "widgets/inline_message.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/theme.h"

namespace trainyard::desktop {
namespace {

class ScriptRun : public ::testing::Test {
  protected:
    ScriptRun() { widgets::Theme::instance().install(*qApp); }
    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    void picture() {
        using widgets::ThemeChoice;
        if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
            return;
        for (const auto& [choice, suffix] :
             {std::pair(ThemeChoice::Light, "-light"), std::pair(ThemeChoice::Dark, "-dark")}) {
            widgets::Theme::instance().setChoice(choice);
            test::take_picture(page.get(), suffix);
        }
    }
    std::filesystem::path work() const { return run.root() / "work"; }
    /// Starts the lines of a shell script in a folder of its own, and opens the page of its run.
    void start(const std::string& lines) {
        std::filesystem::create_directories(work());
        std::ofstream(work() / "train.sh") << lines;
        test::Program program({TRAINYARD_BIN_DIR "/trainyard", "launch", "--cpu", "--detach", "--num_processes", "1",
                               "--no_python", "/bin/sh", "train.sh"},
                              [folder = work()] {
                                  if (::chdir(folder.c_str()) != 0)
                                      ::_exit(1);
                              });
        ASSERT_EQ(program.wait().code, 0) << program.said().err;
        run.paths = run::list_runs(run.runs()).front().paths;
        open();
    }
    void open() {
        page = std::make_unique<RunPage>(*run.paths);
        page->resize(1228, 874);
        page->show();
        ASSERT_TRUE(QTest::qWaitFor([&] { return record()->isCaughtUp() && record()->state(); }, kPatience));
    }
    void TearDown() override { page.reset(); }
    RunRecord* record() const { return page->record(); }
    bool reaches(RunStage stage) const {
        return QTest::qWaitFor([&] { return record()->stage() == stage; }, kPatience);
    }
    QStringList offered() const {
        QStringList tags;
        const auto* selector = test::child<QComboBox>(*test::child<LossPanel>(*page));
        for (int i = 0; i < selector->count(); ++i)
            tags << selector->itemData(i).toString();
        return tags;
    }
    QString sentence() const { return test::child<StartPanel>(*page)->sentence()->text(); }

    test::ViewsFolder views;
    test::RealRun run;
    std::unique_ptr<RunPage> page;
};

TEST_F(ScriptRun, ShowsEveryCurveThatItHas) {
    std::filesystem::create_directories(work());
    {
        events::EventFileWriter board(work());
        for (int step = 1; step <= 20; ++step)
            board.add_scalars(step, 1000 + step, {{"Train_Loss", 2.0 / step}, {"norm", 1.0 * step}});
        board.flush();
        std::filesystem::rename(board.path(), work() / "board");
    }
    ASSERT_NO_FATAL_FAILURE(
        start("mkdir -p logs out\n"
              "echo starting\n"
              "while [ ! -e go ]; do sleep 0.02; done\n"
              "s=10\n"
              "while [ $s -lt 50 ]; do\n"
              "  echo \"step $s/60: loss 0.$s lr 1e-$s acc 0.5\"\n"
              "  echo \"{\\\"step\\\": $s, \\\"norm\\\": 7, \\\"val/f1\\\": 0.$s}\" >> out/m.jsonl\n"
              "  s=$((s + 1))\n"
              "done\n"
              "echo 'name,count' > out/words.csv; echo 'a,b' >> out/words.csv\n"
              "cp board logs/events.out.tfevents.1795287765.host.$$.0\n"
              "while [ ! -e end ]; do sleep 0.02; done\n"));
    // From the first output on it is running.
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->hasOutput(); }, kPatience));
    const QVector<StartStage> stages = start_stages(*record());
    EXPECT_TRUE(stages[2].done);
    EXPECT_TRUE(stages[3].current);
    EXPECT_EQ(stages[3].words, QStringLiteral("running"));
    EXPECT_TRUE(sentence().startsWith(QStringLiteral("Running for "))) << sentence().toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return record()->peakMemory(0) > 100'000; }, kPatience)) << "of the process";
    EXPECT_TRUE(QTest::qWaitFor([&] { return record()->state()->ranks[0].resident_bytes > 100'000; }, kPatience));

    std::ofstream(work() / "go") << "";
    const auto complete = [&] {
        const QStringList tags = offered();
        return tags.size() == 7 && tags.filter(QStringLiteral("norm")).size() == 2 &&
               record()->series("Train_Loss").size() == 20 && record()->series("val/f1").size() == 40 &&
               record()->series("printed/loss").size() == 40 && record()->series("printed/lr").size() == 40 &&
               record()->series("printed/acc").size() == 40;
    };
    ASSERT_TRUE(QTest::qWaitFor(complete, kPatience)) << offered().join(QLatin1Char('|')).toStdString();
    LossPanel* main = test::child<LossPanel>(*page);
    EXPECT_TRUE(main->isVisible());
    EXPECT_FALSE(test::child<StartPanel>(*page)->isVisible());
    EXPECT_EQ(main->shownMetric(), "Train_Loss") << "a loss that the program wrote comes before one that it printed";
    ASSERT_EQ(main->chart()->curves().size(), 1);
    EXPECT_EQ(main->chart()->curves()[0].series, &record()->series("Train_Loss"));
    EXPECT_EQ(record()->series("printed/loss").step(39), 49);
    EXPECT_FLOAT_EQ(static_cast<float>(record()->series("printed/loss").value(0)), 0.1F);
    EXPECT_EQ(record()->steps(), 60);
    EXPECT_FALSE(record()->series("system/resident_bytes#0").empty());
    EXPECT_NE(test::child<TileRow>(*page)->tile("Train_Loss"), nullptr);
    EXPECT_EQ(test::child<TileRow>(*page)->tile(tag::kTokensPerSecond), nullptr);
    picture();

    // Another curve is chosen with the keyboard; the choice is kept.
    auto* selector = test::child<QComboBox>(*main);
    selector->setFocus();
    while (main->shownMetric() != "val/f1" && selector->currentIndex() + 1 < selector->count())
        QTest::keyClick(selector, Qt::Key_Down);
    EXPECT_EQ(main->chart()->curves()[0].series, &record()->series("val/f1"));
    EXPECT_FALSE(main->chart()->isLogY());
    page.reset();
    open();
    ASSERT_TRUE(QTest::qWaitFor(complete, kPatience));
    EXPECT_EQ(test::child<LossPanel>(*page)->shownMetric(), "val/f1");

    std::ofstream(work() / "end") << "";
    ASSERT_TRUE(reaches(RunStage::Finished));
    EXPECT_EQ(stage_chip(*record()).text, QStringLiteral("Finished"));
    EXPECT_FALSE(test::child<FailurePanel>(*page)->isVisible());
    EXPECT_TRUE(test::child<LossPanel>(*page)->isVisible());
}

TEST_F(ScriptRun, FinishesWithoutCurvesOrWithItsOwnError) {
    ASSERT_NO_FATAL_FAILURE(start("echo hello\n"));
    ASSERT_TRUE(reaches(RunStage::Finished));
    EXPECT_TRUE(
        QTest::qWaitFor([&] { return sentence().startsWith(QStringLiteral("The program finished.")); }, kPatience))
        << sentence().toStdString();
    for (const StartStage& stage : start_stages(*record()))
        EXPECT_TRUE(stage.done) << stage.words.toStdString();
    page.reset();
    std::filesystem::remove_all(run.runs());
    ASSERT_NO_FATAL_FAILURE(start("echo 'ValueError: lr is 0' >&2; echo bye; exit 3\n"));
    ASSERT_TRUE(reaches(RunStage::Failed));
    const FailurePanel* failure = test::child<FailurePanel>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return failure->isVisible(); }, kPatience));
    EXPECT_EQ(failure->sentence()->text(), QStringLiteral("ValueError: lr is 0"));
    EXPECT_EQ(sentence(), QStringLiteral("The program failed. It had written no curves."));
}

TEST_F(ScriptRun, AFullDiskIsSaidSoUntilThereIsRoom) {
    const std::filesystem::path full = run.root() / "full";
    ::setenv("FULL_DISK_AT", run.runs().c_str(), 1);
    ::setenv("FULL_DISK_WHILE", full.c_str(), 1);
    ::setenv("LD_PRELOAD", TRAINYARD_BIN_DIR "/../tests/trainyard_full_disk.so", 1);
    const test::Said said = run.start({"--num_processes", "1"});
    ::unsetenv("LD_PRELOAD");
    ASSERT_EQ(said.code, 0) << said.err;
    ASSERT_NO_FATAL_FAILURE(open());
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->step() >= 2; }, kPatience));
    EXPECT_EQ(stage_chip(*record()).text, QStringLiteral("Running"));
    std::ofstream(full) << "";
    ASSERT_TRUE(QTest::qWaitFor([&] { return record()->isDiskFull() && page->strip()->isVisible(); }, kPatience));
    EXPECT_EQ(stage_chip(*record()).text, QStringLiteral("Disk full"));
    EXPECT_TRUE(page->strip()->text().startsWith(QStringLiteral("Nothing could be written in ")))
        << page->strip()->text().toStdString();
    picture();
    std::filesystem::remove(full);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !record()->isDiskFull() && !page->strip()->isVisible(); }, kPatience));
    EXPECT_EQ(stage_chip(*record()).text, QStringLiteral("Running"));
    ::unsetenv("FULL_DISK_AT");
    ::unsetenv("FULL_DISK_WHILE");
}

}  // namespace
}  // namespace trainyard::desktop
