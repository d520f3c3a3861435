// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/trend_column.h"

#include <QElapsedTimer>

namespace trainyard::widgets {

namespace {
constexpr std::size_t kStride = 32768;  // points between two looks at the clock
}

bool TrendColumn::follow(const Series& series, Trend trend, double weight, double milliseconds) {
    if (trend_ != trend) {
        average_ = {};
        median_ = {};
        best_ = {};
        trend_ = trend;
    }
    const int span = median_span(weight);
    QElapsedTimer clock;
    clock.start();
    while (true) {
        bool whole = false;
        switch (trend) {
            case Trend::Average:
                whole = average_.follow(series, weight, kStride);
                break;
            case Trend::Median:
                whole = median_.follow(series, span, kStride);
                break;
            case Trend::Lowest:
            case Trend::Highest:
                whole = best_.follow(series, trend == Trend::Lowest, kStride);
                break;
        }
        if (whole)
            return true;
        if (static_cast<double>(clock.nsecsElapsed()) * 1e-6 > milliseconds)
            return false;
    }
}

std::vector<QPointF> TrendColumn::reduced(const Series& series, const XScale& scale, const XRange& range,
                                          int columns) const {
    if (!trend_)
        return {};
    if (trend_ == Trend::Average)
        return widgets::reduced(smooth(series, average_), scale, range, columns);
    return widgets::reduced(raw(trend_ == Trend::Median ? median_.series() : best_.series()), scale, range, columns);
}

std::optional<double> TrendColumn::valueAt(const Series& series, std::size_t index) const {
    if (!trend_)
        return {};
    if (trend_ == Trend::Average)
        return index < average_.size() ? std::optional(average_.value(index)) : std::nullopt;
    if (trend_ == Trend::Median)
        return index < median_.series().size() ? std::optional(median_.series().value(index)) : std::nullopt;
    const Series& best = best_.series();
    const std::size_t skipped = best_.skipped();
    if (index < skipped || index - skipped >= best.size() || index >= series.size())
        return {};
    return best.value(index - skipped);
}

double TrendColumn::done(const Series& series) const {
    if (series.empty() || !trend_)
        return 1;
    const std::size_t covered = trend_ == Trend::Average  ? average_.size()
                                : trend_ == Trend::Median ? median_.series().size()
                                                          : best_.skipped() + best_.series().size();
    return static_cast<double>(covered) / static_cast<double>(series.size());
}

}  // namespace trainyard::widgets
