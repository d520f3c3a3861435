// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Labels in the project's type scale: one call instead of three, and a label that elides instead of being clipped.

#include <QLabel>
#include <QString>

#include "widgets/token.h"

namespace trainyard::widgets {

/// The role of the theme's palettes that has the colour of a tone: label->setForegroundRole(tone_role(Tone::Warn)).
constexpr QPalette::ColorRole tone_role(Tone tone) {
    // In the order of Tone. The last roles are of the bevels of other styles.
    constexpr QPalette::ColorRole roles[] = {QPalette::WindowText, QPalette::LinkVisited, QPalette::PlaceholderText,
                                             QPalette::Link,       QPalette::Midlight,    QPalette::Shadow,
                                             QPalette::BrightText};
    return roles[static_cast<int>(tone)];
}
QLabel* make_label(const QString& text, int pixels = 13, int weight = QFont::Normal, Tone tone = Tone::Text,
                   QWidget* parent = nullptr);
/// The two most frequent: small words below or beside something, and what stands above it.
QLabel* make_note(const QString& text, Tone tone = Tone::Secondary);
QLabel* make_title(const QString& text, int pixels = 13);
/// JetBrains Mono: numbers that change, keys, paths.
QLabel* make_mono_label(const QString& text, int pixels = 12, Tone tone = Tone::Text, QWidget* parent = nullptr);

/// Breaks lines between words, and can be copied from with the mouse; both return the label.
QLabel* wrapped(QLabel* label);
QLabel* selectable(QLabel* label);

/// Sets a text that changes every second. The label keeps one size as long as its texts fit into it and fill it: a
/// label of any other kind makes Qt lay out the whole window for every new text.
void set_steady_text(QLabel* label, const QString& text);

/// One line that shows as much as fits and the whole text as tooltip when it does not.
class ElidedLabel : public QLabel {
    Q_OBJECT
  public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    void setFullText(const QString& text);
    QString fullText() const { return full_; }
    void setElideMode(Qt::TextElideMode mode);
    QSize minimumSizeHint() const override;
    QSize sizeHint() const override;

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void elide();
    QString full_;
    Qt::TextElideMode mode_ = Qt::ElideRight;
};
ElidedLabel* make_elided(const QString& text, const QFont& font, Tone tone = Tone::Text,
                         Qt::TextElideMode mode = Qt::ElideRight);

/// An icon (resources/icons) of `size` pixels at the usual text size that follows the theme.
class IconLabel : public QLabel {
  public:
    explicit IconLabel(int size, const QString& icon = {}, Token token = Token::TextSecondary,
                       QWidget* parent = nullptr);
    void setIcon(const QString& icon, Token token);
    QSize sizeHint() const override { return {size_, size_}; }
    QSize minimumSizeHint() const override { return {size_, size_}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    int size_;
    QString icon_;
    Token token_;
};

}  // namespace trainyard::widgets
