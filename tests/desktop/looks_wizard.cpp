// SPDX-License-Identifier: GPL-3.0-or-later
// How New run looks (looks_test.h).

#include <QListWidget>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/text/qt_text.h"
#include "desktop/wizard/presets_menu.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/wizard_page.h"
#include "fabricated_runs.h"
#include "looks_test.h"
#include "support/child.h"
#include "support/draw_charts.h"
#include "support/settle.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;
using test::LooksTest;

TEST_F(LooksTest, Wizard) {
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    auto settled = [&] { return QTest::qWaitFor([&] { return wizard->isChecked(); }, 10000); };
    ASSERT_TRUE(settled());
    for (const char* name : {"start", "data", "hardware", "training", "review", "expert"}) {
        ASSERT_TRUE(wizard->openNamed(QLatin1String(name)));
        ASSERT_TRUE(settled());
        test::draw_charts(window_.get());
        lookOver((std::string("wizard-") + name).c_str());
    }
    wizard->setExpert(false);
    // The way on is in view on a small screen, with large text and a message above it, too.
    resize(kScreen);
    const auto in_view = [&] {
        const QPushButton* launch = wizard->launchButton();
        return launch->visibleRegion().boundingRect().size() == launch->size();
    };
    EXPECT_TRUE(QTest::qWaitFor(in_view, 2000));
    if (TextSize::instance().factor() <= 1.5) {
        wizard->tell(WizardPage::tr("The draft"));
        EXPECT_TRUE(QTest::qWaitFor(in_view, 2000));
        wizard->message()->dismiss();
    }
    resize(smallest());
    wizard->draft()->setRecipeValue(QStringLiteral("data.path"), QStringLiteral("/nowhere/at/all"));
    ASSERT_TRUE(wizard->openNamed(QStringLiteral("data")));
    ASSERT_TRUE(settled());
    ASSERT_TRUE(QTest::qWaitFor([&] {
        widgets::FieldRow* path = wizard->row(QStringLiteral("data.path"));
        return path != nullptr && !path->problem().isEmpty();
    }));
    lookOver("wizard-bad-data");
    ASSERT_TRUE(wizard->openNamed(QStringLiteral("review")));
    ASSERT_TRUE(settled());
    lookOver("wizard-bad-review");
}

/// The row of recomputation below "More settings".
TEST_F(LooksTest, WizardMoreSettings) {
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    const auto settled = [&] { return QTest::qWaitFor([&] { return wizard->isChecked(); }, 10'000); };
    ASSERT_TRUE(settled());
    const QString key = QStringLiteral("training.activation_checkpointing");
    for (const char* value : {"no", "selective", "full"}) {
        wizard->draft()->setRecipeValue(key, QLatin1String(value));
        ASSERT_TRUE(wizard->goToField(key));
        ASSERT_TRUE(settled());
        lookOver((std::string("wizard-recomputation-") + value).c_str());
    }
}

TEST_F(LooksTest, WizardDataOfRecordings) {
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    const auto settled = [&] { return QTest::qWaitFor([&] { return wizard->isChecked(); }, 10000); };
    ASSERT_TRUE(settled());
    data_ << QStringLiteral(".*\\.wav") << QStringLiteral("speech_pretraining");
    for (const auto& [key, value] : {std::pair("model.task", "speech_pretraining"),
                                     {"model.model_type", "wav2vec2"},
                                     {"data.format", "audio"},
                                     {"data.path", TRAINYARD_SOURCE_DIR "/resources/samples/data/tones"}})
        wizard->draft()->setRecipeValue(QLatin1String(key), QLatin1String(value));
    ASSERT_TRUE(wizard->openNamed(QStringLiteral("data")));
    ASSERT_TRUE(settled());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !wizard->draft()->report().data.rows.isEmpty(); }, 10000));
    lookOver("wizard-recordings");
}

/// Built-in presets, one with keys that the engine does not support, a saved one, and text that is not a preset.
TEST_F(LooksTest, Presets) {
    const QByteArray former = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", (home_.path() / "config").c_str());
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->isChecked(); }, 10'000));
    data_ << QStringLiteral("a box with two GPUs") << QStringLiteral("[a-z_]+(\\.[a-z_]+)*");
    PresetsMenu menu(wizard->draft());
    menu.popup(wizard->launchButton());
    const auto rests = [&] { return QTest::qWaitFor([&] { return menu.isReady(); }, 10'000); };
    auto* list = test::child<QListWidget>(menu);
    ASSERT_TRUE(rests());
    lookAtPopup(&menu, "presets");
    list->setCurrentRow(list->count() - 1);
    for (int row = 0; row < list->count(); ++row)
        if (list->item(row)->text() == engineWords("ZeRO-3 with offload"))
            list->setCurrentRow(row);
    lookAtPopup(&menu, "presets-left-out");
    menu.importText(QStringLiteral("accelerate launch --num_processes 2 --mixed_precision bf16 train.py --lr 3e-4"));
    lookAtPopup(&menu, "presets-pasted");
    menu.importText(QStringLiteral("not a command"));
    lookAtPopup(&menu, "presets-refused");
    menu.saveAsPreset(QStringLiteral("a box with two GPUs"));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(QTest::qWaitFor([&] { return menu.deleteButton()->isVisible(); }, 10'000));
    lookAtPopup(&menu, "presets-own");
    menu.close();
    qputenv("XDG_CONFIG_HOME", former);
}
