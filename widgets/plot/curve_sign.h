// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Paints the signs that distinguish curves in a legend and at their ends.

#include <QPainter>

#include "widgets/plot/chart_view.h"

namespace trainyard::widgets {

/// The sign at the end of a curve, about 7 pixels wide.
void paint_end_marker(QPainter& painter, EndMarker marker, const QPointF& at, const QColor& color);

/// A piece of the curve's line with its dashes and its end marker, in the middle of `box`.
void paint_curve_sign(QPainter& painter, const Curve& curve, const QRectF& box, const QColor& color);

}  // namespace trainyard::widgets
