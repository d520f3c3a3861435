// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_view.h"

#include <QJsonArray>

#include "desktop/curves/named_layouts.h"
#include "desktop/curves/stored_zoom.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/tile_row.h"
#include "desktop/shell/view_state.h"
#include "widgets/plot/chart_link.h"

namespace trainyard::desktop {

using widgets::XUnit;

namespace {
const QString kLook = QStringLiteral("overview");
const QString kCurves = QStringLiteral("all_curves");
const QString kUnit = QStringLiteral("unit");
const QString kActive = QStringLiteral("active_time");
const QString kSmoothing = QStringLiteral("smoothing");
const QString kTrend = QStringLiteral("trend");
const QString kLogX = QStringLiteral("log_x");
const QString kLogY = QStringLiteral("log_y");
const QString kBands = QStringLiteral("bands");
const QString kClip = QStringLiteral("clip");
const QString kMetric = QStringLiteral("metric");
const QString kTiles = QStringLiteral("tiles");
const QString kOverlays = QStringLiteral("overlays");
const QString kAtResume = QStringLiteral("at_resume");
const QString kDifference = QStringLiteral("difference");
}  // namespace

RunView::RunView(const QString& key, LossPanel* loss, TileRow* tiles, widgets::ChartLink* link, QWidget* page)
    : QObject(page),
      key_(key),
      loss_(loss),
      tiles_(tiles),
      link_(link),
      layouts_(new NamedLayouts(
          QStringLiteral("dashboard/overview"), [this] { return layout(); }, page)),
      usual_(layout()) {
    restore();
    connect(layouts_, &NamedLayouts::chosen, this, &RunView::apply);
    connect(tiles_, &TileRow::chosenChanged, this, &RunView::keep);
    connect(loss_, &LossPanel::unitChanged, this, &RunView::keep);
    connect(loss_, &LossPanel::metricChosen, this, &RunView::keep);
    connect(loss_->overlays(), &Overlays::changed, this, &RunView::keep);
    connect(loss_->chart(), &widgets::CurveChart::viewChanged, this, &RunView::keep);
    connect(link_, &widgets::ChartLink::rangeChanged, this, &RunView::keep);
}

QJsonObject RunView::layout() const {
    const widgets::CurveChart* chart = loss_->chart();
    return {{kUnit, static_cast<int>(loss_->unit())},
            {kActive, loss_->isActiveTime()},
            {kSmoothing, loss_->isSmoothingAutomatic() ? QJsonValue() : QJsonValue(chart->smoothing())},
            {kTrend, static_cast<int>(chart->view().trend)},
            {kLogX, chart->isLogX()},
            {kLogY, chart->isLogY()},
            {kBands, chart->hasBands()},
            {kClip, chart->areOutliersClipped()},
            {kTiles, QJsonArray::fromStringList(tiles_->isOwn() ? tiles_->chosen() : QStringList())}};
}

void RunView::apply(const QJsonObject& layout) {
    widgets::CurveChart* chart = loss_->chart();
    applying_ = true;
    if (layout.contains(kUnit))
        loss_->setUnit(static_cast<XUnit>(layout.value(kUnit).toInt()));
    loss_->setActiveTime(layout.value(kActive).toBool(loss_->isActiveTime()));
    if (const QJsonValue weight = layout.value(kSmoothing); weight.isDouble())
        loss_->setSmoothing(weight.toDouble());
    else if (weight.isNull())
        loss_->setSmoothingAutomatic();
    const int trend = layout.value(kTrend).toInt(static_cast<int>(chart->view().trend));
    if (trend >= 0 && trend <= static_cast<int>(widgets::Trend::Highest))
        chart->setTrend(static_cast<widgets::Trend>(trend));
    chart->setLogX(layout.value(kLogX).toBool(chart->isLogX()));
    loss_->setLogY(layout.value(kLogY).toBool(chart->isLogY()));
    chart->setBands(layout.value(kBands).toBool(chart->hasBands()));
    chart->setOutliersClipped(layout.value(kClip).toBool(chart->areOutliersClipped()));
    if (layout.contains(kTiles))
        tiles_->choose(stringsOf(layout.value(kTiles)));
    applying_ = false;
    keep();
}

void RunView::restore() {
    const QJsonObject look = ViewState::instance().value(key_, kLook).toObject();
    if (look.isEmpty())
        return;
    applying_ = true;
    loss_->overlays()->setAtResume(look.value(kAtResume).toBool());
    loss_->overlays()->setDifference(look.value(kDifference).toBool());
    loss_->overlays()->setFolders(stringsOf(look.value(kOverlays)));
    apply(look);
    loss_->chooseMetric(look.value(kMetric).toString().toStdString());
    if (const auto zoom = stored_zoom(look, loss_->unit()))
        link_->setRange(*zoom);
    keep();
}

void RunView::keep() {
    if (applying_)
        return;
    QJsonObject look = layout();
    keep_zoom(look, link_->range(), loss_->unit());
    if (!loss_->chosenMetric().empty())
        look.insert(kMetric, QString::fromStdString(loss_->chosenMetric()));
    const Overlays* overlays = loss_->overlays();
    look.insert(kOverlays, QJsonArray::fromStringList(overlays->folders()));
    look.insert(kAtResume, overlays->isAtResume());
    look.insert(kDifference, overlays->isDifference());
    ViewState::instance().set(key_, kLook, look);
}

bool RunView::showsCurves() const {
    return ViewState::instance().value(key_, kCurves).toBool();
}

void RunView::setShowsCurves(bool shows) {
    ViewState::instance().set(key_, kCurves, shows ? QJsonValue(true) : QJsonValue());
}

}  // namespace trainyard::desktop
