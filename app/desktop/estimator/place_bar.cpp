// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/place_bar.h"

#include <algorithm>

#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using estimate::Place;

namespace {
const double& kBarWidth = live_px(46.0);
constexpr double kRoomAbove = 1.12;  ///< of the scale, for the figure
}  // namespace

PlaceBar::PlaceBar(Scenario* scenario, Place place, QWidget* parent)
    : QWidget(parent), scenario_(scenario), place_(place) {
    setFixedWidth(kWidth);
    setAccessibleName(placeName());
    connect(scenario_, &Scenario::changed, this, &PlaceBar::show);
    show();
}

QString PlaceBar::placeName() const {
    return place_ == Place::host ? tr("host memory") : tr("disk");
}

double PlaceBar::limit() const {
    return place_ == Place::host ? scenario_->search().hardware().host_memory : 0;
}

void PlaceBar::show() {
    bytes_ = scenario_->isValid() ? scenario_->search().of_host(scenario_->memory(), place_) : 0;
    groups_ = {};
    if (bytes_ > 0) {
        // The stage with the most, as the judgement takes it.
        const auto& stages = scenario_->memory().stages;
        const auto& most = *std::ranges::max_element(
            stages, {}, [this](const estimate::RankMemory& stage) { return stage.total(place_); });
        groups_ = memoryGroups(most, place_);
        for (double& group : groups_)
            group *= static_cast<double>(scenario_->search().hardware().devices_per_host);
    }
    QStringList parts;
    for (int group = 0; group < kMemoryGroups; ++group)
        if (const double bytes = groups_[static_cast<std::size_t>(group)]; bytes > 0)
            parts << tr("%1: %2").arg(memoryGroupName(group), memoryText(bytes));
    setToolTip(parts.join(QLatin1Char('\n')));
    setAccessibleDescription(memoryText(bytes_));
    setVisible(bytes_ > 0);
    update();
}

void PlaceBar::paintEvent(QPaintEvent*) {
    if (bytes_ <= 0)
        return;
    QPainter painter(this);
    Theme& theme = Theme::instance();
    const QRectF area = QRectF(rect()).adjusted(4_px, 24_px, -4_px, -40_px);
    const double most = std::max(bytes_, limit()) * kRoomAbove;
    const double left = area.center().x() - kBarWidth / 2;
    double bottom = area.bottom();
    for (int group = 0; group < kMemoryGroups; ++group) {
        const double height = area.height() * groups_[static_cast<std::size_t>(group)] / most;
        painter.fillRect(QRectF(left, bottom - height, kBarWidth, std::max(0.0, height - 1)), memoryGroupColor(group));
        bottom -= height;
    }
    painter.setPen(theme.color(Token::Line));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    draw_text(painter, theme.mono(11), Token::Text, QRectF(0, bottom - 18_px, width(), 16_px), memoryText(bytes_),
              Qt::AlignHCenter | Qt::AlignBottom);
    draw_elided(painter, theme.text(11), Token::TextSecondary, QRectF(0, area.bottom() + 6_px, width(), 16_px),
                placeName(), Qt::AlignCenter);
    draw_elided(painter, theme.text(11), Token::TextSecondary, QRectF(0, area.bottom() + 21_px, width(), 16_px),
                tr("of one host"), Qt::AlignCenter);
    if (limit() <= 0)
        return;
    const double mark = area.bottom() - area.height() * limit() / most;
    painter.setPen(QPen(theme.color(Token::Error), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), mark), QPointF(area.right(), mark));
    if (bytes_ > limit())
        painter.fillRect(QRectF(left, bottom, kBarWidth, mark - bottom),
                         QBrush(theme.color(Token::BgPanel), Qt::BDiagPattern));
}

}  // namespace trainyard::desktop
