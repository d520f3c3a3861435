// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The look of the process: the current theme, its colours, fonts and icons. One object per process, because the palette
// and the style sheet of QApplication are one per process too. Widgets that paint themselves query it in paintEvent()
// and repaint on changed().

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

    /// Sets Fusion, palette, font and style sheet, and starts to follow the system's theme. Returns at once; a later
    /// answer of the settings portal switches the theme. If it is not called (tests of single widgets), colours and
    /// fonts work, but the style sheet is not set.
    void install(QApplication& application);

    ThemeChoice choice() const { return choice_; }
    void setChoice(ThemeChoice choice);
    bool isDark() const { return dark_; }

    QColor color(Token token) const { return token_color(token, dark_); }
    /// Numbers count from 1; see tokens.h.
    QColor runColor(int number) const { return run_color(number, dark_); }
    /// Background of a chip or an inline message: the panel colour with a tint of the state colour.
    QColor tint(Token state) const;
    QColor tint(const QColor& state) const;

    /// Inter (Noto Sans, DejaVu Sans) for words; sizes in device-independent pixels.
    QFont text(int pixels = 13, int weight = QFont::Normal) const;
    /// JetBrains Mono (DejaVu Sans Mono) for numbers that change or are in a column, for keys, code and logs.
    QFont mono(int pixels = 12, int weight = QFont::Normal) const;

    /// resources/icons/NAME.svg in the colour of the token, for QAction, QPushButton, ... It must be set again after a
    /// change of theme: use bindIcon() for long-lived widgets.
    QIcon icon(const QString& name, Token token = Token::TextSecondary) const;
    /// The icon as a pixmap of `size` device-independent pixels; cached by name, size, colour and ratio.
    QPixmap pixmap(const QString& name, const QColor& color, int size = 16, qreal ratio = 1) const;
    QPixmap pixmap(const QString& name, Token token, int size = 16, qreal ratio = 1) const {
        return pixmap(name, color(token), size, ratio);
    }
    /// Sets the icon of a QAbstractButton or QAction now and after every change of theme, for its lifetime.
    template <class Target>
    void bindIcon(Target* target, const QString& name, Token token = Token::TextSecondary) {
        target->setIcon(icon(name, token));
        connect(this, &Theme::changed, target, [this, target, name, token] { target->setIcon(icon(name, token)); });
    }

    /// The style sheet with every @token replaced; empty if the resource is missing.
    QString styleSheet() const;

  signals:
    /// Colours have changed: rebuild icons and cached pictures. All widgets are repainted afterwards.
    void changed();

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
