#include "widgets/plot/stack_chart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <QMouseEvent>
#include <QPainter>
#include <QStringList>

#include "widgets/plot/number_text.h"
#include "widgets/plot/tick_marks.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
constexpr int kAxis = 50;  // pixels, as wide as that of the charts above
constexpr int kStackRight = 13, kStackTop = 4, kStackBottom = 3, kLegend = 18;
constexpr int kPartSwatch = 9;
}  // namespace

StackChart::StackChart(const QString& accessibleName, QWidget* parent) : QWidget(parent), crosshair_(kNoNumber) {
    setAccessibleName(accessibleName);
    setMouseTracking(true);
    value_text_ = [](double value) { return value_number(value, 3); };
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void StackChart::setParts(const QVector<StackPart>& parts) {
    parts_ = parts;
    dataChanged();
}

void StackChart::setView(const XScale& scale, const XRange& range) {
    if (scale == scale_ && range == range_)
        return;
    scale_ = scale;
    range_ = range;
    dataChanged();
}

void StackChart::setCrosshair(double x) {
    crosshair_ = x;
    update();
}

void StackChart::dataChanged() {
    dirty_ = true;
    update();
}

QRect StackChart::area() const {
    return rect().adjusted(kAxis, kStackTop, -kStackRight, -kStackBottom - kLegend);
}

int StackChart::columns() const {
    return std::max(1, area().width() / kCell);
}

void StackChart::compute() const {
    if (!dirty_)
        return;
    dirty_ = false;
    const int count = columns();
    means_.fill(QVector<double>(count, kNoNumber), parts_.size());
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
            if (first == last && first > 0 && first < series.size())
                last = first + 1;  // between two points
            const std::size_t stride = std::max<std::size_t>(1, (last - first) / kSamples);
            double sum = 0;
            int points = 0;
            for (std::size_t i = first; i < last; i += stride)
                if (const double value = series.value(i); std::isfinite(value)) {
                    sum += value;
                    ++points;
                }
            if (points > 0)
                sums[column] += means_[part][column] = sum / points;
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

QStringList StackChart::legend() const {
    const QVector<double> values = shown();
    double all = 0;
    for (const double value : values)
        all += std::isfinite(value) ? value : 0;
    QVector<int> order(parts_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return (std::isfinite(values[a]) ? values[a] : -1) > (std::isfinite(values[b]) ? values[b] : -1);
    });
    QStringList words;
    for (const int part : order)
        if (std::isfinite(values[part]) && all > 0)
            words << QStringLiteral("%1 %2 %3 %")
                         .arg(parts_[part].name, value_text_(values[part]))
                         .arg(100 * values[part] / all, 0, 'f', 0);
    return words;
}

void StackChart::paintEvent(QPaintEvent*) {
    compute();
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    const QRect all = area();
    if (highest_ > 0) {
        painter.setFont(theme.mono(11));
        const TickMarks ticks = linear_ticks(0, highest_, std::max(2, all.height() / 28));
        for (const double tick : ticks.at) {
            const double y = all.bottom() - tick / highest_ * all.height();
            painter.setPen(theme.color(Token::Line));
            painter.drawLine(QPointF(all.left(), y), QPointF(all.right(), y));
            painter.setPen(theme.color(Token::TextMuted));
            painter.drawText(QRectF(0, y - 8, kAxis - 6, 16), Qt::AlignRight | Qt::AlignVCenter, value_text_(tick));
        }
        for (int column = 0; column < columns(); ++column) {
            double sum = 0;
            for (int part = 0; part < parts_.size(); ++part) {
                const double mean = means_[part][column];
                if (!std::isfinite(mean) || sum >= highest_)
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
    if (std::isfinite(crosshair_) && crosshair_ >= range_.lower && crosshair_ <= range_.upper) {
        const double x = all.left() + (crosshair_ - range_.lower) / range_.size() * all.width();
        painter.setPen(theme.color(Token::Text));
        painter.drawLine(QPointF(x, all.top()), QPointF(x, all.bottom()));
    }
    // The legend keeps its order, so that it does not jump; what has no room is in the tool tip.
    const QVector<double> values = shown();
    double sum = 0;
    for (const double value : values)
        sum += std::isfinite(value) ? value : 0;
    int x = kAxis;
    const QRect lane(0, height() - kLegend, width() - kStackRight, kLegend);
    painter.setFont(theme.text(11));
    for (int part = 0; part < parts_.size(); ++part) {
        if (!std::isfinite(values[part]) || !(sum > 0))
            continue;
        const QString words = QStringLiteral("%1 %2 · %3 %")
                                  .arg(parts_[part].name, value_text_(values[part]))
                                  .arg(100 * values[part] / sum, 0, 'f', 0);
        const int room = painter.fontMetrics().horizontalAdvance(words);
        if (x + kPartSwatch + 5 + room > lane.right())
            break;
        painter.fillRect(QRect(x, lane.center().y() - kPartSwatch / 2, kPartSwatch, kPartSwatch),
                         theme.runColor(parts_[part].color));
        x += kPartSwatch + 5;
        painter.setPen(theme.color(Token::TextSecondary));
        painter.drawText(QRect(x, lane.top(), room + 2, lane.height()), Qt::AlignVCenter | Qt::AlignLeft, words);
        x += room + 14;
    }
}

void StackChart::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    dataChanged();
}

void StackChart::mouseMoveEvent(QMouseEvent* event) {
    const int x = event->pos().x();
    if (x < area().left() || x > area().right())
        return;
    crosshair_ = range_.lower + static_cast<double>(x - area().left()) / area().width() * range_.size();
    setToolTip(legend().join(QLatin1Char('\n')));
    update();
    emit crosshairMoved(crosshair_);
}

void StackChart::leaveEvent(QEvent*) {
    crosshair_ = kNoNumber;
    update();
    emit crosshairMoved(kNoNumber);
}

}  // namespace trainyard::widgets
