// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/curve_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QPainter>
#include <QResizeEvent>

#include "widgets/local_text.h"
#include "widgets/plot/chart_overlay.h"
#include "widgets/plot/curve_plottable.h"
#include "widgets/plot/number_text.h"
#include "widgets/theme.h"
#include "widgets/timers.h"

namespace trainyard::widgets {

namespace {
constexpr int kSettle = 90;            // ms without movement before the exact picture is drawn
constexpr double kSlow = 8;            // ms: a picture that takes longer is moved instead of redrawn while dragging
constexpr std::size_t kCounted = 999;  // more are shown as "more than"
constexpr int kDescribed = 8;          // curves in the description for screen readers
}  // namespace

CurveChart::CurveChart(const QString& accessibleName, QWidget* parent)
    : QWidget(parent),
      canvas_(new PlotCanvas(this)),
      overlay_(new ChartOverlay(this)),
      plottable_(new CurvePlottable(canvas_, curves_, view_)),
      zoom_(new ChartZoom(plottable_, view_, this)),
      crosshair_(new ChartCrosshair(plottable_, view_, this)) {
    redraw_ = std::make_unique<Redraw>(overlay_, [this] { redraw(); });
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    act_after(settle_, kSettle, this, [this] {
        quick_redraw_ = false;
        redraw_->ask();
    });
    connect(zoom_, &ChartZoom::changed, this, &CurveChart::showView);
    connect(zoom_, &ChartZoom::rangeChanged, this, &CurveChart::rangeChanged);
    connect(zoom_, &ChartZoom::fitted, this, &CurveChart::fitted);
    connect(crosshair_, &ChartCrosshair::changed, overlay_, qOverload<>(&QWidget::update));
    connect(crosshair_, &ChartCrosshair::moved, this, &CurveChart::crosshairMoved);
    connect(crosshair_, &ChartCrosshair::pinned, this, &CurveChart::pinsChanged);
    connect(&Theme::instance(), &Theme::changed, this, [this] { redraw_->ask(); });
}

CurveChart::~CurveChart() = default;

void CurveChart::setCurves(const QVector<Curve>& curves) {
    curves_ = curves;
    hovered_ = -1;
    plottable_->picture().setCurves(curves);
    redraw_->ask();
    emit curvesShownChanged();
}

void CurveChart::setMarkers(const QVector<Marker>& markers) {
    markers_ = markers;
    overlay_->update();
}

void CurveChart::dataChanged() {
    redraw_->ask();
}

void CurveChart::setScale(const XScale& scale) {
    const bool other_unit = scale.unit != view_.scale.unit;
    view_.scale = scale;
    if (other_unit) {
        crosshair_->set(kNoNumber);
        crosshair_->setPins({});
        zoom_->reset();
    }
    redraw_->ask();
}

void CurveChart::setUnit(XUnit unit) {
    XScale scale = view_.scale;
    scale.unit = unit;
    setScale(scale);
}

void CurveChart::setLogX(bool log) {
    if (view_.log_x == log)
        return;
    view_.log_x = log;
    fit();
    showView();
}

void CurveChart::setLogY(bool log) {
    if (view_.log_y == log)
        return;
    view_.log_y = log;
    zoom_->fitY();
    redraw_->ask();
    emit logToggled(log);
    emit viewChanged();
}

void CurveChart::setLogRight(bool log) {
    if (std::exchange(view_.log_right, log) != log)
        redraw_->ask();
}

void CurveChart::showView() {
    redraw_->ask();
    emit viewChanged();
}

void CurveChart::setTrend(Trend trend) {
    if (std::exchange(view_.trend, trend) != trend)
        showView();
}

void CurveChart::setSmoothing(double weight) {
    weight = std::clamp(weight, 0.0, 0.999);
    if (weight > 0)
        remembered_smoothing_ = weight;
    if (view_.smoothing == weight)
        return;
    view_.smoothing = weight;
    redraw_->ask();
    emit smoothingChanged(weight);
    emit viewChanged();
}

void CurveChart::setBands(bool shown) {
    if (std::exchange(view_.bands, shown) != shown)
        showView();
}

void CurveChart::setDense(bool dense) {
    dense_ = dense;
    canvas_->setDense(dense);
    redraw_->ask();
}

void CurveChart::setCurveVisible(int curve, bool visible) {
    if (curve < 0 || curve >= curves_.size() || curves_[curve].visible == visible)
        return;
    curves_[curve].visible = visible;
    emit curvesShownChanged();
    showView();
}

void CurveChart::isolate(int curve) {
    if (curve < 0 || curve >= curves_.size())
        return;
    const bool alone = std::all_of(curves_.begin(), curves_.end(), [&](const Curve& other) {
        return other.visible == (&other == &std::as_const(curves_)[curve]);
    });
    for (int i = 0; i < curves_.size(); ++i)
        curves_[i].visible = alone || i == curve;
    emit curvesShownChanged();
    showView();
}

void CurveChart::setHoveredCurve(int curve) {
    if (hovered_ == curve)
        return;
    hovered_ = curve;
    overlay_->update();
    emit hoveredCurveChanged(curve);
}

void CurveChart::fit() {
    zoom_->fit();
    redraw_->ask();
}

void CurveChart::flush() {
    settle_.stop();
    quick_redraw_ = false;
    if (redraw_->isDue())
        redraw_->now();
}

void CurveChart::startQuickRedraw() {
    if (plottable_->picture().milliseconds() < kSlow)
        return;
    quick_redraw_ = true;
    redraw_->expectQuick();
    settle_.start();
}

void CurveChart::redraw() {
    if (width() < 2 || height() < 2)
        return;
    zoom_->update(!quick_redraw_);  // the height does not change while the old picture is moved
    canvas_->setLook(screen_look());
    canvas_->setView(view_, plottable_->hasRight());
    if (!quick_redraw_ && !plottable_->picture().follow(curves_, view_))
        redraw_->ask();
    plottable_->replot(size(), devicePixelRatioF(), quick_redraw_);
    update();
    if (!quick_redraw_) {
        makeRemarks();
        describe();
    }
    overlay_->update();
    emit redrawn();
}

void CurveChart::makeRemarks() {
    remarks_.clear();
    if (const double done = plottable_->picture().trendsDone(curves_, view_); done < 1)
        remarks_ << tr("smoothing, %1 % done").arg(static_cast<int>(done * 100));
    const bool clips = zoom_->areOutliersClipped() && !zoom_->isYChosen();
    if (!clips && !view_.log_y && !view_.log_x && !view_.log_right)
        return;
    std::size_t above = 0, below = 0, not_positive = 0, before = 0;
    for (const Curve& curve : curves_) {
        if (!curve.visible || curve.series->empty())
            continue;
        const Series& series = *curve.series;
        const XScale scale = scale_of(curve, view_);
        const std::size_t first = series.lowerBound(view_.x.lower, scale);
        const std::size_t last = series.lowerBound(std::nextafter(view_.x.upper, HUGE_VAL), scale);
        // The limits of the visible range, not of the chosen one: points in the margin are visible.
        const XRange& y = y_of(curve, view_);
        if (clips && above <= kCounted)
            above += count_above(series, first, last, y.upper, kCounted + 1 - above);
        if (clips && below <= kCounted)
            below += count_below(series, first, last, y.lower, kCounted + 1 - below);
        if (is_log(curve, view_) && not_positive <= kCounted)
            not_positive += count_below(series, first, last, std::numeric_limits<double>::denorm_min(),
                                        kCounted + 1 - not_positive);
        if (view_.log_x)
            before += series.lowerBound(std::numeric_limits<double>::min(), scale);
    }
    if (view_.log_y || view_.log_right)
        below -= std::min(below, not_positive);
    const auto remark = [this](std::size_t count, const char* words) {
        const QString sentence = tr(words, nullptr, static_cast<int>(std::min(count, kCounted)));
        if (count > 0)
            remarks_ << (count > kCounted ? tr("more than %1").arg(sentence) : sentence);
    };
    remark(above, QT_TR_N_NOOP("%Ln points above"));
    remark(below, QT_TR_N_NOOP("%Ln points below"));
    remark(not_positive, QT_TR_N_NOOP("%Ln values not above zero are not on the log axis"));
    remark(before, QT_TR_N_NOOP("%Ln points at or before 0 are not on the log axis"));
}

void CurveChart::describe() {
    QStringList words;
    int left = 0;
    for (const Curve& curve : curves_) {
        if (curve.series->empty() || !curve.visible)
            continue;
        if (words.size() == kDescribed) {
            ++left;
            continue;
        }
        words << tr("%1 %2").arg(curve.name, value_number(curve.series->value(curve.series->size() - 1)));
    }
    if (left > 0)
        words << tr("and %1 more curves").arg(left);
    if (!words.isEmpty())
        words << tr("from %1 to %2")
                     .arg(position_text(view_.x.lower, view_.scale.unit),
                          position_text(view_.x.upper, view_.scale.unit))
              << tr("values %1 to %2").arg(value_number(view_.y.lower), value_number(view_.y.upper));
    setAccessibleDescription(list_text(words + remarks_));
}

const PlotFrame& CurveChart::frame() const {
    return canvas_->frame();
}

void CurveChart::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const QImage& image = plottable_->picture().image();
    if (image.deviceIndependentSize() != QSizeF(size()))
        painter.fillRect(event->rect(), screen_look().color(Token::BgPanel));
    painter.drawImage(QPoint(0, 0), image);
}

QSize CurveChart::paperSize() const {
    const int across = std::max(width(), 240);
    return {across, std::max(height(), 120) + PlotCanvas::headHeight(across, curves_)};
}

void CurveChart::paintOn(QPaintDevice& device, const QSize& size, const Look& look, bool lines) {
    flush();
    QCPPainter painter(&device);
    if (lines)
        painter.setMode(QCPPainter::pmVectorized);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(0, 0), size), look.color(Token::BgPanel));
    canvas_->paintOn(painter, size, accessibleName(), curves_, look, [&] { overlay_->paintKept(painter, look); });
}

void CurveChart::resizeEvent(QResizeEvent*) {
    canvas_->setGeometry(rect());
    overlay_->setGeometry(rect());
    redraw_->ask();
}

}  // namespace trainyard::widgets
