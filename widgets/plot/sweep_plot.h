// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Base class of scatter plot and parallel coordinates: a sweep, the run under the mouse and its values, and the colour
// of a run by a column.

#include <vector>

#include <QWidget>

#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/look.h"
#include "widgets/plot/sweep.h"

namespace trainyard::widgets {

class SweepPlot : public QWidget {
    Q_OBJECT
  public:
    const Sweep& sweep() const { return sweep_; }
    QString hovered() const {
        return hovered_ >= 0 ? sweep_.runs[hovered_].id : QString();
    }  ///< id of the run under the mouse; empty: none

  signals:
    void activated(const QString& id);

  protected:
    SweepPlot(const QString& accessibleName, const QSize& least, QWidget* parent);
    /// Draws over the background and below the focus ring. Only called if there are runs to draw.
    virtual void draw(QPainter& painter, const Look& look) = 0;
    /// The run drawn at `position`; -1: none.
    virtual int runAt(const QPointF& position) const = 0;
    void paintEvent(QPaintEvent* event) override;
    void leaveEvent(QEvent*) override { hover(-1); }
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void hover(int run);
    /// The colour of a run by the chosen column; textMuted if the run has no value there.
    QColor colorOf(int run, const Look& look) const;
    /// Draws name and values of the hovered run next to a point.
    void drawValues(QPainter& painter, const Look& look, const QPointF& beside, const QVector<int>& axes) const;

    Sweep sweep_;
    int color_ = -1;  ///< column that determines the colours; -1: each run has its own
    XRange color_range_;
    int hovered_ = -1;
};

/// The colour of a share from low to high: the heat colours (hover background, run colour 1, warning), without the
/// faint beginning.
QColor sweep_heat(double share, const Look& look);
/// About `wanted` ticks; for an axis of words, a selection of the words.
std::vector<AxisTick> sweep_ticks(const SweepAxis& axis, const XRange& range, int wanted);
/// A value as text, for display next to a name.
QString sweep_words(const SweepAxis& axis, double value);

}  // namespace trainyard::widgets
