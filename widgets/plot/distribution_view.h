// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Nine percentiles of a distribution over steps as nested bands around the median (TensorBoard's distribution
// dashboard). One chart of curves with bands: zooms, pans and links like CurveChart.

#include <array>
#include <vector>

#include <QWidget>

#include "widgets/pixels.h"
#include "widgets/plot/histogram.h"
#include "widgets/plot/series.h"

namespace trainyard::widgets {

class CurveChart;

class DistributionView : public QWidget {
    Q_OBJECT
  public:
    explicit DistributionView(const QString& accessibleName, QWidget* parent = nullptr);
    ~DistributionView() override;
    void setHistograms(const std::vector<Histogram>& histograms, int color);
    CurveChart* chart() const { return chart_; }
    QSize sizeHint() const override { return {480_px, 240_px}; }

  private:
    CurveChart* chart_;
    std::array<Series, 9> series_;
};

}  // namespace trainyard::widgets
