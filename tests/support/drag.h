// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Begins a drag as a user does.

#include <QApplication>
#include <QDrag>
#include <QMimeData>
#include <QMouseEvent>
#include <QTest>
#include <QWidget>

namespace trainyard::test {

/// Presses the left button on `handle` and moves the pointer as far as a drag needs. Returns the data of the drag that
/// began, which exists until events are handled; null: none began.
inline const QMimeData* drag_from(QWidget* handle, const QPoint& at) {
    // Qt deletes those of before when events are handled.
    const auto drags = [handle] { return handle->findChildren<QDrag*>(QString(), Qt::FindDirectChildrenOnly); };
    const qsizetype before = drags().size();
    QTest::mousePress(handle, Qt::LeftButton, {}, at);
    const QPoint to = at + QPoint(QApplication::startDragDistance() + 2, 0);
    QMouseEvent move(QEvent::MouseMove, to, handle->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(handle, &move);
    const QMimeData* data = drags().size() == before ? nullptr : drags().last()->mimeData();
    QTest::mouseRelease(handle, Qt::LeftButton, {}, to);
    return data;
}

}  // namespace trainyard::test
