// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the wizard's draft: undo, restarting the program, opening and saving files, and launching.

#include <algorithm>
#include <set>

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>

#include "config/inputs/check_resume.h"
#include "config/recipe/recipe.h"
#include "desktop/shell/finder.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/choice_card.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/expert_model.h"
#include "desktop/wizard/expert_tree.h"
#include "desktop/wizard/expert_view.h"
#include "desktop/wizard/opened_file.h"
#include "desktop/wizard/page_list.h"
#include "desktop/wizard/read_panel.h"
#include "desktop/wizard/recipe_page.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/start_page.h"
#include "desktop/wizard_fixture.h"
#include "models/spec/family.h"
#include "support/child.h"
#include "support/settle.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {
class WizardFilesTest : public test::WizardFixture {
  protected:
    /// Waits until the file of the draft contains `holding`. It is written one second after a change.
    bool waitForDraft(const std::string& holding) {
        return QTest::qWaitFor(
            [&] { return content(DraftKeeper::file().toStdString()).find(holding) != std::string::npos; }, 10000);
    }
    std::vector<ReadPanel::Item> items(ReadPanel::Item::Kind kind) {
        std::vector<ReadPanel::Item> found;
        for (const ReadPanel::Item& item : test::child<ReadPanel>(*wizard())->items())
            if (item.kind == kind)
                found.push_back(item);
        return found;
    }
};
}  // namespace

TEST_F(WizardFilesTest, RecentFilesHaveTheirFoldersAndNoFilesOfTheProgram) {
    open(cpu());
    std::filesystem::create_directories(folder_.path() / "run");
    std::ofstream(folder_.path() / "run" / "state.json") << "{}";
    for (const char* name : {"run/run.yaml", "settings.yaml"}) {
        write(name, "compute_environment: LOCAL_MACHINE\ndistributed_type: 'NO'\nnum_processes: 1\nuse_cpu: true\n");
        load(name);
    }
    auto* button = test::child<QPushButton>(*wizard(), QStringLiteral("Open YAML…"));
    ASSERT_NE(button, nullptr);
    QStringList texts;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            QTest::mouseClick(button, Qt::LeftButton);
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            if (menu == nullptr)
                return false;
            texts.clear();
            for (const QAction* action : menu->actions())
                if (action->text().contains(QStringLiteral(".yaml")))
                    texts << action->text();
            menu->close();
            return !texts.isEmpty();
        },
        10'000));
    EXPECT_EQ(texts, QStringList{QStringLiteral("settings.yaml  ·  %1").arg(QString::fromStdString(folder_.path()))});
    // The page for the first run names the folder, too.
    EngineLink engine;
    FirstRunPage first(&engine);
    first.setRecents({QStringLiteral("/data/today/metrics.csv")});
    EXPECT_NE(test::child<QPushButton>(first, QStringLiteral("today/metrics.csv")), nullptr);
}

TEST_F(WizardFilesTest, OldFileIsOpenedMigratedAndSavedWithItsKey) {
    open(gpus(2));
    write("old.yaml",
          "# our cluster\ncompute_environment: LOCAL_MACHINE\ndeepspeed_config: {}\ndistributed_type: MULTI_GPU\n"
          "fp16: true\nmachine_rank: 0\nmain_process_ip: null\nnum_machines: 1\nnum_processes: 2\n"
          "use_cpu: false\n");
    load("old.yaml");
    EXPECT_EQ(draft().draft().settings().text("mixed_precision"), "fp16");
    EXPECT_FALSE(items(ReadPanel::Item::Kind::translated).empty());
    EXPECT_EQ(draft().ranks(), 2);
    type("num_processes", QStringLiteral("4"));
    press(Qt::Key_S, Qt::ControlModifier);
    settle();
    const std::string saved = content(file("old.yaml"));
    EXPECT_NE(saved.find("# our cluster"), std::string::npos) << saved;
    EXPECT_NE(saved.find("num_processes: 4"), std::string::npos) << saved;
    EXPECT_EQ(saved.find("fp16: true"), std::string::npos) << saved;
    const settings::Loaded again = settings::load_settings(file("old.yaml"));
    EXPECT_EQ(again.settings.text("mixed_precision"), "fp16");
    EXPECT_TRUE(again.problems.empty());
}

TEST_F(WizardFilesTest, OpenedAndNotTouchedTheFileStaysAsItIs) {
    open(gpus(2));
    const std::string text =
        "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU   # two cards\n"
        "mixed_precision: bf16\nnum_machines: 1\nnum_processes: 2\nfsdp_config: {}\n";
    write("mine.yaml", text);
    load("mine.yaml");
    EXPECT_EQ(yaml(), text);
    for (const settings::DraftLine& line : draft().draft().lines())
        EXPECT_EQ(line.change, settings::DraftLine::Change::same) << line.text;
}

TEST_F(WizardFilesTest, FileThatCannotBeReadLeavesTheForm) {
    open(gpus(2));
    type("num_processes", QStringLiteral("7"));
    const std::string before = yaml();
    write("broken.yaml", "compute_environment: LOCAL_MACHINE\nnum_processes: [1, 2\nmixed_precision: bf16\n");
    load("broken.yaml");
    EXPECT_EQ(yaml(), before);
    ASSERT_TRUE(wizard()->message()->isVisible());
    EXPECT_TRUE(wizard()->message()->text().contains(QStringLiteral("line ")))
        << wizard()->message()->text().toStdString();
    load("absent.yaml");
    EXPECT_EQ(yaml(), before);
    EXPECT_TRUE(wizard()->message()->text().contains(QStringLiteral("absent.yaml")));
}

TEST_F(WizardFilesTest, FileWithWrongValuesShowsThemAndAllProblems) {
    open(gpus(2));
    goodRecipe();
    write("wrong.yaml",
          "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_proceses: 4\n"
          "mixed_precision: bf17\nnum_machines: 1\nnum_processes: 2\nmain_process_port: 99999\n");
    load("wrong.yaml");
    EXPECT_EQ(draft().draft().settings().text("mixed_precision"), "bf17");
    int errors = 0;
    for (const FieldProblem& each : wizard()->problems())
        errors += each.error;
    EXPECT_GE(errors, 3);
    EXPECT_NE(yaml().find("num_proceses: 4\n"), std::string::npos) << "refused, not lost";
    EXPECT_FALSE(items(ReadPanel::Item::Kind::problem).empty() && items(ReadPanel::Item::Kind::unknown).empty());
    const auto buttons = wizard()->findChildren<QPushButton*>();
    const auto fix = std::ranges::find(buttons, QStringLiteral("Go to the first"), &QPushButton::toolTip);
    ASSERT_NE(fix, buttons.end());
    EXPECT_TRUE((*fix)->isVisible());
    const QVector<FieldProblem> problems = wizard()->problems();
    const auto first =
        std::find_if(problems.begin(), problems.end(), [](const FieldProblem& each) { return each.error; });
    ASSERT_NE(first, problems.end());
    QTest::mouseClick(*fix, Qt::LeftButton);
    EXPECT_EQ(wizard()->message()->title(), first->label) << "the message must name a key that has no field";
    EXPECT_TRUE(wizard()->isExpert() || QApplication::focusWidget() != nullptr);
}

TEST_F(WizardFilesTest, FilesAreToldApartByWhatTheyHold) {
    using Kind = OpenedFile::Kind;
    EXPECT_EQ(kindOf("compute_environment: LOCAL_MACHINE\nnum_processes: 2\n"), Kind::Settings);
    EXPECT_EQ(kindOf("{\"compute_environment\": \"LOCAL_MACHINE\", \"fp16\": true}"), Kind::Settings);
    EXPECT_EQ(kindOf("fp16: true\ndistributed_type: MULTI_GPU\n"), Kind::Settings);
    EXPECT_EQ(kindOf("{\"zero_optimization\": {\"stage\": 3}, \"bf16\": {\"enabled\": true}}"), Kind::DeepSpeed);
    EXPECT_EQ(kindOf("name: x\nmodel:\n  n_layer: 2\n"), Kind::Recipe);
    EXPECT_EQ(kindOf("{name: x, training: {steps: 3}}"), Kind::Recipe);
    EXPECT_EQ(kindOf("recipe:\n  name: x\nlaunch:\n  num_processes: 2\n"), Kind::Run);
    EXPECT_EQ(kindOf(R"({"model_type": "llama", "fp16": true, "optimizer": 1})"), Kind::Model);
    EXPECT_EQ(kindOf("once upon a time"), Kind::Neither);
    EXPECT_EQ(kindOf(""), Kind::Neither);
}

TEST_F(WizardFilesTest, AFolderOfTransformersKeepsWhatTheUserDidNotChange) {
    std::filesystem::create_directories(folder_.path() / "model");
    write("model/config.json", R"({"model_type": "gpt2", "n_embd": 32, "n_layer": 3, "n_head": 4, "vocab_size": 300,
                                   "n_positions": 96, "resid_pdrop": 0.1, "embd_pdrop": 0.1, "attn_pdrop": 0.1})");
    open(cpu());
    const QString weights = QString::fromStdString((folder_.path() / "model").string());
    draft().setRecipeValue(QStringLiteral("model.weights"), weights);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return draft().recipeValue(QStringLiteral("model.n_layer")) == QStringLiteral("3"); }, 10000));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.resid_pdrop")), QStringLiteral("0.1"));
    // Keys of config.json only, because the other keys of the section are always written.
    const auto written = [&] {
        std::set<std::string> keys = config::parse_recipe(draft().recipeYaml(), "/x/draft.yaml").model.written.keys;
        std::erase_if(keys, [](const std::string& key) {
            return key != "model_type" && key != "task" &&
                   std::ranges::find(families::all_keys(), key, &families::ConfigKey::name) ==
                       families::all_keys().end();
        });
        return keys;
    };
    EXPECT_EQ(written(), std::set<std::string>{}) << draft().recipeYaml();
    draft().setRecipeValue(QStringLiteral("model.resid_pdrop"), QStringLiteral("0.2"));
    EXPECT_EQ(written(), std::set<std::string>{"resid_pdrop"});
    ASSERT_TRUE(waitForDraft("\"0.2\""));
    window_.reset();
    open(cpu());
    EXPECT_TRUE(QTest::qWaitFor([&] { return written() == std::set<std::string>{"resid_pdrop"}; }, 10000))
        << "after a restart: " << draft().recipeYaml();
    draft().setRecipeValue(QStringLiteral("model.n_layer"), QStringLiteral("5"));
    EXPECT_TRUE(written().contains("n_layer"));
}

TEST_F(WizardFilesTest, SizesOfAnotherFamilyAreThereAfterARestart) {
    open(cpu());
    draft().setRecipeValue(QStringLiteral("model.model_type"), QStringLiteral("llama"));
    const StepState model = stepsOf(draft(), {})[static_cast<qsizetype>(Step::Model)];
    EXPECT_TRUE(model.summary.startsWith(QStringLiteral("llama"))) << model.summary.toStdString();
    draft().setRecipeValue(QStringLiteral("model.hidden_size"), QStringLiteral("72"));
    ASSERT_TRUE(waitForDraft("\"72\""));
    window_.reset();
    open(cpu());
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.hidden_size")), QStringLiteral("72"));
}

TEST_F(WizardFilesTest, AConfigJsonFillsTheModelAndUndoTakesItBack) {
    open(cpu());
    std::filesystem::create_directories(folder_.path() / "model");
    write("model/config.json", R"({"model_type": "llama", "hidden_size": 48, "num_hidden_layers": 2, "use_cache": true,
                                   "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 96,
                                   "vocab_size": 300, "max_position_embeddings": 64})");
    const QString file = QString::fromStdString((folder_.path() / "model/config.json").string());
    const std::string before = draft().recipeYaml();
    wizard()->opener()->offerFile(file);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return draft().recipeValue(QStringLiteral("model.model_type")) == QStringLiteral("llama"); }, 10000));
    EXPECT_EQ(wizard()->currentStep(), Step::Model);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.hidden_size")), QStringLiteral("48"));
    EXPECT_EQ(config::parse_recipe(draft().recipeYaml(), "/x/draft.yaml").model.n_embd, 48);
    draft().history()->undo();
    EXPECT_EQ(draft().recipeYaml(), before);
    EXPECT_EQ(draft().history()->undoable(), 0);
    // A draft with work in it is asked about first.
    draft().setRecipeValue(QStringLiteral("training.steps"), QStringLiteral("77"));
    wizard()->opener()->offerFile(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard()->question()->isVisible(); }, 10000));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.model_type")), QStringLiteral("gpt2"));
    QTest::mouseClick(wizard()->answerButton(), Qt::LeftButton);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("model.model_type")), QStringLiteral("llama"));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("77"));
    EXPECT_FALSE(wizard()->question()->isVisible());
}

TEST_F(WizardFilesTest, AnEstimateBeginsADraftWithoutAnythingOfTheOneBefore) {
    open(gpus(2));
    draft().setRecipeValue(QStringLiteral("name"), QStringLiteral("mine"));
    draft().setRecipeValue(QStringLiteral("optimizer.lr"), QStringLiteral("0.5"));
    draft().setHosts({{"gpu-a", 8}, {"gpu-b", 8}});
    draft().setScript({ScriptChoice::Kind::File, QStringLiteral("train.py"), {}});
    draft().setPurpose(Purpose::Script);
    write("estimated.yaml", "name: estimated\nmodel:\n  n_layer: 3\ntraining:\n  batch_size: 7\n");
    write("settings.yaml", "compute_environment: LOCAL_MACHINE\ndistributed_type: MULTI_GPU\nnum_processes: 2\n");
    wizard()->opener()->loadRun(QString::fromStdString(file("estimated.yaml")),
                                QString::fromStdString(file("settings.yaml")), QStringLiteral("tp 2"), false);
    ASSERT_TRUE(wizard()->question()->isVisible()) << "the draft holds work";
    EXPECT_EQ(draft().recipeValue(QStringLiteral("name")), QStringLiteral("mine"));
    QTest::mouseClick(wizard()->answerButton(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard()->message()->isVisible(); }, 10000));
    EXPECT_TRUE(wizard()->message()->title().contains(QStringLiteral("does not fit")));
    EXPECT_TRUE(wizard()->message()->text().contains(QStringLiteral("tp 2")));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("name")), QStringLiteral("estimated"));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.batch_size")), QStringLiteral("7"));
    EXPECT_NE(draft().recipeValue(QStringLiteral("optimizer.lr")), QStringLiteral("0.5"));
    EXPECT_TRUE(draft().hosts().isEmpty());
    EXPECT_EQ(draft().purpose(), Purpose::Engine);
    EXPECT_EQ(draft().ranks(), 2);
}

TEST_F(WizardFilesTest, DeepSpeedJsonIsTakenOver) {
    open(gpus(2));
    write("ds.json", R"({"zero_optimization": {"stage": 3, "offload_optimizer": {"device": "cpu"}},
                         "gradient_clipping": 1.0, "bf16": {"enabled": true}})");
    load("ds.json");
    EXPECT_EQ(draft().draft().settings().text("distributed_type"), "DEEPSPEED") << yaml();
    EXPECT_EQ(draft().draft().settings().integer("deepspeed_config.zero_stage", 0), 3) << yaml();
}

TEST_F(WizardFilesTest, UndoGoesOverSettingsAndRecipeAlike) {
    open(gpus(4));
    const std::string first = yaml();
    const std::string recipe = draft().recipeYaml();
    type("training.steps", QStringLiteral("321"));
    clickCard(Layout::Mesh);
    type("num_processes", QStringLiteral("16"));
    ASSERT_NE(yaml(), first);
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(draft().ranks(), 4) << "typing two digits is one step";
    EXPECT_EQ(layoutOf(draft()), Layout::Mesh);
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(layoutOf(draft()), Layout::Replicate) << "a card is one step";
    EXPECT_EQ(yaml(), first);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("321"));
    press(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(draft().recipeYaml(), recipe);
    EXPECT_EQ(draft().history()->undoable(), 0);
    for (int i = 0; i < 3; ++i)
        press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(draft().ranks(), 16);
    EXPECT_EQ(layoutOf(draft()), Layout::Mesh);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("321"));
    QTest::mouseClick(test::child<QPushButton>(*wizard(), QStringLiteral("Undo")), Qt::LeftButton);
    EXPECT_EQ(draft().ranks(), 4);
}

TEST_F(WizardFilesTest, WhatIsTypedBackLeavesNoStep) {
    open(gpus(4));
    type("num_processes", QStringLiteral("16"));
    press(Qt::Key_Backspace);
    press(Qt::Key_Backspace);
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("4"));
    while (draft().history()->undoable() > 0)
        draft().history()->undo();
    EXPECT_EQ(yaml(), expected({}));
}

TEST_F(WizardFilesTest, DraftIsThereAgainAfterARestart) {
    open(gpus(4));
    clickCard(Layout::Shard);
    type("training.steps", QStringLiteral("77x"));
    wizard()->showStep(Step::Training);
    const std::string before = yaml();
    ASSERT_TRUE(waitForDraft("77x"));
    EXPECT_EQ(std::filesystem::status(DraftKeeper::file().toStdString()).permissions() &
                  (std::filesystem::perms::group_all | std::filesystem::perms::others_all),
              std::filesystem::perms::none);
    window_.reset();
    open(gpus(4));
    EXPECT_EQ(yaml(), before);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("77x")) << "wrong values too";
    EXPECT_EQ(wizard()->currentStep(), Step::Training);
}

TEST_F(WizardFilesTest, ChangesOfTheLastSecondAreKeptToo) {
    open(gpus(4));
    clickCard(Layout::Zero);
    const std::string before = yaml();
    window_.reset();
    open(gpus(4));
    EXPECT_EQ(yaml(), before);
}

TEST_F(WizardFilesTest, BadDraftIsSetAsideAndSaidOnce) {
    std::filesystem::create_directories(std::filesystem::path(DraftKeeper::file().toStdString()).parent_path());
    std::ofstream(DraftKeeper::file().toStdString()) << "{\"draft\": {\"version\": 1, \"reci";
    open(cpu());
    EXPECT_TRUE(QTest::qWaitFor([this] { return wizard()->message()->isVisible(); }, 5000));
    EXPECT_TRUE(wizard()->message()->text().contains(QStringLiteral(".bad")));
    EXPECT_TRUE(QTest::qWaitFor([] { return std::filesystem::exists(DraftKeeper::file().toStdString() + ".bad"); }));
    EXPECT_EQ(yaml(), expected({}));
    window_.reset();
    open(cpu());
    EXPECT_FALSE(wizard()->message()->isVisible());
}

TEST_F(WizardFilesTest, NewRunIsNewAndTheDraftBeforeIsOffered) {
    open(cpu());
    type("name", QStringLiteral("first"));
    type("training.steps", QStringLiteral("77"));
    const auto new_run = [this] {
        press(Qt::Key_N, Qt::ControlModifier);
        settle();
    };
    const auto offers = [this](const QString& name) {
        auto* start = wizard()->page(Step::Start);
        for (QPushButton* button : start->findChildren<QPushButton*>())
            if (button->isVisible() && button->accessibleName() == name)
                return button;
        return static_cast<QPushButton*>(nullptr);
    };
    new_run();
    EXPECT_EQ(wizard()->currentStep(), Step::Start);
    EXPECT_NE(draft().recipeValue(QStringLiteral("name")), QStringLiteral("first"));
    EXPECT_NE(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("77"));
    ASSERT_NE(offers(QStringLiteral("Continue draft: first")), nullptr);
    type("name", QStringLiteral("second"));
    new_run();
    wizard()->showStep(Step::Start);
    ASSERT_NE(offers(QStringLiteral("Continue draft: second")), nullptr) << "several drafts have names";
    // They are there after a restart, too.
    window_.reset();
    open(cpu());
    wizard()->showStep(Step::Start);
    ASSERT_TRUE(QTest::qWaitFor([&] { return offers(QStringLiteral("Continue draft: first")) != nullptr; }, 5000));
    QTest::mouseClick(offers(QStringLiteral("Continue draft: first")), Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return draft().recipeValue(QStringLiteral("name")) == QStringLiteral("first"); }, 5000));
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("77"));
    wizard()->showStep(Step::Start);
    EXPECT_EQ(offers(QStringLiteral("Continue draft: first")), nullptr) << "it is the one in the form";
    ASSERT_TRUE(QTest::qWaitFor([&] { return offers(QStringLiteral("Discard the draft second")) != nullptr; }, 5000));
    QTest::mouseClick(offers(QStringLiteral("Discard the draft second")), Qt::LeftButton);
    QMessageBox* box = nullptr;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            box = wizard()->findChild<QMessageBox*>();
            return box != nullptr && box->isVisible();
        },
        5000));
    QTest::mouseClick(test::child<QPushButton>(*box, QStringLiteral("Discard")), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([&] { return wizard()->keeper()->parked().isEmpty(); }, 5000));
    // Start over sets this one aside, too.
    wizard()->showStep(Step::Start);
    QTest::mouseClick(test::child<QPushButton>(*wizard()->page(Step::Start), QStringLiteral("Start over")),
                      Qt::LeftButton);
    settle();
    EXPECT_NE(draft().recipeValue(QStringLiteral("name")), QStringLiteral("first"));
    EXPECT_EQ(wizard()->keeper()->parked().size(), 1);
}

TEST_F(WizardFilesTest, ARunIsEditedAndRunAgainWithoutLosingTheDraft) {
    open(cpu());
    type("name", QStringLiteral("mine"));
    std::filesystem::create_directories(folder_.path() / "run");
    write("run/run.yaml",
          "recipe: {name: failed, training: {steps: 33}, data: {path: /nowhere}}\n"
          "launch: {num_processes: 2}\n");
    wizard()->opener()->editAgain(QString::fromStdString(file("run/run.yaml")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return draft().recipeValue(QStringLiteral("name")) == QStringLiteral("failed"); },
                                10000));
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("33"));
    EXPECT_EQ(draft().ranks(), 2);
    EXPECT_TRUE(wizard()->message()->text().contains(QStringLiteral("Continue draft")));
    ASSERT_EQ(wizard()->keeper()->parked().size(), 1);
    EXPECT_EQ(wizard()->keeper()->parked().first().name, QStringLiteral("mine"));
}

TEST_F(WizardFilesTest, AButtonThatIsDisabledLeavesTheFocusInThePage) {
    open(cpu());
    draft().setRecipeValue(QStringLiteral("training.steps"), QStringLiteral("77"));
    settle();
    auto* undo = test::child<QPushButton>(*wizard(), QStringLiteral("Undo"));
    undo->setFocus();
    waitForFocus(undo, "undo");
    press(Qt::Key_Space);
    ASSERT_FALSE(undo->isEnabled());
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            const QWidget* focus = QApplication::focusWidget();
            return focus == wizard() || (focus != nullptr && wizard()->isAncestorOf(focus));
        },
        2000))
        << QApplication::focusWidget()->metaObject()->className();
}

TEST_F(WizardFilesTest, ACheckpointOfTheLastStepOffersMoreSteps) {
    open(cpu());
    std::filesystem::create_directories(folder_.path() / "checkpoint_50");
    write("checkpoint_50/position.json",
          R"({"step": 50, "samples": 600, "tokens": 1, "seed": 1234, "training_blocks": 3, "samples_per_step": 12})");
    draft().setRecipeValue(QStringLiteral("data.path"), QString::fromStdString(file("text.txt")));
    draft().setRecipeValue(QStringLiteral("checkpoint.resume_from"), QString::fromStdString(file("checkpoint_50")));
    type("training.steps", QStringLiteral("50"));
    settle();
    wizard()->showStep(Step::Training);
    const widgets::FieldRow* row = wizard()->row(QStringLiteral("training.steps"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !row->warning().isEmpty(); }));
    // The words of `trainyard launch`, which accepts it.
    EXPECT_EQ(row->warning(), qtSentence(inputs::no_rest_message(50, 50)));
    EXPECT_EQ(problem("training.steps"), "") << "the run can start";
    wizard()->setExpert(true);
    const ExpertModel* table =
        qobject_cast<ExpertFilter*>(test::child<ExpertTree>(*wizard()->expert())->model())->model();
    const ExpertRow* expert = table->at(table->find(QStringLiteral("training.steps")));
    ASSERT_NE(expert, nullptr);
    EXPECT_FALSE(expert->error);
    EXPECT_EQ(expert->fix, QStringLiteral("Use 100"));
    wizard()->setExpert(false);
    QTest::mouseClick(test::child<QPushButton>(*row, QStringLiteral("Use 100")), Qt::LeftButton);
    settle();
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("100"));
    EXPECT_EQ(row->warning(), QString());
    wizard()->showStep(Step::Start);
    bool says = false;
    for (const QLabel* label : wizard()->page(Step::Start)->findChildren<QLabel*>())
        says = says || (label->isVisible() && label->text().contains(QStringLiteral("checkpoint_50")));
    EXPECT_TRUE(says) << "the first page says where it resumes from";
}

TEST_F(WizardFilesTest, KeysStepFindAndSwitch) {
    open(gpus(4));
    press(Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(wizard()->currentStep(), Step::Model);
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(wizard()->currentStep(), Step::Start);
    press(Qt::Key_G, Qt::ControlModifier);
    ASSERT_TRUE(wizard()->finder()->isVisible());
    QTest::keyClicks(test::child<QLineEdit>(*wizard()->finder()), QStringLiteral("num_processes"));
    QTest::keyClick(test::child<QLineEdit>(*wizard()->finder()), Qt::Key_Return);
    EXPECT_EQ(wizard()->currentStep(), Step::Hardware);
    EXPECT_TRUE(editor("num_processes")->hasFocus());
    press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_TRUE(wizard()->isExpert());
    press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_FALSE(wizard()->isExpert());
    EXPECT_EQ(wizard()->currentStep(), Step::Hardware);
    type("training.steps", QStringLiteral("none"));
    press(Qt::Key_Return, Qt::ControlModifier);
    settle();
    EXPECT_TRUE(QTest::qWaitFor([] { return QApplication::focusWidget() != nullptr; }));
    EXPECT_FALSE(wizard()->problems().isEmpty());
    wizard()->showStep(Step::Start);
    press(Qt::Key_Left, Qt::AltModifier);
    EXPECT_NE(window_->currentPage(), wizard()) << "going back from the first page must leave the wizard";
}

TEST_F(WizardFilesTest, EveryRecipeKeyHasARowAndEveryControlAName) {
    open(gpus(4));
    QSet<QString> reached;
    for (const config::RecipeKey& key : config::recipe_keys()) {
        if (key.key == "training.mixed_precision")
            continue;  // asked once, on Precision
        const QString name = QString::fromStdString(key.key);
        EXPECT_NE(findRecipeRow(name), nullptr) << key.key;
        if (draft().hasRecipeKey(name)) {
            EXPECT_TRUE(wizard()->goToField(name)) << key.key;
            reached.insert(name);
        }
    }
    // Rows of the other families are there when one of these is chosen.
    for (const std::string& family : families::model_types()) {
        draft().setRecipeValue(QStringLiteral("model.model_type"), QString::fromStdString(family));
        settle();
        for (const config::RecipeKey& key : config::recipe_keys()) {
            const QString name = QString::fromStdString(key.key);
            if (reached.contains(name) || !draft().hasRecipeKey(name) || key.key == "training.mixed_precision")
                continue;
            EXPECT_TRUE(wizard()->goToField(name)) << key.key << " of " << family;
            reached.insert(name);
        }
    }
    EXPECT_EQ(reached.size(), static_cast<qsizetype>(config::recipe_keys().size()) - 1);
    draft().setRecipeValue(QStringLiteral("model.model_type"), QStringLiteral("gpt2"));
    settle();
    clickCard(Layout::Shard);
    test::child<PageList>(*wizard())->setShowsAll(true);
    for (int i = 0; i < kSteps; ++i) {
        wizard()->showStep(static_cast<Step>(i));
        for (QWidget* widget : wizard()->findChildren<QWidget*>()) {
            const bool control =
                qobject_cast<QAbstractButton*>(widget) != nullptr || qobject_cast<QLineEdit*>(widget) != nullptr ||
                qobject_cast<QComboBox*>(widget) != nullptr || qobject_cast<QPlainTextEdit*>(widget) != nullptr;
            if (!control || !widget->isVisible())
                continue;
            auto* button = qobject_cast<QAbstractButton*>(widget);
            EXPECT_FALSE(widget->accessibleName().isEmpty() && (button == nullptr || button->text().isEmpty()))
                << stepName(static_cast<Step>(i)).toStdString() << ": a " << widget->metaObject()->className()
                << " without a name, " << widget->objectName().toStdString();
        }
    }
}

TEST_F(WizardFilesTest, OwnScriptWithItsArguments) {
    open(gpus(2));
    auto* start = static_cast<StartPage*>(wizard()->page(Step::Start));
    start->findChildren<CardRow*>().first()->card(1)->setFocus();
    press(Qt::Key_Right);
    press(Qt::Key_Space);
    EXPECT_EQ(draft().purpose(), Purpose::Script);
    EXPECT_FALSE(test::child<PageList>(*wizard())->shownSteps().contains(Step::Model));
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    EXPECT_EQ(wizard()->currentStep(), Step::Script) << "the script is still missing";
    type("script", QStringLiteral("train.py"));
    type("arguments", QStringLiteral("--lr 1e-4 --name \"two words\""));
    const QStringList words = draft().commandWords({});
    EXPECT_EQ(words.mid(words.size() - 5), (QStringList{"train.py", "--lr", "1e-4", "--name", "two words"}));
    settle();
    QSignalSpy asked(wizard(), &WizardPage::launchRequested);
    press(Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return asked.count() == 1; }, 10000));
    const auto request = asked.first().first().value<LaunchRequest>();
    EXPECT_EQ(request.words.mid(2), (QStringList{"train.py", "--lr", "1e-4", "--name", "two words"}));
    EXPECT_EQ(content(request.words[1].toStdString()), yaml());
    EXPECT_TRUE(request.is_script);
    EXPECT_EQ(request.program.mid(1), request.words.mid(2));
    EXPECT_TRUE(request.isLocal());
}

TEST_F(WizardFilesTest, APathHasRoomInTheSmallestWindow) {
    open(cpu(), {1100, 700});
    wizard()->showStep(Step::Data);
    test::settle();
    const auto* path = qobject_cast<QLineEdit*>(editor("data.path")->widget());
    ASSERT_NE(path, nullptr);
    // The path of a folder in the home directory must be fully visible; the button is below the field.
    EXPECT_GE(path->width(), path->fontMetrics().horizontalAdvance(QStringLiteral("/home/somebody/texts")) + 20);
    window_->resize(1440, 900);
    test::settle();
    int beside = 0;
    for (const QPushButton* button : path->parentWidget()->findChildren<QPushButton*>())
        beside +=
            button->isVisible() && std::abs(button->mapToGlobal(QPoint()).y() - path->mapToGlobal(QPoint()).y()) < 8;
    EXPECT_EQ(beside, 1) << "in a wide window Choose… must be on the same line";
}

TEST_F(WizardFilesTest, NothingIsClippedInTheSmallestWindow) {
    open(gpus(4), {1100, 700});
    clickCard(Layout::Shard);
    test::child<PageList>(*wizard())->setShowsAll(true);
    for (int i = 0; i < kSteps; ++i) {
        wizard()->showStep(static_cast<Step>(i));
        test::settle();
        StepPage* page = wizard()->page(static_cast<Step>(i));
        EXPECT_LE(page->minimumSizeHint().width(), page->parentWidget()->width())
            << stepName(static_cast<Step>(i)).toStdString();
        for (QWidget* widget : page->findChildren<QWidget*>()) {
            auto* button = qobject_cast<QPushButton*>(widget);
            if (button != nullptr && button->isVisible()) {
                EXPECT_GE(button->width(), button->minimumSizeHint().width()) << button->text().toStdString();
                EXPECT_LE(button->mapTo(page, QPoint(button->width(), 0)).x(), page->width() + 1)
                    << stepName(static_cast<Step>(i)).toStdString() << " " << button->text().toStdString();
            }
        }
    }
    EXPECT_EQ(window_->size(), QSize(1100, 700));
}
