// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/heat_strip.h"

#include <algorithm>
#include <cmath>

#include <QKeyEvent>
#include <QMouseEvent>

#include "widgets/controls.h"
#include "widgets/local_text.h"
#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/number_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

const int& kGroupNameHeight = live_px(13);
const int& kTallest = live_px(22);  // maximum height of a line in pixels
const int &kLegendBar = live_px(64), &kLegendGap = live_px(6);
constexpr double kCold = 0.9, kHot = 1.3;  // relative to the median of the column

double median_of(QVector<double> values) {
    if (values.isEmpty())
        return kNoNumber;
    auto middle = values.begin() + (values.size() - 1) / 2;
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

HeatStrip::HeatStrip(const QString& accessibleName, QWidget* parent) : Strip(accessibleName, parent) {
    setFocusPolicy(Qt::StrongFocus);
    value_text_ = [](double value) { return value_number(value, 3); };
}

void HeatStrip::setRows(const QVector<HeatRow>& rows) {
    rows_ = rows;
    layOut();
}

void HeatStrip::layOut() {
    lines_.clear();
    const bool folds = rows_.size() > kMostRows;
    for (int i = 0; i < rows_.size();) {
        int end = i;
        while (end < rows_.size() && rows_[end].group == rows_[i].group)
            ++end;
        if (folds && !unfolded_.contains(rows_[i].group)) {
            lines_.push_back({rows_[i].group, i, end - i, true});
        } else {
            for (int row = i; row < end; ++row)
                lines_.push_back({rows_[i].group, row, 1, false});
        }
        i = end;
    }
    chosen_ = std::min<int>(chosen_, static_cast<int>(lines_.size()) - 1);
    dataChanged();
    updateGeometry();
}

void HeatStrip::toggleGroup(const QString& group) {
    if (!unfolded_.removeOne(group))
        unfolded_ << group;
    layOut();
}

void HeatStrip::setMeasure(Measure measure) {
    measure_ = measure;
    dataChanged();
}

QSize HeatStrip::sizeHint() const {
    return {480, std::clamp(static_cast<int>(lines_.size()) * kTallest / 2, 2 * kTallest, 4 * kTallest)};
}

HeatStrip::Legend HeatStrip::legend() const {
    compute();
    constexpr int kColors = 32;
    Legend legend;
    const bool against = measure_ == Measure::AgainstMedian;
    for (int i = 0; i < kColors; ++i) {
        const double share = static_cast<double>(i) / (kColors - 1);
        legend.colors << colorOf(against ? kCold + share * (kHot - kCold) : share, 1, 1);
    }
    legend.low = against ? decimal_text(kCold, 1) + QStringLiteral(" ×") : QStringLiteral("0");
    legend.high = against        ? decimal_text(kHot, 1) + QStringLiteral(" ×")
                  : highest_ > 0 ? value_text_(highest_)
                                 : QString();
    return legend;
}

QRect HeatStrip::area() const {
    return rect().adjusted(axis_width_, 1, -kRight, -1);
}

QRect HeatStrip::lineRect(int line) const {
    const QRect all = area();
    const double height = std::min<double>(kTallest, static_cast<double>(all.height()) / std::max(1, lines()));
    const int top = all.top() + static_cast<int>(std::lround(line * height));
    const int bottom = all.top() + static_cast<int>(std::lround((line + 1) * height));
    return {all.left(), top, all.width(), std::max(1, bottom - top)};
}

int HeatStrip::lineAt(int y) const {
    for (int line = 0; line < lines(); ++line)
        if (const QRect rect = lineRect(line); y >= rect.top() && y <= rect.bottom())
            return line;
    return -1;
}

double HeatStrip::valueOf(const HeatRow& row, int column) const {
    const double width = range_.size() / columns();
    const double begin = range_.lower + column * width;
    const std::size_t first = row.series->lowerBound(begin, scale_);
    const std::size_t last = row.series->lowerBound(begin + width, scale_);
    if (first < last) {
        const Extremes found = row.series->extremes(first, last);
        return found.found ? row.series->value(found.highest) : kNoNumber;
    }
    // The value of a point applies up to the next point.
    return first > 0 && first < row.series->size() ? row.series->value(first) : kNoNumber;
}

void HeatStrip::compute() const {
    if (!takeDirty())
        return;
    const int count = columns();
    values_.fill(QVector<double>(count, kNoNumber), lines_.size());
    medians_.fill(kNoNumber, count);
    highest_ = 0;
    if (!(range_.size() > 0))
        return;
    QVector<double> column;
    for (int at = 0; at < count; ++at) {
        column.clear();
        for (int line = 0; line < lines(); ++line) {
            double highest = kNoNumber;
            for (int row = lines_[line].first; row < lines_[line].first + lines_[line].count; ++row) {
                const double value = rows_[row].series ? valueOf(rows_[row], at) : kNoNumber;
                if (!std::isfinite(value))
                    continue;
                column << value;
                highest = std::isfinite(highest) ? std::max(highest, value) : value;
            }
            values_[line][at] = highest;
            if (std::isfinite(highest))
                highest_ = std::max(highest_, highest);
        }
        medians_[at] = median_of(column);
    }
}

QColor HeatStrip::colorOf(double value, double median, double highest) const {
    const Theme& theme = Theme::instance();
    double heat = 0;
    if (measure_ == Measure::Share)
        heat = highest > 0 ? value / highest : 0;
    else if (median > 0)
        heat = (value / median - kCold) / (kHot - kCold);
    heat = std::clamp(heat, 0.0, 1.0);
    // The lower half of the scale goes from a tint of run colour 1 to the full colour, the upper half to Token::Warn.
    const QColor cold = theme.color(Token::BgHover), middle = theme.runColor(1), hot = theme.color(Token::Warn);
    return heat < 0.5 ? mixed(middle, cold, 0.25 + 1.5 * heat) : mixed(hot, middle, 2 * heat - 1);
}

void HeatStrip::paintEvent(QPaintEvent*) {
    compute();
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const QRect all = area();
    QString group;
    int free_from = 0;
    for (int line = 0; line < lines(); ++line) {
        const QRect rect = lineRect(line);
        const double gap = rect.height() > 4 ? 1 : 0;
        for (int at = 0; at < columns(); ++at)
            if (const double value = values_[line][at]; std::isfinite(value))
                painter.fillRect(QRectF(all.left() + at * kCell, rect.top(), kCell, rect.height() - gap),
                                 colorOf(value, medians_[at], highest_));
        if (line == chosen_ && hasFocus()) {
            painter.setPen(theme.color(Token::Accent));
            painter.drawRect(rect.adjusted(0, 0, -1, -1));
        }
        if (lines_[line].group == group && line > 0)
            continue;
        group = lines_[line].group;
        int end = line;
        while (end + 1 < lines() && lines_[end + 1].group == group)
            ++end;
        const QRect lane(4_px, rect.top(), axis_width_ - 10_px, std::max(14_px, lineRect(end).bottom() - rect.top()));
        if (lane.top() < free_from)
            continue;  // names must not overlap
        free_from = lane.top() + kGroupNameHeight;
        painter.setFont(theme.mono(11));
        painter.setPen(theme.color(Token::TextSecondary));
        painter.drawText(lane, Qt::AlignVCenter | Qt::AlignLeft,
                         elided_text(painter.fontMetrics(), group, Qt::ElideMiddle, lane.width()));
    }
    paintCrosshair(painter);
    if (hasFocus() && chosen_ < 0)
        draw_ring(painter, rect(), 0);
}

std::optional<HeatStrip::Cell> HeatStrip::cellAt(const QPoint& at) const {
    compute();
    const int line = lineAt(at.y());
    const int column = (at.x() - area().left()) / kCell;
    if (line < 0 || at.x() < area().left() || column >= columns() || !std::isfinite(values_[line][column]))
        return std::nullopt;
    Cell cell;
    cell.group = lines_[line].group;
    cell.x = range_.lower + (column + 0.5) * range_.size() / columns();
    cell.value = values_[line][column];
    cell.median = medians_[column];
    if (!lines_[line].folded) {
        cell.row = lines_[line].first;
        return cell;
    }
    QVector<double> all;
    for (int row = lines_[line].first; row < lines_[line].first + lines_[line].count; ++row)
        if (const double value = valueOf(rows_[row], column); std::isfinite(value))
            all << value;
    const auto [lowest, highest] = std::minmax_element(all.begin(), all.end());
    cell.lowest = *lowest;
    cell.highest = *highest;
    cell.middle = median_of(all);
    return cell;
}

QString HeatStrip::describe(const Cell& cell) const {
    const QString place = position_text(cell.x, scale_.unit);
    if (cell.row < 0)
        return tr("%1, %2: lowest %3, median %4, highest %5")
            .arg(cell.group, place, value_text_(cell.lowest), value_text_(cell.middle), value_text_(cell.highest));
    QString words = tr("%1 on %2, %3: %4").arg(rows_[cell.row].name, cell.group, place, value_text_(cell.value));
    if (measure_ == Measure::AgainstMedian && cell.median > 0)
        words += tr(", %1 × the median").arg(decimal_text(cell.value / cell.median, 2));
    return words;
}

bool HeatStrip::event(QEvent* event) {
    const auto words = [this](const QPoint& at) {
        const auto cell = cellAt(at);
        return cell ? describe(*cell) : QString();
    };
    return show_tip(event, this, words) || QWidget::event(event);
}

void HeatStrip::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    const int line = lineAt(event->pos().y());
    if (line < 0)
        return;
    chosen_ = line;
    update();
    if (rows_.size() > kMostRows && (event->pos().x() < area().left() || lines_[line].folded))
        toggleGroup(QString(lines_[line].group));
    else
        emit rowActivated(lines_[line].first);
}

void HeatStrip::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Up:
        case Qt::Key_Down:
            chosen_ = std::clamp(chosen_ + (event->key() == Qt::Key_Up ? -1 : 1), 0, std::max(0, lines() - 1));
            setAccessibleDescription(chosen_ < lines() ? rows_[lines_[chosen_].first].name : QString());
            update();
            return;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (chosen_ >= 0 && chosen_ < lines()) {
                if (lines_[chosen_].folded)
                    toggleGroup(QString(lines_[chosen_].group));
                else
                    emit rowActivated(lines_[chosen_].first);
            }
            return;
        default:
            QWidget::keyPressEvent(event);
    }
}

HeatLegend::HeatLegend(const HeatStrip* strip, QWidget* parent) : QWidget(parent), strip_(strip) {
    setToolTip(tr("Colours of the cells"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize HeatLegend::sizeHint() const {
    const QFontMetrics metrics(Theme::instance().mono(11));
    const HeatStrip::Legend legend = strip_->legend();
    return {
        metrics.horizontalAdvance(legend.low) + metrics.horizontalAdvance(legend.high) + kLegendBar + 2 * kLegendGap,
        metrics.height()};
}

void HeatLegend::refresh() {
    updateGeometry();
    const HeatStrip::Legend legend = strip_->legend();
    setAccessibleName(tr("Colours from %1 to %2").arg(legend.low, legend.high));
    update();
}

void HeatLegend::paintEvent(QPaintEvent*) {
    const HeatStrip::Legend legend = strip_->legend();
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setFont(theme.mono(11));
    painter.setPen(theme.color(Token::TextMuted));
    const int left = painter.fontMetrics().horizontalAdvance(legend.low) + kLegendGap;
    painter.drawText(QRect(0, 0, left, height()), Qt::AlignVCenter | Qt::AlignLeft, legend.low);
    painter.drawText(QRect(left + kLegendBar + kLegendGap, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft,
                     legend.high);
    for (int x = 0; x < kLegendBar; ++x)
        painter.fillRect(left + x, height() / 2 - 4, 1, 8, legend.colors[x * legend.colors.size() / kLegendBar]);
}

}  // namespace trainyard::widgets
