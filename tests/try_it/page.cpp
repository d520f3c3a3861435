// SPDX-License-Identifier: GPL-3.0-or-later
// Prompts for the checkpoints of a real run: text that comes bit by bit, two checkpoints side by side, stopping, a
// model that cannot be loaded, leaving.

#include <cstdlib>
#include <fstream>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QJsonObject>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>

#include <gtest/gtest.h>

#include "cli/program.h"
#include "desktop/try_it/sampling_bar.h"
#include "desktop/try_it/try_it_page.h"
#include "run/listing.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"
#include "support/temporary_folder.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;
namespace fs = std::filesystem;

namespace {

class TryItTest : public testing::Test {
  protected:
    SamplingBar* sampling() const { return test::child<SamplingBar>(*page_); }
    static void SetUpTestSuite() {
        ::setenv("TRAINYARD_WORKER", TRAINYARD_BIN_DIR "/trainyard-worker", 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        folder_ = std::make_unique<test::TemporaryFolder>();
        ::setenv("TRAINYARD_RUNS", (folder_->path() / "runs").c_str(), 1);
        ::setenv("HF_HOME", (folder_->path() / "home").c_str(), 1);
        std::ofstream text(folder_->path() / "text.txt");
        for (int i = 0; i < 3000; ++i)
            text << "line " << i << " of a text that repeats itself\n";
        text.close();
        std::ofstream(folder_->path() / "recipe.yaml")
            << "name: try\nmodel: {n_layer: 1, n_embd: 32, n_head: 2, n_positions: 8192}\n"
               "data: {path: text.txt, sequence_length: 32}\noptimizer: {lr: 1e-2}\nschedule: {warmup_steps: 2}\n"
               "training: {steps: 20, batch_size: 8}\ncheckpoint: {every: 10, keep_last: 0}\n";
        const test::Said said = test::trainyard({"launch", "--cpu", (folder_->path() / "recipe.yaml").string()});
        ASSERT_EQ(said.code, 0) << said.err;
        run_ = run::list_runs(folder_->path() / "runs").front().paths.root();
    }
    static void TearDownTestSuite() { folder_.reset(); }

    void SetUp() override {
        widgets::Theme::instance().install(*qApp);
        page_ = std::make_unique<TryItPage>();
        page_->resize(1228, 800);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get()));
    }
    void TearDown() override {
        test::take_picture(page_.get());
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
        test::take_picture(page_.get(), "-light");
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    }
    void open(const fs::path& place) {
        page_->activate(QString::fromStdString(place.string()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page_->isBusy(); }, kPatience));
    }
    void type(const char* prompt) {
        test::child<QPlainTextEdit>(*page_, QStringLiteral("Prompt"))->setFocus();
        QTest::keyClicks(test::child<QPlainTextEdit>(*page_, QStringLiteral("Prompt")), QString::fromLatin1(prompt));
    }
    void writeAndWait() {
        QTest::mouseClick(test::child<QPushButton>(*page_, QStringLiteral("Write")), Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page_->isBusy(); }, kPatience));
    }

    static std::unique_ptr<test::TemporaryFolder> folder_;
    static fs::path run_;
    std::unique_ptr<TryItPage> page_;
};

std::unique_ptr<test::TemporaryFolder> TryItTest::folder_;
fs::path TryItTest::run_;

TEST_F(TryItTest, TheNewestCheckpointOfARunContinuesThePromptAndTheSameSeedDrawsTheSameText) {
    open(run_);
    EXPECT_EQ(page_->first()->box()->count(), 2);
    EXPECT_TRUE(page_->first()->chosen().endsWith(QStringLiteral("checkpoint_20")));
    type("line 12 of");
    sampling()->length()->setValue(40);
    writeAndWait();
    const QString first = page_->first()->answer();
    EXPECT_TRUE(first.startsWith(QStringLiteral("line 12 of"))) << first.toStdString();
    EXPECT_GT(first.size(), 20);
    EXPECT_TRUE(page_->first()->facts().startsWith(QStringLiteral("40 tokens")))
        << page_->first()->facts().toStdString();
    writeAndWait();
    EXPECT_EQ(page_->first()->answer(), first) << "the model is kept, and the seed is the same";
    test::child<QSpinBox>(*sampling(), QStringLiteral("Seed"))->setValue(1);
    writeAndWait();
    EXPECT_NE(page_->first()->answer(), first);
    test::child<widgets::SegmentedControl>(*sampling())->setCurrent(2);
    EXPECT_FALSE(test::child<QDoubleSpinBox>(*sampling(), QStringLiteral("Temperature"))->isVisible());
    EXPECT_TRUE(test::child<QSpinBox>(*sampling(), QStringLiteral("Beams"))->isVisible());
    writeAndWait();
    EXPECT_TRUE(page_->first()->facts().startsWith(QStringLiteral("40 tokens")));
}

TEST_F(TryItTest, TwoCheckpointsSideBySide) {
    open(run_ / "checkpoints" / "checkpoint_10");
    open(run_);
    type("line 7");
    QTest::mouseClick(
        test::child<QCheckBox>(*page_, QStringLiteral("Compare with a second checkpoint")), Qt::LeftButton, {},
        {8, test::child<QCheckBox>(*page_, QStringLiteral("Compare with a second checkpoint"))->height() / 2});
    ASSERT_TRUE(page_->second()->isVisible());
    EXPECT_NE(page_->first()->chosen(), page_->second()->chosen());
    test::child<widgets::SegmentedControl>(*sampling())->setCurrent(0);
    sampling()->length()->setValue(60);
    writeAndWait();
    EXPECT_TRUE(page_->second()->answer().startsWith(QStringLiteral("line 7")));
    EXPECT_NE(page_->first()->answer(), page_->second()->answer()) << "they are ten steps apart";
}

TEST_F(TryItTest, AConversationIsWrittenByTheTemplateOfTheTokenizer) {
    const fs::path folder = run_ / "checkpoints" / "checkpoint_20";
    open(run_);
    auto* chats = test::child<QCheckBox>(*page_, QStringLiteral("Conversation"));
    test::child<widgets::SegmentedControl>(*sampling())->setCurrent(0);
    sampling()->length()->setValue(20);
    chats->setChecked(true);
    type("line 12 of");
    const auto send = [&] {
        QTest::mouseClick(test::child<QPushButton>(*page_, QStringLiteral("Send")), Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !page_->isBusy(); }, kPatience));
    };
    send();
    EXPECT_TRUE(page_->first()->facts().contains(QStringLiteral("has no chat template")))
        << page_->first()->facts().toStdString();
    EXPECT_TRUE(page_->first()->conversation().isEmpty()) << "the message was not answered";

    std::ofstream(folder / "tokenizer_config.json")
        << R"x({"chat_template": "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>"})x";
    page_->first()->process()->release();  // the folder is read when the model is loaded
    type("line 12 of");
    send();
    ASSERT_EQ(page_->first()->conversation().size(), 2) << page_->first()->facts().toStdString();
    const QString reply = page_->first()->conversation()[1].toObject()[QStringLiteral("content")].toString();
    EXPECT_TRUE(page_->first()->answer().startsWith(QStringLiteral("You: line 12 of")));
    EXPECT_TRUE(page_->first()->answer().endsWith(reply));
    type("and then");
    send();
    ASSERT_EQ(page_->first()->conversation().size(), 4);
    const QString second = page_->first()->conversation()[3].toObject()[QStringLiteral("content")].toString();

    // What the model saw is the text of the template: the same text as a prompt is continued in the same way.
    chats->setChecked(false);
    EXPECT_TRUE(page_->first()->conversation().isEmpty());
    for (const auto& [prompt, wanted] :
         {std::pair(QStringLiteral("<user>line 12 of<assistant>"), reply),
          {QStringLiteral("<user>line 12 of<assistant>%1<user>and then<assistant>").arg(reply), second}}) {
        test::child<QPlainTextEdit>(*page_, QStringLiteral("Prompt"))->setPlainText(prompt);
        writeAndWait();
        EXPECT_EQ(page_->first()->answer().toStdString(), (prompt + wanted).toStdString());
    }
    std::filesystem::remove(folder / "tokenizer_config.json");
    // The same on the command line.
    const test::Said refused =
        test::trainyard({"generate", folder.string(), "--chat", "--prompt", "line", "--max_new_tokens", "4"});
    EXPECT_NE(refused.code, 0);
    EXPECT_NE(refused.err.find("has no chat template"), std::string::npos) << refused.err;
}

TEST_F(TryItTest, StopEndsTheTextAndTheWindowNeverWaits) {
    open(run_);
    type("line");
    sampling()->length()->setValue(8000);
    QTest::mouseClick(test::child<QPushButton>(*page_, QStringLiteral("Write")), Qt::LeftButton);
    EXPECT_FALSE(test::child<QPushButton>(*page_, QStringLiteral("Write"))->isEnabled());
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->first()->answer().size() > 8; }, kPatience));
    QTest::mouseClick(test::child<QPushButton>(*page_, QStringLiteral("Stop")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !page_->isBusy(); }, kPatience));
    EXPECT_TRUE(page_->first()->facts().endsWith(QStringLiteral("stopped"))) << page_->first()->facts().toStdString();
    EXPECT_LT(page_->first()->answer().size(), 8000);
    EXPECT_TRUE(test::child<QPushButton>(*page_, QStringLiteral("Write"))->isEnabled());
}

TEST_F(TryItTest, AModelThatCannotBeLoadedIsToldAndAnotherOneWorks) {
    open(run_);
    const fs::path broken = folder_->path() / "broken";
    fs::create_directories(broken);
    std::ofstream(broken / "config.json") << R"({"model_type": "nothing"})";
    page_->first()->choose(QString::fromStdString(broken.string()));
    type("line");
    writeAndWait();
    EXPECT_TRUE(page_->first()->facts().contains(QStringLiteral("nothing"))) << page_->first()->facts().toStdString();
    page_->first()->box()->setCurrentIndex(0);
    sampling()->length()->setValue(8);
    writeAndWait();
    EXPECT_TRUE(page_->first()->facts().startsWith(QStringLiteral("8 tokens")))
        << page_->first()->facts().toStdString();
}

TEST_F(TryItTest, LeavingThePageEndsTheProcess) {
    open(run_);
    type("line");
    sampling()->length()->setValue(8000);
    QTest::mouseClick(test::child<QPushButton>(*page_, QStringLiteral("Write")), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return page_->first()->answer().size() > 8; }, kPatience));
    page_->hide();
    EXPECT_EQ(page_->first()->process()->state(), PromptProcess::State::Idle);
    EXPECT_TRUE(page_->first()->findChildren<QProcess*>().isEmpty());
    page_->show();
}

}  // namespace
