// SPDX-License-Identifier: GPL-3.0-or-later
// Keys of the recipe in the expert mode of the wizard: found, changed, reset, checked. Also what the list of pages says
// of the model, and file dialogs, which do not block.

#include <QFileDialog>
#include <QMenu>
#include <QPointer>

#include "config/recipe/recipe.h"
#include "desktop/wizard/expert_model.h"
#include "desktop/wizard/expert_tree.h"
#include "desktop/wizard/expert_view.h"
#include "desktop/wizard_fixture.h"
#include "models/spec/family.h"
#include "support/child.h"
#include "support/picture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class ExpertRecipe : public test::WizardFixture {
  protected:
    void expert() {
        open(cpu());
        wizard()->setExpert(true);
    }
    ExpertTree* tree() { return test::child<ExpertTree>(*wizard()->expert()); }
    ExpertModel* model() { return qobject_cast<ExpertFilter*>(tree()->model())->model(); }
    const ExpertRow& row(const char* key) { return *model()->at(model()->find(QLatin1String(key))); }
    /// Goes to the row, opens its editor with Enter and types.
    void edit(const char* key, const QString& text) {
        ASSERT_TRUE(wizard()->expert()->focusKey(QLatin1String(key))) << key;
        QTest::keyClick(tree(), Qt::Key_Return);
        QWidget* editor = tree()->indexWidget(tree()->currentIndex().siblingAtColumn(ExpertModel::ValueColumn));
        auto* line = qobject_cast<QLineEdit*>(editor);
        ASSERT_NE(line, nullptr) << key;
        QTest::keyClicks(line, text);
        const QPointer<QLineEdit> open(line);
        QTest::keyClick(line, Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([&] { return open.isNull(); })) << key;
    }
    bool writes(const char* text) { return draft().recipeYaml().find(text) != std::string::npos; }
    QString summary(Step step) { return stepsOf(draft(), wizard()->problems())[static_cast<int>(step)].summary; }
    QFileDialog* dialog() {
        QFileDialog* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor([&] {
            for (auto* each : window_->findChildren<QFileDialog*>())
                if (each->isVisible())
                    found = each;
            return found != nullptr;
        }));
        return found;
    }
};

}  // namespace

TEST_F(ExpertRecipe, EveryKeyOfTheRecipeIsThereWithItsHelp) {
    ASSERT_NO_FATAL_FAILURE(expert());
    for (const char* family : {"gpt2", "bert"}) {
        draft().setRecipeValue(QStringLiteral("model.model_type"), QLatin1String(family));
        settle();
        const QStringList shown = wizard()->expert()->shownKeys();
        for (const config::RecipeKey& key : config::recipe_keys()) {
            const QString name = QString::fromStdString(key.key);
            if (key.key == "training.mixed_precision")
                continue;  // a key of the settings
            EXPECT_EQ(shown.contains(name), draft().hasRecipeKey(name)) << key.key << " of " << family;
            EXPECT_FALSE(model()
                             ->data(model()->find(name).siblingAtColumn(ExpertModel::MeaningColumn), Qt::DisplayRole)
                             .toString()
                             .isEmpty())
                << key.key;
        }
    }
    // By a part of its name, of its help, and of its label in the form.
    for (const char* words : {"max_grad_norm", "clip gradients"}) {
        wizard()->expert()->searchField()->setText(QLatin1String(words));
        EXPECT_TRUE(wizard()->expert()->shownKeys().contains(QStringLiteral("training.max_grad_norm"))) << words;
    }
    test::take_picture(window_.get(), "-expert-search");
    wizard()->expert()->searchField()->clear();
    draft().setPurpose(Purpose::Script);
    EXPECT_FALSE(wizard()->expert()->shownKeys().contains(QStringLiteral("training.steps"))) << "no recipe is written";
    EXPECT_FALSE(wizard()->expert()->focusKey(QStringLiteral("training.steps")));
}

TEST_F(ExpertRecipe, ValuesAreTypedChosenTickedAndTakenBack) {
    ASSERT_NO_FATAL_FAILURE(expert());
    edit("training.steps", QStringLiteral("70"));
    EXPECT_TRUE(writes("  steps: 70\n")) << draft().recipeYaml();
    EXPECT_TRUE(row("training.steps").set);
    EXPECT_TRUE(row("training.steps").changed);
    test::take_picture(window_.get(), "-expert-recipe");
    QTest::keyClick(tree(), Qt::Key_Delete);
    EXPECT_FALSE(writes("steps: 70"));
    EXPECT_FALSE(row("training.steps").set);
    EXPECT_EQ(draft().recipeValue(QStringLiteral("training.steps")), QStringLiteral("1000"));
    draft().history()->undo();
    EXPECT_TRUE(writes("steps: 70")) << "one undo step";
    draft().history()->undo();
    EXPECT_FALSE(writes("steps:")) << "typing was one, too";

    ASSERT_TRUE(wizard()->expert()->focusKey(QStringLiteral("data.shuffle")));
    QTest::keyClick(tree(), Qt::Key_Space);
    EXPECT_TRUE(writes("shuffle: false")) << draft().recipeYaml();
    QTest::keyClick(tree(), Qt::Key_Space);
    EXPECT_FALSE(writes("shuffle:"));

    EXPECT_TRUE(options_of(row("schedule.name")).contains(QStringLiteral("cosine")));
    model()->setTyped(model()->find(QStringLiteral("schedule.name")), QStringLiteral("linear"));
    EXPECT_TRUE(writes("name: linear")) << draft().recipeYaml();
    // The form shows the same.
    wizard()->setExpert(false);
    wizard()->showStep(Step::Training);
    EXPECT_EQ(editor("schedule.name")->value(), QStringLiteral("linear"));
}

TEST_F(ExpertRecipe, EveryLayerOfProblemsIsInTheTableAtOnce) {
    ASSERT_NO_FATAL_FAILURE(expert());
    edit("training.steps", QStringLiteral("many"));           // not a number
    edit("optimizer.lr", QStringLiteral("-1"));               // out of range
    edit("data.path", QStringLiteral("/nowhere/at/all"));     // not there
    edit("main_process_port", QStringLiteral("99999"));       // of the settings
    edit("checkpoint.resume_from", QStringLiteral("/none"));  // not there
    settle();
    for (const char* key : {"training.steps", "optimizer.lr", "data.path", "main_process_port"}) {
        EXPECT_TRUE(row(key).error) << key;
        EXPECT_FALSE(row(key).problem.isEmpty()) << key;
    }
    EXPECT_GE(model()->counts().invalid, 4);
    test::take_picture(window_.get(), "-expert-problems");
    // The way to the first problem stays in the table.
    wizard()->goToFirstProblem();
    EXPECT_TRUE(wizard()->isExpert());
    EXPECT_TRUE(tree()->hasFocus());
    EXPECT_TRUE(model()->at(qobject_cast<ExpertFilter*>(tree()->model())->mapToSource(tree()->currentIndex()))->error);
}

TEST_F(ExpertRecipe, TheListOfPagesNamesTheFamily) {
    open(cpu());
    for (const std::string& family : families::model_types()) {
        const QString name = QString::fromStdString(family);
        draft().setRecipeValue(QStringLiteral("model.model_type"), name);
        EXPECT_EQ(summary(Step::Model).section(QStringLiteral(" · "), 0, 0), name);
    }
}

TEST_F(ExpertRecipe, FileDialogsDoNotBlockTheWindow) {
    open(cpu());
    wizard()->showStep(Step::Data);
    for (const auto& [name, path] : {std::pair("Folder…", folder_.path().string()), {"File…", file("text.txt")}}) {
        auto* choose = test::child<QPushButton>(*wizard()->row(QStringLiteral("data.path")), QStringLiteral("Choose…"));
        QTest::mouseClick(choose, Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([] { return QApplication::activePopupWidget() != nullptr; }));
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        for (QAction* action : menu->actions())
            if (action->text() == QString::fromUtf8(name))
                action->trigger();  // returns while the dialog is open
        menu->close();
        QFileDialog* shown = dialog();
        ASSERT_NE(shown, nullptr) << name;
        emit shown->fileSelected(QString::fromStdString(path));
        shown->close();
        EXPECT_EQ(draft().recipeValue(QStringLiteral("data.path")).toStdString(), path);
        ASSERT_TRUE(QTest::qWaitFor([&] { return window_->findChild<QFileDialog*>() == nullptr; }));
    }
    draft().setPurpose(Purpose::SettingsOnly);
    settle();
    QTest::mouseClick(wizard()->launchButton(), Qt::LeftButton);
    QFileDialog* shown = dialog();
    ASSERT_NE(shown, nullptr);
    EXPECT_EQ(shown->acceptMode(), QFileDialog::AcceptSave);
    emit shown->fileSelected(QString::fromStdString(file("saved.yaml")));
    shown->close();
    EXPECT_TRUE(std::filesystem::exists(file("saved.yaml")));
}
