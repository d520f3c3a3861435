// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Maps values to pixels: the area of a plot and the ranges of its axes. Pure arithmetic, identical to that of
// QCustomPlot's axes, so that lines match its grid.

#include <cmath>

#include <QPointF>
#include <QRect>

#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

struct PlotFrame {
    QRect area;
    XRange x{0, 1};
    XRange y{0, 1};
    bool log_x = false;
    bool log_y = false;
    XRange right{0, 1};  ///< of the second vertical axis
    bool log_right = false;

    /// The same with the vertical axis of a curve.
    PlotFrame side(bool is_right) const {
        PlotFrame frame = *this;
        if (is_right) {
            frame.y = right;
            frame.log_y = log_right;
        }
        return frame;
    }
    double shareOfX(double value) const { return share(value, x, log_x); }
    double shareOfY(double value) const { return share(value, y, log_y); }
    double pixelOfX(double value) const { return area.left() + shareOfX(value) * area.width(); }
    double pixelOfY(double value) const { return area.bottom() - shareOfY(value) * area.height(); }
    double xAt(double pixel) const { return valueAt((pixel - area.left()) / area.width(), x, log_x); }
    double yAt(double pixel) const { return valueAt((area.bottom() - pixel) / area.height(), y, log_y); }
    QPointF pixelOf(const QPointF& value) const { return {pixelOfX(value.x()), pixelOfY(value.y())}; }
    bool operator==(const PlotFrame&) const = default;

    /// Position on the axis, 0..1; NaN on a logarithmic axis for values that are not above zero.
    static double share(double value, const XRange& range, bool log) {
        return log ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                   : (value - range.lower) / range.size();
    }
    static double valueAt(double share, const XRange& range, bool log) {
        return log ? range.lower * std::pow(range.upper / range.lower, share) : range.lower + share * range.size();
    }
};

}  // namespace trainyard::widgets
