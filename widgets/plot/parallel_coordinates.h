// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One line a run across the columns of a sweep. Drag on an axis keeps a range of it (drag the range to move it, click
// clears), drag a name left or right to reorder, click a name to turn it upside down, double click a name to switch
// logarithmic. Runs outside any range are faint. Hover names the run. Lines are coloured by one column. Keys: Left and
// Right choose an axis (with Alt: move it), Up and Down its range, Del clears it, Space turns, L logarithmic.

#include <QSet>

#include "widgets/pixels.h"
#include "widgets/plot/sweep_plot.h"

namespace trainyard::widgets {

class ParallelCoordinates : public SweepPlot {
    Q_OBJECT
  public:
    explicit ParallelCoordinates(const QString& accessibleName, QWidget* parent = nullptr);
    /// Columns with the same names keep their brushes and their order; a new one comes after the column that precedes
    /// it in the sweep.
    void setSweep(const Sweep& sweep);
    void setColorAxis(int axis);                           ///< -1: each run its own
    void setBrush(int axis, std::optional<XRange> range);  ///< 0..1 along the axis, from the lower end
    std::optional<XRange> brush(int axis) const { return brushes_.value(axis); }
    QSet<QString> kept() const;  ///< ids of the runs inside all brushes
    QVector<int> order() const { return order_; }
    /// Areas of the names, in the order of the axes: one line if all fit between their neighbours, else two.
    QVector<QRectF> nameAreas() const;
    QSize sizeHint() const override { return {640_px, 300_px}; }

  signals:
    void keptChanged(const QSet<QString>& ids);

  protected:
    void draw(QPainter& painter, const Look& look) override;
    int runAt(const QPointF& position) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    enum class Drag { None, New, Move, Name };
    double axisX(int place) const;  ///< place: position in the order
    QRectF axesArea() const;
    double roomOfPlace() const { return axesArea().width() / std::max(1.0, static_cast<double>(order_.size()) - 1); }
    double pixelOf(double share, int axis) const;
    double shareAt(double pixel, int axis) const;
    int placeAt(const QPointF& position, double slack) const;
    QString nameOf(int place) const;
    bool isKept(int run) const;
    QVector<QPointF> lineOf(int run) const;
    void prepare();

    QVector<int> order_;
    QVector<XRange> ranges_;
    QVector<bool> turned_;
    QVector<std::optional<XRange>> brushes_;
    int chosen_ = 0;  ///< place of the axis that keys act on
    Drag drag_ = Drag::None;
    int drag_axis_ = -1;
    double drag_from_ = 0;
    XRange drag_brush_;
    QPoint press_;
    QPoint pointer_;
};

}  // namespace trainyard::widgets
