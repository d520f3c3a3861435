// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The look of the process: the current theme, its colours, fonts and icons. One object per process, because palette,
// font and style of QApplication are one per process too. Widgets that paint themselves query it in paintEvent() and
// repaint on changed().

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPixmap>

#include "widgets/forward.h"
#include "widgets/tokens.h"

namespace trainyard::widgets {

class Theme : public QObject {
    Q_OBJECT
  public:
    static Theme& instance();

    /// Sets style, palette and font, and starts to follow the system's theme. Returns at once; a later answer of the
    /// settings portal switches the theme. If it is not called (tests of single widgets), colours and fonts work, but
    /// controls are those of the platform.
    void install(QApplication& application);

    ThemeChoice choice() const { return choice_; }
    void setChoice(ThemeChoice choice);
    bool isDark() const { return dark_; }
    /// Sets the text size in per cent of the usual one: that of fonts, and sizes in pixels (pixels.h). A font or size
    /// that a widget was given before stays until it is set again.
    void setTextSize(int percent);
    /// Selects the colours of the tokens with more contrast (high_contrast.h), or the plain ones.
    void setHighContrast(bool high);

    QColor color(Token token) const { return token_color(token, dark_); }
    /// Numbers count from 1; see tokens.h.
    QColor runColor(int number) const { return run_color(number, dark_); }
    /// Background of a chip or an inline message: the panel colour with a tint of the state colour.
    QColor tint(Token state) const;
    QColor tint(const QColor& state) const;

    /// Inter (Noto Sans, DejaVu Sans) for words. `size` is relative to the application's font, which has 13; it is in
    /// points, `size` device-independent pixels at 96 dots per inch and the usual text size.
    QFont text(int size = 13, int weight = QFont::Normal) const;
    /// JetBrains Mono (DejaVu Sans Mono) for numbers that change or are in a column, for keys, code and logs.
    QFont mono(int size = 12, int weight = QFont::Normal) const;

    /// resources/icons/NAME.svg, painted in the current colour of the token (theme_icon.h): it follows the theme, and
    /// is sharp at every pixel ratio.
    QIcon icon(const QString& name, Token token = Token::TextSecondary) const;
    /// The icon as a pixmap of `size` device-independent pixels; cached by name, size, colour and ratio.
    QPixmap pixmap(const QString& name, const QColor& color, int size = 16, qreal ratio = 1) const;
    QPixmap pixmap(const QString& name, Token token, int size = 16, qreal ratio = 1) const {
        return pixmap(name, color(token), size, ratio);
    }

  signals:
    /// Colours have changed: rebuild cached pictures. All widgets are repainted afterwards.
    void changed();
    /// Fonts and sizes in pixels have changed.
    void textSizeChanged();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    Theme();
    void apply();
    void systemMayHaveChanged();
    bool systemIsDark() const { return portal_scheme_ == 0 ? platform_dark_ : portal_scheme_ == 1; }

    QApplication* application_ = nullptr;
    ThemeChoice choice_ = ThemeChoice::System;
    bool dark_ = true;
    bool platform_dark_ = false;  ///< according to the palette of the platform
    int portal_scheme_ = 0;       ///< 0 no preference, 1 dark, 2 light
    bool applying_ = false;
};

}  // namespace trainyard::widgets
