#pragma once
// One point a run over two columns of a sweep, optionally coloured by a third (light to dark of run colour 1, a bar tells the values).
// Hover names the run; click selects it, Ctrl+click more; drag selects those in the box. L and Shift+L switch the axes to logarithmic.

#include <QSet>
#include <QWidget>

#include "widgets/plot/plot_frame.h"
#include "widgets/plot/sweep.h"

namespace trainyard::widgets {

class ScatterPlot : public QWidget {
    Q_OBJECT
  public:
    explicit ScatterPlot(const QString& accessibleName, QWidget* parent = nullptr);
    void setSweep(const Sweep& sweep);
    const Sweep& sweep() const { return sweep_; }
    void setAxes(int x, int y, int color = -1);  ///< columns; color -1: each run its own
    void setSelected(const QSet<QString>& ids);
    const QSet<QString>& selected() const { return selected_; }
    QString hovered() const { return hovered_ >= 0 ? sweep_.runs[hovered_].id : QString(); }  ///< id; empty: none
    int leftOut() const { return left_out_; }
    QPointF positionOf(int run) const;  ///< NaN: not drawn
    QSize sizeHint() const override { return {420, 300}; }

  signals:
    void selectionChanged(const QSet<QString>& ids);
    void hoveredChanged(const QString& id);
    void activated(const QString& id);  ///< double click

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override { hover(-1); }
    void keyPressEvent(QKeyEvent* event) override;

  private:
    PlotFrame frame() const;
    int runAt(const QPointF& position) const;
    void hover(int run);
    void count();

    Sweep sweep_;
    int x_ = 0, y_ = 0, color_ = -1;
    XRange x_range_, y_range_, color_range_;
    QSet<QString> selected_;
    int hovered_ = -1;
    int left_out_ = 0;
    QPoint press_, drag_;
    bool dragging_ = false;
};

}  // namespace trainyard::widgets
