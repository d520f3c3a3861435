// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/distribution_view.h"

#include "widgets/layouts.h"
#include "widgets/local_text.h"
#include "widgets/plot/curve_chart.h"

namespace trainyard::widgets {

DistributionView::DistributionView(const QString& accessibleName, QWidget* parent)
    : QWidget(parent), chart_(new CurveChart(accessibleName)) {
    setLayout(make_column({0, 0, 0, 0}, {chart_}));
}

DistributionView::~DistributionView() = default;

void DistributionView::setHistograms(const std::vector<Histogram>& histograms, int color) {
    std::array<std::vector<SeriesPoint>, 9> points;
    for (const Histogram& histogram : histograms) {
        const std::array<double, 9> values = percentiles(histogram);
        for (std::size_t i = 0; i < values.size(); ++i)
            points[i].push_back({histogram.step, histogram.wall_time, values[i]});
    }
    for (std::size_t i = 0; i < series_.size(); ++i) {
        series_[i].clear();
        series_[i].append(points[i]);
    }
    // From the outside to the inside, so that narrower bands lie above wider ones.
    QVector<Curve> curves;
    const auto name = [](std::size_t i) {
        return i == 0 ? tr("minimum") : i == 8 ? tr("maximum") : tr("%1 %").arg(short_text(kBasisPoints[i] / 100.0));
    };
    static constexpr std::array kFill{0.16, 0.28, 0.42, 0.58};
    for (std::size_t i = 0; i < 4; ++i) {
        Curve high{name(8 - i), &series_[8 - i], color, false};
        high.strength = Strength::Thin;
        high.low = &series_[i];
        high.high = &series_[8 - i];
        high.fill = kFill[i];
        curves.append(high);
    }
    curves.append({tr("median"), &series_[4], color, false});
    for (std::size_t i = 4; i-- > 0;) {
        Curve low{name(i), &series_[i], color, false};
        low.strength = Strength::Thin;
        curves.append(low);
    }
    chart_->setCurves(curves);
}

}  // namespace trainyard::widgets
