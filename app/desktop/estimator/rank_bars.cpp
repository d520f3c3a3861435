// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/rank_bars.h"

#include <algorithm>
#include <cmath>

#include <QMouseEvent>

#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

constexpr int kMostBarsOfStage = 16;  ///< ranks of a stage are alike: more are not drawn
const double &kWidestBar = live_px(46.0), &kBarGap = live_px(4.0), &kStageGap = live_px(24.0);
constexpr double kGiB = 1024.0 * 1024 * 1024;

/// 1, 2 or 5 times a power of ten: about five lines.
double lineStep(double most) {
    const double rough = most / 5, power = std::pow(10, std::floor(std::log10(std::max(rough, 1e-9))));
    for (double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough)
            return factor * power;
    return 10 * power;
}

}  // namespace

RankBars::RankBars(Scenario* scenario, QWidget* parent) : QWidget(parent), scenario_(scenario) {
    setAccessibleName(tr("Memory per rank"));
    connect(scenario_, &Scenario::changed, this, [this] {
        const QString total = scenario_->isValid() ? memoryText(scenario_->memory().total()) : QString();
        setAccessibleDescription(total);
        update();
    });
}

QRectF RankBars::plot() const {
    return QRectF(rect()).adjusted(46_px, 24_px, -8_px, -40_px);
}

double RankBars::scale() const {
    const double limit = scenario_->search().limit();
    return std::max(limit, scenario_->memory().total()) * 1.12;
}

QVector<RankBars::Bar> RankBars::bars() const {
    QVector<Bar> all;
    const auto& stages = scenario_->memory().stages;
    std::int64_t count = 0;
    for (const estimate::RankMemory& stage : stages)
        count += std::min<std::int64_t>(stage.ranks, kMostBarsOfStage);
    if (count == 0)
        return all;
    const QRectF area = plot();
    const double gaps = kStageGap * static_cast<double>(stages.size() - 1);
    const double width = std::clamp((area.width() - gaps) / static_cast<double>(count), 2.0, kWidestBar + kBarGap);
    double left = area.left() + (area.width() - gaps - width * static_cast<double>(count)) / 2;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        for (std::int64_t rank = 0; rank < std::min<std::int64_t>(stages[i].ranks, kMostBarsOfStage); ++rank) {
            const double height = area.height() * stages[i].total() / scale();
            all.push_back({QRectF(left, area.bottom() - height, std::max(1.0, width - kBarGap), height), i});
            left += width;
        }
        left += kStageGap;
    }
    return all;
}

void RankBars::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    Theme& theme = Theme::instance();
    const QRectF area = plot();
    if (!scenario_->isValid())
        return;
    const double most = scale(), limit = scenario_->search().limit();
    painter.setFont(theme.mono(11));
    const double step = lineStep(most / kGiB) * kGiB;
    for (double line = 0; line <= most; line += step) {
        const double y = area.bottom() - area.height() * line / most;
        painter.setPen(theme.color(Token::Line));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        painter.setPen(theme.color(Token::TextMuted));
        painter.drawText(QRectF(0, y - 8_px, 40_px, 16_px), Qt::AlignRight | Qt::AlignVCenter,
                         widgets::short_text(line / kGiB, 3));
    }
    const double mark = area.bottom() - area.height() * limit / most;
    const auto& stages = scenario_->memory().stages;
    const auto fullest = static_cast<std::size_t>(scenario_->memory().fullest().stage);
    bool framed = false;
    const QVector<Bar> all = bars();
    for (const Bar& bar : all) {
        const MemoryGroups groups = memoryGroups(stages[bar.stage]);
        double bottom = area.bottom();
        for (int group = 0; group < kMemoryGroups; ++group) {
            const double height = area.height() * groups[static_cast<std::size_t>(group)] / most;
            painter.fillRect(QRectF(bar.area.left(), bottom - height, bar.area.width(), std::max(0.0, height - 1)),
                             memoryGroupColor(group));
            bottom -= height;
        }
        if (limit > 0 && bottom < mark)
            painter.fillRect(QRectF(bar.area.left(), bottom, bar.area.width(), mark - bottom),
                             QBrush(theme.color(Token::BgPanel), Qt::BDiagPattern));
        if (bar.stage == fullest && !std::exchange(framed, true)) {
            painter.setPen(QPen(theme.color(Token::Text), 1));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(bar.area.adjusted(-2, -2, 2, 1), 3, 3);
        }
    }
    // One value and one label per stage, because its ranks are equal.
    QVector<QRectF> taken;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        QRectF whole;
        for (const Bar& bar : all)
            if (bar.stage == i)
                whole = whole.isNull() ? bar.area : whole.united(bar.area);
        if (whole.isNull())
            continue;
        painter.setPen(theme.color(Token::Text));
        painter.setFont(theme.mono(11));
        const QRectF wide = whole.adjusted(-kStageGap / 2, 0, kStageGap / 2, 0);
        const QString figure = widgets::decimal_text(stages[i].total() / kGiB, stages[i].total() < 10 * kGiB ? 2 : 1);
        const QRectF above(wide.left(), whole.top() - 18_px, wide.width(), 16_px);
        painter.drawText(above, Qt::AlignHCenter | Qt::AlignBottom, figure);
        taken << painter.boundingRect(above, Qt::AlignHCenter | Qt::AlignBottom, figure).united(whole);
        const QString ranks =
            tr("%Ln ranks", nullptr, static_cast<int>(std::min<std::int64_t>(stages[i].ranks, 1 << 30)));
        const QString words = stages.size() == 1 ? ranks : tr("stage %1, %2").arg(stages[i].stage).arg(ranks);
        draw_elided(painter, theme.text(11), Token::TextSecondary,
                    QRectF(wide.left(), area.bottom() + 6_px, wide.width(), 16_px), words, Qt::AlignCenter);
        if (stages.size() > 1)
            draw_elided(painter, theme.text(11), Token::TextSecondary,
                        QRectF(wide.left(), area.bottom() + 21_px, wide.width(), 16_px),
                        tr("layers %1").arg(QString::fromStdString(pipeline::to_text(stages[i].blocks))),
                        Qt::AlignCenter);
    }
    if (limit > 0) {
        painter.setPen(QPen(theme.color(Token::Error), 1.5, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), mark), QPointF(area.right(), mark));
        painter.setFont(theme.text(11, QFont::Medium));
        const QString words = scenario_->search().hardware().device.cpu
                                  ? tr("%1 for a rank").arg(memoryText(limit))
                                  : tr("%1 usable (without the CUDA context)").arg(memoryText(limit));
        // Place the label next to the bars and their figures if there is space.
        const QRectF above(area.left(), mark - 17_px, area.width(), 16_px), at_top(area.left(), 0, area.width(), 16_px);
        const auto free = [&](Qt::Alignment side) {
            const QRectF place = painter.boundingRect(above, side | Qt::AlignVCenter, words);
            return std::ranges::none_of(taken, [&](const QRectF& rect) { return rect.intersects(place); });
        };
        if (free(Qt::AlignRight) || free(Qt::AlignLeft))
            painter.drawText(above, (free(Qt::AlignRight) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, words);
        else
            painter.drawText(at_top, Qt::AlignRight | Qt::AlignVCenter, words);
    }
}

int RankBars::groupAt(const QPointF& point, std::size_t* stage) const {
    if (!scenario_->isValid())
        return -1;
    const QRectF area = plot();
    for (const Bar& bar : bars()) {
        if (!bar.area.contains(point))
            continue;
        *stage = bar.stage;
        const MemoryGroups groups = memoryGroups(scenario_->memory().stages[bar.stage]);
        double bytes = (area.bottom() - point.y()) / area.height() * scale();
        for (int group = 0; group < kMemoryGroups; ++group) {
            bytes -= groups[static_cast<std::size_t>(group)];
            if (bytes <= 0)
                return group;
        }
    }
    return -1;
}

void RankBars::mouseReleaseEvent(QMouseEvent* event) {
    std::size_t stage = 0;
    if (const int group = groupAt(event->position(), &stage); group >= 0)
        emit groupClicked(group);
}

bool RankBars::event(QEvent* event) {
    const auto words = [this](const QPoint& at) {
        std::size_t stage = 0;
        const int group = groupAt(at, &stage);
        return group < 0
                   ? QString()
                   : tr("%1: %2").arg(
                         memoryGroupName(group),
                         memoryText(memoryGroups(scenario_->memory().stages[stage])[static_cast<std::size_t>(group)]));
    };
    return show_tip(event, this, words) || QWidget::event(event);
}

}  // namespace trainyard::desktop
