// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/elided_button.h"

#include <algorithm>

#include <QStyleOptionButton>
#include <QStylePainter>

namespace trainyard::widgets {

ElidedButton::ElidedButton(const QString& text, QWidget* parent) : QPushButton(text, parent) {
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSize ElidedButton::minimumSizeHint() const {
    const QSize whole = sizeHint();
    const int spared =
        fontMetrics().horizontalAdvance(text()) - fontMetrics().horizontalAdvance(QStringLiteral("MMM…"));
    return {whole.width() - std::max(0, spared), whole.height()};
}

void ElidedButton::paintEvent(QPaintEvent*) {
    QStyleOptionButton option;
    initStyleOption(&option);
    // Not by the width of the text where all of it has room: that is rounded.
    if (const int lacking = sizeHint().width() - width(); lacking > 0)
        option.text =
            fontMetrics().elidedText(text(), Qt::ElideRight, fontMetrics().horizontalAdvance(text()) - lacking);
    QStylePainter(this).drawControl(QStyle::CE_PushButton, option);
    // Its own words stay the tool tip's second line.
    const QString told = option.text == text() ? QString() : text();
    if (told == tip_text_)
        return;
    QString words = toolTip();
    if (!tip_text_.isEmpty() && words.startsWith(tip_text_))
        words.remove(0, tip_text_.size() + 1);
    tip_text_ = told;
    setToolTip(told.isEmpty() || words.isEmpty() ? told + words : told + QLatin1Char('\n') + words);
}

}  // namespace trainyard::widgets
