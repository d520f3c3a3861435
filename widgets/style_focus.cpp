// SPDX-License-Identifier: GPL-3.0-or-later
// The focus ring of lists, tables, trees, and widgets with the property "focusRing": around the current row or cell, or
// around the whole widget if no current item is visible. The program has one, on top of the widget with the keyboard
// focus; buttons and fields paint their own.

#include <QAbstractItemView>
#include <QApplication>
#include <QEvent>
#include <QTableView>

#include "widgets/paint.h"
#include "widgets/style.h"

namespace trainyard::widgets {

namespace {

constexpr int kRingWidth = 2;

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
    connect(application, &QApplication::focusChanged, this, [this](const QWidget*, QWidget* focus) {
        delete ring_;
        if (focus != nullptr &&
            (qobject_cast<QAbstractItemView*>(focus) != nullptr || focus->property("focusRing").toBool()))
            ring_ = new FocusRing(focus);
    });
}

Style::~Style() {
    delete ring_;
}

}  // namespace trainyard::widgets
