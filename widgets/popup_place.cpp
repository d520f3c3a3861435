// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popup_place.h"

#include <algorithm>

#include <QApplication>
#include <QCursor>
#include <QEvent>
#include <QMenu>

namespace trainyard::widgets {

namespace {

class PopupPlace : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Show || !watched->isWidgetType())
            return false;
        auto* popup = static_cast<QWidget*>(watched);
        const QWidget* owner = popup->parentWidget();
        const auto* menu = qobject_cast<const QMenu*>(owner);  // this is a submenu of it
        while (qobject_cast<const QMenu*>(owner) != nullptr)
            owner = owner->parentWidget();
        if (popup->windowType() != Qt::Popup || owner == nullptr)
            return false;
        if (qobject_cast<const QMenu*>(popup) == nullptr && popup->property("surface") != QStringLiteral("palette"))
            return false;
        const QWidget* window = owner->window();
        const QRect inside(window->mapToGlobal(QPoint()), window->size());
        popup->move((menu != nullptr && menu->isVisible()
                         ? place_of_submenu(popup->geometry(), menu->geometry(), inside)
                         : place_of_popup(popup->geometry(), inside, QCursor::pos()))
                        .topLeft());
        return false;
    }
};

void move_inside(QRect& popup, const QRect& window) {
    if (popup.width() <= window.width()) {
        popup.moveRight(std::min(popup.right(), window.right()));
        popup.moveLeft(std::max(popup.left(), window.left()));
    }
    if (popup.height() <= window.height()) {
        popup.moveBottom(std::min(popup.bottom(), window.bottom()));
        popup.moveTop(std::max(popup.top(), window.top()));
    }
}

}  // namespace

QRect place_of_submenu(QRect popup, const QRect& menu, const QRect& window) {
    if (popup.right() > window.right() && menu.left() - popup.width() >= window.left())
        popup.moveRight(menu.left() - 1);
    move_inside(popup, window);
    return popup;
}

QRect place_of_popup(QRect popup, const QRect& window, const QPoint& pointer) {
    const QRect wanted = popup;
    move_inside(popup, window);
    // A context menu under the pointer would take the release of the button for a choice.
    if (popup != wanted && !wanted.contains(pointer) && popup.contains(pointer) &&
        pointer.x() - popup.width() >= window.left())
        popup.moveRight(pointer.x() - 1);
    return popup;
}

void install_popup_place(QApplication& application) {
    application.installEventFilter(new PopupPlace(&application));
}

}  // namespace trainyard::widgets
