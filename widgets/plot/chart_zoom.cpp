// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/chart_zoom.h"

#include <algorithm>
#include <cmath>

#include "widgets/plot/curve_plottable.h"

namespace trainyard::widgets {

namespace {
constexpr int kClickSlack = 4;      // pixels a press may move and still be a click
constexpr int kPanSlack = 12;       // pixels upwards before a pan moves the vertical axis, too
constexpr double kWheelZoom = 0.8;  // per notch

/// The part of an axis between two shares of it.
XRange part_of(const XRange& range, bool log, double from, double to) {
    return {PlotFrame::valueAt(from, range, log), PlotFrame::valueAt(to, range, log)};
}

/// The remaining part of an axis after zooming about a share of it.
XRange zoomed(const XRange& range, bool log, double about, double factor) {
    return part_of(range, log, about - about * factor, about + (1 - about) * factor);
}

bool is_usable(const XRange& range, bool log) {
    return range.upper > range.lower && (!log || range.lower > 0);
}
}  // namespace

ChartZoom::ChartZoom(const CurvePlottable* plottable, ChartView& view, QObject* parent)
    : QObject(parent), plottable_(plottable), view_(view) {}

void ChartZoom::fit() {
    const bool was_zoomed = !following_, had_height = y_chosen_;
    if (was_zoomed || had_height)
        history_.leave(place(), false);
    following_ = true;
    y_chosen_ = false;
    if (was_zoomed)
        emit fitted();
    if (was_zoomed || had_height)
        emit changed();
}

void ChartZoom::reset() {
    fit();
    history_ = {};
}

void ChartZoom::setX(const XRange& range) {
    if (!is_usable(range, view_.log_x) || (!following_ && range == view_.x))
        return;
    following_ = false;
    y_chosen_ = false;
    view_.x = range;
    emit changed();
}

void ChartZoom::setRanges(const XRange& x, const XRange& y) {
    setX(x);
    if (is_usable(y, view_.log_y))
        chooseY(y);
}

void ChartZoom::chooseY(const XRange& range) {
    view_.y = range;
    y_chosen_ = true;
    emit changed();
}

void ChartZoom::setOutliersClipped(bool clipped) {
    if (std::exchange(clip_outliers_, clipped) == clipped)
        return;
    y_chosen_ = false;
    emit changed();
}

void ChartZoom::update(bool vertical) {
    if (following_) {
        const XRange all = extent();
        view_.x = {all.lower, PlotFrame::valueAt(1.02, all, view_.log_x)};
    }
    if (vertical && !y_chosen_)
        view_.y = fittedY(false);
    if (vertical && plottable_->hasRight())
        view_.right = fittedY(true);
}

XRange ChartZoom::extent() const {
    bool found = false;
    auto [lower, upper] = plottable_->getKeyRange(found, view_.log_x ? QCP::sdPositive : QCP::sdBoth);
    if (!found)
        return view_.log_x ? XRange{1, 100} : XRange{0, 100};
    if (view_.log_x)
        return {lower, upper > lower ? upper : lower * 2};
    if (lower <= 1 && lower >= 0 && view_.scale.unit == XUnit::Step)
        lower = 0;
    if (upper <= lower)
        upper = lower + 1;
    return {lower, upper};
}

XRange ChartZoom::fittedY(bool right) const {
    const bool log = right ? view_.log_right : view_.log_y;
    bool found = false;
    auto [lower, upper] = plottable_->valueRange(found, log ? QCP::sdPositive : QCP::sdBoth,
                                                 QCPRange(view_.x.lower, view_.x.upper), right);
    if (!found)
        return log ? XRange{1, 10} : XRange{0, 1};
    if (double low = 0, high = 0;
        clip_outliers_ && usual_range(plottable_->curves(), view_, low, high, right) && high > low) {
        lower = low;
        upper = high;
    }
    if (log) {
        const double pad = std::max(std::pow(upper / lower, 0.06), 1.005);
        return {lower / pad, upper * pad};
    }
    double pad = (upper - lower) * 0.08;
    if (!(pad > 0))
        pad = std::max(std::abs(upper) * 0.05, 1e-12);
    // If the values come near zero, the axis starts at zero: a margin of half a grid cell below zero would confuse.
    const bool on_zero = lower >= 0 && lower - pad < (upper - lower) * 0.15;
    return {on_zero ? 0 : lower - pad, upper + pad};
}

void ChartZoom::showX(const XRange& range) {
    const XRange all = extent();
    const bool log = view_.log_x;
    const double size = log ? std::log(range.upper / range.lower) : range.size();
    const double whole = log ? std::log(all.upper / all.lower) : all.size();
    if (size >= whole * 1.02) {
        fit();
        return;
    }
    const double smallest = log ? 1e-6 : std::max(whole * 1e-8, view_.scale.unit == XUnit::Step ? 2.0 : 0.0);
    if (!(size >= smallest))
        return;
    setX(range);
    emit rangeChanged(view_.x);
}

ZoomHistory::Place ChartZoom::place() const {
    return {view_.x, view_.y, following_, y_chosen_};
}

/// A place of before an axis became logarithmic may have a range that is not possible now: that one is fitted.
void ChartZoom::restore(const ZoomHistory::Place& place) {
    following_ = place.following || !is_usable(place.x, view_.log_x);
    y_chosen_ = place.y_chosen && is_usable(place.y, view_.log_y);
    if (!following_)
        view_.x = place.x;
    if (y_chosen_)
        view_.y = place.y;
    if (following_)
        emit fitted();
    else
        emit rangeChanged(view_.x);
    emit changed();
}

void ChartZoom::back() {
    if (ZoomHistory::Place to; history_.back(place(), to))
        restore(to);
}

void ChartZoom::forward() {
    if (ZoomHistory::Place to; history_.forward(place(), to))
        restore(to);
}

void ChartZoom::wheel(const QPointF& position, double notches, bool vertical) {
    const PlotFrame& frame = plottable_->frame();
    const double factor = std::pow(kWheelZoom, notches);
    if (!vertical) {
        history_.leave(place(), true);
        showX(zoomed(view_.x, view_.log_x, frame.shareOfX(frame.xAt(position.x())), factor));
        return;
    }
    const double at = PlotFrame::share(frame.yAt(position.y()), view_.y, view_.log_y);
    const XRange range = zoomed(view_.y, view_.log_y, at, factor);
    if (!(range.upper > range.lower) || !std::isfinite(range.size()) ||
        range.size() < 1e-12 * (std::abs(range.upper) + std::abs(range.lower)))
        return;
    history_.leave(place(), true);
    chooseY(range);
}

void ChartZoom::reveal(double x) {
    if (x >= view_.x.lower && x <= view_.x.upper)
        return;
    history_.leave(place(), false);
    const double middle = PlotFrame::share(x, view_.x, view_.log_x);
    showX(part_of(view_.x, view_.log_x, middle - 0.5, middle + 0.5));
}

void ChartZoom::startDrag(Drag drag, const QPoint& at) {
    drag_ = drag;
    drag_from_ = drag_to_ = at;
    drag_x_ = view_.x;
    drag_y_ = view_.y;
    if (drag == Drag::Pan)
        history_.leave(place(), false);
}

void ChartZoom::dragTo(const QPoint& to) {
    drag_to_ = to;
    if (drag_ == Drag::Pan)
        pan(to);
}

void ChartZoom::pan(const QPoint& to) {
    const QRect area = plottable_->frame().area;
    const double x = static_cast<double>(drag_from_.x() - to.x()) / std::max(1, area.width());
    const double y = static_cast<double>(to.y() - drag_from_.y()) / std::max(1, area.height());
    const bool chosen = y_chosen_ || std::abs(to.y() - drag_from_.y()) > kPanSlack;
    setX(part_of(drag_x_, view_.log_x, x, 1 + x));
    if (chosen)
        chooseY(part_of(drag_y_, view_.log_y, y, 1 + y));
    emit rangeChanged(view_.x);
}

bool ChartZoom::endDrag(const QPoint& at) {
    const Drag drag = std::exchange(drag_, Drag::None);
    if (drag == Drag::None || drag == Drag::Pan)
        return false;
    const QRect chosen = QRect(drag_from_, at).normalized();
    if (chosen.width() < kClickSlack)
        return true;
    const PlotFrame frame = plottable_->frame();
    history_.leave(place(), false);
    showX({frame.xAt(chosen.left()), frame.xAt(chosen.right())});
    if (drag == Drag::Box && chosen.height() >= kClickSlack)
        chooseY({frame.yAt(chosen.bottom()), frame.yAt(chosen.top())});
    return false;
}

QRect ChartZoom::selection() const {
    QRect chosen = QRect(drag_from_, drag_to_).normalized();
    if ((drag_ != Drag::Select && drag_ != Drag::Box) || chosen.width() < 2)
        return {};
    const QRect area = plottable_->frame().area;
    if (drag_ == Drag::Select) {
        chosen.setTop(area.top());
        chosen.setBottom(area.bottom());
    }
    return chosen & area;
}

}  // namespace trainyard::widgets
