#include "desktop/dashboard/run_view.h"

#include <QJsonArray>

#include "desktop/dashboard/loss_panel.h"
#include "desktop/view_state.h"
#include "widgets/plot/chart_link.h"

namespace trainyard::desktop {

using widgets::XRange;
using widgets::XUnit;

namespace {
const QString kLook = QStringLiteral("overview");
const QString kRange = QStringLiteral("range");
const QString kCurves = QStringLiteral("all_curves");
const QString kUnit = QStringLiteral("unit");
const QString kSmoothing = QStringLiteral("smoothing");
const QString kLog = QStringLiteral("log_y");
}  // namespace

RunView::RunView(const QString& key, LossPanel* loss, widgets::ChartLink* link, QObject* parent)
    : QObject(parent), key_(key), loss_(loss), link_(link) {
    restore();
    connect(loss_, &LossPanel::unitChanged, this, &RunView::keep);
    connect(loss_->chart(), &widgets::CurveChart::viewChanged, this, &RunView::keep);
    connect(link_, &widgets::ChartLink::rangeChanged, this, &RunView::keep);
}

void RunView::restore() {
    const QJsonObject look = ViewState::instance().value(key_, kLook).toObject();
    if (look.isEmpty())
        return;
    loss_->setUnit(static_cast<XUnit>(look.value(kUnit).toInt()));
    loss_->setSmoothing(look.value(kSmoothing).toDouble());
    loss_->setLogY(look.value(kLog).toBool());
    const QJsonArray range = look.value(kRange).toArray();
    if (range.size() == 2 && range[1].toDouble() > range[0].toDouble())
        link_->setRange(XRange{range[0].toDouble(), range[1].toDouble()});
}

void RunView::keep() {
    QJsonObject look{{kUnit, static_cast<int>(loss_->unit())},
                     {kSmoothing, loss_->chart()->smoothing()},
                     {kLog, loss_->chart()->isLogY()}};
    if (const auto& range = link_->range())
        look.insert(kRange, QJsonArray{range->lower, range->upper});
    ViewState::instance().set(key_, kLook, look);
}

bool RunView::showsCurves() const {
    return ViewState::instance().value(key_, kCurves).toBool();
}

void RunView::setShowsCurves(bool shows) {
    ViewState::instance().set(key_, kCurves, shows ? QJsonValue(true) : QJsonValue());
}

}  // namespace trainyard::desktop
