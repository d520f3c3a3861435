// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/panel_lines.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "base/text.h"

namespace trainyard::report {

using widgets::Series;
using widgets::SeriesPoint;
using widgets::XScale;
using widgets::XUnit;

namespace {

constexpr int kBins = 30;
constexpr std::size_t kShownOfFormula = 60;  // bytes of a formula in a message

/// One curve over the values of another at the same steps, in the order of those values.
class PairedSeries {
  public:
    void follow(const Series& y, const Series& x) {
        if (y.cuts() != cuts_y_ || x.cuts() != cuts_x_ || y.size() < at_y_ || x.size() < at_x_) {
            out_.clear();
            points_.clear();
            at_y_ = at_x_ = 0;
            cuts_y_ = y.cuts();
            cuts_x_ = x.cuts();
        }
        const std::size_t before = points_.size();
        while (at_y_ < y.size() && at_x_ < x.size()) {
            const std::int64_t step_y = y.step(at_y_), step_x = x.step(at_x_);
            if (step_y != step_x) {
                ++(step_y < step_x ? at_y_ : at_x_);
                continue;
            }
            if (const double place = x.value(at_x_); std::isfinite(place))
                points_.emplace_back(place, y.value(at_y_));
            ++at_y_, ++at_x_;
        }
        std::size_t first = before;
        const auto earlier = [](const auto& one, const auto& other) { return one.first < other.first; };
        if (!std::is_sorted(points_.begin() + static_cast<std::ptrdiff_t>(before > 0 ? before - 1 : 0), points_.end(),
                            earlier)) {
            std::ranges::stable_sort(points_, earlier);
            out_.clear();
            first = 0;
        }
        for (std::size_t i = first; i < points_.size(); ++i)
            out_.append(SeriesPoint{static_cast<std::int64_t>(i), points_[i].first, points_[i].second});
    }
    const Series& series() const { return out_; }

  private:
    Series out_;
    std::vector<std::pair<double, double>> points_;
    std::size_t at_y_ = 0, at_x_ = 0;
    int cuts_y_ = -1, cuts_x_ = -1;
};

Bins bins_of(const Series& series) {
    const widgets::Extremes found = series.extremes(0, series.size());
    if (!found.found)
        return {};
    const double width = (found.high > found.low ? found.high - found.low : 1.0) / kBins;
    const double from = found.high > found.low ? found.low : found.low - 0.5;
    Bins bins;
    for (int i = 0; i <= kBins; ++i)
        bins.limits.push_back(from + width * i);
    bins.counts.assign(kBins, 0);
    series.forEach(0, series.size(), [&](std::size_t, const SeriesPoint& point) {
        if (std::isfinite(point.value))
            bins.counts[static_cast<std::size_t>(
                std::clamp(static_cast<int>((point.value - from) / width), 0, kBins - 1))] += 1;
    });
    return bins;
}

/// The outline of the bars, as a density: bins may differ in width, and runs in their number of values.
void draw_bins(const Bins& bins, Series& out) {
    out.clear();
    double total = 0;
    for (const double count : bins.counts)
        total += count;
    if (!(total > 0) || bins.limits.size() != bins.counts.size() + 1)
        return;
    std::int64_t number = 0;
    const auto add = [&](double x, double y) { out.append(SeriesPoint{number++, x, y}); };
    add(bins.limits.front(), 0);
    for (std::size_t i = 0; i < bins.counts.size(); ++i)
        if (const double width = bins.limits[i + 1] - bins.limits[i]; width > 0) {
            const double density = bins.counts[i] / total / width;
            add(bins.limits[i], density);
            add(bins.limits[i + 1], density);
        }
    add(bins.limits.back(), 0);
}

/// Meaning of names that are not metrics.
std::function<double(std::int64_t, double)> builtin(const std::string& name, const MetricSource& source) {
    if (name == "pi")
        return [](std::int64_t, double) { return std::numbers::pi; };
    if (name == "e")
        return [](std::int64_t, double) { return std::numbers::e; };
    if (name == "step")
        return [](std::int64_t step, double) { return static_cast<double>(step); };
    if (name == "time")
        return [scale = source.scale(XUnit::Time)](std::int64_t, double wall) { return scale.atTime(wall); };
    if (name == "tokens" || name == "epoch")
        return [scale = source.scale(name == "tokens" ? XUnit::Tokens : XUnit::Epoch)](std::int64_t step, double) {
            return scale.atStep(static_cast<double>(step));
        };
    return {};
}

/// A formula on the metrics of one source.
class Bound {
  public:
    /// Sets `missing` to the first name that stands for nothing.
    Bound(const std::shared_ptr<const Formula>& formula, const MetricSource& source, const Formula::Name*& missing) {
        std::vector<FormulaSeries::Input> inputs;
        bool any = false;
        for (const Formula::Name& name : formula->names()) {
            FormulaSeries::Input input{.series = source.find(name.name)};
            any = any || input.series != nullptr;
            if (input.series == nullptr && !(input.position = builtin(name.name, source)) && missing == nullptr)
                missing = &name;
            inputs.push_back(std::move(input));
        }
        if (missing != nullptr || !any)
            return;
        if (formula->isPlain())
            direct_ = inputs.front().series;
        else
            computed_ = std::make_unique<FormulaSeries>(formula, std::move(inputs));
    }
    bool isBound() const { return direct_ != nullptr || computed_ != nullptr; }
    void follow() {
        if (computed_)
            computed_->follow();
    }
    const Series& series() const { return direct_ != nullptr ? *direct_ : computed_->series(); }
    bool isDisjoint() const { return computed_ && computed_->isDisjoint(); }

  private:
    const Series* direct_ = nullptr;
    std::unique_ptr<FormulaSeries> computed_;
};

Message of_formula(const std::string& text, const Message& problem) {
    return Message(
        "“{}”: {}",
        text.size() <= kShownOfFormula ? text : text.substr(0, text.find_last_of(' ', kShownOfFormula)) + " …",
        problem);
}

}  // namespace

/// A line, and what it is computed from.
struct PanelLines::Work {
    std::unique_ptr<Bound> y, x;
    std::unique_ptr<PairedSeries> pair;
    std::optional<Series> bars;
    std::function<std::optional<Bins>()> stored;  ///< of a histogram that the run has
    std::size_t counted = 0;                      ///< points in the bars
    std::size_t number = 0;

    const Series& shown() const { return bars ? *bars : pair ? pair->series() : y->series(); }
    void follow() {
        if (stored) {
            draw_bins(stored().value_or(Bins()), *bars);
            return;
        }
        y->follow();
        if (x) {
            x->follow();
            pair->follow(y->series(), x->series());
        }
        if (bars && std::exchange(counted, y->series().size()) != y->series().size())
            draw_bins(bins_of(y->series()), *bars);
    }
};

PanelLines::PanelLines(Panel panel, const std::vector<const MetricSource*>& sources, XUnit usual)
    : panel_(std::move(panel)), unit_(panel_.unit(usual).value_or(XUnit::Value)) {
    const bool counts = panel_.kind == PanelKind::histogram;
    std::shared_ptr<const Formula> x;
    if (counts)
        unit_ = XUnit::Value;
    std::vector<std::string> all;
    for (const MetricSource* source : sources)
        for (std::string& metric : source->metrics())
            all.push_back(std::move(metric));
    const auto parse = [&](const std::string& text) -> std::shared_ptr<const Formula> {
        try {
            return std::make_shared<const Formula>(text);
        } catch (const UserError& error) {
            problems_.push_back(of_formula(text, error.message()));
            return nullptr;
        }
    };
    const auto report_missing = [&](const Formula& formula, const Formula::Name* missing) {
        problems_.push_back(of_formula(
            formula.text(), missing == nullptr ? Message("a formula names at least one metric")
                                               : Message("position {}: there is no metric {}{}", missing->position,
                                                         missing->name, text::did_you_mean(missing->name, all))));
    };
    if (unit_ == XUnit::Value && !counts && !(x = parse(panel_.x)))
        return;

    const std::size_t left = panel_.lines.size();
    const Formula::Name* missing_x = nullptr;
    bool any_x = !x || sources.empty();
    for (std::size_t number = 0; number < left + panel_.right.size(); ++number) {
        const std::string& text = number < left ? panel_.lines[number] : panel_.right[number - left];
        const auto add = [&](std::size_t source, std::unique_ptr<Work> work) {
            XScale scale = unit_ == XUnit::Value ? XScale() : sources[source]->scale(unit_);
            scale.unit = unit_;
            work->number = number;
            lines_.push_back({source, number, text, &work->shown(), scale, number >= left});
            work_.push_back(std::move(work));
        };
        bool any = sources.empty();
        for (std::size_t i = 0; counts && i < sources.size(); ++i)
            if (sources[i]->histogram(text)) {
                auto work = std::make_unique<Work>();
                work->stored = [source = sources[i], text] { return source->histogram(text); };
                work->bars.emplace();
                add(i, std::move(work));
                any = true;
            }
        if (counts && any)
            continue;
        const std::shared_ptr<const Formula> formula = parse(text);
        if (!formula)
            continue;
        const Formula::Name* missing = nullptr;
        for (std::size_t i = 0; i < sources.size(); ++i) {
            const Formula::Name *missing_y = nullptr, *missing_of_x = nullptr;
            auto work = std::make_unique<Work>();
            work->y = std::make_unique<Bound>(formula, *sources[i], missing_y);
            if (!work->y->isBound()) {
                missing = missing != nullptr ? missing : missing_y;
                continue;
            }
            any = true;
            if (x) {
                work->x = std::make_unique<Bound>(x, *sources[i], missing_of_x);
                if (!work->x->isBound()) {
                    missing_x = missing_x != nullptr ? missing_x : missing_of_x;
                    continue;
                }
                any_x = true;
                work->pair = std::make_unique<PairedSeries>();
            } else if (counts) {
                work->bars.emplace();
            }
            add(i, std::move(work));
        }
        if (!any)
            report_missing(*formula, missing);
    }
    if (!any_x && left + panel_.right.size() > 0 && problems_.empty())
        report_missing(*x, missing_x);
    follow();
}

PanelLines::~PanelLines() = default;

void PanelLines::follow() {
    for (const std::unique_ptr<Work>& work : work_)
        work->follow();
}

std::vector<Message> PanelLines::problems() const {
    std::vector<Message> problems = problems_;
    // Metrics whose steps never meet give no curve, which only the points show.
    for (std::size_t number = 0; number < panel_.lines.size() + panel_.right.size(); ++number) {
        bool any = false, disjoint = false, apart = false;
        for (const std::unique_ptr<Work>& work : work_)
            if (work->number == number && work->y) {
                any = any || !work->shown().empty();
                disjoint = disjoint || work->y->isDisjoint();
                apart = apart || (work->x && !work->y->series().empty() && !work->x->series().empty());
            }
        const std::string& text =
            number < panel_.lines.size() ? panel_.lines[number] : panel_.right[number - panel_.lines.size()];
        if (disjoint && !any)
            problems.push_back(of_formula(text, Message("its metrics have no step in common")));
        else if (apart && !any)
            problems.push_back(
                of_formula(text, Message("it has no step in common with the horizontal axis {}", panel_.x)));
    }
    return problems;
}

LineFigures figures_of(const Series& series) {
    LineFigures figures;
    double sum = 0;
    series.forEach(0, series.size(), [&](std::size_t, const SeriesPoint& point) {
        if (!std::isfinite(point.value))
            return;
        ++figures.points;
        sum += point.value;
        figures.last = point.value;
        figures.last_step = point.step;
        if (!(point.value >= figures.lowest)) {
            figures.lowest = point.value;
            figures.lowest_step = point.step;
        }
        if (!(point.value <= figures.highest)) {
            figures.highest = point.value;
            figures.highest_step = point.step;
        }
    });
    if (figures.points > 0)
        figures.mean = sum / static_cast<double>(figures.points);
    return figures;
}

const widgets::Series* StoredMetrics::find(const std::string& metric) const {
    const auto found = curves_.find(metric);
    return found == curves_.end() ? nullptr : &found->second;
}

std::optional<Bins> StoredMetrics::histogram(const std::string& name) const {
    const auto found = histograms_.find(name);
    return found == histograms_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> StoredMetrics::metrics() const {
    std::vector<std::string> names;
    for (const auto& [name, series] : curves_)
        names.push_back(name);
    return names;
}

}  // namespace trainyard::report
