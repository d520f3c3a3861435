// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, lists of combo boxes and completers, panels over a page and tool tips are windows with round corners. Where
// windows can be translucent, nothing is painted in the corners; on X11 without a compositing manager, where it would
// be black, a mask cuts them off.

#include <QAbstractItemView>
#include <QBitmap>
#include <QComboBox>
#include <QEvent>
#include <QGuiApplication>
#include <QLibrary>
#include <QMenu>
#include <QPainter>

#include "widgets/paint.h"
#include "widgets/plain_text.h"
#include "widgets/style_parts.h"

namespace trainyard::widgets::style {

namespace {

constexpr const char* kCut = "cornersAreCut";

/// Whether windows can be translucent. On X11 that takes a compositing manager, which owns a selection of its screen.
/// The library is the one that Qt's platform plugin has loaded.
bool has_compositor() {
    if (QGuiApplication::platformName() != QLatin1String("xcb"))
        return true;
#if QT_CONFIG(xcb)
    using Intern = unsigned long (*)(Display*, const char* name, int only_if_exists);
    using Owner = unsigned long (*)(Display*, unsigned long selection);
    auto* x11 = qGuiApp->nativeInterface<QNativeInterface::QX11Application>();
    QLibrary library(QStringLiteral("X11"), 6);
    const auto intern = reinterpret_cast<Intern>(library.resolve("XInternAtom"));
    const auto owner = reinterpret_cast<Owner>(library.resolve("XGetSelectionOwner"));
    if (intern != nullptr && owner != nullptr && x11 != nullptr && x11->display() != nullptr)
        return owner(x11->display(), intern(x11->display(), "_NET_WM_CM_S0", 0)) != 0;
#endif
    return false;
}

int radius_of(const QWidget* popup) {
    return popup->windowType() == Qt::ToolTip ? kControlRadius : kPanelRadius;
}

/// Keeps the mask of a popup as large as the popup.
class CornerCutter : public QObject {
  public:
    explicit CornerCutter(QWidget* popup) : QObject(popup) { popup->installEventFilter(this); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        // When it is shown, too: the list of a combo box with a text field drops its mask when it is resized.
        if (watched == parent() && (event->type() == QEvent::Resize || event->type() == QEvent::Show))
            cut(static_cast<QWidget*>(watched));
        return false;
    }

  private:
    static void cut(QWidget* popup) {
        QBitmap mask(popup->size());
        mask.clear();
        QPainter painter(&mask);
        painter.setPen(Qt::NoPen);
        painter.setBrush(Qt::color1);
        painter.drawRoundedRect(popup->rect(), radius_of(popup), radius_of(popup));
        painter.end();
        popup->setMask(mask);
    }
};

}  // namespace

bool is_combo_list(const QWidget* widget) {
    return widget != nullptr && widget->isWindow() && qobject_cast<const QComboBox*>(widget->parentWidget()) != nullptr;
}

void set_list_look(QComboBox* box) {
    box->view()->setProperty("surface", QStringLiteral("choices"));
    if (box->itemDelegate()->inherits("QComboBoxDelegate"))
        box->setItemDelegate(new PlainDelegate(box));
}

bool is_round_popup(const QWidget* widget) {
    if (widget == nullptr || !widget->isWindow())
        return false;
    if (widget->windowType() == Qt::ToolTip)
        return widget->inherits("QTipLabel");
    const Surface* surface = find_surface(widget);
    return widget->windowType() == Qt::Popup &&
           (qobject_cast<const QMenu*>(widget) != nullptr || is_combo_list(widget) ||
            qobject_cast<const QAbstractItemView*>(widget) != nullptr || (surface != nullptr && surface->radius > 0));
}

void round_corners(QWidget* popup) {
    if (has_compositor()) {
        popup->setAttribute(Qt::WA_TranslucentBackground);
    } else if (!popup->property(kCut).toBool()) {
        popup->setProperty(kCut, true);
        new CornerCutter(popup);
    }
}

void draw_popup(QPainter& painter, const QStyleOption& option, const QWidget* widget) {
    painter.setRenderHint(QPainter::Antialiasing);
    draw_box(painter, option.rect, widget == nullptr ? kPanelRadius : radius_of(widget), ink(Token::BgRaised),
             ink(Token::LineControl));
}

}  // namespace trainyard::widgets::style
