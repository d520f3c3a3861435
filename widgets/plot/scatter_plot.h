// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One point a run over two columns of a sweep, optionally coloured by a third (light to dark of run colour 1, a bar
// tells the values). Hover names the run; click selects it, Ctrl+click more; drag selects those in the box. L and
// Shift+L switch the axes to logarithmic.

#include <QSet>

#include "widgets/pixels.h"
#include "widgets/plot/plot_frame.h"
#include "widgets/plot/sweep_plot.h"

namespace trainyard::widgets {

class ScatterPlot : public SweepPlot {
    Q_OBJECT
  public:
    explicit ScatterPlot(const QString& accessibleName, QWidget* parent = nullptr);
    void setSweep(const Sweep& sweep);
    void setAxes(int x, int y, int color = -1);  ///< columns; color -1: each run its own
    const QSet<QString>& selected() const { return selected_; }
    int leftOut() const { return left_out_; }
    QPointF positionOf(int run) const;  ///< NaN: not drawn
    QSize sizeHint() const override { return {420_px, 300_px}; }

  signals:
    void selectionChanged(const QSet<QString>& ids);

  protected:
    void draw(QPainter& painter, const Look& look) override;
    int runAt(const QPointF& position) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    PlotFrame frame() const;
    void count();
    void select(const QSet<QString>& ids);

    int x_ = 0, y_ = 0;
    XRange x_range_, y_range_;
    QSet<QString> selected_;
    int left_out_ = 0;
    QPoint press_, drag_;
    bool dragging_ = false;
};

}  // namespace trainyard::widgets
