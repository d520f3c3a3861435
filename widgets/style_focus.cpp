// SPDX-License-Identifier: GPL-3.0-or-later
// The focus ring of lists, tables, trees, and widgets with the property "focusRing": around the current row or cell, or
// around the whole widget if no current item is visible; and that of links, which is beside their words, over the
// widgets around. The program has one, on top of the widget with the keyboard focus; buttons and fields paint their own.

#include <algorithm>

#include <QAbstractItemView>
#include <QApplication>
#include <QEvent>
#include <QFocusEvent>
#include <QFocusFrame>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>

#include "widgets/paint.h"
#include "widgets/style.h"
#include "widgets/style_parts.h"

namespace trainyard::widgets {

namespace {

constexpr int kRingWidth = 2;
constexpr int kAround = 4;  ///< pixels above and below a control that Tab scrolls to

class FocusRing : public QWidget {
  public:
    explicit FocusRing(QWidget* around) : QWidget(around) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        setFocusPolicy(Qt::NoFocus);
        around->installEventFilter(this);
        setGeometry(around->rect());
        raise();
        show();
    }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == parent() && event->type() == QEvent::Resize)
            setGeometry(parentWidget()->rect());
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        draw_ring(painter, place(), 6);
    }

  private:
    QRect place() const {
        auto* view = qobject_cast<QAbstractItemView*>(parentWidget());
        if (view == nullptr || !view->currentIndex().isValid())
            return rect();
        QRect row = view->visualRect(view->currentIndex());
        if (qobject_cast<QTableView*>(view) != nullptr && view->selectionBehavior() == QAbstractItemView::SelectRows) {
            row.setLeft(0);
            row.setRight(view->viewport()->width() - 1);
        }
        row &= view->viewport()->rect();
        return row.height() < 3 * kRingWidth || row.width() < 3 * kRingWidth ? rect()
                                                                             : row.translated(view->viewport()->pos());
    }
};

}  // namespace

void Style::polish(QApplication* application) {
    PlainStyle::polish(application);
    application->installEventFilter(this);
    connect(application, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* focus) {
        delete ring_;
        if (focus == nullptr)
            return;
        if (style::is_link(focus)) {
            auto* frame = new QFocusFrame;
            frame->setWidget(focus);
            ring_ = frame;
        } else if (qobject_cast<QAbstractItemView*>(focus) != nullptr || focus->property("focusRing").toBool()) {
            ring_ = new FocusRing(focus);
        }
    });
}

/// Scrolls to what Tab or a mnemonic has given the focus: Qt does only if the focus was in the same area before.
bool Style::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::FocusIn || !watched->isWidgetType())
        return PlainStyle::eventFilter(watched, event);
    const Qt::FocusReason reason = static_cast<const QFocusEvent*>(event)->reason();
    auto* focus = static_cast<QWidget*>(watched);
    if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason)
        for (QWidget* at = focus->parentWidget(); at != nullptr; at = at->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(at->parentWidget());
                area != nullptr && area->viewport() == at) {
                // All of it, or its beginning: ensureWidgetVisible() shows the line with the cursor of a text field.
                const int top = focus->mapTo(at, QPoint()).y() - kAround, below = top + focus->height() + 2 * kAround;
                QScrollBar* bar = area->verticalScrollBar();
                if (top < 0 || below > at->height())
                    bar->setValue(bar->value() + (top < 0 ? top : std::min(top, below - at->height())));
            }
    return false;
}

Style::~Style() {
    delete ring_;
}

}  // namespace trainyard::widgets
