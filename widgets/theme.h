#pragma once
// The look of the process: which theme is on, its colours, fonts and icons. One object per process, because the palette
// and the style sheet of QApplication are one per process too. Whoever paints by hand asks it in paintEvent() and
// repaints on changed().

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

    /// Sets Fusion, palette, font and style sheet, and begins to follow the system. Returns at once; an answer of the
    /// settings portal that comes later switches the theme then. Without it (tests of single widgets) colours and
    /// fonts work, the style sheet is not set.
    void install(QApplication& application);

    ThemeChoice choice() const { return choice_; }
    void setChoice(ThemeChoice choice);
    bool isDark() const { return dark_; }

    QColor color(Token token) const { return token_color(token, dark_); }
    /// Numbers count from 1; see tokens.h.
    QColor runColor(int number) const { return run_color(number, dark_); }
    /// Background of a chip or an inline message: a little of the state colour over the panel.
    QColor tint(Token state) const;
    QColor tint(const QColor& state) const;

    /// Inter (Noto Sans, DejaVu Sans) for words; sizes in device-independent pixels.
    QFont text(int pixels = 13, int weight = QFont::Normal) const;
    /// JetBrains Mono (DejaVu Sans Mono) for every number that changes or stands in a column, keys, code and logs.
    QFont mono(int pixels = 12, int weight = QFont::Normal) const;

    /// resources/icons/NAME.svg in the colour of the token, for QAction, QPushButton, ... Follows a change of theme
    /// only when it is set again: use bindIcon() for widgets that live long.
    QIcon icon(const QString& name, Token token = Token::TextSecondary) const;
    /// The same as a picture of `size` device-independent pixels; cached per name, size, colour and ratio.
    QPixmap pixmap(const QString& name, const QColor& color, int size = 16, qreal ratio = 1) const;
    QPixmap pixmap(const QString& name, Token token, int size = 16, qreal ratio = 1) const {
        return pixmap(name, color(token), size, ratio);
    }
    /// Sets the icon of a QAbstractButton or QAction now and at every change of theme, as long as it lives.
    template <class Target>
    void bindIcon(Target* target, const QString& name, Token token = Token::TextSecondary) {
        target->setIcon(icon(name, token));
        connect(this, &Theme::changed, target, [this, target, name, token] { target->setIcon(icon(name, token)); });
    }

    /// The style sheet with every @token replaced; empty when the resource is missing.
    QString styleSheet() const;

  signals:
    /// Colours have changed: set icons and keep pictures anew. All widgets are painted again after it.
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
    bool platform_dark_ = false;  ///< what the palette of the platform says
    int portal_scheme_ = 0;       ///< 0 no word, 1 dark, 2 light
    bool applying_ = false;
};

}  // namespace trainyard::widgets
