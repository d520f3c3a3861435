#include "widgets/wheel_guard.h"

#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QScrollBar>

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
        // An event that is filtered but not accepted goes on to the parent.
        event->ignore();
        return true;
    }
};

}  // namespace

void install_wheel_guard(QApplication& application) {
    application.installEventFilter(new WheelGuard(&application));
}

}  // namespace trainyard::widgets
