// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One figure of the dashboard: label, value with unit, a note (change, limit, step) and the shape of its past.
// Click or Enter opens it, right click or Menu chooses another one.

#include <QFrame>

#include "desktop/dashboard/metric_figures.h"
#include "widgets/label.h"
#include "widgets/plot/sparkline.h"

namespace trainyard::desktop {

class MetricTile : public QFrame {
    Q_OBJECT
  public:
    MetricTile(const QString& label, const widgets::Series* series, int color, QWidget* parent = nullptr);
    void setSeries(const widgets::Series* series, int color);
    /// Empty value: a grey bar of its size, nothing is known yet.
    void setFigure(const MetricFigure& figure);
    QString value() const { return figure_.value; }
    QString unit() const;
    QString note() const { return figure_.note; }

  signals:
    void clicked();
    void menuRequested(const QPoint& at);  ///< on the screen

  protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

  private:
    void fit();

    widgets::ElidedLabel* label_;
    QLabel* value_;
    widgets::ElidedLabel* unit_;
    QLabel* note_;
    widgets::Sparkline* spark_;
    MetricFigure figure_;
};

}  // namespace trainyard::desktop
