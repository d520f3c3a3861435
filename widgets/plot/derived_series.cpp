// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/derived_series.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard::widgets {

namespace {

constexpr int kLongestSpan = 401;

/// The finite values of a moving window, ascending.
class SortedWindow {
  public:
    void add(double value) {
        if (std::isfinite(value))
            values_.insert(std::lower_bound(values_.begin(), values_.end(), value), value);
    }
    void remove(double value) {
        if (std::isfinite(value))
            values_.erase(std::lower_bound(values_.begin(), values_.end(), value));
    }
    double median() const {
        const std::size_t half = values_.size() / 2;
        return values_.size() % 2 == 1 ? values_[half] : (values_[half - 1] + values_[half]) / 2;
    }

  private:
    std::vector<double> values_;
};

/// Returns the index after the last point with the same step as the point at `index`.
std::size_t after_step(const Series& series, std::size_t index) {
    const std::int64_t step = series.step(index);
    while (index < series.size() && series.step(index) == step)
        ++index;
    return index;
}

}  // namespace

int median_span(double weight) {
    if (!(weight > 0))
        return 1;
    const int span =
        static_cast<int>(std::min<double>(kLongestSpan, std::round(2 / (1 - std::min(weight, 0.9999)) - 1)));
    return span | 1;
}

bool MedianSeries::follow(const Series& source, int span, std::size_t most) {
    if (span != span_ || source.cuts() != cuts_ || source.size() < settled_) {
        out_.clear();
        settled_ = 0;
        span_ = span;
        cuts_ = source.cuts();
    }
    const std::size_t size = source.size();
    if (out_.size() == size)
        return true;
    const auto half = static_cast<std::size_t>(span / 2);
    // Medians within `half` of the old end change with the new points. Steps may repeat, so cut at the start of a step.
    std::size_t begin = std::min(settled_, out_.size());
    if (begin < out_.size()) {
        out_.dropFrom(out_.step(begin));
        begin = out_.size();
    }
    const std::size_t end = most < size - begin ? begin + most : size;
    const std::size_t low = begin > half ? begin - half : 0;
    std::vector<double> values;
    values.reserve(std::min(size, end + half) - low);
    source.forEach(low, std::min(size, end + half),
                   [&](std::size_t, const SeriesPoint& point) { values.push_back(point.value); });
    SortedWindow window;
    std::size_t left = low, right = low;  // of the window
    std::vector<SeriesPoint> points;
    points.reserve(end - begin);
    source.forEach(begin, end, [&](std::size_t index, const SeriesPoint& point) {
        // The window is symmetric, so that the ends are not biased towards the middle.
        const std::size_t reach = std::min({half, index, size - 1 - index});
        const std::size_t from = index - reach, to = index + reach + 1;
        for (; right < to; ++right)
            window.add(values[right - low]);
        for (; left < from; ++left)
            window.remove(values[left - low]);
        while (right > to)
            window.remove(values[--right - low]);
        points.push_back({point.step, point.wall_time, std::isfinite(point.value) ? window.median() : point.value});
    });
    out_.append(points);
    settled_ = out_.size() > half ? out_.size() - half : 0;
    if (end < size)
        settled_ = std::min(settled_, end);
    return end == size;
}

bool BestSeries::follow(const Series& source, bool lowest, std::size_t most) {
    if (lowest != lowest_ || source.cuts() != cuts_ || source.size() < seen_) {
        out_.clear();
        best_.reset();
        seen_ = 0;
        lowest_ = lowest;
        cuts_ = source.cuts();
    }
    const std::size_t end = most < source.size() - seen_ ? seen_ + most : source.size();
    std::vector<SeriesPoint> points;
    points.reserve(end - seen_);
    source.forEach(seen_, end, [&](std::size_t, const SeriesPoint& point) {
        if (std::isfinite(point.value) && (!best_ || (lowest ? point.value < *best_ : point.value > *best_)))
            best_ = point.value;
        if (best_)
            points.push_back({point.step, point.wall_time, *best_});
    });
    out_.append(points);
    seen_ = end;
    return end == source.size();
}

void DifferenceSeries::follow(const Series& a, const Series& b) {
    if (a.cuts() != cuts_a_ || b.cuts() != cuts_b_ || a.size() < at_a_ || b.size() < at_b_) {
        out_.clear();
        at_a_ = at_b_ = 0;
        cuts_a_ = a.cuts();
        cuts_b_ = b.cuts();
    }
    std::vector<SeriesPoint> points;
    while (at_a_ < a.size() && at_b_ < b.size()) {
        const std::int64_t step_a = a.step(at_a_), step_b = b.step(at_b_);
        if (step_a != step_b) {
            ++(step_a < step_b ? at_a_ : at_b_);
            continue;
        }
        const std::size_t end_a = after_step(a, at_a_), end_b = after_step(b, at_b_);
        points.push_back({step_a, a.wallTime(end_a - 1), a.value(end_a - 1) - b.value(end_b - 1)});
        at_a_ = end_a;
        at_b_ = end_b;
    }
    out_.append(points);
}

GroupSeries group_of(const std::vector<const Series*>& members) {
    GroupSeries group;
    std::vector<std::vector<SeriesPoint>> columns;
    for (const Series* member : members) {
        std::vector<SeriesPoint> points;
        points.reserve(member->size());
        member->forEach(0, member->size(), [&](std::size_t, const SeriesPoint& point) {
            if (!points.empty() && points.back().step == point.step)
                points.back() = point;
            else
                points.push_back(point);
        });
        if (!points.empty())
            columns.push_back(std::move(points));
    }
    std::vector<std::size_t> at(columns.size(), 0);
    std::vector<SeriesPoint> means, lows, highs;
    while (true) {
        // Continue at the latest of the next steps: no earlier step can be common to all unfinished curves.
        std::int64_t step = std::numeric_limits<std::int64_t>::min();
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (at[i] < columns[i].size())
                step = std::max(step, columns[i][at[i]].step);
        if (step == std::numeric_limits<std::int64_t>::min())
            break;
        int alive = 0, count = 0;
        double sum = 0, low = HUGE_VAL, high = -HUGE_VAL, time = 0;
        for (std::size_t i = 0; i < columns.size(); ++i) {
            while (at[i] < columns[i].size() && columns[i][at[i]].step < step)
                ++at[i];
            if (at[i] == columns[i].size())
                continue;
            ++alive;
            if (columns[i][at[i]].step != step)
                continue;
            const SeriesPoint& point = columns[i][at[i]];
            ++count;
            sum += point.value;
            low = std::min(low, point.value);
            high = std::max(high, point.value);
            time = std::max(time, point.wall_time);
        }
        if (alive == 0)
            break;
        if (count < alive)
            continue;  // a curve lacks this step: skip it
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (at[i] < columns[i].size())
                ++at[i];
        means.push_back({step, time, sum / count});
        lows.push_back({step, time, std::isfinite(sum) ? low : sum / count});
        highs.push_back({step, time, std::isfinite(sum) ? high : sum / count});
    }
    group.mean.append(means);
    group.lowest.append(lows);
    group.highest.append(highs);
    return group;
}

}  // namespace trainyard::widgets
