// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractScrollArea>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include "widgets/scroll_area.h"

namespace trainyard::widgets {

namespace {

bool changes_by_wheel(QObject* watched) {
    if (qobject_cast<QAbstractSlider*>(watched) != nullptr)
        return qobject_cast<QScrollBar*>(watched) == nullptr;
    return qobject_cast<QAbstractSpinBox*>(watched) != nullptr || qobject_cast<QComboBox*>(watched) != nullptr;
}

class WheelGuard : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Wheel || !changes_by_wheel(watched))
            return false;
        scroll_around(static_cast<QWidget*>(watched), *static_cast<QWheelEvent*>(event));
        return true;
    }

  private:
    static void scroll_around(const QWidget* control, const QWheelEvent& wheel) {
        QWidget* around = control->parentWidget();
        while (around != nullptr && qobject_cast<QAbstractScrollArea*>(around) == nullptr)
            around = around->parentWidget();
        if (around == nullptr)
            return;
        QWidget* viewport = qobject_cast<QAbstractScrollArea*>(around)->viewport();
        QWheelEvent moved(viewport->mapFromGlobal(wheel.globalPosition()), wheel.globalPosition(), wheel.pixelDelta(),
                          wheel.angleDelta(), wheel.buttons(), wheel.modifiers(), wheel.phase(), wheel.inverted());
        QApplication::sendEvent(viewport, &moved);
    }
};

}  // namespace

void install_wheel_guard(QApplication& application) {
    application.installEventFilter(new WheelGuard(&application));
}

}  // namespace trainyard::widgets
