#include "widgets/card.h"

#include <QEnterEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include "widgets/theme.h"

namespace trainyard::widgets {

Card::Card(const QString& accessibleName, QWidget* parent) : QFrame(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void Card::setLit(bool lit) {
    lit_ = lit;
    update();
}

void Card::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor border = theme.color(Token::Line);
    if (lit_)
        border = theme.color(Token::Accent);
    else if (under_mouse_)
        border = theme.color(Token::LineControl);
    const bool focus = hasFocus();
    const double width = focus ? 2 : 1;
    painter.setPen(QPen(focus ? theme.color(Token::Accent) : border, width));
    painter.setBrush(theme.color(lit_ ? Token::BgSelected : Token::BgPanel));
    painter.drawRoundedRect(QRectF(rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2), 8, 8);
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

void Card::enterEvent(QEnterEvent*) {
    under_mouse_ = true;
    update();
}

void Card::leaveEvent(QEvent*) {
    under_mouse_ = false;
    update();
}

void Card::focusInEvent(QFocusEvent* event) {
    QFrame::focusInEvent(event);
    update();
}

void Card::focusOutEvent(QFocusEvent* event) {
    QFrame::focusOutEvent(event);
    update();
}

}  // namespace trainyard::widgets
