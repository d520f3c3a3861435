#include "widgets/plot/curve_chart.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include "widgets/plot/chart_overlay.h"
#include "widgets/plot/number_text.h"
#include "widgets/plot/plot_canvas.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
constexpr int kRedrawInterval = 33;  // ms
constexpr int kClickSlack = 4;       // pixels a press may move and still be a click
constexpr int kBoxHeight = 24;       // a drag at least so high chooses the vertical range too
constexpr double kWheelZoom = 0.8;   // per notch
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
}  // namespace

CurveChart::CurveChart(const QString& accessibleName, QWidget* parent)
    : QWidget(parent), canvas_(new PlotCanvas(this)), overlay_(new ChartOverlay(this)) {
    setAccessibleName(accessibleName);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    timer_.setSingleShot(true);
    timer_.setInterval(kRedrawInterval);
    connect(&timer_, &QTimer::timeout, this, &CurveChart::redraw);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        canvas_->applyTheme();
        schedule();
    });
}

CurveChart::~CurveChart() = default;

void CurveChart::setCurves(const QVector<Curve>& curves) {
    curves_ = curves;
    canvas_->setCurves(curves);
    schedule();
}

void CurveChart::setMarkers(const QVector<Marker>& markers) {
    markers_ = markers;
    schedule();
}

void CurveChart::dataChanged() {
    schedule();
}

void CurveChart::setScale(const XScale& scale) {
    const bool other_unit = scale.unit != view_.scale.unit;
    view_.scale = scale;
    if (other_unit) {
        view_.crosshair = kNone;
        fit();
    }
    schedule();
}

void CurveChart::setLogY(bool log) {
    if (view_.log_y == log)
        return;
    view_.log_y = log;
    y_chosen_ = false;
    schedule();
    emit logToggled(log);
}

void CurveChart::setSmoothing(double weight) {
    weight = std::clamp(weight, 0.0, 0.999);
    if (weight > 0)
        remembered_smoothing_ = weight;
    view_.smoothing = weight;
    schedule();
}

void CurveChart::setDense(bool dense) {
    dense_ = dense;
    canvas_->setDense(dense);
    schedule();
}

void CurveChart::fit() {
    const bool was_zoomed = !following_;
    following_ = true;
    y_chosen_ = false;
    schedule();
    if (was_zoomed)
        emit fitted();
}

void CurveChart::setXRange(const XRange& range) {
    if (!(range.upper > range.lower) || (!following_ && range == view_.x))
        return;
    following_ = false;
    y_chosen_ = false;
    view_.x = range;
    schedule();
}

void CurveChart::showRange(const XRange& range) {
    const XRange all = extent();
    if (range.size() >= all.size() * 1.02) {
        fit();
        return;
    }
    const double smallest = std::max(all.size() * 1e-7, view_.scale.unit == XUnit::Step ? 2.0 : 1e-3);
    if (range.size() < smallest)
        return;
    setXRange(range);
    emit rangeChanged(view_.x);
}

void CurveChart::setCrosshair(double x) {
    if (x == view_.crosshair || (std::isnan(x) && std::isnan(view_.crosshair)))
        return;
    view_.crosshair = x;
    overlay_->update();
}

void CurveChart::moveCrosshair(double x) {
    setCrosshair(x);
    emit crosshairMoved(x);
}

XRange CurveChart::extent() const {
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (const Curve& curve : curves_) {
        if (curve.series->empty())
            continue;
        lower = std::min(lower, curve.series->x(0, view_.scale));
        upper = std::max(upper, curve.series->x(curve.series->size() - 1, view_.scale));
    }
    if (lower > upper)
        return {0, 100};
    if (lower <= 1 && view_.scale.unit == XUnit::Step)
        lower = 0;
    if (upper <= lower)
        upper = lower + 1;
    return {lower, upper};
}

void CurveChart::fitX() {
    const XRange all = extent();
    view_.x = {all.lower, all.upper + all.size() * 0.02};
}

void CurveChart::fitY() {
    double lower = HUGE_VAL, upper = -HUGE_VAL;
    for (const Curve& curve : curves_) {
        double low = 0, high = 0;
        if (value_range(raw(*curve.series), view_.scale, view_.x, view_.log_y, low, high)) {
            lower = std::min(lower, low);
            upper = std::max(upper, high);
        }
    }
    if (lower > upper) {
        view_.y = view_.log_y ? XRange{1, 10} : XRange{0, 1};
        return;
    }
    if (view_.log_y) {
        const double pad = std::max(std::pow(upper / lower, 0.06), 1.005);
        view_.y = {lower / pad, upper * pad};
        return;
    }
    double pad = (upper - lower) * 0.08;
    if (!(pad > 0))
        pad = std::max(std::abs(upper) * 0.05, 1e-12);
    // A curve that comes near zero stands on zero: half a grid cell below it would only confuse.
    const bool on_zero = lower >= 0 && lower - pad < (upper - lower) * 0.15;
    view_.y = {on_zero ? 0 : lower - pad, upper + pad};
}

void CurveChart::schedule() {
    dirty_ = true;
    if (isVisible() && !timer_.isActive())
        timer_.start();
}

void CurveChart::flush() {
    if (dirty_)
        redraw();
}

void CurveChart::redraw() {
    if (width() < 2 || height() < 2)
        return;
    dirty_ = false;
    timer_.stop();
    if (following_)
        fitX();
    if (!y_chosen_)
        fitY();
    canvas_->draw(view_);
    overlay_->update();
    ++redraws_;
    describe();
    emit redrawn();
}

QString CurveChart::valueText(double value) const {
    return value_text_ ? value_text_(value) : value_number(value);
}

void CurveChart::describe() {
    QStringList words;
    for (const Curve& curve : curves_)
        if (!curve.series->empty())
            words << curve.name + QLatin1Char(' ') + valueText(curve.series->value(curve.series->size() - 1));
    setAccessibleDescription(words.join(QStringLiteral(", ")));
}

double CurveChart::valueAtCrosshair(int curve) const {
    const Series& series = *curves_[curve].series;
    if (series.empty())
        return kNone;
    if (std::isnan(view_.crosshair))
        return series.value(series.size() - 1);
    return series.value(series.nearest(view_.crosshair, view_.scale));
}

QVector<CurveChart::Row> CurveChart::rowsAtCrosshair() const {
    QVector<Row> rows;
    if (std::isnan(view_.crosshair))
        return rows;
    const double pixel = view_.x.size() / std::max(1, canvas_->plotArea().width());
    for (int i = 0; i < curves_.size(); ++i) {
        const Curve& curve = curves_[i];
        const Series& series = *curve.series;
        if (series.empty())
            continue;
        const std::size_t at = series.nearest(view_.crosshair, view_.scale);
        const bool smooths = curve.noisy && view_.smoothing > 0;
        if (smooths && at < canvas_->smoothedOf(i).values().size()) {
            const double value = canvas_->smoothedOf(i).values()[at];
            rows.append({curve.color, tr("%1 · smoothed").arg(curve.name), valueText(value), value});
        }
        const std::size_t first = series.lowerBound(view_.crosshair - 1.5 * pixel, view_.scale);
        const std::size_t last = series.lowerBound(view_.crosshair + 1.5 * pixel, view_.scale);
        const Extremes found = series.extremes(first, last);
        if (smooths && last > first + 1 && found.found)
            rows.append(
                {curve.color, tr("%1 · raw min – max").arg(curve.name),
                 tr("%1 – %2").arg(valueText(series.value(found.lowest)), valueText(series.value(found.highest))),
                 kNone});
        else
            rows.append({curve.color, smooths ? tr("%1 · raw").arg(curve.name) : curve.name,
                         valueText(series.value(at)), smooths ? kNone : series.value(at)});
    }
    return rows;
}

void CurveChart::resizeEvent(QResizeEvent*) {
    canvas_->setGeometry(rect());
    overlay_->setGeometry(rect());
    schedule();
}

void CurveChart::showEvent(QShowEvent*) {
    if (dirty_)
        timer_.start(0);
    timer_.setInterval(kRedrawInterval);
}

void CurveChart::wheelEvent(QWheelEvent* event) {
    const double notches = event->angleDelta().y() / 120.0;
    if (notches == 0) {
        event->ignore();
        return;
    }
    const double at = canvas_->xAt(event->position().x());
    const double factor = std::pow(kWheelZoom, notches);
    showRange({at - (at - view_.x.lower) * factor, at + (view_.x.upper - at) * factor});
    event->accept();
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    const bool pans = event->button() == Qt::MiddleButton ||
                      (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (!pans && event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    drag_ = pans ? Drag::Pan : Drag::Select;
    drag_from_ = drag_to_ = event->pos();
    drag_range_ = view_.x;
}

void CurveChart::mouseMoveEvent(QMouseEvent* event) {
    drag_to_ = event->pos();
    if (drag_ == Drag::Pan) {
        const double per_pixel = drag_range_.size() / std::max(1, canvas_->plotArea().width());
        const double shift = (drag_from_.x() - drag_to_.x()) * per_pixel;
        setXRange({drag_range_.lower + shift, drag_range_.upper + shift});
        emit rangeChanged(view_.x);
        return;
    }
    if (drag_ == Drag::Select)
        overlay_->update();
    const QRect area = canvas_->plotArea();
    moveCrosshair(area.contains(event->pos()) ? canvas_->xAt(event->pos().x()) : kNone);
}

void CurveChart::mouseReleaseEvent(QMouseEvent* event) {
    const Drag drag = drag_;
    drag_ = Drag::None;
    overlay_->update();
    if (drag != Drag::Select)
        return;
    const QRect chosen = QRect(drag_from_, event->pos()).normalized();
    if (chosen.width() < kClickSlack) {
        if (const Marker* marker = overlay_->markerAt(event->pos()))
            emit markerActivated(marker->id);
        return;
    }
    showRange({canvas_->xAt(chosen.left()), canvas_->xAt(chosen.right())});
    if (chosen.height() >= kBoxHeight && !following_) {
        view_.y = {canvas_->yAt(chosen.bottom()), canvas_->yAt(chosen.top())};
        y_chosen_ = true;
        schedule();
    }
}

void CurveChart::mouseDoubleClickEvent(QMouseEvent*) {
    drag_ = Drag::None;
    fit();
}

void CurveChart::leaveEvent(QEvent*) {
    moveCrosshair(kNone);
}

void CurveChart::stepCrosshair(int direction) {
    if (curves_.isEmpty() || curves_.front().series->empty())
        return;
    const Series& series = *curves_.front().series;
    if (std::isnan(view_.crosshair)) {
        moveCrosshair(series.x(direction < 0 ? series.size() - 1 : 0, view_.scale));
        return;
    }
    // One point, or one pixel where points stand closer.
    const double pixel = view_.x.size() / std::max(1, canvas_->plotArea().width());
    const std::size_t now = series.nearest(view_.crosshair, view_.scale);
    const std::size_t next = direction < 0 ? (now > 0 ? now - 1 : 0) : std::min(now + 1, series.size() - 1);
    const double near = series.x(next, view_.scale);
    const double far = series.x(series.nearest(view_.crosshair + direction * pixel, view_.scale), view_.scale);
    moveCrosshair(direction < 0 ? std::min(near, far) : std::max(near, far));
}

void CurveChart::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_F:
            if (event->modifiers() != Qt::NoModifier)
                break;
            fit();
            return;
        case Qt::Key_L:
            if (event->modifiers() != Qt::NoModifier)
                break;
            setLogY(!view_.log_y);
            return;
        case Qt::Key_S:
            if (event->modifiers() != Qt::NoModifier)
                break;
            emit smoothingToggled(view_.smoothing == 0);
            setSmoothing(view_.smoothing > 0 ? 0 : remembered_smoothing_);
            return;
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (event->modifiers() != Qt::NoModifier)
                break;
            stepCrosshair(event->key() == Qt::Key_Left ? -1 : 1);
            return;
        case Qt::Key_Escape:
            if (std::isnan(view_.crosshair))
                break;
            moveCrosshair(kNone);
            return;
        default:
            break;
    }
    QWidget::keyPressEvent(event);
}

void CurveChart::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    overlay_->update();
}

void CurveChart::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    overlay_->update();
}

bool CurveChart::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const QString words = overlay_->markerWords(help->pos());
        if (words.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), words, this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace trainyard::widgets
