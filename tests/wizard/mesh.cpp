// SPDX-License-Identifier: GPL-3.0-or-later
// The mesh of ranks in the wizard: what its fields, its grid and Suggest show is what is written and launched.

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>

#include <nlohmann/json.hpp>

#include "config/recipe/recipe_mesh.h"
#include "desktop/wizard/hardware_page.h"
#include "desktop/wizard/mesh_editor.h"
#include "desktop/wizard_fixture.h"
#include "run/spec.h"
#include "run/state.h"
#include "support/accessibility_checks.h"
#include "support/child.h"
#include "support/model_check.h"
#include "support/picture.h"
#include "widgets/segmented_control.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class MeshFixture : public test::WizardFixture {
  protected:
    void TearDown() override {
        if (window_ != nullptr)
            for (const auto& [theme, suffix] :
                 {std::pair{widgets::ThemeChoice::Light, "-light"}, std::pair{widgets::ThemeChoice::Dark, "-dark"}}) {
                widgets::Theme::instance().setChoice(theme);
                test::take_picture(window_.get(), suffix);
            }
        WizardFixture::TearDown();
    }
    void setRanks(int ranks) {
        wizard()->showStep(Step::Hardware);
        auto* hardware = static_cast<HardwarePage*>(wizard()->page(Step::Hardware));
        hardware->line(QStringLiteral("localhost")).ranks->setValue(ranks);
        settle();
        ASSERT_EQ(draft().ranks(), ranks);
    }
    MeshEditor* mesh() {
        wizard()->showStep(Step::Parallelism);
        return static_cast<ParallelismPage*>(wizard()->page(Step::Parallelism))->mesh();
    }
    std::string at(int row, int column, int role = Qt::DisplayRole) {
        return mesh()->model()->index(row, column).data(role).toString().toStdString();
    }
    QString size(const char* key) { return draft().recipeValue(QLatin1String(key)); }
};

class MeshTest : public MeshFixture {
  protected:
    void SetUp() override {
        MeshFixture::SetUp();
        open(cpu());
        goodRecipe();
        setRanks(4);
    }
};

class MeshCard : public MeshFixture {
  protected:
    void SetUp() override {
        MeshFixture::SetUp();
        open(gpus(4));
        goodRecipe();
    }
};

}  // namespace

TEST_F(MeshTest, TheGridHasTheRanksOfTheEnginesMesh) {
    test::check_model<MeshModel>(*mesh()->model());
    type("parallel.pp_size", QStringLiteral("2"));
    type("parallel.tp_size", QStringLiteral("2"));
    type("training.gradient_accumulation_steps", QStringLiteral("4"));
    settle();
    ASSERT_TRUE(mesh()->model()->mesh().isValid()) << mesh()->sentence()->text().toStdString();
    const config::Recipe recipe = *mesh()->model()->mesh().recipe;
    EXPECT_EQ(mesh()->model()->mesh().shape, config::mesh_of(recipe, 4));
    ASSERT_EQ(mesh()->model()->rowCount(), 1);
    ASSERT_EQ(mesh()->model()->columnCount(), 4);
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_NE(at(0, rank, Qt::AccessibleTextRole).find(config::rank_place(recipe, 4, rank)), std::string::npos);
        EXPECT_EQ(at(0, rank), std::to_string(rank) + "\ntp " + std::to_string(rank % 2));
    }
    // Another dimension: colours and words are those of the stages.
    QTest::mouseClick(test::child<widgets::SegmentedControl>(*mesh())->button(0), Qt::LeftButton);
    for (int rank = 0; rank < 4; ++rank) {
        EXPECT_EQ(at(0, rank), std::to_string(rank) + "\npp " + std::to_string(rank / 2));
        EXPECT_EQ(mesh()->model()->index(0, rank).data(MeshModel::CoordinateRole).toInt(), rank / 2);
    }
    EXPECT_FALSE(test::child<widgets::SegmentedControl>(*mesh())->button(3)->isEnabled()) << "cp has one coordinate";
    // The keyboard goes from rank to rank, and the line below names the current one.
    mesh()->grid()->setFocus();
    mesh()->grid()->setCurrentIndex(mesh()->model()->index(0, 0));
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    EXPECT_EQ(mesh()->grid()->currentIndex().column(), 2);
    EXPECT_TRUE(
        test::child<QLabel>(*mesh(), QStringLiteral("Selected rank"))->text().contains(QStringLiteral("pp 1, tp 0")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return mesh()->facts()->isVisibleTo(mesh()); }));
    EXPECT_EQ(test::nameless_controls(mesh()), QStringList());
}

TEST_F(MeshTest, WhatDoesNotDivideIsRefusedWithKeyAndNumbers) {
    type("parallel.tp_size", QStringLiteral("3"));
    // At once, from the checks of the launch.
    EXPECT_FALSE(mesh()->model()->mesh().isValid());
    EXPECT_NE(mesh()->sentence()->text().indexOf(QLatin1Char('3')), -1);
    EXPECT_EQ(mesh()->model()->index(0, 0).data(MeshModel::CoordinateRole).toInt(), -1);
    settle();
    ASSERT_TRUE(waitForProblem("parallel.tp_size"));
    EXPECT_EQ("tp_size: " + problem("parallel.tp_size"), mesh()->sentence()->text().toStdString())
        << "the field and the mesh say what the launch says";
    type("parallel.tp_size", QStringLiteral("2"));
    settle();
    EXPECT_EQ(problem("parallel.tp_size"), "");
    EXPECT_TRUE(mesh()->model()->mesh().isValid());
    // Experts without a model that has them.
    type("parallel.ep_size", QStringLiteral("2"));
    settle();
    ASSERT_TRUE(waitForProblem("parallel.ep_size"));
    EXPECT_FALSE(mesh()->model()->mesh().isValid());
}

TEST_F(MeshTest, UndoTakesASizeBack) {
    type("parallel.tp_size", QStringLiteral("2"));
    settle();
    EXPECT_EQ(at(0, 1), "1\ntp 1");
    draft().history()->endEdit();
    draft().history()->undo();
    settle();
    EXPECT_EQ(size("parallel.tp_size"), QStringLiteral("1"));
    EXPECT_EQ(at(0, 1), "1\ndp_replicate 1");
    draft().history()->redo();
    settle();
    EXPECT_EQ(at(0, 1), "1\ntp 1");
}

TEST_F(MeshTest, SuggestWritesALayoutThatTheEngineTrains) {
    // A model whose vocabulary makes tensor parallelism or stages worth it is not needed: what is written must be
    // accepted, keep the samples, and be one undo step.
    type("parallel.tp_size", QStringLiteral("3"));
    type("training.batch_size", QStringLiteral("8"));
    settle();
    const int before = static_cast<int>(draft().recipeYaml().size());
    QTest::mouseClick(test::child<QPushButton>(*mesh(), QStringLiteral("Suggest")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return mesh()->model()->mesh().isValid(); }, 20000));
    settle();
    EXPECT_TRUE(mesh()->sentence()->text().contains(QStringLiteral("4")) ||
                mesh()->sentence()->text().contains(QStringLiteral("2")));
    const config::Recipe recipe = *mesh()->model()->mesh().recipe;
    EXPECT_TRUE(config::check_recipe(recipe).empty());
    EXPECT_EQ(recipe.training.batch_size * recipe.training.gradient_accumulation_steps * recipe.data_ranks(4), 8 * 4);
    EXPECT_EQ(problem("parallel.tp_size"), "");
    draft().history()->undo();
    settle();
    EXPECT_EQ(size("parallel.tp_size"), QStringLiteral("3"));
    EXPECT_EQ(static_cast<int>(draft().recipeYaml().size()), before);
}

TEST_F(MeshCard, ItsQuestionsAreTheSizesOfTheMesh) {
    clickCard(Layout::Mesh);
    type("pc_shard", QStringLiteral("2"));
    type("pc_tp", QStringLiteral("2"));
    settle();
    const DraftMesh& shown = mesh()->model()->mesh();
    ASSERT_TRUE(shown.isValid()) << mesh()->sentence()->text().toStdString();
    EXPECT_EQ(shown.shape, (parallel::MeshShape{1, 1, 2, 1, 1, 2}));
    EXPECT_EQ(at(0, 3, Qt::ToolTipRole).substr(at(0, 3, Qt::ToolTipRole).size() - 16), "dp_shard 1, tp 1");
    EXPECT_TRUE(wizard()->row(QStringLiteral("parallel.tp_size"))->isHidden()) << "the question asks for it";
    EXPECT_NE(yaml().find("parallelism_config_tp_size: 2"), std::string::npos);
}

/// Through the real programs: the mesh that was shown is the mesh of the run, whose ranks have its coordinates.
TEST_F(MeshTest, ALaunchedRunHasTheShownMesh) {
    ::setenv("OMP_NUM_THREADS", "1", 1);
    setRanks(2);
    type("parallel.tp_size", QStringLiteral("2"));
    type("training.steps", QStringLiteral("3"));
    type("data.sequence_length", QStringLiteral("32"));
    settle();
    ASSERT_TRUE(mesh()->model()->mesh().isValid());
    window_->engine()->locate(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }, 20000));
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    press(Qt::Key_Return, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, 60000));
    std::filesystem::path folder;
    for (const auto& entry : std::filesystem::directory_iterator(std::getenv("TRAINYARD_RUNS")))
        if (std::filesystem::exists(entry.path() / "run.yaml"))
            folder = entry.path();
    ASSERT_FALSE(folder.empty());
    const run::RunPaths paths(folder);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            const auto state = run::read_state(paths);
            return state && run::is_over(state->status);
        },
        120000));
    const run::RunState state = *run::read_state(paths);
    EXPECT_EQ(state.status, run::Status::finished) << state.message.text();
    ASSERT_EQ(state.ranks.size(), 2u);
    EXPECT_EQ(state.ranks[0].place, "tp 0");
    EXPECT_EQ(state.ranks[1].place, "tp 1");
    EXPECT_EQ(run::read_spec(folder / "run.yaml").recipe.parallel.tp_size, 2);
}
