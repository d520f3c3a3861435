// SPDX-License-Identifier: GPL-3.0-or-later
// Runs what the presets with offloading and the cards of sharding lead to, with the real programs: each starts and
// finishes on this machine.

#include <QListWidget>
#include <QProcess>

#include "desktop/wizard/presets_menu.h"
#include "support/child.h"
#include "support/patience.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class PresetRuns : public test::WizardFixture {
  protected:
    void applyPreset(const QString& name) {
        QTest::mouseClick(test::child<QPushButton>(*wizard(), QStringLiteral("Presets")), Qt::LeftButton);
        auto* menu = test::child<PresetsMenu>(*wizard());
        ASSERT_TRUE(QTest::qWaitFor([&] { return menu->isVisible() && menu->isReady(); }, kPatience));
        auto* list = test::child<QListWidget>(*menu);
        const auto found = list->findItems(name, Qt::MatchExactly);
        ASSERT_EQ(found.size(), 1) << name.toStdString();
        list->setCurrentItem(found.first());
        QTest::mouseClick(test::child<QPushButton>(*menu, QStringLiteral("Apply")), Qt::LeftButton);
        ASSERT_FALSE(menu->isVisible());
    }
    /// A small recipe in the wizard.
    void begin() {
        ::setenv("OMP_NUM_THREADS", "1", 1);
        std::ofstream text(file("data.txt"));
        for (int i = 0; i < 500; ++i)
            text << "line " << i * 7919 % 500 << " of a text that repeats itself\n";
        text.close();
        write("recipe.yaml",
              "name: preset\nmodel: {n_layer: 2, n_embd: 32, n_head: 2, n_positions: 32}\ndata: {path: " +
                  file("data.txt") +
                  ", sequence_length: 32}\ntraining: {steps: 2, batch_size: 2, evaluate_every: 0}\n" +
                  "checkpoint: {every: 0}\n");
        load("recipe.yaml");
    }
    /// Starts the wizard's run on two ranks. It must finish.
    void expectTrains() {
        draft().answer(QStringLiteral("num_processes"), QStringLiteral("2"));
        settle();
        for (const FieldProblem& problem : problemsOf(draft()))
            EXPECT_FALSE(problem.error) << problem.key.toStdString() << ": " << problem.sentence.toStdString();
        write("started.yaml", draft().recipeYaml());
        (void)outputOf(draft().commandWords(QString::fromStdString(file("started.yaml"))).mid(1));
    }
    /// Runs the program with these words, which must succeed, and returns its output.
    static QString outputOf(const QStringList& words) {
        QProcess launch;
        launch.setProcessChannelMode(QProcess::MergedChannels);
        launch.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"), words);
        EXPECT_TRUE(QTest::qWaitFor([&] { return launch.state() == QProcess::NotRunning; }, kPatience));
        QString output = QString::fromUtf8(launch.readAll());
        EXPECT_EQ(launch.exitCode(), 0) << words.join(QLatin1Char(' ')).toStdString() << "\n" << output.toStdString();
        return output;
    }
};

}  // namespace

TEST_F(PresetRuns, PresetsWithOffloadingTrainOnProcessors) {
    open(cpu());
    for (const char* preset : {"Largest model on this machine", "ZeRO-3 with offload"}) {
        SCOPED_TRACE(preset);
        begin();
        ASSERT_NO_FATAL_FAILURE(applyPreset(QString::fromLatin1(preset)));
        expectTrains();
    }
}

TEST_F(PresetRuns, CardsOfShardingTrainOnProcessors) {
    open(cpu());
    for (const Layout card : {Layout::Shard, Layout::Zero}) {
        SCOPED_TRACE(card == Layout::Shard ? "Shard" : "ZeRO");
        begin();
        choose("machine_type", QStringLiteral("MULTI_GPU"));  // the engine trains such layouts on processors, too
        clickCard(card);
        expectTrains();
        QStringList words = draft().commandWords(QString::fromStdString(file("started.yaml"))).mid(1);
        words.insert(1, QStringLiteral("--dry-run"));
        const QString plan = outputOf(words);
        EXPECT_TRUE(
            plan.contains(card == Layout::Shard ? QStringLiteral("zero_stage: 3") : QStringLiteral("zero_stage: 2")))
            << plan.toStdString();
    }
}
