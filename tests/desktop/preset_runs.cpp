// SPDX-License-Identifier: GPL-3.0-or-later
// Runs what the presets with offloading lead to, with the real programs: each starts and finishes on this machine.

#include <QListWidget>
#include <QProcess>

#include "desktop/wizard/presets_menu.h"
#include "support/child.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr int kWait = 60000;

class PresetRuns : public test::WizardFixture {
  protected:
    void applyPreset(const QString& name) {
        QTest::mouseClick(test::child<QPushButton>(*wizard(), QStringLiteral("Presets")), Qt::LeftButton);
        auto* menu = test::child<PresetsMenu>(*wizard());
        ASSERT_TRUE(QTest::qWaitFor([&] { return menu->isVisible() && menu->isReady(); }, kWait));
        auto* list = test::child<QListWidget>(*menu);
        const auto found = list->findItems(name, Qt::MatchExactly);
        ASSERT_EQ(found.size(), 1) << name.toStdString();
        list->setCurrentItem(found.first());
        QTest::mouseClick(test::child<QPushButton>(*menu, QStringLiteral("Apply")), Qt::LeftButton);
        ASSERT_FALSE(menu->isVisible());
    }
};

}  // namespace

TEST_F(PresetRuns, PresetsWithOffloadingTrainOnProcessors) {
    open(cpu());
    ::setenv("OMP_NUM_THREADS", "1", 1);
    std::ofstream text(file("data.txt"));
    for (int i = 0; i < 500; ++i)
        text << "line " << i * 7919 % 500 << " of a text that repeats itself\n";
    text.close();
    for (const char* preset : {"Largest model on this machine", "ZeRO-3 with offload"}) {
        SCOPED_TRACE(preset);
        write("recipe.yaml",
              "name: preset\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\ndata: {path: " +
                  file("data.txt") +
                  ", sequence_length: 32}\ntraining: {steps: 2, batch_size: 2, evaluate_every: 0}\n" +
                  "checkpoint: {every: 0}\n");
        load("recipe.yaml");
        ASSERT_NO_FATAL_FAILURE(applyPreset(QString::fromLatin1(preset)));
        draft().answer(QStringLiteral("num_processes"), QStringLiteral("2"));
        settle();
        for (const FieldProblem& problem : problemsOf(draft()))
            EXPECT_FALSE(problem.error) << problem.key.toStdString() << ": " << problem.sentence.toStdString();
        write("started.yaml", draft().recipeYaml());
        const QStringList words = draft().commandWords(QString::fromStdString(file("started.yaml")));
        QProcess launch;
        launch.setProcessChannelMode(QProcess::MergedChannels);
        launch.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"), words.mid(1));
        ASSERT_TRUE(QTest::qWaitFor([&] { return launch.state() == QProcess::NotRunning; }, kWait));
        EXPECT_EQ(launch.exitCode(), 0) << words.join(QLatin1Char(' ')).toStdString() << "\n"
                                        << launch.readAll().toStdString();
    }
}
