// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where a widget is inside a page: the same place leads to the same field of another page of that class, also in
// another language. Used when a page is made again.

#include <QByteArray>
#include <QVector>

#include "widgets/forward.h"

namespace trainyard::desktop {

/// One level below the page: class and name (QObject::objectName) of the widget, and its index among the siblings that
/// have both. Parts that are made when they are first shown need a name.
struct PartStep {
    QByteArray type;
    QString name;
    qsizetype index = 0;
};

/// Returns the steps from `page` to `part`; empty if `part` is null or not inside the page.
QVector<PartStep> part_place(const QWidget* page, const QWidget* part);
/// Returns the widget of `page` at `place`, or null if the page has none there.
QWidget* part_at(QWidget* page, const QVector<PartStep>& place);
/// Copies text that the user typed in fields of `before` and that `page` does not show, e.g. because it is not applied
/// yet. Fields that are read-only, and numbers of spin boxes, which apply each key, are left out.
void copy_typed_text(const QWidget* before, QWidget* page);

}  // namespace trainyard::desktop
