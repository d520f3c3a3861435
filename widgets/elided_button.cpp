// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/elided_button.h"

#include <algorithm>

#include <QEvent>
#include <QScopedValueRollback>

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

bool ElidedButton::event(QEvent* event) {
    if (event->type() == QEvent::ToolTipChange && !shows_tip_) {
        own_tip_ = toolTip();
        showTip();
    }
    const bool done = QPushButton::event(event);
    if (event->type() == QEvent::Resize || event->type() == QEvent::Paint)  // another text or font is painted
        showTip();
    return done;
}

void ElidedButton::showTip() {
    const bool is_cut = width() < sizeHint().width();
    const QString tip = !is_cut ? own_tip_ : own_tip_.isEmpty() ? text() : text() + QLatin1Char('\n') + own_tip_;
    if (tip == toolTip())
        return;
    const QScopedValueRollback guard(shows_tip_, true);
    setToolTip(tip);
}

}  // namespace trainyard::widgets
