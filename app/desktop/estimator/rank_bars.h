// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Stacked bars of memory, one per rank, grouped by pipeline stage, with the line of what a device has. Painted.

#include <QWidget>

#include "desktop/estimator/memory_groups.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class Scenario;

class RankBars : public QWidget {
    Q_OBJECT
  public:
    explicit RankBars(Scenario* scenario, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {520_px, 360_px}; }
    QSize minimumSizeHint() const override { return {200_px, 160_px}; }

  signals:
    /// A group of the fullest stage was clicked.
    void groupClicked(int group);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

  private:
    struct Bar {
        QRectF area;
        std::size_t stage = 0;
    };
    QVector<Bar> bars() const;
    /// Bytes that the height shows.
    double scale() const;
    /// Group of a bar at this point; -1: none.
    int groupAt(const QPointF& point, std::size_t* stage) const;
    QRectF plot() const;
    Scenario* scenario_;
};

}  // namespace trainyard::desktop
