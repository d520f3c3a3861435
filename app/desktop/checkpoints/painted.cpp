// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/painted.h"

#include <algorithm>
#include <cmath>

#include <QLocale>
#include <QMouseEvent>
#include <QPainterPath>

#include "desktop/checkpoints/tensor_model.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/axis_paint.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using inspect::kHistogramBins;

namespace {

const int &kDotsLeft = live_px(46), &kDotsBottom = live_px(18), &kDotsTop = live_px(8), &kDotsRight = live_px(12),
          &kRowLabel = live_px(62), &kHighestSquare = live_px(16);

void paintBins(QPainter& painter, const QRectF& area, const inspect::Statistics& figures, const QColor& color,
               bool logarithmic, std::size_t bars) {
    const std::size_t each = kHistogramBins / bars;
    std::vector<double> heights(bars, 0);
    for (std::size_t i = 0; i < bars; ++i) {
        for (std::size_t k = 0; k < each; ++k)
            heights[i] += figures.bins[i * each + k];
        if (logarithmic)
            heights[i] = std::log1p(heights[i]);
    }
    const double highest = *std::ranges::max_element(heights);
    if (highest <= 0)
        return;
    const double width = area.width() / static_cast<double>(bars);
    for (std::size_t i = 0; i < bars; ++i) {
        const double height = heights[i] / highest * area.height();
        if (height > 0)
            painter.fillRect(QRectF(area.left() + static_cast<double>(i) * width, area.bottom() - std::max(height, 1.0),
                                    std::max(width - 1, 1.0), std::max(height, 1.0)),
                             color);
    }
}

}  // namespace

MetricDots::MetricDots(QWidget* parent) : QWidget(parent) {
    setMinimumHeight(96_px);
}

void MetricDots::setDots(std::vector<Dot> dots, const QString& accessibleText) {
    dots_ = std::move(dots);
    std::erase_if(dots_, [](const Dot& dot) { return !std::isfinite(dot.value); });
    std::ranges::stable_sort(dots_, {}, &Dot::step);
    setAccessibleName(accessibleText);
    update();
}

QPointF MetricDots::placeOf(const Dot& dot) const {
    const auto [low, high] = std::ranges::minmax_element(dots_, {}, &Dot::value);
    const double steps = dots_.back().step - dots_.front().step, values = high->value - low->value;
    const double x = steps > 0 ? (dot.step - dots_.front().step) / steps : 0.5;
    // Curves are fp32, metrics of manifests are not: the same value twice is a level line.
    const double y = values > 1e-6 * std::abs(high->value) ? (dot.value - low->value) / values : 0.5;
    return {kDotsLeft + 4 + x * (width() - kDotsLeft - kDotsRight - 4),
            height() - kDotsBottom - 6_px - y * (height() - kDotsTop - kDotsBottom - 10_px)};
}

int MetricDots::itemAt(const QPoint& at) const {
    int found = -1;
    double nearest = 12;
    for (const Dot& dot : dots_)
        if (const QPointF away = placeOf(dot) - at; dot.item >= 0 && std::hypot(away.x(), away.y()) < nearest) {
            nearest = std::hypot(away.x(), away.y());
            found = dot.item;
        }
    return found;
}

void MetricDots::mousePressEvent(QMouseEvent* event) {
    if (const int item = dots_.empty() ? -1 : itemAt(event->pos()); item >= 0)
        emit itemClicked(item);
}

void MetricDots::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    if (dots_.empty()) {
        draw_text(painter, theme.text(12), Token::TextMuted, rect(), tr("No metric was recorded."), Qt::AlignCenter);
        return;
    }
    const auto [low, high] = std::ranges::minmax_element(dots_, {}, &Dot::value);
    const QRectF area(kDotsLeft, kDotsTop, width() - kDotsLeft - kDotsRight, height() - kDotsTop - kDotsBottom);
    const double kApart = 14.0_px;  // pixels between two labels
    const widgets::Look look = widgets::screen_look();
    std::vector<widgets::AxisTick> values{{low->value, widgets::value_number(low->value, 3)}};
    if (placeOf(*low).y() - placeOf(*high).y() >= kApart)
        values.push_back({high->value, widgets::value_number(high->value, 3)});
    widgets::paint_axis(
        painter, widgets::AxisEdge::Left, area, values,
        [&](double value) {
            return placeOf({dots_.front().step, value}).y();
        },
        look);
    const auto step_tick = [](const Dot& dot) {
        return widgets::AxisTick{dot.step, QLocale().toString(static_cast<qlonglong>(dot.step))};
    };
    std::vector<widgets::AxisTick> steps{step_tick(dots_.front())};
    if (placeOf(dots_.back()).x() - placeOf(dots_.front()).x() > 60)
        steps.push_back(step_tick(dots_.back()));
    widgets::paint_axis(
        painter, widgets::AxisEdge::Bottom, area, steps,
        [&](double step) {
            return placeOf({step, low->value}).x();
        },
        look);
    const QColor color = theme.runColor(4);
    QPainterPath path;
    for (const Dot& dot : dots_)
        path.elementCount() == 0 ? path.moveTo(placeOf(dot)) : path.lineTo(placeOf(dot));
    painter.setPen(QPen(color, 1.5));
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    for (const Dot& dot : dots_)
        if (dot.item >= 0) {
            painter.setBrush(dot.chosen ? theme.color(Token::Accent) : color);
            painter.drawEllipse(placeOf(dot), dot.chosen ? 5 : 3.5, dot.chosen ? 5 : 3.5);
        }
}

HistogramBars::HistogramBars(QWidget* parent) : QWidget(parent) {
    setMinimumHeight(110_px);
}

void HistogramBars::setFigures(const inspect::Statistics* figures, const inspect::Statistics* other) {
    known_ = figures != nullptr;
    other_known_ = other != nullptr;
    figures_ = known_ ? *figures : inspect::Statistics{};
    other_ = other_known_ ? *other : inspect::Statistics{};
    setAccessibleName(known_ ? tr("Histogram from %1 to %2")
                                   .arg(widgets::value_number(figures_.min), widgets::value_number(figures_.max))
                             : tr("No histogram yet"));
    update();
}

void HistogramBars::setLogarithmic(bool logarithmic) {
    logarithmic_ = logarithmic;
    update();
}

void HistogramBars::paintEvent(QPaintEvent*) {
    SmoothPainter painter(this);
    const Theme& theme = Theme::instance();
    painter.setFont(theme.mono(11));
    painter.setPen(theme.color(Token::TextMuted));
    if (!known_ || figures_.finite() == 0) {
        painter.setFont(theme.text(12));
        painter.drawText(rect(), Qt::AlignCenter, known_ ? tr("No finite element") : tr("Not read yet"));
        return;
    }
    const QRectF area(0, 4_px, width(), height() - 22_px);
    paintBins(painter, area, figures_, theme.runColor(1), logarithmic_, kHistogramBins);
    painter.setPen(theme.color(Token::TextMuted));
    painter.drawText(QRectF(0, height() - 16_px, width(), 16_px), Qt::AlignLeft,
                     widgets::value_number(figures_.min, 3));
    painter.drawText(QRectF(0, height() - 16_px, width(), 16_px), Qt::AlignRight,
                     widgets::value_number(figures_.max, 3));
    if (!other_known_ || other_.finite() == 0 || figures_.max <= figures_.min)
        return;
    const auto height_of = [&](std::uint32_t count) {
        return logarithmic_ ? std::log1p(count) : static_cast<double>(count);
    };
    const double highest = height_of(*std::ranges::max_element(other_.bins)), scale = figures_.max - figures_.min;
    if (highest <= 0)
        return;
    QPainterPath line;
    for (std::size_t i = 0; i < kHistogramBins; ++i) {
        const double value = other_.min + (static_cast<double>(i) + 0.5) / static_cast<double>(kHistogramBins) *
                                              (other_.max - other_.min);
        const QPointF place(area.left() + std::clamp((value - figures_.min) / scale, 0.0, 1.0) * area.width(),
                            area.bottom() - height_of(other_.bins[i]) / highest * area.height());
        i == 0 ? line.moveTo(place) : line.lineTo(place);
    }
    painter.setPen(QPen(theme.runColor(2), 1.5));
    painter.drawPath(line);
}

LayerGrid::LayerGrid(QWidget* parent) : QWidget(parent) {
    setMouseTracking(true);
}

QSize LayerGrid::sizeHint() const {
    return {180_px, static_cast<int>(rows_.size()) * kHighestSquare + 20_px};
}

void LayerGrid::setSquares(const QStringList& rows, int columns, std::vector<Square> squares) {
    rows_ = rows;
    columns_ = columns;
    squares_ = std::move(squares);
    setMinimumHeight(std::min<int>(sizeHint().height(), 190_px));
    setAccessibleName(tr("Change of %1 kinds of tensors in %2 layers").arg(rows_.size()).arg(columns_));
    updateGeometry();
    update();
}

void LayerGrid::setChosen(quint32 tensor) {
    chosen_ = tensor;
    update();
}

QRectF LayerGrid::areaOf(int row, int column) const {
    const double width = (QWidget::width() - kRowLabel - 2.0) / std::max(columns_, 1);
    const double height =
        std::min<double>(kHighestSquare, (QWidget::height() - 18.0) / std::max<int>(static_cast<int>(rows_.size()), 1));
    return {kRowLabel + column * width, row * height, std::max(width - 1, 1.0), std::max(height - 1, 1.0)};
}

const LayerGrid::Square* LayerGrid::squareAt(const QPointF& at) const {
    for (const Square& square : squares_)
        if (areaOf(square.row, square.column).contains(at))
            return &square;
    return nullptr;
}

void LayerGrid::mousePressEvent(QMouseEvent* event) {
    if (const Square* square = squareAt(event->position()))
        emit tensorClicked(square->tensor);
}

bool LayerGrid::event(QEvent* event) {
    const auto words = [this](const QPoint& at) {
        const Square* square = squareAt(at);
        return square == nullptr ? QString()
                                 : tr("layer %1, %2: %3 %")
                                       .arg(square->column)
                                       .arg(rows_.value(square->row))
                                       .arg(widgets::short_text(square->value * 100, 3));
    };
    return show_tip(event, this, words) || QWidget::event(event);
}

void LayerGrid::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    double highest = 0;
    for (const Square& square : squares_)
        if (std::isfinite(square.value))
            highest = std::max(highest, square.value);
    painter.setFont(theme.mono(11));
    painter.setPen(theme.color(Token::TextMuted));
    for (int row = 0; row < rows_.size(); ++row) {
        const QRectF area = areaOf(row, 0);
        painter.drawText(
            QRectF(0, area.top(), kRowLabel - 6_px, area.height()), Qt::AlignRight | Qt::AlignVCenter,
            widgets::elided_text(QFontMetrics(painter.font()), rows_[row], Qt::ElideMiddle, kRowLabel - 6));
    }
    const QColor hot = theme.runColor(2), cold = theme.color(Token::BgHover);
    for (const Square& square : squares_) {
        const double share = highest > 0 ? std::clamp(square.value / highest, 0.0, 1.0) : 0;
        painter.fillRect(areaOf(square.row, square.column), widgets::mixed(hot, cold, 0.1 + 0.9 * share));
        if (square.tensor == chosen_) {
            painter.setPen(QPen(theme.color(Token::Text), 2));
            painter.drawRect(areaOf(square.row, square.column));
        }
    }
    if (columns_ > 0) {
        painter.setPen(theme.color(Token::TextMuted));
        const double bottom = areaOf(static_cast<int>(rows_.size()) - 1, 0).bottom() + 2;
        painter.drawText(QRectF(kRowLabel, bottom, 40_px, 16_px), Qt::AlignLeft, QStringLiteral("0"));
        painter.drawText(QRectF(width() - 60_px, bottom, 58_px, 16_px), Qt::AlignRight, QString::number(columns_ - 1));
    }
}

SlicePicture::SlicePicture(QWidget* parent) : QWidget(parent) {
    setMinimumHeight(96_px);
}

void SlicePicture::setValues(std::vector<float> values, int columns) {
    values_ = std::move(values);
    columns_ = columns;
    setAccessibleName(tr("Picture of %Ln elements", nullptr, static_cast<int>(values_.size())));
    update();
}

void SlicePicture::paintEvent(QPaintEvent*) {
    if (values_.empty() || columns_ < 1)
        return;
    const Theme& theme = Theme::instance();
    double largest = 0;
    for (float value : values_)
        if (std::isfinite(value))
            largest = std::max(largest, static_cast<double>(std::abs(value)));
    const int rows = (static_cast<int>(values_.size()) + columns_ - 1) / columns_;
    QImage image(columns_, rows, QImage::Format_RGB32);
    image.fill(theme.color(Token::BgPanel));
    for (std::size_t i = 0; i < values_.size(); ++i) {
        const double value = static_cast<double>(values_[i]);
        const QColor color = !std::isfinite(value)
                                 ? theme.color(Token::Error)
                                 : widgets::mixed(theme.runColor(value < 0 ? 1 : 2), theme.color(Token::BgHover),
                                                  largest > 0 ? std::abs(value) / largest : 0);
        image.setPixelColor(static_cast<int>(i) % columns_, static_cast<int>(i) / columns_, color);
    }
    QPainter painter(this);
    painter.drawImage(rect(), image);
}

void HistogramDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    PlainDelegate::paint(painter, option, index);
    const auto* figures =
        static_cast<const inspect::Statistics*>(index.data(TensorModel::FiguresRole).value<const void*>());
    if (figures == nullptr || figures->finite() == 0)
        return;
    constexpr std::size_t kBarsOfCell = 16;
    paintBins(*painter, QRectF(option.rect).adjusted(6_px, 5_px, -6_px, -5_px), *figures, Theme::instance().runColor(1),
              false, kBarsOfCell);
}

}  // namespace trainyard::desktop
