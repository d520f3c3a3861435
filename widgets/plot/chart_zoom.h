// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The visible ranges of a chart's axes: fitted to the curves, or chosen with wheel and drag, with a history. Part of
// CurveChart, which passes the mouse on and draws what changes.

#include <QObject>
#include <QRect>

#include "widgets/plot/chart_view.h"
#include "widgets/plot/zoom_history.h"

namespace trainyard::widgets {

class CurvePlottable;

class ChartZoom : public QObject {
    Q_OBJECT
  public:
    enum class Drag {
        None,
        Select,  ///< a horizontal range
        Box,
        Pan,
    };

    /// Writes the ranges of `view`, which belongs to the chart like the plottable.
    ChartZoom(const CurvePlottable* plottable, ChartView& view, QObject* parent);

    void fit();
    /// Fits, and forgets the zooms before: the axis has another unit.
    void reset();
    bool isFollowing() const { return following_; }  ///< the horizontal range is fitted
    bool isYChosen() const { return y_chosen_; }     ///< by a box, a vertical zoom or a vertical pan
    void fitY() { y_chosen_ = false; }               ///< fits the vertical range from the next drawing on
    void setX(const XRange& range);                  ///< ends following and fits the vertical range
    void setRanges(const XRange& x, const XRange& y);
    /// Fitted vertical ranges leave out what lies beyond the 5th and 95th percentile of the values in sight.
    void setOutliersClipped(bool clipped);
    bool areOutliersClipped() const { return clip_outliers_; }
    /// Writes the ranges that are fitted. `vertical`: those of the vertical axes, too.
    void update(bool vertical);

    void back();
    void forward();
    bool hasBack() const { return history_.hasBack(); }
    bool hasForward() const { return history_.hasForward(); }

    /// Zooms about a position in pixels.
    void wheel(const QPointF& position, double notches, bool vertical);
    /// Moves the horizontal range so that `x` is in its middle, unless it is visible.
    void reveal(double x);
    void startDrag(Drag drag, const QPoint& at);
    void dragTo(const QPoint& to);
    /// Zooms to the selection. Returns true if the drag was a click.
    bool endDrag(const QPoint& at);
    void cancelDrag() { drag_ = Drag::None; }
    Drag drag() const { return drag_; }
    /// The area that is being selected, in pixels; empty: none.
    QRect selection() const;

  signals:
    void changed();
    void rangeChanged(const trainyard::widgets::XRange& range);  ///< the user chose another horizontal range
    void fitted();

  private:
    XRange extent() const;
    XRange fittedY(bool right) const;
    void showX(const XRange& range);
    void chooseY(const XRange& range);
    void pan(const QPoint& to);
    ZoomHistory::Place place() const;
    void restore(const ZoomHistory::Place& place);

    const CurvePlottable* plottable_;
    ChartView& view_;
    ZoomHistory history_;
    bool following_ = true;
    bool y_chosen_ = false;
    bool clip_outliers_ = false;
    Drag drag_ = Drag::None;
    QPoint drag_from_;
    QPoint drag_to_;
    XRange drag_x_;  ///< the ranges when the drag began
    XRange drag_y_;
};

}  // namespace trainyard::widgets
