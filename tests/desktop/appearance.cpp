// SPDX-License-Identifier: GPL-3.0-or-later
// Language, size and contrast of the window: from the settings, the command line and the file to what they do.
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "desktop/shell/appearance_settings.h"
#include "desktop/shell/options.h"
#include "desktop/shell/preferences.h"
#include "support/child.h"
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
    void TearDown() override {
        QFile::remove(file());
        qunsetenv("QT_SCALE_FACTOR");
    }
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

}  // namespace

TEST_F(AppearanceTest, AnotherLanguageNeedsAnotherWindow) {
    Preferences preferences;
    const QSignalSpy outdated(&preferences, &Preferences::windowOutdated);
    AppearanceSettings settings(&preferences);
    settings.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&settings));
    QComboBox* box = test::child<QComboBox>(settings, QStringLiteral("Language"));
    ASSERT_EQ(box->count(), 4);
    EXPECT_EQ(box->itemText(2).toStdString(), "Deutsch");
    choose(box, 1);
    EXPECT_EQ(preferences.language(), QStringLiteral("en"));
    EXPECT_EQ(outdated.count(), 0) << "the window is in English";
    choose(box, 2);
    EXPECT_EQ(preferences.language(), QStringLiteral("de"));
    EXPECT_EQ(outdated.count(), 1);
    choose(box, 3);
    const Preferences again;
    EXPECT_EQ(again.language(), QStringLiteral("zh_CN"));
}

TEST_F(AppearanceTest, WhatTheFileSaysOfNoLanguageOrSizeIsToldAndNotTaken) {
    write("language=tlh\nsize=300\n");
    const Preferences preferences;
    EXPECT_TRUE(preferences.complaint().contains(QStringLiteral("tlh"))) << preferences.complaint().toStdString();
    EXPECT_TRUE(preferences.complaint().contains(QStringLiteral("300")));
    EXPECT_TRUE(preferences.complaint().contains(file()));
    EXPECT_EQ(preferences.sizeOfText(), 100);
    Preferences::applySize();
    EXPECT_FALSE(qEnvironmentVariableIsSet("QT_SCALE_FACTOR"));
}

TEST_F(AppearanceTest, TheSizeReachesQtBeforeTheApplicationAndNoOtherProgram) {
    {
        Preferences preferences;
        const QSignalSpy outdated(&preferences, &Preferences::windowOutdated);
        AppearanceSettings settings(&preferences);
        settings.show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&settings));
        EXPECT_EQ(test::child<QComboBox>(settings, QStringLiteral("Size of text"))->currentData().toInt(), 100);
        choose(test::child<QComboBox>(settings, QStringLiteral("Size of text")),
               test::child<QComboBox>(settings, QStringLiteral("Size of text"))->findData(150));
        EXPECT_EQ(outdated.count(), 3) << "110, 125 and 150 %";
    }
    Preferences::applySize();
    EXPECT_EQ(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.5"));
    EXPECT_FALSE(Preferences::sizeIsGiven());
    Preferences::dropSize();
    EXPECT_FALSE(qEnvironmentVariableIsSet("QT_SCALE_FACTOR"));
}

TEST_F(AppearanceTest, TheSizeOfTheEnvironmentGoesBefore) {
    write("size=200\n");
    qputenv("QT_SCALE_FACTOR", "1.25");
    Preferences::applySize();
    Preferences::dropSize();
    EXPECT_EQ(qgetenv("QT_SCALE_FACTOR"), QByteArray("1.25"));
    Preferences preferences;
    const AppearanceSettings settings(&preferences);
    EXPECT_FALSE(test::child<QComboBox>(settings, QStringLiteral("Size of text"))->isEnabled());
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
