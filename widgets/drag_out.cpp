// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/drag_out.h"

#include <utility>

#include <QApplication>
#include <QDrag>
#include <QDropEvent>
#include <QMimeData>
#include <QMouseEvent>
#include <QPointer>
#include <QUrl>
#include <QWidget>

namespace trainyard::widgets {

DragOut::DragOut(QWidget* handle, Content content) : QObject(handle), handle_(handle), content_(std::move(content)) {
    handle->installEventFilter(this);
}

bool DragOut::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress: {
            const auto* press = static_cast<QMouseEvent*>(event);
            pressed_ = press->button() == Qt::LeftButton && press->modifiers() == Qt::NoModifier;
            from_ = press->position().toPoint();
            break;
        }
        case QEvent::MouseMove: {
            const auto* move = static_cast<QMouseEvent*>(event);
            if (!pressed_ || !(move->buttons() & Qt::LeftButton))
                break;
            // A table would begin to select rows.
            if ((move->position().toPoint() - from_).manhattanLength() < QApplication::startDragDistance())
                return true;
            pressed_ = false;
            if (QMimeData* data = content_(from_); data != nullptr) {
                auto* drag = new QDrag(handle_);  // deleted by Qt
                drag->setMimeData(data);
                drag->exec(Qt::CopyAction | Qt::LinkAction, Qt::CopyAction);
                return true;
            }
            break;
        }
        case QEvent::MouseButtonRelease:
            pressed_ = false;
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

QMimeData* make_file_data(const QStringList& paths) {
    auto* data = new QMimeData;
    QList<QUrl> urls;
    for (const QString& path : paths)
        urls << QUrl::fromLocalFile(path);
    data->setUrls(urls);
    data->setText(paths.join(QLatin1Char('\n')));
    return data;
}

void accept_as_copy(QDropEvent* event) {
    event->setDropAction(Qt::CopyAction);
    event->accept();
}

}  // namespace trainyard::widgets
