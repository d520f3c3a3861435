// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/card.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include "widgets/paint.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

Card::Card(const QString& accessibleName, QWidget* parent) : QFrame(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
}

void Card::setLit(bool lit) {
    lit_ = lit;
    update();
}

void Card::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    QColor border = theme.color(Token::Line);
    if (lit_)
        border = theme.color(Token::Accent);
    else if (underMouse())
        border = theme.color(Token::LineControl);
    const bool focus = hasFocus();
    const double width = focus ? 2 : 1;
    draw_box(painter, rect(), 8, theme.color(lit_ ? Token::BgSelected : Token::BgPanel),
             focus ? theme.color(Token::Accent) : border, width);
}

void Card::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit activated();
    else
        QFrame::keyPressEvent(event);
}

void Card::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && rect().contains(event->position().toPoint()))
        emit activated();
}

}  // namespace trainyard::widgets
