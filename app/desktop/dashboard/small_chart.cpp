// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/small_chart.h"

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

SmallChart::SmallChart(const QString& title, const widgets::Series* series, int color, QWidget* parent)
    : QFrame(parent), chart_(new widgets::CurveChart(title)), value_(make_mono_label({}, 12)) {
    setProperty("surface", QStringLiteral("panel"));
    setMinimumHeight(104_px);
    auto* words = make_elided(title, Theme::instance().text(12, QFont::DemiBold));
    setLayout(make_column({1, 6, 1, 3}, 0, {make_row({12, 0, 12, 0}, {{words, 1}, value_}), {chart_, 1}}));
    widgets::make_draggable(words, chart_);
    chart_->setDense(true);
    chart_->setCurves({{title, series, color, false}});
    connect(chart_, &widgets::CurveChart::redrawn, this, &SmallChart::refreshValue);
    connect(chart_, &widgets::CurveChart::crosshairMoved, this, &SmallChart::refreshValue);
}

void SmallChart::refreshValue() {
    const double value = chart_->crosshair().value(0);
    const bool none = chart_->curves().first().series->empty();
    value_->setText(none ? QString() : widgets::value_number(value, 3));
}

}  // namespace trainyard::desktop
