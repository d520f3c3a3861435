// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/focus_ring.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QEvent>
#include <QPointer>
#include <QTableView>

#include "widgets/paint.h"

namespace trainyard::widgets {

namespace {
constexpr int kWide = 2;

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
        return row.height() < 3 * kWide || row.width() < 3 * kWide ? rect() : row.translated(view->viewport()->pos());
    }
};
}  // namespace

void install_focus_ring(QApplication& application) {
    QObject::connect(&application, &QApplication::focusChanged, &application,
                     [ring = QPointer<FocusRing>()](QWidget*, QWidget* focus) mutable {
                         delete ring;
                         if (focus != nullptr && (qobject_cast<QAbstractItemView*>(focus) != nullptr ||
                                                  focus->property("focusRing").toBool()))
                             ring = new FocusRing(focus);
                     });
}

}  // namespace trainyard::widgets
