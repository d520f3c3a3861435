// SPDX-License-Identifier: GPL-3.0-or-later
// The recipe in the wizard: what is typed is what is written and launched.

#include <filesystem>

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

#include "desktop/data/data_panel.h"
#include "desktop/launch/check_table.h"
#include "desktop/launch/launch_page.h"
#include "desktop/runs/run_details.h"
#include "desktop/runs/run_speed.h"
#include "desktop/wizard/batch_panel.h"
#include "desktop/wizard/diff_text.h"
#include "desktop/wizard/hardware_page.h"
#include "desktop/wizard/recipe_page.h"
#include "desktop/wizard/written_panel.h"
#include "desktop/wizard_fixture.h"
#include "models/spec/family.h"
#include "support/child.h"
#include "widgets/segmented_control.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class NewRunTest : public test::WizardFixture {
  protected:
    void SetUp() override {
        WizardFixture::SetUp();
        open(cpu());
        goodRecipe();
    }
    std::string recipe() { return draft().recipeYaml(); }
};

}  // namespace

TEST_F(NewRunTest, GoodFormHasNoProblemAndShowsItsFile) {
    for (const char* key : {"name", "data.path", "training.steps", "optimizer.lr", "machine_type"}) {
        ASSERT_TRUE(wizard()->goToField(QLatin1String(key)));
        EXPECT_EQ(problem(key), "") << key;
    }
    EXPECT_EQ(recipe().find("steps:"), std::string::npos) << "the default stays out of the file";
    type("training.steps", QStringLiteral("321"));
    settle();
    EXPECT_NE(recipe().find("  steps: 321"), std::string::npos);
    test::child<widgets::SegmentedControl>(*test::child<WrittenPanel>(*wizard()))->setCurrent(WrittenPanel::Recipe);
    EXPECT_TRUE(test::child<DiffText>(*wizard())->toPlainText().contains(QStringLiteral("  steps: 321")));
}

TEST_F(NewRunTest, WrongFieldsSayWhatToMend) {
    type("model.n_head", QStringLiteral("3"));
    type("data.sequence_length", QStringLiteral("100000"));
    type("training.steps", QStringLiteral("many"));
    settle();
    ASSERT_TRUE(waitForProblem("training.steps"));
    EXPECT_NE(problem("training.steps").find("whole number"), std::string::npos);
    wizard()->showStep(Step::Model);
    EXPECT_NE(problem("model.n_head").find("multiple"), std::string::npos);
    wizard()->showStep(Step::Data);
    EXPECT_NE(problem("data.sequence_length").find("n_positions"), std::string::npos);
    EXPECT_NE(test::child<QPushButton>(*wizard(), QStringLiteral("3 fields to fix")), nullptr);
    type("training.steps", QStringLiteral("10"));
    EXPECT_EQ(problem("training.steps"), "") << "goes at once when one types";
    settle();
    EXPECT_EQ(problem("training.steps"), "");
    wizard()->showStep(Step::Model);
    EXPECT_NE(problem("model.n_head"), "");
}

TEST_F(NewRunTest, MissingTextIsNamedAtItsField) {
    type("data.path", QStringLiteral("/nowhere/at/all"));
    settle();
    ASSERT_TRUE(waitForProblem("data.path"));
    EXPECT_NE(problem("data.path").find("/nowhere/at/all"), std::string::npos) << problem("data.path");
}

TEST_F(NewRunTest, LaunchIsNeverDisabledAndGoesToTheFirstWrongField) {
    type("optimizer.lr", QStringLiteral("-1"));
    type("checkpoint.every", QStringLiteral("x"));
    settle();
    EXPECT_TRUE(wizard()->launchButton()->isEnabled());
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    EXPECT_EQ(wizard()->currentStep(), Step::Training);
    EXPECT_TRUE(editor("optimizer.lr")->hasFocus());
    EXPECT_TRUE(wizard()->launchButton()->isEnabled());
}

TEST_F(NewRunTest, SizesFillTheModelAndOwnNumbersAreCustom) {
    wizard()->showStep(Step::Model);
    auto* size = test::child<widgets::SegmentedControl>(*wizard()->page(Step::Model), QStringLiteral("Size"));
    QTest::mouseClick(size->button(1), Qt::LeftButton);
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.n_layer")), QStringLiteral("6"));
    EXPECT_EQ(editor("model.n_embd")->value(), QStringLiteral("384"));
    EXPECT_NE(recipe().find("n_positions: 256"), std::string::npos);
    type("model.n_layer", QStringLiteral("5"));
    EXPECT_EQ(size->current(), 2);
    type("model.n_layer", QStringLiteral("6"));
    EXPECT_EQ(size->current(), 1);
}

TEST_F(NewRunTest, LaunchWritesRecipeAndSettingsAndOpensTheRun) {
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);  // a test of the window, not of what trains
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    type("name", QStringLiteral("my run"));
    choose("machine_type", QStringLiteral("MULTI_CPU"));
    type("num_processes", QStringLiteral("2"));
    choose("mp", QStringLiteral("bf16"));
    press(Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, 10000))
        << test::child<CheckTable>(*window_->page<LaunchPage>())->report().toStdString();
    EXPECT_EQ(launched.first().first().toString(), QStringLiteral("r1"));
    const std::vector<std::string> words = arguments();
    ASSERT_EQ(words.size(), 6u);
    EXPECT_EQ((std::vector<std::string>(words.begin(), words.begin() + 4)),
              (std::vector<std::string>{"launch", "--detach", "--json", "--config_file"}));
    EXPECT_EQ(content(words[4]), yaml());
    const config::Recipe written = config::load_recipe(words[5]);
    EXPECT_EQ(written.name, "my run");
    EXPECT_EQ(written.training.mixed_precision, Precision::bf16) << "the recipe follows the settings";
    EXPECT_EQ(settings::load_settings(words[4]).settings.integer("num_processes", 0), 2);
    EXPECT_TRUE(wizard()->launchButton()->isEnabled());
}

TEST_F(NewRunTest, WordsOfTheEngineAreShownAsTheyAre) {
    fakeEngine("echo 'port 29500 is in use: choose another' >&2; exit 2");
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    widgets::InlineMessage* message = window_->page<LaunchPage>()->message();
    ASSERT_TRUE(QTest::qWaitFor([&] { return message->isVisible(); }, 10000));
    EXPECT_EQ(message->text().toStdString(), "port 29500 is in use: choose another");
    EXPECT_TRUE(wizard()->launchButton()->isEnabled());
}

TEST_F(NewRunTest, EveryPrecisionOfTheEngineIsTaken) {
    for (const char* possible : {"fp8", "fp16", "bf16", "no"}) {
        choose("mp", QLatin1String(possible));
        settle();
        EXPECT_EQ(problem("mp"), "") << possible;
        EXPECT_EQ(draft().draft().settings().text("mixed_precision"), possible);
    }
}

TEST_F(NewRunTest, LoadsARecipeAndSaysWhenItIsNone) {
    write("good.yaml", "name: loaded\ntraining:\n  steps: 77\n");
    load("good.yaml");
    ASSERT_TRUE(wizard()->goToField(QStringLiteral("training.steps")));
    EXPECT_EQ(editor("name")->value(), QStringLiteral("loaded"));
    EXPECT_EQ(editor("training.steps")->value(), QStringLiteral("77"));
    write("bad.yaml", "name: x\nmodle:\n  n_layer: 2\n");
    load("bad.yaml");
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard()->message()->isVisible(); }, 10000));
    EXPECT_TRUE(wizard()->message()->text().contains(QStringLiteral("modle")));
    EXPECT_TRUE(wizard()->message()->text().contains(QStringLiteral("line 2")));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("name")), QStringLiteral("loaded"));
}

TEST_F(NewRunTest, BatchOnMoreRanksKeepsTheTraining) {
    type("training.batch_size", QStringLiteral("8"));
    type("training.gradient_accumulation_steps", QStringLiteral("4"));
    choose("machine_type", QStringLiteral("MULTI_CPU"));
    type("num_processes", QStringLiteral("4"));
    wizard()->showStep(Step::Training);
    BatchPanel* batch = test::child<BatchPanel>(*static_cast<TrainingPage*>(wizard()->page(Step::Training)));
    EXPECT_TRUE(batch->facts()->text().contains(QStringLiteral("= 128"))) << batch->facts()->text().toStdString();
    QPushButton* apply = nullptr;
    for (QPushButton* button : batch->findChildren<QPushButton*>())
        if (apply == nullptr && button->text() == QLatin1String("Apply"))
            apply = button;
    ASSERT_NE(apply, nullptr);
    QTest::mouseClick(apply, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return batch->facts()->text().contains(QStringLiteral("= 32")); }))
        << batch->facts()->text().toStdString();
}

TEST_F(NewRunTest, ANumberOutOfRangeIsSaidAndNothingIsCalculatedFromIt) {
    type("training.batch_size", QStringLiteral("4000000000"));
    wizard()->showStep(Step::Training);
    ASSERT_TRUE(waitForProblem("training.batch_size"));
    BatchPanel* batch = test::child<BatchPanel>(*static_cast<TrainingPage*>(wizard()->page(Step::Training)));
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard()->isChecked(); }, 10000));
    EXPECT_FALSE(batch->facts()->text().contains(QLatin1Char('='))) << batch->facts()->text().toStdString();
    for (QPushButton* button : batch->findChildren<QPushButton*>())
        EXPECT_FALSE(button->isVisible() && button->text() == QStringLiteral("Apply"));
    type("training.steps", QStringLiteral("99999999999999999999"));
    ASSERT_TRUE(waitForProblem("training.steps"));
    EXPECT_NE(problem("training.steps").find("out of range"), std::string::npos) << problem("training.steps");
}

TEST_F(NewRunTest, ADigitTooManyInAFieldForANumberIsShownAsWrong) {
    wizard()->showStep(Step::Hardware);
    auto* page = static_cast<HardwarePage*>(wizard()->page(Step::Hardware));
    QSpinBox* ranks = page->line(QStringLiteral("localhost")).ranks;
    ranks->setValue(2);
    ranks->setFocus();
    ranks->selectAll();
    QTest::keyClicks(ranks, QStringLiteral("99999999"));
    EXPECT_TRUE(ranks->text().startsWith(QStringLiteral("99999999"))) << ranks->text().toStdString();
    EXPECT_TRUE(ranks->property("invalid").toBool());
    QTest::keyClick(ranks, Qt::Key_Return);
    settle();
    EXPECT_EQ(ranks->value(), 2) << "no part of what was typed";
    EXPECT_EQ(draft().ranks(), 2);
    EXPECT_FALSE(ranks->property("invalid").toBool());
    ranks->selectAll();
    QTest::keyClicks(ranks, QStringLiteral("12"));
    QTest::keyClick(ranks, Qt::Key_Return);
    settle();
    EXPECT_EQ(draft().ranks(), 12);
}

TEST_F(NewRunTest, ASplitBatchIsThatOfAllRanks) {
    type("training.batch_size", QStringLiteral("8"));
    choose("machine_type", QStringLiteral("MULTI_CPU"));
    type("num_processes", QStringLiteral("4"));
    wizard()->showStep(Step::Training);
    BatchPanel* batch = test::child<BatchPanel>(*static_cast<TrainingPage*>(wizard()->page(Step::Training)));
    EXPECT_TRUE(batch->facts()->text().contains(QStringLiteral("= 32"))) << batch->facts()->text().toStdString();
    draft().setRecipeValue(QStringLiteral("data.split_batches"), QStringLiteral("true"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return batch->facts()->text().contains(QStringLiteral("= 8 ")); }))
        << batch->facts()->text().toStdString();
    EXPECT_TRUE(batch->facts()->text().startsWith(QStringLiteral("2 ×"))) << batch->facts()->text().toStdString();
    const config::Recipe read = config::parse_recipe(recipe(), file("x.yaml"));
    EXPECT_TRUE(read.data.split_batches);
}

TEST_F(NewRunTest, AListOfPathsStaysAList) {
    write("two.yaml", "name: two\ndata:\n  path: [a.txt, b.txt]\n  sequence_length: 8\n");
    load("two.yaml");
    const QString list = draft().recipeValue(QStringLiteral("data.path"));
    EXPECT_TRUE(list.startsWith(QLatin1Char('['))) << list.toStdString();
    type("optimizer.betas", QStringLiteral("[0.8, 0.9]"));
    const config::Recipe read = config::parse_recipe(recipe(), file("x.yaml"));
    EXPECT_EQ(read.data.paths.size(), 2u);
    EXPECT_DOUBLE_EQ(read.optimizer.beta1, 0.8);
}

TEST_F(NewRunTest, SeldomSettingsOfThePageAreBehindOneButton) {
    for (const char* key : {"lora.r", "model.resid_pdrop"}) {
        EXPECT_TRUE(wizard()->goToField(QLatin1String(key)));
        EXPECT_TRUE(wizard()->page(Step::Model)->row(QLatin1String(key))->isVisible()) << key;
    }
    int folds = 0;
    for (const QPushButton* button : wizard()->page(Step::Model)->findChildren<QPushButton*>())
        folds += button->text() == QLatin1String("More settings");
    EXPECT_EQ(folds, 1);
}

TEST_F(NewRunTest, AFolderInWhichThePatternFindsNothingOffersTheOneThatDoes) {
    std::filesystem::create_directories(folder_.path() / "books" / "deep");
    for (const char* name : {"books/one.txt", "books/deep/two.txt", "books/three.txt"})
        write(name, "It was a bright cold day in April. " + std::string(3000, 'x'));
    write("books/cover.png", "not a text");
    type("data.pattern", QStringLiteral("*.pod"));
    type("data.path", QString::fromStdString(file("books")));
    settle();
    ASSERT_TRUE(waitForProblem("data.path"));
    auto* page = static_cast<DataPage*>(wizard()->page(Step::Data));
    auto* fix = test::child<QPushButton>(*page, QStringLiteral("Use *.txt: 3 files, 9.1 kB"));
    ASSERT_NE(fix, nullptr) << test::child<DataPanel>(*page)->facts()->text().toStdString();
    ASSERT_TRUE(fix->isVisible());
    QTest::mouseClick(fix, Qt::LeftButton);
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("data.pattern")), QStringLiteral("*.txt"));
    EXPECT_EQ(problem("data.path"), "");
    EXPECT_FALSE(fix->isVisible());
    // 3 * 3,035 bytes, and a newline between two files.
    EXPECT_TRUE(
        test::child<DataPanel>(*page)->facts()->text().startsWith(QStringLiteral("3 files, 9.1 kB, 9,107 tokens")))
        << test::child<DataPanel>(*page)->facts()->text().toStdString();
    const QTableView* preview = test::child<DataPanel>(*page)->preview();
    EXPECT_TRUE(preview->isVisible());
    EXPECT_TRUE(preview->model()->index(0, 0).data().toString().startsWith(QStringLiteral("It was a bright cold day")));
}

TEST_F(NewRunTest, TheFirstRowsOfTheTextAreShownAsTheyAreDecoded) {
    write("poem.txt", "Über allen Gipfeln ist Ruh, " + std::string(4000, 'y') + " in allen Wipfeln spürest du");
    type("data.path", QString::fromStdString(file("poem.txt")));
    settle();
    auto* page = static_cast<DataPage*>(wizard()->page(Step::Data));
    const QTableView* preview = test::child<DataPanel>(*page)->preview();
    EXPECT_TRUE(preview->isVisible());
    const QAbstractItemModel* rows = preview->model();
    ASSERT_GT(rows->rowCount(), 1);
    EXPECT_TRUE(rows->index(0, 0).data().toString().startsWith(QStringLiteral("Über allen Gipfeln ist Ruh, yyy")))
        << rows->index(0, 0).data().toString().toStdString();
    EXPECT_TRUE(rows->index(1, 0).data().toString().startsWith(QStringLiteral("yyy")));
}

TEST_F(NewRunTest, TheNumberOfRanksCanBeTypedAndTheKindOfMachineFollows) {
    wizard()->showStep(Step::Hardware);
    auto* page = static_cast<HardwarePage*>(wizard()->page(Step::Hardware));
    QSpinBox* ranks = page->line(QStringLiteral("localhost")).ranks;
    ASSERT_TRUE(ranks->isEnabled());
    ASSERT_EQ(draft().answerOf(QStringLiteral("machine_type")), QStringLiteral("NO"));
    ranks->setFocus();
    ranks->selectAll();
    QTest::keyClicks(ranks, QStringLiteral("3"));
    QTest::keyClick(ranks, Qt::Key_Return);
    settle();
    EXPECT_EQ(draft().ranks(), 3);
    EXPECT_EQ(draft().answerOf(QStringLiteral("machine_type")), QStringLiteral("MULTI_CPU"));
    EXPECT_EQ(draft().draft().settings().integer("num_processes", 0), 3);
    ranks->setValue(1);
    settle();
    EXPECT_EQ(draft().ranks(), 1);
    EXPECT_EQ(draft().answerOf(QStringLiteral("machine_type")), QStringLiteral("NO"));
    EXPECT_TRUE(wizard()->problems().isEmpty());
}

TEST_F(NewRunTest, ANameWithASlashIsRefusedWithASentence) {
    type("name", QStringLiteral("a/b"));
    settle();
    ASSERT_TRUE(waitForProblem("name"));
    EXPECT_NE(problem("name").find("slash"), std::string::npos) << problem("name");
    type("name", QStringLiteral("a-b"));
    settle();
    EXPECT_EQ(problem("name"), "");
}

TEST_F(NewRunTest, ALaunchedDraftIsNotOpenedAgain) {
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    type("name", QStringLiteral("mine"));
    type("training.steps", QStringLiteral("77"));
    press(Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, 10000));
    window_->open({QStringLiteral("new"), {}});
    settle();
    EXPECT_NE(draft().recipeValue(QStringLiteral("name")), QStringLiteral("mine"));
    EXPECT_NE(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("77"));
    EXPECT_EQ(wizard()->currentStep(), Step::Start);
}

TEST_F(NewRunTest, ALaunchedDraftIsNotOpenedAgainAfterARestartEither) {
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    type("name", QStringLiteral("mine"));
    press(Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, 10000));
    window_.reset();
    open(cpu());
    EXPECT_NE(draft().recipeValue(QStringLiteral("name")), QStringLiteral("mine"));
    EXPECT_EQ(wizard()->currentStep(), Step::Start);
    // A new draft that was begun after it is kept as ever.
    type("name", QStringLiteral("next"));
    window_.reset();
    open(cpu());
    EXPECT_EQ(draft().recipeValue(QStringLiteral("name")), QStringLiteral("next"));
}

TEST_F(NewRunTest, WithoutAnEarlierRunTheTimeIsEstimatedFromThePeakAndSaysHow) {
    auto* page = static_cast<TrainingPage*>(wizard()->page(Step::Training));
    draft().setSpeeds([](const SpeedQuestion& question) -> std::optional<KnownSpeed> {
        if (!question.recipe)
            return std::nullopt;
        return estimated_speed(*question.recipe, question.ranks, {1e11, 0}, ReachedShare{0.5, 3});
    });
    type("training.steps", QStringLiteral("600"));
    settle();
    wizard()->showStep(Step::Training);
    EXPECT_TRUE(
        test::child<BatchPanel>(*page)->facts()->text().contains(QStringLiteral("estimated from this machine's peak")))
        << test::child<BatchPanel>(*page)->facts()->text().toStdString();
    const QString how = test::child<BatchPanel>(*page)->facts()->toolTip();
    for (const char* words : {"100 GFLOP/s", "50 %", "median of 3 runs"})
        EXPECT_TRUE(QString(how).replace(QChar(0xA0), QLatin1Char(' ')).contains(QLatin1String(words)))
            << how.toStdString();
    // Other hosts have other processors.
    draft().setHosts({{"gpu-a", 2}});
    settle();
    EXPECT_FALSE(draft().speed());
}

TEST_F(NewRunTest, TheEstimateIsTheOperationsOfATokenOverTheShareOfThePeak) {
    config::Recipe recipe;
    const double per_token =
        families::family_of(recipe.model).flops_per_sample(recipe.model, config::sample_size(recipe)) /
        static_cast<double>(recipe.data.sequence_length);
    EXPECT_NEAR(estimated_speed(recipe, 2, {2e10, 0}, ReachedShare{0.25, 1})->tokens_per_second,
                2 * 2e10 * 0.25 / per_token, 1e-6);
    EXPECT_NEAR(estimated_speed(recipe, 1, {2e10, 0}, std::nullopt)->tokens_per_second, 2e10 * kUsualShare / per_token,
                1e-6);
    const auto run = [](double share, const char* format, int gpus = 0) {
        RunSummary made;
        made.gpus = gpus;
        made.hosts = QStringList{QStringLiteral("this machine")};
        made.metrics = std::make_shared<RunMetrics>(
            QVector<MetricEntry>{{QStringLiteral("train/mfu"), share, share, share, share, 10, 10}});
        made.config = std::make_shared<RunConfig>(
            QVector<ConfigEntry>{{QStringLiteral("training.mixed_precision"), QLatin1String(format)}});
        return made;
    };
    EXPECT_FALSE(reached_share({}, QStringLiteral("no")));
    EXPECT_FALSE(reached_share({run(1.5, "no"), run(0.4, "no", 1)}, QStringLiteral("no")))
        << "above a peak, and on a GPU";
    const RunSummaries runs{run(0.2, "no"), run(0.3, "no"), run(0.9, "no"), run(0.6, "bf16")};
    EXPECT_NEAR(reached_share(runs, QStringLiteral("no"))->share, 0.3, 1e-9);
    EXPECT_EQ(reached_share(runs, QStringLiteral("no"))->runs, 3);
    EXPECT_NEAR(reached_share(runs, QStringLiteral("bf16"))->share, 0.6, 1e-9);
    EXPECT_EQ(reached_share(runs, QStringLiteral("fp16"))->runs, 4) << "of no run in this format: of all";
}

TEST_F(NewRunTest, TheTimeOfAStepAndOfAllIsToldFromEarlierRuns) {
    auto* page = static_cast<TrainingPage*>(wizard()->page(Step::Training));
    wizard()->showStep(Step::Training);
    EXPECT_TRUE(test::child<BatchPanel>(*page)->facts()->text().contains(QStringLiteral("known after a first run")))
        << test::child<BatchPanel>(*page)->facts()->text().toStdString();
    draft().setSpeeds([](const SpeedQuestion& question) -> std::optional<KnownSpeed> {
        if (question.values.value(QStringLiteral("training.mixed_precision")) != QLatin1String("no") ||
            question.ranks != 1)
            return std::nullopt;
        return KnownSpeed{6400, QStringLiteral("earlier"), {}};
    });
    type("training.batch_size", QStringLiteral("10"));
    type("data.sequence_length", QStringLiteral("64"));
    type("training.steps", QStringLiteral("600"));
    settle();
    wizard()->showStep(Step::Training);
    // 640 tokens at 6,400 a second.
    EXPECT_TRUE(test::child<BatchPanel>(*page)
                    ->facts()
                    ->text()
                    .replace(QChar(0xA0), QLatin1Char(' '))
                    .contains(QStringLiteral("100 ms a step, 1 min in all, at the speed of the run earlier")))
        << test::child<BatchPanel>(*page)->facts()->text().toStdString();
}

TEST_F(NewRunTest, TheSpeedIsThatOfTheNewestRunWithTheSameModel) {
    const auto run = [](const char* name, const char* layers, double created, double speed) {
        RunSummary made;
        made.name = QLatin1String(name);
        made.created = created;
        made.ranks = 1;
        made.tokensPerSecond = speed;
        QVector<ConfigEntry> entries;
        for (const auto& [key, value] : {std::pair("data.sequence_length", "64"),
                                         {"model.n_embd", "128"},
                                         {"model.n_head", "4"},
                                         {"model.n_layer", layers},
                                         {"model.vocab_size", "256"},
                                         {"training.mixed_precision", "no"}})
            entries << ConfigEntry{QLatin1String(key), QLatin1String(value), 0};
        made.config = std::make_shared<RunConfig>(entries);
        return made;
    };
    const RunSummaries runs{run("old", "4", 1, 100), run("new", "4", 2, 200), run("deeper", "8", 3, 50)};
    QMap<QString, QString> values;
    for (const ConfigEntry& entry : runs.first().config->entries())
        values.insert(entry.key, entry.text);
    ASSERT_TRUE(known_speed(runs, values, 1));
    EXPECT_EQ(known_speed(runs, values, 1)->run, QStringLiteral("new"));
    EXPECT_EQ(known_speed(runs, values, 1)->tokens_per_second, 200);
    EXPECT_FALSE(known_speed(runs, values, 2)) << "two ranks were never measured";
}

TEST_F(NewRunTest, EachChoiceOfANumberFormatSaysWhatTheDevicesMakeOfIt) {
    settings::Machine machine = cpu();
    machine.processor.instructions = InstructionSet::avx2;
    draft().model()->setMachine(machine);
    const auto hint = [this](const char* key) {
        EXPECT_TRUE(wizard()->goToField(QLatin1String(key))) << key;
        return wizard()->row(QLatin1String(key))->hint();
    };
    EXPECT_TRUE(hint("mp").contains(QLatin1String("bf16: emulated: "))) << hint("mp").toStdString();
    EXPECT_TRUE(
        hint("quantization.method").contains(QLatin1String("nf4, fp4, int8, float8_e4m3fn, float8_e5m2: native")))
        << hint("quantization.method").toStdString();
    EXPECT_TRUE(hint("optimizer.name").contains(QLatin1String("adamw_8bit"))) << hint("optimizer.name").toStdString();
    EXPECT_TRUE(hint("training.tf32").contains(QLatin1String("not on this device: ")))
        << hint("training.tf32").toStdString();
    // A host with GPUs that do not have the format.
    remote::HostFacts far;
    far.gpus.emplace_back().name = "Tesla T4";
    far.gpus.back().compute_capability = "7.5";
    draft().setHostFacts({{"gpu-b", far}});
    draft().setHosts({{"gpu-b", 1}});
    choose("mp", QStringLiteral("bf16"));
    settle();
    EXPECT_TRUE(hint("mp").contains(QLatin1String("bf16: not on this device: "))) << hint("mp").toStdString();
    EXPECT_NE(problem("mp"), "");
    EXPECT_FALSE(wizard()->problems().isEmpty());
    choose("mp", QStringLiteral("fp16"));
    settle();
    EXPECT_EQ(problem("mp"), "");
}
