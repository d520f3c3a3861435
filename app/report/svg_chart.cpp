// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/svg_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/text.h"
#include "report/html.h"
#include "widgets/plot/column_reduction.h"
#include "widgets/plot/tick_marks.h"

namespace trainyard::report {

using widgets::Series;
using widgets::SmoothedColumn;
using widgets::XRange;
using widgets::XUnit;

namespace {

constexpr int kWidth = 640, kHeight = 300;  // units of the picture
constexpr int kLeft = 56, kTop = 8, kBottom = 24, kRight = 12, kRightWithNumbers = 56;
constexpr int kTicksX = 6, kTicksY = 5;
constexpr const char* kDashes[] = {"", "7 4", "2 3", "7 3 2 3"};

/// An axis of the picture.
struct Axis {
    XRange range;
    bool log = false;
    double from = 0, to = 1;  ///< in the picture

    double place(double value) const {
        const double share = log ? std::log(value / range.lower) / std::log(range.upper / range.lower)
                                 : (value - range.lower) / range.size();
        return from + share * (to - from);
    }
    std::vector<double> ticks(int wanted, XUnit unit) const {
        const widgets::TickMarks marks =
            log ? widgets::log_ticks(range.lower, range.upper, wanted)
            : unit == XUnit::Time || unit == XUnit::Wall
                ? widgets::time_ticks(range.lower, range.upper, wanted)
                : widgets::linear_ticks(range.lower, range.upper, wanted, unit == XUnit::Step);
        return marks.at;
    }
};

std::string tick_text(double value, XUnit unit) {
    if (unit == XUnit::Time)
        return text::duration(value);
    if (unit == XUnit::Wall)
        return fmt::format("{:%m-%d %H:%M}", fmt::gmtime(static_cast<std::time_t>(value)));
    return number_text(value, 4);
}

void widen(XRange& range, double lower, double upper) {
    range.lower = std::min(range.lower, lower);
    range.upper = std::max(range.upper, upper);
}

bool is_right_with_points(const SvgCurve& curve) {
    return curve.right && !curve.series->empty();
}

/// Begins a stretch after each gap, and after values that a logarithmic axis does not have.
class Path {
  public:
    Path(const Axis& x, const Axis& y) : x_(x), y_(y) {}
    void add(double x, double y) {
        const double at_x = x_.place(x), at_y = y_.place(y);
        if (!std::isfinite(at_x) || !std::isfinite(at_y)) {
            open_ = false;
            return;
        }
        fmt::format_to(std::back_inserter(data_), "{}{:.1f} {:.1f}", open_ ? 'L' : 'M', at_x,
                       std::clamp(at_y, -1000.0, 2000.0));
        count_ = open_ ? count_ + 1 : 1;
        open_ = true;
        // A stretch of one point becomes a dot.
        if (count_ == 1)
            data_ += "h0";
    }
    const std::string& data() const { return data_; }

  private:
    const Axis& x_;
    const Axis& y_;
    std::string data_;
    bool open_ = false;
    std::size_t count_ = 0;
};

}  // namespace

std::string number_text(double value, int digits) {
    const double size = std::abs(value);
    if (!std::isfinite(value))
        return fmt::format("{}", value);
    for (const auto& [factor, letter] : std::array<std::pair<double, char>, 3>{{{1e9, 'G'}, {1e6, 'M'}, {1e4, 'k'}}})
        if (size >= factor && size < 1e13)
            return fmt::format("{:.{}g} {}", value / (letter == 'k' ? 1e3 : factor), digits, letter);
    return fmt::format("{:.{}g}", value == 0 ? 0.0 : value, digits);  // no minus before zero
}

std::string svg_of(const SvgChart& chart) {
    std::vector<const SvgCurve*> shown;
    for (const SvgCurve& curve : chart.curves)
        if (!curve.series->empty())
            shown.push_back(&curve);
    if (shown.empty())
        return {};
    const bool right = std::ranges::any_of(chart.curves, is_right_with_points);
    const XUnit unit = shown.front()->scale.unit;
    Axis x{
        {HUGE_VAL, -HUGE_VAL}, chart.log_x, kLeft, static_cast<double>(kWidth - (right ? kRightWithNumbers : kRight))};
    for (const SvgCurve* curve : shown) {
        const Series& series = *curve->series;
        const std::size_t first = chart.log_x ? series.lowerBound(std::numeric_limits<double>::min(), curve->scale) : 0;
        if (first < series.size())
            widen(x.range, series.x(first, curve->scale), series.x(series.size() - 1, curve->scale));
    }
    if (!(x.range.upper >= x.range.lower))
        return {};
    if (!(x.range.upper > x.range.lower))
        x.range.upper = chart.log_x ? x.range.lower * 2 : x.range.lower + 1;
    const auto axis_y = [&](bool is_right) {
        Axis y{{HUGE_VAL, -HUGE_VAL}, is_right ? chart.log_right : chart.log_y, kHeight - kBottom, kTop};
        for (const SvgCurve* curve : shown)
            if (double low = 0, high = 0;
                curve->right == is_right &&
                widgets::value_range(widgets::raw(*curve->series), curve->scale, x.range, y.log, low, high))
                widen(y.range, low, high);
        if (!(y.range.upper >= y.range.lower)) {
            y.range = y.log ? XRange{1, 10} : XRange{0, 1};
        } else if (y.log) {
            const double pad = std::max(std::pow(y.range.upper / y.range.lower, 0.05), 1.005);
            y.range = {y.range.lower / pad, y.range.upper * pad};
        } else {
            const double size = y.range.size();
            const double pad = size > 0 ? 0.06 * size : std::max(std::abs(y.range.upper) * 0.05, 1e-12);
            y.range = {y.range.lower - pad, y.range.upper + pad};
        }
        return y;
    };
    const Axis left_y = axis_y(false), right_y = axis_y(true);

    std::string out = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n", kWidth, kHeight,
                                  escaped(chart.name));
    const auto write = [&](double at_x, double at_y, const char* anchor, const std::string& words) {
        fmt::format_to(std::back_inserter(out), "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", at_x,
                       at_y, anchor, escaped(words));
    };
    const bool has_left = std::ranges::any_of(shown, [](const SvgCurve* curve) { return !curve->right; });
    for (const double value : (has_left ? left_y : right_y).ticks(kTicksY, XUnit::Tokens)) {
        const double at = (has_left ? left_y : right_y).place(value);
        fmt::format_to(std::back_inserter(out), "<path class=\"g\" d=\"M{} {:.1f}H{:.1f}\"/>\n", kLeft, at, x.to);
        if (has_left)
            write(kLeft - 6, at + 4, "end", number_text(value, 4));
    }
    for (const double value : right ? right_y.ticks(kTicksY, XUnit::Tokens) : std::vector<double>())
        write(x.to + 6, right_y.place(value) + 4, "start", number_text(value, 4));
    for (const double value : x.ticks(kTicksX, unit))
        write(x.place(value), kHeight - 6, "middle", tick_text(value, unit));
    const int columns = static_cast<int>(x.to - x.from);
    for (const SvgCurve* curve : shown) {
        const Axis& y = curve->right ? right_y : left_y;
        const int turn = (curve->color - 1) / 10 + curve->variant;
        const std::string dash =
            kDashes[turn % 4][0] == 0 ? "" : fmt::format(" stroke-dasharray=\"{}\"", kDashes[turn % 4]);
        const auto draw = [&](const widgets::Reducible& data, const char* css_class, double width, bool dashed) {
            Path path(x, y);
            widgets::reduce(data, curve->scale, x.range, columns, [&](double px, double py) { path.add(px, py); });
            fmt::format_to(std::back_inserter(out),
                           "<path class=\"c{}{}\" stroke-width=\"{}\"{} d=\"{}\"><title>{}</title></path>\n",
                           (std::max(1, curve->color) - 1) % 10, css_class, width, dashed ? dash : std::string(),
                           path.data(), escaped(curve->name));
        };
        if (chart.smoothing > 0 && curve->series->size() > 2) {
            SmoothedColumn column;
            column.follow(*curve->series, chart.smoothing);
            draw(widgets::raw(*curve->series), " raw", 1, false);
            draw(widgets::smooth(*curve->series, column), "", 1.6, true);
        } else {
            draw(widgets::raw(*curve->series), "", 1.3, true);
        }
    }
    return out + "</svg>\n";
}

}  // namespace trainyard::report
