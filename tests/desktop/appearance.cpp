// SPDX-License-Identifier: GPL-3.0-or-later
// Language, size and contrast of the window: from the settings, the command line and the file to what they do.
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFile>
#include <QLineEdit>
#include <QMenuBar>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/shell/action_collection.h"
#include "desktop/shell/appearance_settings.h"
#include "desktop/shell/options.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/settings_page.h"
#include "desktop/wizard/wizard_page.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/window_fixture.h"
#include "widgets/dialogs.h"
#include "widgets/high_contrast.h"
#include "widgets/languages.h"
#include "widgets/theme.h"

using namespace trainyard;
using desktop::AppearanceSettings;
using desktop::Preferences;
using widgets::Languages;

namespace {

class AppearanceTest : public testing::Test {
  protected:
    void SetUp() override {
        QFile::remove(file());
        widgets::Theme::instance().install(*qApp);
        Languages::install(*qApp, QStringLiteral("en"));
    }
    void TearDown() override { QFile::remove(file()); }
    static QString file() { return Preferences::configFolder() + QStringLiteral("/desktop.ini"); }
    static void write(const QByteArray& lines) {
        { const Preferences makes_the_folder; }
        QFile ini(file());
        ASSERT_TRUE(ini.open(QIODevice::WriteOnly));
        ini.write("[appearance]\n" + lines);
    }
    static void choose(QComboBox* box, int index) {
        box->setFocus();
        while (box->currentIndex() != index)
            QTest::keyClick(box, box->currentIndex() < index ? Qt::Key_Down : Qt::Key_Up);
    }
};

/// The window with all its pages, while its language and text size change.
class LiveAppearance : public test::WindowFixture {
  protected:
    void TearDown() override {
        WindowFixture::TearDown();
        QFile::remove(Preferences::configFolder() + QStringLiteral("/desktop.ini"));
        Languages::install(*qApp, QStringLiteral("en"));
        widgets::Theme::instance().setTextSize(100);
    }
    /// Opens the draft of a new run, and changes it in two steps.
    desktop::WizardPage* draftWithHistory() {
        auto* page = window_->context()->show<desktop::WizardPage>();
        if (!QTest::qWaitFor([page] { return page->isChecked(); }, kPatience))
            ADD_FAILURE() << "the draft is not read";
        for (const char* steps : {"70", "77"}) {
            page->draft()->beginStep();
            page->draft()->setRecipeValue(kSteps, QLatin1String(steps));
            page->draft()->endStep();
        }
        EXPECT_TRUE(QTest::qWaitFor([page] { return page->isChecked(); }, kPatience));
        return page;
    }
    desktop::WizardPage* wizard() { return qobject_cast<desktop::WizardPage*>(window_->currentPage()); }

    const QString kSteps = QStringLiteral("training.steps");
};

}  // namespace

TEST_F(LiveAppearance, LanguageChangesWithDraftAndHistory) {
    open();
    const QPointer<desktop::WizardPage> before = draftWithHistory();
    const QString english = before->title();
    const int undoable = before->draft()->undoable();
    ASSERT_GE(undoable, 2);
    preferences_->setLanguage(QStringLiteral("de"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return before == nullptr; }, kPatience)) << "the page is made again";
    EXPECT_NE(wizard()->title(), english);
    EXPECT_EQ(wizard()->title(), desktop::WizardPage::tr("New run"));
    EXPECT_EQ(window_->menuBar()->actions().front()->text(), desktop::Commands::menuTitle(desktop::MenuId::File));
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("77"));
    EXPECT_EQ(wizard()->draft()->undoable(), undoable);
    QAction* undo = desktop::ActionCollection::instance().undoAction();
    ASSERT_TRUE(undo->isEnabled());
    undo->trigger();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("70"));
    desktop::ActionCollection::instance().redoAction()->trigger();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("77"));

    // Pages that are not shown are made again when they are.
    window_->context()->show<desktop::SettingsPage>();
    EXPECT_NE(test::child<QComboBox>(*window_->currentPage(), desktop::AppearanceSettings::tr("Language")), nullptr);
    EXPECT_TRUE(QTest::qWaitFor([this] { return wizard() == nullptr; }, kPatience));
}

TEST_F(LiveAppearance, TextSizeChangesWithDraftAndHistory) {
    open();
    const QPointer<desktop::WizardPage> before = draftWithHistory();
    const int height = before->launchButton()->height();
    const double points = QApplication::font().pointSizeF();
    preferences_->setSizeOfText(150);
    ASSERT_TRUE(QTest::qWaitFor([&] { return before == nullptr; }, kPatience));
    EXPECT_DOUBLE_EQ(QApplication::font().pointSizeF(), 1.5 * points);
    EXPECT_TRUE(QTest::qWaitFor([&] { return wizard()->launchButton()->height() == height * 3 / 2; }, kPatience))
        << height << ", now " << wizard()->launchButton()->height();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("77"));
    ASSERT_TRUE(desktop::ActionCollection::instance().undoAction()->isEnabled());
    desktop::ActionCollection::instance().undoAction()->trigger();
    EXPECT_EQ(wizard()->draft()->recipeValue(kSteps), QStringLiteral("70"));
}

TEST_F(LiveAppearance, AnOpenDialogKeepsItsInputUntilItIsClosed) {
    open();
    window_->context()->show<desktop::SettingsPage>();
    const QPointer<desktop::Page> page = window_->currentPage();
    const QPointer<QDialog> dialog = widgets::opened(new QDialog(page));
    auto* field = new QLineEdit(QStringLiteral("typed"), dialog);
    preferences_->setLanguage(QStringLiteral("de"));
    QApplication::processEvents();
    ASSERT_NE(dialog, nullptr);
    ASSERT_NE(page, nullptr);
    EXPECT_EQ(field->text(), QStringLiteral("typed"));
    dialog->close();
    EXPECT_TRUE(QTest::qWaitFor([&] { return page == nullptr; }, kPatience));
    EXPECT_EQ(window_->currentPage()->title(), desktop::SettingsPage::tr("Settings"));
}

TEST_F(AppearanceTest, LanguageAndSizeAreStoredAndReported) {
    Preferences preferences;
    const QSignalSpy languages(&preferences, &Preferences::languageChanged);
    const QSignalSpy sizes(&preferences, &Preferences::textSizeChanged);
    AppearanceSettings settings(&preferences);
    settings.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&settings));
    QComboBox* box = test::child<QComboBox>(settings, QStringLiteral("Language"));
    ASSERT_EQ(box->count(), 4);
    EXPECT_EQ(box->itemText(2).toStdString(), "Deutsch");
    choose(box, 1);
    EXPECT_EQ(preferences.language(), QStringLiteral("en"));
    choose(box, 2);
    EXPECT_EQ(preferences.language(), QStringLiteral("de"));
    EXPECT_EQ(languages.count(), 2);
    choose(box, 3);
    QComboBox* size = test::child<QComboBox>(settings, QStringLiteral("Size of text"));
    EXPECT_EQ(size->currentData().toInt(), 100);
    choose(size, size->findData(150));
    EXPECT_EQ(sizes.count(), 3) << "110, 125 and 150 %";
    const Preferences again;
    EXPECT_EQ(again.language(), QStringLiteral("zh_CN"));
    EXPECT_EQ(again.sizeOfText(), 150);
}

TEST_F(AppearanceTest, WhatTheFileSaysOfNoLanguageOrSizeIsToldAndNotTaken) {
    write("language=tlh\nsize=300\n");
    const Preferences preferences;
    EXPECT_TRUE(preferences.complaint().contains(QStringLiteral("tlh"))) << preferences.complaint().toStdString();
    EXPECT_TRUE(preferences.complaint().contains(QStringLiteral("300")));
    EXPECT_TRUE(preferences.complaint().contains(file()));
    EXPECT_EQ(preferences.sizeOfText(), 100);
}

TEST_F(AppearanceTest, ContrastChangesAtOnceAndIsKept) {
    Preferences preferences;
    AppearanceSettings settings(&preferences);
    settings.show();
    EXPECT_FALSE(test::child<QCheckBox>(settings, QStringLiteral("Black and white with strong lines"))->isChecked());
    QTest::mouseClick(
        test::child<QCheckBox>(settings, QStringLiteral("Black and white with strong lines")), Qt::LeftButton,
        Qt::NoModifier,
        {8, test::child<QCheckBox>(settings, QStringLiteral("Black and white with strong lines"))->height() / 2});
    EXPECT_TRUE(preferences.highContrast());
    EXPECT_TRUE(widgets::is_high_contrast());
    EXPECT_EQ(widgets::Theme::instance().color(widgets::Token::BgPage),
              widgets::Theme::instance().isDark() ? QColor(Qt::black) : QColor(Qt::white));
    widgets::Theme::instance().setHighContrast(false);
    const Preferences again;
    EXPECT_TRUE(again.highContrast());
}

TEST_F(AppearanceTest, TheCommandLineChoosesALanguage) {
    desktop::Options options;
    const QString problem = desktop::parseOptions(
        {QStringLiteral("trainyard-desktop"), QStringLiteral("--language"), QStringLiteral("de")}, options);
    EXPECT_TRUE(problem.isEmpty()) << problem.toStdString();
    EXPECT_EQ(options.language, QStringLiteral("de"));
    // A window of another language may be open: this one stands for itself.
    EXPECT_FALSE(options.returns());
    desktop::Options other;
    const QString refused =
        desktop::parseOptions({QStringLiteral("trainyard-desktop"), QStringLiteral("--language=tlh")}, other);
    EXPECT_TRUE(refused.contains(QStringLiteral("tlh")) && refused.contains(QStringLiteral("zh_CN")))
        << refused.toStdString();
}
