#pragma once
// What scatter plot and parallel coordinates have in common: a sweep, the run under the mouse and its values, the colour of a run by a column.

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
    QString hovered() const { return hovered_ >= 0 ? sweep_.runs[hovered_].id : QString(); }  ///< id; empty: none

  signals:
    void activated(const QString& id);

  protected:
    SweepPlot(const QString& accessibleName, const QSize& least, QWidget* parent);
    /// Over the background, below the ring of the keyboard; where there are runs to draw.
    virtual void draw(QPainter& painter, const Look& look) = 0;
    /// The run that is drawn there; -1: none.
    virtual int runAt(const QPointF& position) const = 0;
    void paintEvent(QPaintEvent* event) override;
    void leaveEvent(QEvent*) override { hover(-1); }
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void hover(int run);
    /// The colour of a run by the chosen column. A run without a value there is textMuted.
    QColor colorOf(int run, const Look& look) const;
    /// Name and values of the hovered run beside a point.
    void drawValues(QPainter& painter, const Look& look, const QPointF& beside, const QVector<int>& axes) const;

    Sweep sweep_;
    int color_ = -1;  ///< column of the runs' colours; -1: each run its own
    XRange color_range_;
    int hovered_ = -1;
};

/// From low to high: the heat colours (hover background, run colour 1, warning), without the faint beginning.
QColor sweep_heat(double share, const Look& look);
/// About `wanted` ticks; the words of an axis of words, thinned.
std::vector<AxisTick> sweep_ticks(const SweepAxis& axis, const XRange& range, int wanted);
/// A value as it is written beside a name.
QString sweep_words(const SweepAxis& axis, double value);

}  // namespace trainyard::widgets
