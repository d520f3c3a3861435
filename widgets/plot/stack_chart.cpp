// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/stack_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QMouseEvent>
#include <QPainter>
#include <QStyle>

#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plot/axis_paint.h"
#include "widgets/plot/number_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
const int &kStackTop = live_px(4), &kStackBottom = live_px(3), &kLegend = live_px(18);
const int &kPartSwatch = live_px(9), &kPartGap = live_px(14);
const int &kBand = live_px(6), &kBandTick = live_px(3);  // of what is occasional
}  // namespace

StackChart::StackChart(const QString& accessibleName, QWidget* parent) : Strip(accessibleName, parent) {
    value_text_ = [](double value) { return value_number(value, 3); };
    unit_ = [](double) { return StackUnit{}; };
}

void StackChart::setParts(const QVector<StackPart>& parts) {
    parts_ = parts;
    dataChanged();
}

QRect StackChart::area() const {
    return rect().adjusted(axis_width_, kStackTop + bandHeight(), -kRight, -kStackBottom - kLegend);
}

int StackChart::bandHeight() const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const StackPart& part) { return part.occasional && !part.series->empty(); })
               ? kBand + 2
               : 0;
}

void StackChart::compute() const {
    if (!takeDirty())
        return;
    const int count = columns();
    means_.fill(QVector<double>(count, kNoNumber), parts_.size());
    counts_.fill(0, parts_.size());
    highest_ = 0;
    if (!(range_.size() > 0))
        return;
    const double width = range_.size() / count;
    QVector<double> sums(count, 0);
    for (int part = 0; part < parts_.size(); ++part) {
        const Series& series = *parts_[part].series;
        for (int column = 0; column < count; ++column) {
            const double begin = range_.lower + column * width;
            std::size_t first = series.lowerBound(begin, scale_);
            std::size_t last = series.lowerBound(begin + width, scale_);
            const bool occasional = parts_[part].occasional;
            if (!occasional && first == last && first > 0 && first < series.size())
                last = first + 1;  // between two points
            const std::size_t stride = occasional ? 1 : std::max<std::size_t>(1, (last - first) / kSamples);
            double sum = 0;
            int points = 0;
            for (std::size_t i = first; i < last; i += stride)
                if (const double value = series.value(i); std::isfinite(value)) {
                    sum += value;
                    ++points;
                }
            if (points == 0)
                continue;
            means_[part][column] = sum / points;
            if (occasional)
                counts_[part] += points;
            else
                sums[column] += means_[part][column];
        }
    }
    // One column with a pause in it must not flatten all others.
    QVector<double> sorted = sums;
    std::sort(sorted.begin(), sorted.end());
    const double usual = sorted[(sorted.size() - 1) * 98 / 100];
    highest_ = usual > 0 ? std::min(sorted.back(), 1.5 * usual) : sorted.back();
}

QVector<double> StackChart::shown() const {
    compute();
    QVector<double> result;
    for (int part = 0; part < parts_.size(); ++part) {
        if (std::isfinite(crosshair_) && range_.size() > 0) {
            const int column = static_cast<int>((crosshair_ - range_.lower) / range_.size() * columns());
            result << (column >= 0 && column < columns() ? means_[part][column] : kNoNumber);
            continue;
        }
        double sum = 0;
        int points = 0;
        for (const double mean : means_[part])
            if (std::isfinite(mean)) {
                sum += mean;
                ++points;
            }
        result << (points > 0 ? sum / points : kNoNumber);
    }
    return result;
}

QVector<int> StackChart::percents(const QVector<double>& values) const {
    QVector<int> result(parts_.size(), 0);
    double all = 0;
    for (int part = 0; part < parts_.size(); ++part)
        if (!parts_[part].occasional && std::isfinite(values[part]))
            all += values[part];
    if (!(all > 0))
        return result;
    // Rounded down; what is missing then goes to the largest remainders.
    QVector<std::pair<double, int>> remainders;
    int sum = 0;
    for (int part = 0; part < parts_.size(); ++part)
        if (!parts_[part].occasional && std::isfinite(values[part])) {
            const double share = 100 * values[part] / all;
            result[part] = static_cast<int>(share);
            sum += result[part];
            remainders.push_back({share - result[part], part});
        }
    std::stable_sort(remainders.begin(), remainders.end(),
                     [](const auto& one, const auto& other) { return one.first > other.first; });
    for (int i = 0; i < remainders.size() && sum < 100; ++i, ++sum)
        ++result[remainders[i].second];
    return result;
}

QString StackChart::legendWords(int part, const QVector<double>& values, const QVector<int>& percents,
                                bool brief) const {
    const StackPart& one = parts_[part];
    if (one.occasional)
        return QStringLiteral("%1 %2 × %3").arg(one.name).arg(counts_[part]).arg(value_text_(values[part]));
    if (brief)
        return one.name + QLatin1Char(' ') + percent_text(percents[part] / 100.0);
    return QStringLiteral("%1 %2 %3").arg(one.name, value_text_(values[part]), percent_text(percents[part] / 100.0));
}

QStringList StackChart::legend() const {
    const QVector<double> values = shown();
    const QVector<int> shares = percents(values);
    QVector<int> order(parts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        if (parts_[a].occasional != parts_[b].occasional)
            return parts_[b].occasional;
        return (std::isfinite(values[a]) ? values[a] : -1) > (std::isfinite(values[b]) ? values[b] : -1);
    });
    QStringList words;
    for (const int part : order)
        if (std::isfinite(values[part]))
            words << legendWords(part, values, shares, false);
    return words;
}

std::vector<AxisTick> StackChart::axisTicks() const {
    compute();
    if (!(highest_ > 0))
        return {};
    const StackUnit unit = unit_(highest_);
    std::vector<AxisTick> ticks = number_ticks(0, highest_ / unit.size, false, std::max(2, area().height() / 28_px));
    for (AxisTick& tick : ticks) {
        if (tick.at == 0 && !unit.name.isEmpty())
            tick.text += QLatin1Char(' ') + unit.name;
        tick.at *= unit.size;
    }
    return ticks;
}

void StackChart::paintEvent(QPaintEvent*) {
    compute();
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const QRect all = area();
    if (highest_ > 0) {
        paint_axis(
            painter, AxisEdge::Left, all, axisTicks(),
            [&](double value) { return all.bottom() - value / highest_ * all.height(); }, screen_look());
        for (int column = 0; column < columns(); ++column) {
            double sum = 0;
            for (int part = 0; part < parts_.size(); ++part) {
                const double mean = means_[part][column];
                if (parts_[part].occasional || !std::isfinite(mean) || sum >= highest_)
                    continue;
                const double upper = std::min(highest_, sum + mean);
                const double top = all.bottom() + 1 - upper / highest_ * all.height();
                const double bottom = all.bottom() + 1 - sum / highest_ * all.height();
                painter.fillRect(QRectF(all.left() + column * kCell, top, kCell, bottom - top),
                                 theme.runColor(parts_[part].color));
                sum = upper;
            }
        }
    }
    for (int part = 0; part < parts_.size(); ++part)
        for (int column = 0; parts_[part].occasional && column < columns(); ++column)
            if (std::isfinite(means_[part][column]))
                painter.fillRect(QRect(all.left() + column * kCell, all.top() - kBand - 1, kBandTick, kBand),
                                 theme.runColor(parts_[part].color));
    paintCrosshair(painter);
    // The legend keeps its order, so that it does not jump; where it has no room it leaves out the times, which the
    // tool tip has.
    const QVector<double> values = shown();
    const QVector<int> shares = percents(values);
    const QRect lane(0, height() - kLegend, width() - kRight, kLegend);
    painter.setFont(theme.text(11));
    QStringList words;
    for (const bool brief : {false, true}) {
        words.clear();
        int needed = axis_width_ - kPartGap;
        for (int part = 0; part < parts_.size(); ++part) {
            words << (std::isfinite(values[part]) ? legendWords(part, values, shares, brief) : QString());
            if (!words.last().isEmpty())
                needed += kPartSwatch + 5 + painter.fontMetrics().horizontalAdvance(words.last()) + kPartGap;
        }
        if (needed <= lane.right())
            break;
    }
    int x = axis_width_;
    const auto mirrored = [&](const QRect& place) {
        return QStyle::visualRect(layoutDirection(), {axis_width_, 0, lane.right() - axis_width_, height()}, place);
    };
    for (int part = 0; part < parts_.size(); ++part) {
        if (words[part].isEmpty())
            continue;
        const int room = painter.fontMetrics().horizontalAdvance(words[part]);
        if (x + kPartSwatch + 5 + room > lane.right())
            break;
        painter.fillRect(mirrored({x, lane.center().y() - kPartSwatch / 2, kPartSwatch, kPartSwatch}),
                         theme.runColor(parts_[part].color));
        x += kPartSwatch + 5;
        painter.setPen(theme.color(Token::TextSecondary));
        painter.drawText(mirrored({x, lane.top(), room + 2, lane.height()}), Qt::AlignVCenter | Qt::AlignLeft,
                         words[part]);
        x += room + kPartGap;
    }
}

void StackChart::mouseMoveEvent(QMouseEvent* event) {
    Strip::mouseMoveEvent(event);
    setToolTip(legend().join(QLatin1Char('\n')));
}

}  // namespace trainyard::widgets
