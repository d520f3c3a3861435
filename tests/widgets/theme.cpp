// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <array>
#include <cmath>

#include <QApplication>
#include <QGlyphRun>
#include <QPalette>
#include <QSignalSpy>
#include <QTest>
#include <QTextLayout>
#include <QWidget>

#include <gtest/gtest.h>

#include "support/settle.h"
#include "widgets/color_vision.h"
#include "widgets/high_contrast.h"
#include "widgets/plot/look.h"
#include "widgets/two_lines.h"

using namespace trainyard::widgets;

namespace {

constexpr Token kBackgrounds[] = {Token::BgApp,    Token::BgPage,  Token::BgPanel,
                                  Token::BgRaised, Token::BgHover, Token::BgSelected};

double lowest(Token token, bool dark) {
    double ratio = 21;
    for (Token background : kBackgrounds)
        ratio = std::min(ratio, contrast_ratio(token_color(token, dark), token_color(background, dark)));
    return ratio;
}

}  // namespace

/// Keys such as "->" and figures such as "0x10" are shown letter by letter.
TEST(Fonts, MonospaceTextHasNoLigatures) {
    const QFont font = Theme::instance().mono(12);
    const auto glyphs = [&font](const QString& text) {
        QTextLayout layout(text, font);
        layout.beginLayout();
        layout.createLine();
        layout.endLayout();
        QVector<quint32> all;
        for (const QGlyphRun& run : layout.glyphRuns())
            all << run.glyphIndexes();
        return all;
    };
    for (const char* text : {"->", "=>", "!=", ">=", "++", "--", "0x10", "www", "://"}) {
        QVector<quint32> alone;
        for (const char letter : std::string(text))
            alone << glyphs(QString(QLatin1Char(letter)));
        EXPECT_EQ(glyphs(QLatin1String(text)), alone) << text;
    }
}

TEST(Contrast, KnowsBlackAndWhite) {
    EXPECT_NEAR(contrast_ratio(Qt::black, Qt::white), 21.0, 1e-9);
    EXPECT_NEAR(contrast_ratio(Qt::white, Qt::white), 1.0, 1e-9);
    EXPECT_NEAR(contrast_ratio(QColor("#777777"), Qt::white), 4.48, 0.005);
}

TEST(Tokens, TableIsInTheOrderOfTheEnumeration) {
    int i = 0;
    for (const TokenRow& row : token_table())
        EXPECT_EQ(static_cast<int>(row.token), i++);
}

TEST(Tokens, TextReachesItsContrastOnEveryBackground) {
    for (bool dark : {true, false})
        for (Token text : {Token::Text, Token::TextSecondary, Token::TextMuted, Token::Accent, Token::Ok, Token::Warn,
                           Token::Error, Token::Info})
            EXPECT_GE(lowest(text, dark), 4.5) << "token " << static_cast<int>(text) << (dark ? " dark" : " light");
}

TEST(Tokens, HighContrastReachesTheStrictestLevel) {
    set_high_contrast(true);
    for (bool dark : {true, false}) {
        for (Token text : {Token::Text, Token::TextSecondary, Token::TextMuted, Token::Accent, Token::Ok, Token::Warn,
                           Token::Error, Token::Info})
            EXPECT_GE(lowest(text, dark), 7.0) << "token " << static_cast<int>(text) << (dark ? " dark" : " light");
        for (Token line : {Token::Line, Token::LineControl})
            EXPECT_GE(contrast_ratio(token_color(line, dark), token_color(Token::BgPanel, dark)), 4.5);
    }
    set_high_contrast(false);
    EXPECT_EQ(token_color(Token::Text, true), QColor::fromRgb(token_table()[8].plain.dark));
}

TEST(Tokens, TheGridIsWeakerThanFramesWithHighContrastAndSeenAlways) {
    for (const bool dark : {true, false}) {
        const Look look{dark};
        const QColor panel = look.color(Token::BgPanel);
        EXPECT_EQ(look.grid(), look.color(Token::Line));
        EXPECT_GT(contrast_ratio(look.grid(), panel), 1.2);
        set_high_contrast(true);
        const QColor strong = look.color(Token::BgPanel);
        EXPECT_GT(contrast_ratio(look.grid(), strong), 1.4);
        EXPECT_LT(contrast_ratio(look.grid(), strong), contrast_ratio(look.color(Token::Line), strong) * 0.7);
        set_high_contrast(false);
    }
}

TEST(Tokens, ControlsAndFillsReachTheirs) {
    for (bool dark : {true, false}) {
        EXPECT_GE(lowest(Token::LineControl, dark), 3.0);
        for (Token fill : {Token::AccentFill, Token::AccentFillHover, Token::ErrorFill})
            EXPECT_GE(contrast_ratio(token_color(Token::OnAccent, dark), token_color(fill, dark)), 4.5);
    }
}

TEST(Tokens, RunColoursStandOutFromThePanel) {
    for (int number = 1; number <= kRunColors; ++number) {
        EXPECT_GE(contrast_ratio(run_color(number, true), token_color(Token::BgPanel, true)), 4.4) << number;
        EXPECT_GE(contrast_ratio(run_color(number, false), token_color(Token::BgPanel, false)), 3.0) << number;
    }
}

TEST(Tokens, TenRunsStayApartWithoutGreenCones) {
    // CIE 1976: a difference of 2.3 is just seen; lines that cross need more.
    const auto lab = [](const QColor& color) {
        const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        const double r = linear(color.redF()), g = linear(color.greenF()), b = linear(color.blueF());
        const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
                     y = f(0.2126 * r + 0.7152 * g + 0.0722 * b), z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
        return std::array<double, 3>{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    for (bool dark : {true, false})
        for (int a = 1; a <= kRunColors; ++a)
            for (int b = a + 1; b <= kRunColors; ++b) {
                const auto one = lab(as_deuteranope(run_color(a, dark))),
                           other = lab(as_deuteranope(run_color(b, dark)));
                EXPECT_GT(std::hypot(one[0] - other[0], one[1] - other[1], one[2] - other[2]), 9)
                    << a << " and " << b << (dark ? " dark" : " light");
            }
}

TEST(ColorVision, GreysStayAndRedAndGreenMeet) {
    for (int grey : {0, 1, 77, 200, 255})
        EXPECT_NEAR(as_deuteranope(QColor(grey, grey, grey)).green(), grey, 1) << grey;
    const QColor red = as_deuteranope(QColor(200, 60, 60)), green = as_deuteranope(QColor(110, 110, 60));
    EXPECT_LT(std::abs(red.hue() - green.hue()), 12) << "hues between red and green are one";
    QImage image(3, 1, QImage::Format_ARGB32);
    image.fill(Qt::transparent);
    image.setPixelColor(1, 0, QColor(200, 60, 60, 128));
    image.setPixelColor(2, 0, QColor(200, 60, 60));
    const QImage seen = as_deuteranope(image);
    EXPECT_EQ(seen.pixelColor(0, 0).alpha(), 0);
    EXPECT_EQ(seen.pixelColor(1, 0).alpha(), 128);
    EXPECT_EQ(seen.pixelColor(2, 0), red);
}

TEST(Tokens, ElevenRepeatsOneDashed) {
    EXPECT_EQ(run_color(11, true), run_color(1, true));
    EXPECT_EQ(run_dash(10), Qt::SolidLine);
    EXPECT_EQ(run_dash(11), Qt::DashLine);
    EXPECT_EQ(run_dash(41), Qt::SolidLine);
    EXPECT_EQ(run_color(0, true), run_color(1, true));
}

TEST(ThemeTest, ChipsAreReadableOnTheirTint) {
    Theme& theme = Theme::instance();
    for (ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        theme.setChoice(choice);
        for (Token state : {Token::Ok, Token::Warn, Token::Error, Token::Info})
            EXPECT_GE(contrast_ratio(theme.color(state), theme.tint(state)), 4.5) << static_cast<int>(state);
    }
}

TEST(ThemeTest, IconsTakeTheColourAndSizeAskedFor) {
    const QPixmap picture = Theme::instance().pixmap(QStringLiteral("runs"), QColor(Qt::red), 16, 2);
    EXPECT_EQ(picture.size(), QSize(32, 32));
    EXPECT_DOUBLE_EQ(picture.devicePixelRatio(), 2);
    const QImage image = picture.toImage();
    int painted = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (const QColor pixel = image.pixelColor(x, y); pixel.alpha() > 200) {
                ++painted;
                EXPECT_EQ(pixel.red(), 255);
                EXPECT_EQ(pixel.green(), 0);
            }
    EXPECT_GT(painted, 20);
}

/// One icon follows the theme, and its drawing fills whole pixels at ratios that are not whole.
TEST(ThemeTest, IconsFollowThemeAndPixelRatio) {
    Theme& theme = Theme::instance();
    theme.setChoice(ThemeChoice::Dark);
    const QIcon icon = theme.icon(QStringLiteral("stop"), Token::Error);
    const auto colors = [&icon](qreal ratio, QIcon::Mode mode) {
        QPixmap picture = icon.pixmap(QSize(16, 16), ratio, mode);
        EXPECT_EQ(picture.size(), (QSizeF(16, 16) * ratio).toSize());
        EXPECT_DOUBLE_EQ(picture.devicePixelRatio(), ratio);
        const QImage image = picture.toImage();
        QSet<QRgb> found;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (const QColor pixel = image.pixelColor(x, y); pixel.alpha() == 255)
                    found.insert(pixel.rgb());
        return found;
    };
    for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
        theme.setChoice(choice);
        for (const qreal ratio : {1.0, 1.25, 1.5, 1.75, 2.0}) {
            EXPECT_EQ(colors(ratio, QIcon::Normal), QSet{theme.color(Token::Error).rgb()}) << ratio;
            EXPECT_EQ(colors(ratio, QIcon::Disabled), QSet{theme.color(Token::TextMuted).rgb()}) << ratio;
        }
    }
}

TEST(ThemeTest, FontsAreRelativeToThatOfTheApplication) {
    Theme& theme = Theme::instance();
    theme.install(*qApp);
    EXPECT_DOUBLE_EQ(QApplication::font().pointSizeF(), 9.75);
    for (const QFont& font : {theme.text(11), theme.text(16), theme.mono(12)})
        EXPECT_EQ(font.pixelSize(), -1) << "sizes are in points";
    EXPECT_DOUBLE_EQ(theme.text(16).pointSizeF() / theme.text().pointSizeF(), 16.0 / 13);
    EXPECT_DOUBLE_EQ(theme.mono(12).pointSizeF() / theme.text().pointSizeF(), 12.0 / 13);
}

TEST(ThemeTest, ContrastChangesWhileRunning) {
    Theme& theme = Theme::instance();
    theme.setChoice(ThemeChoice::Dark);
    theme.install(*qApp);
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setHighContrast(true);
    EXPECT_EQ(changed.count(), 1);
    EXPECT_EQ(qApp->palette().color(QPalette::Window), QColor(Qt::black));
    theme.setHighContrast(true);
    EXPECT_EQ(changed.count(), 1);
    theme.setHighContrast(false);
    EXPECT_EQ(qApp->palette().color(QPalette::Window), token_color(Token::BgPage, true));
}

TEST(ThemeTest, ChangesWhileRunning) {
    Theme& theme = Theme::instance();
    theme.setChoice(ThemeChoice::Dark);
    theme.install(*qApp);
    const QColor dark = qApp->palette().color(QPalette::Window);
    QSignalSpy changed(&theme, &Theme::changed);
    theme.setChoice(ThemeChoice::Light);
    EXPECT_EQ(changed.count(), 1);
    EXPECT_NE(qApp->palette().color(QPalette::Window), dark);
    EXPECT_EQ(qApp->palette().color(QPalette::Window), token_color(Token::BgPage, false));
    EXPECT_FALSE(theme.isDark());
    theme.setChoice(ThemeChoice::Light);
    EXPECT_EQ(changed.count(), 1);
}

TEST(ThemeTest, PaintsEveryWidgetAnew) {
    class Painted : public QWidget {
      public:
        int times = 0;

      protected:
        void paintEvent(QPaintEvent*) override { ++times; }
    } widget;
    Theme& theme = Theme::instance();
    theme.setChoice(ThemeChoice::Dark);
    widget.show();
    ASSERT_TRUE(QTest::qWaitFor([&] { return widget.times > 0; }));
    trainyard::test::settle();
    const int before = widget.times;
    theme.setChoice(ThemeChoice::Light);
    EXPECT_TRUE(QTest::qWaitFor([&] { return widget.times > before; }));
}

TEST(TwoLines, NeverBecomeThree) {
    const QFont font = Theme::instance().text(11);
    const QString words =
        QStringLiteral("Number format of the computation; weights stay in their own format, whatever it is");
    for (int width = 60; width < 700; width += 17) {
        const QStringList lines = two_lines(words, font, width).split(QLatin1Char('\n'));
        EXPECT_LE(lines.size(), 2) << width;
        for (const QString& line : lines)
            EXPECT_LE(QFontMetrics(font).horizontalAdvance(line), width + 1) << line.toStdString();
        if (QFontMetrics(font).horizontalAdvance(words) <= width) {
            EXPECT_EQ(lines.size(), 1);
        }
    }
    EXPECT_EQ(two_lines(QString(), font, 100), QString());
}
