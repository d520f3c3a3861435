#include <fstream>

#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/engine_link.h"
#include "desktop/new_run_page.h"
#include "support/temporary_folder.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"
#include "widgets/segmented_control.h"

using namespace trainyard;
using desktop::EngineLink;
using desktop::NewRunPage;

namespace {

class NewRunTest : public testing::Test {
  protected:
    void SetUp() override {
        std::ofstream(folder_.path() / "text.txt") << std::string(200000, 'a');
        ::setenv("TRAINYARD_SAMPLE", "/nowhere/sample.yaml", 1);
        page_ = std::make_unique<NewRunPage>(&engine_);
        page_->resize(1200, 800);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get()));
        settle();
        type("data.path", QString::fromStdString((folder_.path() / "text.txt").string()));
        type("data.pattern", QStringLiteral("*"));
        settle();
    }
    void type(const char* key, const QString& text) {
        QLineEdit* field = page_->field(QLatin1String(key));
        ASSERT_NE(field, nullptr) << key;
        field->setFocus();
        field->selectAll();
        if (text.isEmpty())
            QTest::keyClick(field, Qt::Key_Delete);
        else
            QTest::keyClicks(field, text);
    }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return page_->isChecked(); }, 10000));
    }
    QString problem(const char* key) const { return page_->row(QLatin1String(key))->problem(); }
    /// An engine that says what it is told to.
    void fakeEngine(const std::string& script) {
        const std::filesystem::path program = folder_.path() / "trainyard";
        std::ofstream(program) << "#!/bin/sh\n"
                               << "if [ \"$1\" = --version ]; then echo trainyard 9.9; exit 0; fi\n"
                               << "echo \"$@\" > '" << (folder_.path() / "arguments").string() << "'\n"
                               << script << "\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        engine_.locate(QString::fromStdString(program.string()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return engine_.isReady(); }));
    }

    test::TemporaryFolder folder_;
    EngineLink engine_;
    std::unique_ptr<NewRunPage> page_;
};

}  // namespace

TEST_F(NewRunTest, GoodFormHasNoProblemAndShowsItsFile) {
    for (const char* key : {"name", "data.path", "training.steps", "optimizer.lr", "num_processes"})
        EXPECT_EQ(problem(key).toStdString(), "") << key;
    EXPECT_TRUE(page_->previewText().contains(QStringLiteral("  steps: 1000")));
    type("training.steps", QStringLiteral("321"));
    settle();
    EXPECT_TRUE(page_->previewText().contains(QStringLiteral("  steps: 321")));
}

TEST_F(NewRunTest, WrongFieldsSayWhatToMend) {
    type("training.steps", QStringLiteral("many"));
    type("model.n_head", QStringLiteral("3"));
    type("data.sequence_length", QStringLiteral("100000"));
    type("num_processes", QStringLiteral("0"));
    settle();
    EXPECT_TRUE(problem("training.steps").contains(QStringLiteral("whole number")));
    EXPECT_TRUE(problem("model.n_head").contains(QStringLiteral("multiple")));
    EXPECT_TRUE(problem("data.sequence_length").contains(QStringLiteral("n_positions")));
    EXPECT_FALSE(problem("num_processes").isEmpty());
    type("training.steps", QStringLiteral("10"));
    EXPECT_TRUE(problem("training.steps").isEmpty()) << "goes at once when one types";
    settle();
    EXPECT_TRUE(problem("training.steps").isEmpty());
    EXPECT_FALSE(problem("model.n_head").isEmpty());
}

TEST_F(NewRunTest, MissingTextIsNamedAtItsField) {
    type("data.path", QStringLiteral("/nowhere/at/all"));
    settle();
    EXPECT_TRUE(problem("data.path").contains(QStringLiteral("/nowhere/at/all"))) << problem("data.path").toStdString();
}

TEST_F(NewRunTest, LaunchIsNeverDisabledAndGoesToTheFirstWrongField) {
    type("optimizer.lr", QStringLiteral("-1"));
    type("checkpoint.every", QStringLiteral("x"));
    settle();
    EXPECT_TRUE(page_->launchButton()->isEnabled());
    page_->launchButton()->click();
    EXPECT_TRUE(page_->field(QStringLiteral("optimizer.lr"))->hasFocus());
    EXPECT_TRUE(page_->launchButton()->isEnabled());
}

TEST_F(NewRunTest, SizesFillTheModelAndOwnNumbersAreCustom) {
    auto* size = page_->findChildren<widgets::SegmentedControl*>().first();
    size->setCurrent(1);
    settle();
    EXPECT_EQ(page_->field(QStringLiteral("model.n_layer"))->text(), QStringLiteral("6"));
    EXPECT_EQ(page_->field(QStringLiteral("model.n_embd"))->text(), QStringLiteral("384"));
    EXPECT_TRUE(page_->previewText().contains(QStringLiteral("n_positions: 256")));
    type("model.n_layer", QStringLiteral("5"));
    EXPECT_EQ(size->current(), 2);
    type("model.n_layer", QStringLiteral("6"));
    EXPECT_EQ(size->current(), 1);
}

TEST_F(NewRunTest, LaunchWritesTheRecipeAndOpensTheRun) {
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    QSignalSpy launched(page_.get(), &NewRunPage::launched);
    type("name", QStringLiteral("my run"));
    type("num_processes", QStringLiteral("2"));
    page_->launchButton()->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, 10000));
    EXPECT_EQ(launched.first().first().toString(), QStringLiteral("/runs/r1"));
    std::ifstream file(folder_.path() / "arguments");
    std::string arguments;
    std::getline(file, arguments);
    EXPECT_TRUE(arguments.starts_with("launch --detach --json --num_processes 2 ")) << arguments;
    const std::string recipe = arguments.substr(arguments.rfind(' ') + 1);
    EXPECT_EQ(config::load_recipe(recipe).name, "my run");
    EXPECT_TRUE(page_->launchButton()->isEnabled());
}

TEST_F(NewRunTest, WordsOfTheEngineAreShownAsTheyAre) {
    fakeEngine("echo 'port 29500 is in use: choose another' >&2; exit 2");
    page_->launchButton()->click();
    auto* message = page_->findChild<widgets::InlineMessage*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return message->isVisible(); }, 10000));
    EXPECT_EQ(message->text().toStdString(), "port 29500 is in use: choose another");
    EXPECT_TRUE(page_->launchButton()->isEnabled());
}

TEST_F(NewRunTest, LoadsARecipeAndSaysWhenItIsNone) {
    std::ofstream(folder_.path() / "good.yaml") << "name: loaded\ntraining:\n  steps: 77\n";
    page_->load(QString::fromStdString((folder_.path() / "good.yaml").string()));
    settle();
    EXPECT_EQ(page_->field(QStringLiteral("name"))->text(), QStringLiteral("loaded"));
    EXPECT_EQ(page_->field(QStringLiteral("training.steps"))->text(), QStringLiteral("77"));
    std::ofstream(folder_.path() / "bad.yaml") << "name: x\nmodle:\n  n_layer: 2\n";
    page_->load(QString::fromStdString((folder_.path() / "bad.yaml").string()));
    auto* message = page_->findChild<widgets::InlineMessage*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return message->isVisible(); }, 10000));
    EXPECT_TRUE(message->text().contains(QStringLiteral("modle"))) << message->text().toStdString();
    EXPECT_EQ(page_->field(QStringLiteral("name"))->text(), QStringLiteral("loaded"));
}
