// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/histogram_view.h"

#include <algorithm>

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QPainterPath>

#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/axis_paint.h"
#include "widgets/plot/look.h"
#include "widgets/plot/number_text.h"

namespace trainyard::widgets {

namespace {
constexpr int kMostRidges = 60;
constexpr int kBins = 90;
const int &kRidgeLeft = live_px(14), &kRidgeRight = live_px(74);  // pixels; the steps are at the right
const int &kRidgeTop = live_px(26), &kRidgeBottom = live_px(26);
constexpr double kRise = 5;  // maximum height of a ridge, in distances between ridges
}  // namespace

HistogramView::HistogramView(const QString& accessibleName, QWidget* parent) : QWidget(parent) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void HistogramView::setHistograms(std::vector<Histogram> histograms, int color) {
    all_ = std::move(histograms);
    color_ = color;
    prepare();
}

void HistogramView::setUnit(XUnit unit, const XScale& scale) {
    scale_ = scale;
    scale_.unit = unit;
    update();
}

void HistogramView::prepare() {
    shown_.clear();
    bins_.clear();
    const std::size_t count = std::min<std::size_t>(all_.size(), kMostRidges);
    for (std::size_t i = 0; i < count; ++i)
        shown_.push_back(count == 1 ? 0 : i * (all_.size() - 1) / (count - 1));
    if (!histogram_range(all_, lower_, upper_)) {
        lower_ = 0;
        upper_ = 1;
    }
    highest_ = 0;
    for (std::size_t index : shown_) {
        bins_.push_back(rebinned(all_[index], lower_, upper_, kBins));
        highest_ = std::max(highest_, *std::max_element(bins_.back().begin(), bins_.back().end()));
    }
    chosen_ = std::min(chosen_, static_cast<int>(shown_.size()) - 1);
    setAccessibleDescription(all_.empty()
                                 ? tr("no histograms")
                                 : tr("%Ln histograms, values %1 to %2", nullptr, static_cast<int>(all_.size()))
                                       .arg(value_number(lower_), value_number(upper_)));
    update();
}

/// The base line of a ridge in pixels; the last ridge is at the bottom.
double HistogramView::baseOf(int ridge) const {
    const double bottom = height() - kRidgeBottom;
    if (shown_.size() < 2)
        return bottom;
    const double room =
        (height() - kRidgeTop - kRidgeBottom) * (1 - 1 / (1 + static_cast<double>(shown_.size()) / kRise));
    return bottom - room * static_cast<double>(static_cast<int>(shown_.size()) - 1 - ridge) /
                        static_cast<double>(shown_.size() - 1);
}

void HistogramView::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    const Look look = screen_look();
    painter.fillRect(rect(), look.color(Token::BgPanel));
    const double width = this->width() - kRidgeLeft - kRidgeRight, bottom = height() - kRidgeBottom;
    if (shown_.empty() || width < 10) {
        draw_text(painter, theme.text(12), look.color(Token::TextMuted), rect(), tr("No histograms yet"),
                  Qt::AlignCenter);
        return;
    }
    paint_axis(
        painter, AxisEdge::Bottom, QRectF(kRidgeLeft, kRidgeTop, width, bottom - kRidgeTop),
        number_ticks(lower_, upper_, false, std::max(2, static_cast<int>(width) / 84_px)),
        [&](double value) { return kRidgeLeft + (value - lower_) / (upper_ - lower_) * width; }, look);
    painter.setPen(QPen(look.color(Token::LineControl), 1));
    painter.drawLine(QPointF(kRidgeLeft, bottom + 0.5), QPointF(kRidgeLeft + width, bottom + 0.5));
    const double distance = shown_.size() > 1 ? baseOf(1) - baseOf(0) : 0;
    const double rise = shown_.size() < 2 ? height() - kRidgeTop - kRidgeBottom
                                          : std::min(baseOf(0) - kRidgeTop, std::max(distance * kRise, 36.0));
    const QColor color = look.run(color_), panel = look.color(Token::BgPanel);
    const auto count = static_cast<int>(shown_.size());
    for (int ridge = 0; ridge < count; ++ridge) {
        const std::vector<double>& bins = bins_[static_cast<std::size_t>(ridge)];
        const double base = baseOf(ridge);
        QPainterPath path(QPointF(kRidgeLeft, base));
        for (int bin = 0; bin < kBins; ++bin)
            path.lineTo(kRidgeLeft + (bin + 0.5) / kBins * width,
                        base - (highest_ > 0 ? bins[static_cast<std::size_t>(bin)] / highest_ : 0) * rise);
        path.lineTo(kRidgeLeft + width, base);
        // Older ridges are drawn farther back and paler.
        const double share = count > 1 ? 0.30 + 0.45 * ridge / (count - 1) : 0.6;
        const bool strong = ridge == chosen_;
        painter.setPen(QPen(strong ? look.color(Token::Text) : panel, strong ? 1.5 : 1));
        painter.setBrush(mixed(color, panel, share));
        painter.drawPath(path);
    }
    // Steps next to their base lines, as many as fit without overlap.
    painter.setFont(theme.mono(11));
    double last = HUGE_VAL;
    for (int ridge = count - 1; ridge >= 0; --ridge) {
        const double base = baseOf(ridge);
        if (last - base < 16 && ridge != chosen_)
            continue;
        const Histogram& at = all_[shown_[static_cast<std::size_t>(ridge)]];
        const double x = xOf(at);
        painter.setPen(look.color(ridge == chosen_ ? Token::Text : Token::TextMuted));
        painter.drawText(QRectF(kRidgeLeft + width + 6_px, base - 9_px, kRidgeRight - 8_px, 16_px),
                         Qt::AlignLeft | Qt::AlignAbsolute | Qt::AlignVCenter,
                         scale_.unit == XUnit::Time   ? axis_time(x, std::max(1.0, x))
                         : scale_.unit == XUnit::Step ? QLocale().toString(static_cast<qlonglong>(x))
                         : scale_.unit == XUnit::Wall ? axis_wall(x, 60)
                                                      : value_number(x, 3));
        last = base;
    }
    painter.setFont(theme.text(11));
    painter.setPen(look.color(Token::TextMuted));
    QString words = chosenWords();
    if (words.isEmpty() && all_.size() > shown_.size())
        words = tr("%1 of %2 histograms are drawn").arg(shown_.size()).arg(all_.size());
    painter.drawText(QRectF(kRidgeLeft, 4_px, this->width() - kRidgeLeft - 8_px, 18_px),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     elided_text(painter.fontMetrics(), words, Qt::ElideRight, this->width() - kRidgeLeft - 8_px));
    if (hasFocus())
        draw_ring(painter, rect(), 6);
}

QString HistogramView::chosenWords() const {
    if (chosen_ < 0 || chosen_ >= static_cast<int>(shown_.size()))
        return {};
    const Histogram& at = all_[shown_[static_cast<std::size_t>(chosen_)]];
    const double width = (upper_ - lower_) / kBins;
    const int bin = std::clamp(static_cast<int>((value_ - lower_) / width), 0, kBins - 1);
    return tr("%1 · %2 values from %3 to %4 · %5 in all")
        .arg(position_text(xOf(at), scale_.unit),
             value_number(bins_[static_cast<std::size_t>(chosen_)][static_cast<std::size_t>(bin)]),
             value_number(lower_ + bin * width), value_number(lower_ + (bin + 1) * width), value_number(at.total()));
}

void HistogramView::choose(int ridge, double value) {
    const bool other = ridge != chosen_;
    chosen_ = ridge;
    value_ = std::clamp(value, lower_, upper_);
    update();
    if (other && ridge >= 0)
        setAccessibleDescription(chosenWords());
}

void HistogramView::mouseMoveEvent(QMouseEvent* event) {
    if (shown_.empty())
        return;
    const double width = this->width() - kRidgeLeft - kRidgeRight;
    const double value = lower_ + (event->position().x() - kRidgeLeft) / std::max(1.0, width) * (upper_ - lower_);
    int nearest = static_cast<int>(shown_.size()) - 1;
    // The ridge at the pointer: the foremost one whose base line is at or below it.
    for (int ridge = 0; ridge < static_cast<int>(shown_.size()); ++ridge)
        if (baseOf(ridge) >= event->position().y()) {
            nearest = ridge;
            break;
        }
    choose(nearest, value);
}

void HistogramView::leaveEvent(QEvent*) {
    if (!hasFocus())
        choose(-1, value_);
}

void HistogramView::keyPressEvent(QKeyEvent* event) {
    const double bin = (upper_ - lower_) / kBins;
    const int last = static_cast<int>(shown_.size()) - 1;
    if (last < 0) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
        case Qt::Key_Up:
            choose(std::max(0, (chosen_ < 0 ? last + 1 : chosen_) - 1), value_);
            break;
        case Qt::Key_Down:
            choose(std::min(last, chosen_ + 1), value_);
            break;
        case Qt::Key_Left:
        case Qt::Key_Right:
            choose(std::max(0, chosen_), value_ + (event->key() == Qt::Key_Left ? -bin : bin));
            break;
        case Qt::Key_Home:
        case Qt::Key_End:
            choose(event->key() == Qt::Key_Home ? 0 : last, value_);
            break;
        default:
            QWidget::keyPressEvent(event);
    }
}

}  // namespace trainyard::widgets
