#include "widgets/plain_text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QHelpEvent>
#include <QLabel>
#include <QToolTip>

namespace trainyard::widgets {

namespace {

constexpr int kLongestTip = 2000;  // characters: laying out a megabyte would hold the window

class PlainText : public QObject {
  public:
    using QObject::QObject;

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        // Labels are polished before their text is laid out for the first time; Qt's tool tip is a label, too.
        if (event->type() == QEvent::Polish) {
            if (auto* label = qobject_cast<QLabel*>(watched); label != nullptr && label->textFormat() == Qt::AutoText)
                label->setTextFormat(Qt::PlainText);
        } else if (event->type() == QEvent::ToolTip) {
            if (auto* widget = qobject_cast<QWidget*>(watched))
                return showShortened(widget, static_cast<const QHelpEvent*>(event));
        }
        return false;
    }

  private:
    static bool showShortened(QWidget* widget, const QHelpEvent* event) {
        QString tip = widget->toolTip();
        auto* view = qobject_cast<QAbstractItemView*>(widget->parentWidget());
        if (view != nullptr && view->viewport() == widget)
            tip = view->indexAt(event->pos()).data(Qt::ToolTipRole).toString();
        if (tip.size() <= kLongestTip)
            return false;
        QToolTip::showText(event->globalPos(), tip.left(kLongestTip) + QChar(0x2026), widget);
        return true;
    }
};

}  // namespace

void install_plain_text(QApplication& application) {
    application.installEventFilter(new PlainText(&application));
}

}  // namespace trainyard::widgets
