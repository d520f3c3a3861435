// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/popup_place.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QCursor>
#include <QDialog>
#include <QDialogButtonBox>
#include <QEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QScreen>

#include "widgets/layouts.h"
#include "widgets/scroll_area.h"

namespace trainyard::widgets {

namespace {

int least_height(const QDialog* dialog) {
    const QLayout* layout = dialog->layout();
    return layout->hasHeightForWidth() ? layout->totalMinimumHeightForWidth(dialog->width())
                                       : layout->totalMinimumSize().height();
}

/// adjustSize() guesses the height of words that wrap, and stops at two thirds of the screen.
int wanted_height(const QDialog* dialog) {
    const QLayout* layout = dialog->layout();
    const int wanted = dialog->testAttribute(Qt::WA_Resized) ? dialog->height()
                       : layout->hasHeightForWidth()         ? layout->totalHeightForWidth(dialog->width())
                                                             : layout->totalSizeHint().height();
    return std::max({wanted, least_height(dialog), dialog->minimumHeight()});
}

/// The buttons at the end of a dialog and the message above them, which stay in view while the rest scrolls.
QList<QWidget*> last_parts(const QLayout* inside) {
    QList<QWidget*> parts;
    for (int i = inside->count() - 1; i >= 0; --i) {
        QWidget* part = inside->itemAt(i)->widget();
        if (parts.isEmpty() && qobject_cast<QDialogButtonBox*>(part) == nullptr)
            continue;
        if (!parts.isEmpty() && qobject_cast<QLabel*>(part) == nullptr)
            break;
        parts.prepend(part);
    }
    return parts;
}

void scroll_content(QDialog* dialog) {
    QLayout* inside = dialog->layout();
    const QMargins margins = inside->contentsMargins();
    const QList<QWidget*> last = last_parts(inside);
    auto* content = new QWidget;
    for (QWidget* part : last)
        inside->removeWidget(part);
    content->setLayout(inside);
    inside->setContentsMargins(margins);  // those of a dialog
    auto* below = make_column({margins.left(), 8, margins.right(), margins.bottom()}, 8, {});
    for (QWidget* part : last) {
        part->setParent(nullptr);  // Tab reaches them after the content
        below->addWidget(part);
    }
    auto* column = make_column(QMargins(), 0, {{make_upright_scroll(content), 1}});
    if (!last.isEmpty())
        column->addLayout(below);
    dialog->setLayout(column);
}

int highest(const QDialog* dialog) {
    constexpr int kFrame = 40;  // of the desktop: title bar and edges
    return dialog->screen()->availableSize().height() - kFrame;
}

/// Makes a dialog higher if its texts wrap into more lines: the smallest height that Qt takes for it is that of one
/// line.
void make_room_for_lines(QDialog* dialog) {
    if (const int needed = std::min(least_height(dialog), highest(dialog)); needed > dialog->height())
        dialog->resize(dialog->width(), needed);
}

void keep_on_screen(QDialog* dialog) {
    const bool was_resized = dialog->testAttribute(Qt::WA_Resized);
    const int room = highest(dialog), width = std::min(dialog->width(), dialog->screen()->availableSize().width());
    if (width < dialog->width())
        dialog->resize(width, dialog->height());
    dialog->setAttribute(Qt::WA_Resized, was_resized);
    const int wanted = wanted_height(dialog);
    if (std::max(dialog->minimumHeight(), least_height(dialog)) > room) {
        dialog->setMinimumHeight(0);
        scroll_content(dialog);
    }
    dialog->resize(width, std::min(wanted, room));
    dialog->setAttribute(Qt::WA_Resized, was_resized);
}

class PopupPlace : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched->isWindowType())
            return closed_popup(event);
        if ((event->type() != QEvent::Show && event->type() != QEvent::LayoutRequest) || !watched->isWidgetType())
            return false;
        if (auto* dialog = qobject_cast<QDialog*>(watched); dialog != nullptr && dialog->isWindow() &&
                                                            dialog->layout() != nullptr &&
                                                            qobject_cast<const QMessageBox*>(dialog) == nullptr) {
            if (event->type() == QEvent::LayoutRequest && dialog->isVisible())
                make_room_for_lines(dialog);
            else if (event->type() == QEvent::Show && !event->spontaneous())
                keep_on_screen(dialog);
        }
        if (event->type() != QEvent::Show)
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

  private:
    /// Escape closes the list of a combo box before it is sent as a pressed key. On Wayland, the window with the
    /// keyboard focus would get that key, and a dialog would close, too. Returns whether the key has been used.
    bool closed_popup(const QEvent* event) {
        if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
            return false;
        const bool is_escape = static_cast<const QKeyEvent*>(event)->key() == Qt::Key_Escape;
        const bool is_open = QApplication::activePopupWidget() != nullptr;
        if (event->type() == QEvent::ShortcutOverride)
            escapes_ = is_escape && is_open;
        else
            return std::exchange(escapes_, false) && is_escape && !is_open;
        return false;
    }
    bool escapes_ = false;  ///< Escape was pressed while a popup was open
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
