// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the hub wherever the window takes a path of a model or data set: against a hub on this machine that breaks
// connections, refuses, and is gone.

#include <cstdlib>
#include <filesystem>

#include <QLabel>
#include <QMenu>
#include <QTableView>
#include <QTreeWidget>

#include <gmock/gmock.h>

#include "desktop/architecture/architecture_page.h"
#include "desktop/checkpoints/checkpoint_list_panel.h"
#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/hub/hub_field.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/try_it/try_it_page.h"
#include "desktop/wizard_fixture.h"
#include "support/child.h"
#include "support/fake_hub.h"
#include "support/picture.h"
#include "support/random_model.h"
#include "support/says.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

constexpr int kLong = 30'000;
constexpr const char* kTinyLlama =
    R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 16, "num_hidden_layers": 2,
        "num_attention_heads": 2, "num_key_value_heads": 2, "intermediate_size": 32, "vocab_size": 64,
        "max_position_embeddings": 32})";

class HubNames : public test::WizardFixture {
  protected:
    void SetUp() override {
        WizardFixture::SetUp();
        for (const char* name : {"HF_TOKEN", "HF_TOKEN_PATH", "HF_HUB_CACHE", "HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"})
            ::unsetenv(name);
        ::setenv("HF_ENDPOINT", hub_.address().c_str(), 1);
        ::setenv("no_proxy", "*", 1);
        test::RandomModel(kTinyLlama).write(folder_.path() / "model");
        weights_ = content(file("model/model.safetensors"));
        hub_.put("org/tiny", "config.json", kTinyLlama);
        hub_.put("org/tiny", "model.safetensors", weights_, true);
        open(cpu());
    }
    void TearDown() override {
        ::unsetenv("HF_HUB_OFFLINE");
        WizardFixture::TearDown();
    }
    std::string etag() const { return test::FakeHub::etag_of(weights_, true); }

    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    static void picture(QWidget* widget, const char* name) {
        using widgets::ThemeChoice;
        if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
            return;
        for (const auto& [choice, suffix] :
             {std::pair(ThemeChoice::Light, "-light-"), std::pair(ThemeChoice::Dark, "-dark-")}) {
            widgets::Theme::instance().setChoice(choice);
            test::take_picture(widget, (suffix + std::string(name)).c_str());
        }
        widgets::Theme::instance().setChoice(ThemeChoice::System);
    }
    /// The dialog that is open.
    HubDialog* dialog() {
        HubDialog* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                for (HubDialog* each : window_->findChildren<HubDialog*>())
                    if (each->isVisible())
                        found = each;
                return found != nullptr && found->isListed();
            },
            kLong));
        return found;
    }
    /// An entry of a button's menu, or of the menu that is open.
    static void trigger(const QMenu* menu, const QString& text) {
        for (QAction* action : menu->actions())
            if (action->text() == text)
                return action->trigger();
        ADD_FAILURE() << "no entry " << text.toStdString();
    }
    static QPushButton* buttonWithMenu(const QWidget* page, const QString& entry) {
        for (QPushButton* button : page->findChildren<QPushButton*>())
            if (button->menu() != nullptr)
                for (const QAction* action : button->menu()->actions())
                    if (action->text() == entry)
                        return button;
        return nullptr;
    }
    /// The entry of the menu next to a field of the wizard.
    void chooseFromHub(const char* key) {
        wizard()->goToField(QLatin1String(key));
        QTest::mouseClick(test::child<QPushButton>(*wizard()->row(QLatin1String(key)), QStringLiteral("Choose…")),
                          Qt::LeftButton);
        ASSERT_TRUE(QTest::qWaitFor([] { return QApplication::activePopupWidget() != nullptr; }));
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        trigger(menu, QStringLiteral("From the hub…"));
        menu->close();
    }
    static void enter(HubDialog* dialog, const QString& name) {
        dialog->field()->name()->clear();
        QTest::keyClicks(dialog->field()->name(), name);
        QTest::keyClick(dialog->field()->name(), Qt::Key_Return);
    }
    static bool rests(HubDialog* dialog) {
        return QTest::qWaitFor([&] { return !dialog->field()->isAsking(); }, kLong);
    }
    QString snapshot() {
        return QString::fromStdString(
            (folder_.path() / "HF_HOME" / "hub" / "models--org--tiny" / "snapshots" / hub_.commit_of("org/tiny"))
                .string());
    }
    /// Downloads org/tiny through a dialog.
    void download(HubDialog* dialog) {
        enter(dialog, QStringLiteral("org/tiny"));
        ASSERT_TRUE(rests(dialog));
        ASSERT_TRUE(dialog->field()->line()->isOffered()) << dialog->field()->line()->words().toStdString();
        QTest::mouseClick(dialog->field()->line()->button(), Qt::LeftButton);
    }

    test::FakeHub hub_;
    std::string weights_;
};

TEST_F(HubNames, TheSizeIsSaidBeforeADownloadWhichContinuesAfterABreakAndEverySurfaceThenHasTheName) {
    window_->open({QLatin1String(CheckpointsPage::kKey), {}});
    auto* page = window_->page<CheckpointsPage>();
    trigger(buttonWithMenu(page, QStringLiteral("From the hub…"))->menu(), QStringLiteral("From the hub…"));
    HubDialog* first = dialog();
    ASSERT_NE(first, nullptr);
    EXPECT_FALSE(first->list()->isVisible());
    EXPECT_TRUE(first->note()->isVisible()) << "nothing is in the cache";
    EXPECT_TRUE(QTest::qWaitFor([&] { return first->place()->text().contains(QLatin1String("127.0.0.1")); }, kLong));
    EXPECT_TRUE(first->place()->text().contains(QStringLiteral("without an access token")));
    picture(first, "empty");
    enter(first, QStringLiteral("org/tiny"));
    ASSERT_TRUE(rests(first));
    EXPECT_TRUE(first->field()->line()->isOffered()) << first->field()->line()->words().toStdString();
    EXPECT_TRUE(first->field()->line()->words().startsWith(QStringLiteral("org/tiny: 2 files to download, ")))
        << first->field()->line()->words().toStdString();
    EXPECT_EQ(hub_.sent("model.safetensors"), 0u) << "nothing before the button";
    picture(first, "size");
    hub_.fail(etag(), {.times = 1, .cut_after = 4000});
    QTest::mouseClick(first->field()->line()->button(), Qt::LeftButton);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return page->isBusy() || window_->findChildren<HubDialog*>().isEmpty(); }, kLong));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return !page->isBusy() && test::child<CheckpointListPanel>(*page)->checkpoint_list().items.size() == 1; },
        kLong));
    EXPECT_EQ(QString::fromStdString(
                  test::child<CheckpointListPanel>(*page)->checkpoint_list().items.front().folder.string()),
              snapshot());

    // From now on without a hub.
    hub_.forget_requests();
    ::setenv("HF_HUB_OFFLINE", "1", 1);
    window_->open({QLatin1String(TryItPage::kKey), {}});
    auto* prompt = window_->page<TryItPage>();
    QTest::mouseClick(test::child<QPushButton>(*prompt->first(), QStringLiteral("Hub…")), Qt::LeftButton);
    HubDialog* second = dialog();
    ASSERT_NE(second, nullptr);
    const QAbstractItemModel* names = second->list()->model();
    ASSERT_EQ(names->rowCount(), 1);
    EXPECT_EQ(names->index(0, 0).data().toString(), QStringLiteral("org/tiny"));
    EXPECT_EQ(names->index(0, 1).data().toString(), QStringLiteral("here"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return second->place()->text().startsWith(QLatin1String("HF_HUB_OFFLINE")); }));
    picture(second, "here");
    emit second->list()->activated(names->index(0, 0));
    ASSERT_TRUE(QTest::qWaitFor([&] { return prompt->first()->chosen() == snapshot(); }, kLong));
    EXPECT_EQ(prompt->first()->box()->currentText(), QStringLiteral("org/tiny"));

    window_->open({QLatin1String(ArchitecturePage::kKey), {}});
    auto* graph = window_->page<ArchitecturePage>();
    trigger(buttonWithMenu(graph, QStringLiteral("From the hub…"))->menu(), QStringLiteral("From the hub…"));
    HubDialog* third = dialog();
    ASSERT_NE(third, nullptr);
    enter(third, QStringLiteral("hub:org/tiny"));
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return !graph->isBusy() && test::child<QTreeWidget>(*graph)->topLevelItemCount() > 0; }, kLong));
    picture(window_.get(), "architecture");

    // Offline, and not in the cache: one sentence.
    trigger(buttonWithMenu(graph, QStringLiteral("From the hub…"))->menu(), QStringLiteral("From the hub…"));
    HubDialog* fourth = dialog();
    ASSERT_NE(fourth, nullptr);
    enter(fourth, QStringLiteral("org/other"));
    ASSERT_TRUE(rests(fourth));
    EXPECT_TRUE(fourth->field()->line()->hasFailed());
    EXPECT_TRUE(fourth->field()->line()->words().contains(QStringLiteral("HF_HUB_OFFLINE forbids requests")));
    picture(fourth, "offline");
    fourth->close();
    EXPECT_TRUE(hub_.requests().empty()) << "no request is sent";
}

TEST_F(HubNames, TheWizardAndSweepsTakeANameFromTheDialog) {
    chooseFromHub("model.weights");
    HubDialog* opened = dialog();
    ASSERT_NE(opened, nullptr);
    download(opened);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return draft().recipeValue(QStringLiteral("model.weights")) == snapshot(); }, kLong))
        << draft().recipeValue(QStringLiteral("model.weights")).toStdString();
    settle();
    EXPECT_EQ(problem("model.weights"), "");
    // A data set keeps its name in the recipe.
    hub_.put("datasets/org/rows", "data/train-00000-of-00001.parquet",
             content(TRAINYARD_TESTS_DIR "/golden/data_formats/plain.parquet"), true);
    chooseFromHub("data.path");
    HubDialog* rows = dialog();
    ASSERT_NE(rows, nullptr);
    enter(rows, QStringLiteral("org/rows"));
    ASSERT_TRUE(rests(rows));
    ASSERT_TRUE(rows->field()->line()->isOffered()) << rows->field()->line()->words().toStdString();
    picture(rows, "data set");
    QTest::mouseClick(rows->field()->line()->button(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return draft().recipeValue(QStringLiteral("data.path")) == QStringLiteral("hub:org/rows"); }, kLong));
    settle();
    picture(window_.get(), "data page");

    SweepBase base;
    base.recipe = draft().recipeYaml();
    SweepDialog sweep(base);
    sweep.show();
    SweepParameterRow* parameter = sweep.addParameter(QStringLiteral("training.batch_size"));
    EXPECT_TRUE(test::child<QPushButton>(*parameter, QStringLiteral("Hub…"))->isHidden());
    parameter->key()->setCurrentText(QStringLiteral("model.weights"));
    EXPECT_FALSE(test::child<QPushButton>(*parameter, QStringLiteral("Hub…"))->isHidden());
    parameter->values()->setText(QStringLiteral("org/one"));
    QTest::mouseClick(test::child<QPushButton>(*parameter, QStringLiteral("Hub…")), Qt::LeftButton);
    auto* names = sweep.findChild<HubDialog*>();
    ASSERT_NE(names, nullptr);
    enter(names, QStringLiteral("org/tiny"));
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return parameter->values()->text() == QStringLiteral("org/one, org/tiny"); }, kLong));
    picture(&sweep, "sweep");
}

TEST_F(HubNames, WhatGoesWrongIsOneSentence) {
    HubDialog opened(HubItem::Model);
    opened.show();
    HubLine* line = opened.field()->line();
    const auto words = [&] { return line->words().toStdString(); };
    enter(&opened, QStringLiteral("org/none"));
    ASSERT_TRUE(rests(&opened));
    EXPECT_THAT(words(), test::says("{} has no public model named {}: {}", hub_.address(), "org/none", testing::_));
    picture(&opened, "none");
    hub_.put("org/gated", "model.safetensors", weights_, true);
    hub_.gate("org/gated", "hf_member");
    enter(&opened, QStringLiteral("org/gated"));
    ASSERT_TRUE(rests(&opened));
    EXPECT_THAT(
        words(),
        test::says("{} is gated: ask for access on {}, and set HF_TOKEN to a token of that account (hf auth login)",
                   "org/gated", testing::_));
    ::setenv("HF_TOKEN", "hf_member", 1);
    enter(&opened, QStringLiteral("org/gated"));
    ASSERT_TRUE(rests(&opened));
    EXPECT_TRUE(line->isOffered()) << words();
    ::unsetenv("HF_TOKEN");
    enter(&opened, QStringLiteral("three/parts/here"));
    EXPECT_FALSE(line->isRunning());
    EXPECT_TRUE(line->words().startsWith(QStringLiteral("three/parts/here is not a valid model name"))) << words();
    // Weights that arrive wrong twice.
    hub_.fail(etag(), {.times = 2, .corrupt = true});
    enter(&opened, QStringLiteral("org/tiny"));
    ASSERT_TRUE(rests(&opened));
    QTest::mouseClick(line->button(), Qt::LeftButton);
    ASSERT_TRUE(rests(&opened));
    EXPECT_THAT(words(),
                test::says("{} of {} arrived with the hash {} instead of {}: a proxy or the disk changes it, or "
                           "the hub is at fault; nothing of it was stored",
                           "model.safetensors", "org/tiny", testing::_, etag()));
    EXPECT_TRUE(opened.isVisible());
    picture(&opened, "hash");
    // The network is gone.
    ::setenv("HF_ENDPOINT", "http://127.0.0.1:1", 1);
    enter(&opened, QStringLiteral("org/other"));
    ASSERT_TRUE(rests(&opened));
    EXPECT_THAT(words(),
                test::says("{} cannot be asked for {}: {}: check the network, https_proxy and HF_ENDPOINT; with "
                           "HF_HUB_OFFLINE=1 only what is in the cache is used",
                           "http://127.0.0.1:1", "org/other", testing::_));
    // A cancelled request.
    ::setenv("HF_ENDPOINT", hub_.address().c_str(), 1);
    hub_.fail(etag(), {.times = 1, .pause_ms = 2'000});
    enter(&opened, QStringLiteral("org/tiny"));
    ASSERT_TRUE(rests(&opened));
    QTest::mouseClick(line->button(), Qt::LeftButton);
    EXPECT_TRUE(line->isRunning());
    QTest::mouseClick(line->cancelButton(), Qt::LeftButton);
    EXPECT_FALSE(line->isRunning());
    EXPECT_EQ(words(), "The download was cancelled. The next one continues it.");
    QTest::keyClick(opened.field(), Qt::Key_Escape);
    EXPECT_FALSE(opened.isVisible());
}

}  // namespace
