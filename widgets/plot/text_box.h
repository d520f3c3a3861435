// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The raised box of names and numbers at a crosshair or between pins: a header, rows with swatches, a footer. In a
// right-to-left window, swatches and names are at the right and numbers at the left.

#include <QPainter>
#include <QVector>

#include "widgets/pixels.h"
#include "widgets/plot/look.h"

namespace trainyard::widgets {

struct TextBox {
    static inline const int& kRowHeight = live_px(18);  ///< pixels

    struct Row {
        QColor color;
        QString name;
        QString value;
        bool strong = false;
    };
    QString left, right;  ///< header
    QVector<Row> rows;
    QString footer;  ///< empty: none

    QSizeF size() const;
    /// Top left corner of the box next to the point `at`, within `inside`: after it in the direction of reading, or
    /// before it if there is no room.
    QPointF beside(const QPointF& at, const QRectF& inside, Qt::LayoutDirection direction) const;
    void paint(QPainter& painter, const QPointF& corner, const Look& look) const;
};

}  // namespace trainyard::widgets
