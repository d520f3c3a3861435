// SPDX-License-Identifier: GPL-3.0-or-later
// Jobs of a machine-learning engineer with mouse and keyboard in the real window, through the real programs: a model of
// transformers is fine-tuned on a table and compared with its base; a script runs in its virtual environment; an
// estimate becomes a run that is estimated alike; a failed run is edited and finishes.

#include <QSignalSpy>

#include <gtest/gtest.h>

#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/checkpoints/tensor_model.h"
#include "desktop/checkpoints/tensor_panel.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/scenario.h"
#include "desktop/launch/check_table.h"
#include "desktop/launch/launch_page.h"
#include "desktop/runs/run_store.h"
#include "estimate/estimate_file.h"
#include "models/spec/config_file.h"
#include "run/spec.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/random_model.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class TourJobs : public test::WizardFixture {
  protected:
    void SetUp() override {
        WizardFixture::SetUp();
        ::setenv("OMP_NUM_THREADS", "1", 1);
        ::setenv("HOME", folder_.path().c_str(), 1);
        for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "WORKON_HOME", "TRAINYARD_PYTHON"})
            ::unsetenv(name);
        open(cpu());
        window_->engine()->locate(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }, kPatience));
        window_->store()->start();
    }
    void chooseWay(Way way) {
        wizard()->showStep(Step::Start);
        auto* ways = wizard()->page(Step::Start)->findChildren<CardRow*>().first();
        QTest::mouseClick(ways->card(static_cast<int>(way)), Qt::LeftButton);
        ASSERT_EQ(draft().way(), way);
    }
    bool becomes(const char* key, const QString& value) {
        return QTest::qWaitFor([&] { return draft().recipeValue(QLatin1String(key)) == value; }, kPatience);
    }
    /// Clicks Launch, waits for the checks and the end of the run, and returns the run.
    void launch(RunSummary& run) {
        settle();
        for (const FieldProblem& problem : wizard()->problems())
            EXPECT_FALSE(problem.error) << problem.key.toStdString() << ": " << problem.sentence.toStdString();
        const QString before = window_->launchedRun();
        QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([&] { return window_->launchedRun() != before; }, kPatience))
            << wizard()->message()->text().toStdString()
            << test::child<CheckTable>(*window_->page<LaunchPage>())->report().toStdString();
        const QString id = window_->launchedRun();
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                const RunSummary* found = window_->store()->find(id);
                return found != nullptr && !found->isLive();
            },
            kPatience));
        run = *window_->store()->find(id);
    }
    RunPage* runPage() { return qobject_cast<RunPage*>(window_->currentPage()); }
    std::filesystem::path folderOf(const RunSummary& run) { return run.path.toStdString(); }
    /// Clicks the visible button with this text.
    void press(QWidget* within, const QString& text) {
        QPushButton* found = nullptr;
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                for (QPushButton* each : within->findChildren<QPushButton*>())
                    if (each->isVisible() && each->isEnabled() && each->text() == text)
                        found = each;
                return found != nullptr;
            },
            kPatience))
            << text.toStdString();
        QTest::mouseClick(found, Qt::LeftButton);
    }
};

constexpr char kEncoder[] =
    R"({"model_type": "bert", "architectures": ["BertForMaskedLM"], "hidden_size": 32, "num_hidden_layers": 1,
        "num_attention_heads": 2, "intermediate_size": 48, "vocab_size": 64, "max_position_embeddings": 40,
        "type_vocab_size": 2, "hidden_dropout_prob": 0.1, "attention_probs_dropout_prob": 0.1})";

}  // namespace

TEST_F(TourJobs, AFolderOfTransformersIsFineTunedOnATableAndComparedWithItsBase) {
    const std::filesystem::path base = folder_.path() / "base";
    test::RandomModel(kEncoder).write(base);
    write("base/config.json", kEncoder);
    write("base/tokenizer.json",
          R"({"model": {"type": "WordLevel", "vocab": {"[UNK]": 0, "good": 1, "bad": 2, "film": 3, "a": 4, "[MASK]": 5},
              "unk_token": "[UNK]"}, "pre_tokenizer": {"type": "Whitespace"}})");
    std::string table = "text,label\n";
    for (int i = 0; i < 200; ++i)
        table += i % 3 == 0 ? "a good film,positive\n" : "a bad film,negative\n";
    write("reviews.csv", table);

    ASSERT_NO_FATAL_FAILURE(chooseWay(Way::FineTune));
    type("model.weights", QString::fromStdString(base.string()));
    ASSERT_TRUE(becomes("model.model_type", QStringLiteral("bert")));
    choose("model.task", QStringLiteral("sequence_classification"));
    type("data.path", QString::fromStdString(file("reviews.csv")));
    ASSERT_TRUE(becomes("data.format", QStringLiteral("csv")));
    ASSERT_TRUE(becomes("model.num_labels", QStringLiteral("2")));
    type("data.sequence_length", QStringLiteral("16"));
    type("training.steps", QStringLiteral("6"));
    type("training.batch_size", QStringLiteral("4"));
    EXPECT_EQ(draft().recipeYaml().find("hidden_size"), std::string::npos) << "left to the weights";
    RunSummary run;
    ASSERT_NO_FATAL_FAILURE(launch(run));
    ASSERT_EQ(run.phase, RunPhase::Finished) << run.failure.toStdString();
    const config::ModelRecipe trained = run::read_spec(folderOf(run) / "run.yaml").recipe.model;
    EXPECT_EQ(trained.weights, base.string());
    EXPECT_DOUBLE_EQ(trained.resid_pdrop, 0.1) << "of the folder's config.json";

    auto* page = window_->page<CheckpointsPage>();
    window_->open({QStringLiteral("checkpoints"), {}});
    page->open(run.path);
    auto* tensors = test::child<TensorPanel>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy() && tensors->model()->rowCount() > 0; }, kPatience));
    page->compareWithPlace(QString::fromStdString(base.string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy(); }, kPatience));
    EXPECT_EQ(tensors->againstBox()->currentText(), QStringLiteral("base"));
    EXPECT_FALSE(page->message()->isVisible()) << page->message()->text().toStdString();
    test::take_picture(window_.get(), "-compared");
}

TEST_F(TourJobs, AScriptRunsInItsVirtualEnvironment) {
    std::filesystem::create_directories(folder_.path() / "work/.venv/bin");
    std::filesystem::create_directories(folder_.path() /
                                        "work/.venv/lib/python3.11/site-packages/torch-2.5.1.dist-info");
    write("work/.venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.11.9\n");
    const std::string python = file("work/.venv/bin/python");
    write("work/.venv/bin/python",
          "#!/bin/sh\nif [ \"$1\" = --version ]; then echo Python 3.11.9; exit 0; fi\n"
          "if [ \"$1\" = -c ]; then echo 2.5.1; exit 0; fi\nexport OF_THE_ENVIRONMENT=yes\nexec /usr/bin/python3 "
          "\"$@\"\n");
    std::filesystem::permissions(python, std::filesystem::perms::owner_all);
    write("work/train.py",
          "import os, sys\nopen(sys.argv[1], 'w').write(os.environ.get('OF_THE_ENVIRONMENT', 'no'))\n");
    ASSERT_NO_FATAL_FAILURE(chooseWay(Way::Script));
    type("script", QString::fromStdString(file("work/train.py")));
    type("arguments", QString::fromStdString(file("answer")));
    ASSERT_TRUE(wizard()->goToField(QStringLiteral("script_interpreter")));
    auto* box = qobject_cast<QComboBox*>(editor("script_interpreter")->widget());
    ASSERT_NE(box, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return box->findData(QString::fromStdString(python)) >= 0; }, kPatience))
        << "the environment next to the script is found";
    choose("script_interpreter", QString::fromStdString(python));
    RunSummary run;
    ASSERT_NO_FATAL_FAILURE(launch(run));
    EXPECT_EQ(run.phase, RunPhase::Finished) << run.failure.toStdString();
    EXPECT_EQ(content(file("answer")), "yes");
}

TEST_F(TourJobs, AnEstimateBecomesARunThatIsEstimatedAlike) {
    std::filesystem::create_directories(folder_.path() / "small");
    write("small/config.json",
          R"({"model_type": "llama", "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4,
              "num_key_value_heads": 2, "intermediate_size": 64, "vocab_size": 256, "max_position_embeddings": 64})");
    auto* page = window_->page<EstimatorPage>();
    window_->open({QStringLiteral("estimator"), QString::fromStdString(file("small"))});
    auto* scenario = test::child<Scenario>(*window_->context());
    ASSERT_TRUE(QTest::qWaitFor([&] { return scenario->modelName() == QStringLiteral("small"); }, kPatience));
    scenario->change("sequence", "32");
    scenario->change("batch", "4");
    scenario->change("accumulation", "2");
    scenario->change("optimizer", "lion");
    scenario->change("checkpointing", "full");
    const double shown = scenario->memory().total();
    press(page, QStringLiteral("Use in a new run"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return window_->currentPage() == wizard() && wizard()->isChecked(); }, kPatience));
    ASSERT_TRUE(becomes("optimizer.name", QStringLiteral("lion")));
    EXPECT_FALSE(wizard()->message()->isVisible()) << wizard()->message()->text().toStdString();
    type("data.path", QString::fromStdString(file("text.txt")));
    type("training.steps", QStringLiteral("4"));
    type("training.evaluate_batches", QStringLiteral("1"));
    RunSummary run;
    ASSERT_NO_FATAL_FAILURE(launch(run));
    ASSERT_EQ(run.phase, RunPhase::Finished) << run.failure.toStdString();
    const config::Recipe recipe = run::read_spec(folderOf(run) / "run.yaml").recipe;
    EXPECT_EQ(recipe.model.model_type, "llama");
    EXPECT_EQ(recipe.data.sequence_length, 32);
    EXPECT_EQ(recipe.training.batch_size, 4);
    EXPECT_EQ(recipe.training.gradient_accumulation_steps, 2);
    EXPECT_EQ(recipe.optimizer.name, "lion");
    EXPECT_EQ(recipe.training.activation_checkpointing, config::Recomputation::full);
    const auto estimated = estimate::read_estimate_file(folderOf(run) / "estimate.json");
    ASSERT_TRUE(estimated);
    EXPECT_NEAR(static_cast<double>(estimated->predicted_total), shown, 0.001 * shown);
}

TEST_F(TourJobs, AFailedRunIsEditedAndFinishes) {
    // A class that only a late row has is found when the rank reads the table.
    std::string table = "text,label\n";
    for (int i = 0; i < 21000; ++i)
        table += "a film," + std::to_string(i < 20990 ? i % 3 : 3) + "\n";
    write("late.csv", table);
    write("recipe.yaml",
          "name: classes\nmodel: {model_type: bert, task: sequence_classification, num_labels: 3, hidden_size: 16, "
          "num_hidden_layers: 1, num_attention_heads: 2, intermediate_size: 16, max_position_embeddings: 32}\n"
          "data: {path: late.csv, format: csv, sequence_length: 16}\n"
          "training: {steps: 4, batch_size: 4, evaluate_batches: 1}\n");
    load("recipe.yaml");
    RunSummary failed;
    ASSERT_NO_FATAL_FAILURE(launch(failed));
    ASSERT_EQ(failed.phase, RunPhase::Failed);
    ASSERT_TRUE(QTest::qWaitFor([this] { return runPage() != nullptr; }, kPatience));
    auto* panel = test::child<FailurePanel>(*runPage());
    ASSERT_TRUE(QTest::qWaitFor([&] { return panel->isVisible(); }, kPatience));
    EXPECT_TRUE(panel->report().contains(QStringLiteral("num_labels"))) << panel->report().toStdString();
    test::take_picture(window_.get(), "-failed");
    ASSERT_NO_FATAL_FAILURE(press(panel, QStringLiteral("Edit and run again…")));
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == wizard(); }, kPatience));
    ASSERT_TRUE(becomes("model.num_labels", QStringLiteral("3")));
    settle();
    type("model.num_labels", QStringLiteral("4"));
    RunSummary again;
    ASSERT_NO_FATAL_FAILURE(launch(again));
    EXPECT_EQ(again.phase, RunPhase::Finished) << again.failure.toStdString();
    EXPECT_NE(again.path, failed.path);
}
