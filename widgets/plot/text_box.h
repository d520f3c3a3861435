#pragma once
// The raised box of names and numbers at a crosshair or between pins: a header, rows with swatches, a footer.

#include <QPainter>
#include <QVector>

#include "widgets/plot/look.h"

namespace trainyard::widgets {

struct TextBox {
    static constexpr int kRowHeight = 18;  ///< pixels

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
    void paint(QPainter& painter, const QPointF& corner, const Look& look) const;
};

}  // namespace trainyard::widgets
