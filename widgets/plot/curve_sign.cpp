// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_sign.h"

namespace trainyard::widgets {

void paint_end_marker(QPainter& painter, EndMarker marker, const QPointF& at, const QColor& color) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    switch (marker) {
        case EndMarker::None:
            break;
        case EndMarker::Disc:
            painter.drawEllipse(at, 3.5, 3.5);
            break;
        case EndMarker::Square:
            painter.drawRect(QRectF(at.x() - 3, at.y() - 3, 6, 6));
            break;
        case EndMarker::Triangle:
            painter.drawPolygon(QPolygonF{at + QPointF(0, -4.5), at + QPointF(4.5, 3.5), at + QPointF(-4.5, 3.5)});
            break;
        case EndMarker::Diamond:
            painter.drawPolygon(
                QPolygonF{at + QPointF(0, -4.5), at + QPointF(4.5, 0), at + QPointF(0, 4.5), at + QPointF(-4.5, 0)});
            break;
    }
}

void paint_curve_sign(QPainter& painter, const Curve& curve, const QRectF& box, const QColor& color) {
    QPen pen(color, 3, curve.dash, Qt::FlatCap);
    if (curve.dash != Qt::SolidLine)
        pen.setDashPattern(curve.dash == Qt::DashLine  ? QVector<double>{2, 0.7}
                           : curve.dash == Qt::DotLine ? QVector<double>{0.8, 0.8}
                                                       : QVector<double>{2, 0.7, 0.8, 0.7});
    painter.setPen(pen);
    const double middle = box.center().y();
    painter.drawLine(QPointF(box.left(), middle), QPointF(box.right(), middle));
    // The end marker is at the right in every language, because time runs from left to right.
    paint_end_marker(painter, curve.end, QPointF(box.right() - 3, middle), color);
}

}  // namespace trainyard::widgets
