// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dragging things out of the window, to a file manager or another program. What is dragged is copied or linked, never
// moved.

#include <functional>

#include <QObject>
#include <QPoint>
#include <QStringList>

class QDropEvent;
class QMimeData;
class QWidget;

namespace trainyard::widgets {

class DragOut : public QObject {
    Q_OBJECT
  public:
    /// Called when the pointer has moved by QApplication::startDragDistance() from `at`, with the left button pressed
    /// there. Null: nothing to drag; the widget gets the movement.
    using Content = std::function<QMimeData*(const QPoint& at)>;
    /// Acts as long as `handle` exists, which may be the viewport of a table.
    DragOut(QWidget* handle, Content content);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* handle_;
    Content content_;
    QPoint from_;
    bool pressed_ = false;
};

/// These files and folders as URLs, and their paths as text. Absolute paths.
QMimeData* make_file_data(const QStringList& paths);

/// Accepts what is dropped, or what may be, as a copy: a source that proposed to move its files must not delete them.
void accept_as_copy(QDropEvent* event);

}  // namespace trainyard::widgets
