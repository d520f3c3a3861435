// SPDX-License-Identifier: GPL-3.0-or-later
// Which language the window has, and that texts of ours and of Qt, numbers and plural forms follow it.
#include "widgets/languages.h"

#include <clocale>
#include <cstdlib>
#include <optional>
#include <tuple>

#include <QApplication>
#include <QLocale>
#include <QTranslator>

#include <gtest/gtest.h>

#include "widgets/local_text.h"
#include "widgets/theme.h"

using trainyard::widgets::Languages;
using trainyard::widgets::Theme;

namespace {

class LanguagesTest : public testing::Test {
  protected:
    void TearDown() override { Languages::install(*qApp, QStringLiteral("en")); }
    static QString runs(int n) {
        return QCoreApplication::translate("trainyard::desktop::CompareDrawer", "Compare %Ln runs", nullptr, n);
    }
};

}  // namespace

TEST_F(LanguagesTest, EnglishIsFirstAndEachIsNamedInItself) {
    QStringList names;
    for (const Languages::Language& each : Languages::all())
        names << each.name;
    EXPECT_EQ(names, QStringList({QStringLiteral("English"), QStringLiteral("Deutsch"), QStringLiteral("简体中文")}))
        << names.join(QStringLiteral(", ")).toStdString();
}

TEST_F(LanguagesTest, ThePreferredOneThatThereIsCounts) {
    const auto among = [](const QStringList& preferred) { return Languages::among(preferred).toStdString(); };
    EXPECT_EQ(among({QStringLiteral("de-AT"), QStringLiteral("en")}), "de");
    EXPECT_EQ(among({QStringLiteral("fr-FR"), QStringLiteral("de-DE")}), "de");
    EXPECT_EQ(among({QStringLiteral("zh-Hans-CN")}), "zh_CN");
    EXPECT_EQ(among({QStringLiteral("zh-SG")}), "zh_CN");
    // Traditional characters are another script.
    EXPECT_EQ(among({QStringLiteral("zh-Hant-TW"), QStringLiteral("de")}), "de");
    EXPECT_EQ(among({QStringLiteral("en-GB"), QStringLiteral("de")}), "en");
    EXPECT_EQ(among({QStringLiteral("sw")}), "en");
    EXPECT_EQ(among({QStringLiteral("C")}), "en");
    EXPECT_EQ(among({}), "en");
}

TEST_F(LanguagesTest, OneIsSaidInTheSingular) {
    Languages::install(*qApp, QStringLiteral("en"));
    EXPECT_EQ(runs(1).toStdString(), "Compare 1 run");
    EXPECT_EQ(runs(2).toStdString(), "Compare 2 runs");
    EXPECT_EQ(runs(0).toStdString(), "Compare 0 runs");
}

TEST_F(LanguagesTest, TheThemeOfATestBringsEnglishOnce) {
    Theme::instance().install(*qApp);
    Theme::instance().install(*qApp);
    EXPECT_EQ(Languages::current(), QStringLiteral("en"));
    Languages::install(*qApp, QStringLiteral("de"));
    Theme::instance().install(*qApp);
    EXPECT_EQ(Languages::current(), QStringLiteral("de"));
}

TEST_F(LanguagesTest, TextsOfQtAndNumbersFollow) {
    Languages::install(*qApp, QStringLiteral("de"));
    EXPECT_EQ(Languages::current(), QStringLiteral("de"));
    EXPECT_EQ(QCoreApplication::translate("QPlatformTheme", "Cancel").toStdString(), "Abbrechen");
    EXPECT_EQ(QLocale().toString(18420.5, 'f', 1).toStdString(), "18.420,5");
    Languages::install(*qApp, QStringLiteral("zh_CN"));
    EXPECT_EQ(QCoreApplication::translate("QPlatformTheme", "Cancel").toStdString(), "取消");
    Languages::install(*qApp, QStringLiteral("en"));
    EXPECT_EQ(QCoreApplication::translate("QPlatformTheme", "Cancel").toStdString(), "Cancel");
    const auto catalogues = [] { return qApp->findChildren<QTranslator*>().size(); };
    const auto english = catalogues();
    Languages::install(*qApp, QStringLiteral("de"));
    Languages::install(*qApp, QStringLiteral("en"));
    EXPECT_EQ(catalogues(), english);
    Languages::install(*qApp, QStringLiteral("tlh"));
    EXPECT_EQ(Languages::current(), QStringLiteral("en"));
}

TEST_F(LanguagesTest, ATermAtTheBeginningOfAChineseSentenceHasNoCapital) {
    const auto sentence = [] {
        return trainyard::widgets::local_sentence(trainyard::Message("checkpoint saved")).toStdString();
    };
    Languages::install(*qApp, QStringLiteral("zh_CN"));
    EXPECT_EQ(sentence(), "checkpoint 已保存");
    Languages::install(*qApp, QStringLiteral("en"));
    EXPECT_EQ(sentence(), "Checkpoint saved");
}

TEST_F(LanguagesTest, NumbersInFilesAreReadWithAPoint) {
    // As QApplication does on a system where 0.5 is written 0,5; if there is one here that has such numbers.
    for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
        if (std::setlocale(LC_ALL, name) != nullptr)
            break;
    Languages::install(*qApp, QStringLiteral("de"));
    EXPECT_STREQ(std::setlocale(LC_NUMERIC, nullptr), "C");
    EXPECT_EQ(std::strtod("0.5", nullptr), 0.5);
}

TEST_F(LanguagesTest, FiguresAreWrittenAsTheLanguageDoes) {
    using namespace trainyard::widgets;
    const QString space(QChar{QChar::Nbsp});
    Languages::install(*qApp, QStringLiteral("en"));
    EXPECT_EQ(percent_text(0.125, 1), QStringLiteral("12.5") + space + QLatin1Char('%'));
    EXPECT_EQ(decimal_text(1234.5, 1), QStringLiteral("1234.5"));
    Languages::install(*qApp, QStringLiteral("de"));
    EXPECT_EQ(percent_text(0.125, 1), QStringLiteral("12,5") + space + QLatin1Char('%'));
    EXPECT_EQ(percent_text(1), QStringLiteral("100") + space + QLatin1Char('%'));
    EXPECT_EQ(decimal_text(1234.5, 1), QStringLiteral("1234,5"));
    EXPECT_EQ(short_text(0.25), QStringLiteral("0,25"));
    EXPECT_EQ(short_text(1024.4, 3), QStringLiteral("1024"));
    EXPECT_EQ(short_text(999.7, 3), QStringLiteral("1000"));
    Languages::install(*qApp, QStringLiteral("zh_CN"));
    EXPECT_EQ(percent_text(0.125, 1), QStringLiteral("12.5%"));
}

TEST_F(LanguagesTest, ANumberIsTypedWithTheSeparatorOfTheLanguageOrAPoint) {
    using trainyard::widgets::typed_number;
    for (const auto& [language, own, grouped] :
         {std::tuple("en", "0.5", "18,420"), {"de", "0,5", "18.420"}, {"zh_CN", "0.5", "18,420"}}) {
        Languages::install(*qApp, QLatin1String(language));
        for (const char* text : {own, "0.5", " 0.5 ", "5e-1"})
            EXPECT_EQ(typed_number(QLatin1String(text)), 0.5) << language << ": " << text;
        EXPECT_EQ(typed_number(QLatin1String(grouped), true), 18420) << language;
        EXPECT_EQ(typed_number(QStringLiteral("0.001"), true), 0.001) << language;
        EXPECT_EQ(typed_number(QStringLiteral("12.5"), true), 12.5) << language;
        EXPECT_EQ(typed_number(QStringLiteral("1.5.2"), true), std::nullopt) << language;
        for (const char* text : {"", "much", "1,5,2", "3 k"})
            EXPECT_EQ(typed_number(QLatin1String(text)), std::nullopt) << language << ": " << text;
    }
}
