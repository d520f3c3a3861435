// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/compare_curves.h"

#include <QSet>

#include "desktop/runs/run_filter.h"

namespace trainyard::desktop {

using widgets::Curve;

QVector<Qt::PenStyle> dashesOf(const QVector<int>& numbers) {
    static constexpr Qt::PenStyle styles[] = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine,
                                              Qt::DashDotDotLine};
    QVector<Qt::PenStyle> dashes;
    QSet<std::pair<int, int>> taken;
    for (int i = 0; i < numbers.size(); ++i) {
        const int color = (numbers[i] - 1) % widgets::kRunColors;
        int style = i % 4;
        for (int tries = 0; tries < 5 && taken.contains({color, style}); ++tries)
            style = (style + 1) % 5;
        taken.insert({color, style});
        dashes << styles[style];
    }
    return dashes;
}

const QVector<Curve>& CompareCurves::make(const Request& request) {
    curves_.clear();
    missing_ = reading_ = 0;
    if (!request.group.isEmpty()) {
        makeGroups(request);
        return curves_;
    }
    const std::string tag = request.tag.toStdString();
    QVector<int> numbers;
    for (const RunSummary& run : request.runs)
        numbers << run.number;
    const QVector<Qt::PenStyle> dashes = dashesOf(numbers);
    const bool difference = request.mode == CompareMode::Differences;
    const QString& base_path = request.runs.value(request.base).path;
    const CurveSource* base = difference ? sources_->find(base_path) : nullptr;
    if (const QString of = base_path + QLatin1Char('\n') + request.tag; of != differences_of_) {
        differences_.clear();
        differences_of_ = of;
    }
    // Bands of many runs hide each other: four and more are thin.
    const bool crowded = request.runs.size() > 3;
    for (int i = 0; i < request.runs.size(); ++i) {
        const RunSummary& run = request.runs[i];
        const CurveSource* source = sources_->find(run.path);
        if (!has(source, tag) || (difference && !has(base, tag)))
            continue;
        Curve curve;
        curve.name = run.name;
        curve.series = &source->series(tag);
        if (difference) {
            if (i == request.base)
                continue;
            widgets::DifferenceSeries& series = differences_[run.path];
            series.follow(source->series(tag), base->series(tag));
            curve.series = &series.series();
            curve.name = QStringLiteral("%1 − %2").arg(run.name, request.runs[request.base].name);
        }
        curve.color = run.number;
        curve.noisy = curve.series->size() > 50;
        if (crowded)
            curve.strength = widgets::Strength::Thin;
        curve.scale = source->scale(request.unit);
        curve.dash = dashes[i];
        curve.end = widgets::end_marker(i + 1);
        curves_ << curve;
    }
    return curves_;
}

/// Counts the runs that have no such curve, and those that are still being read.
bool CompareCurves::has(const CurveSource* source, const std::string& tag) {
    if (source != nullptr && !source->series(tag).empty())
        return true;
    ++(source == nullptr || source->isCaughtUp() ? missing_ : reading_);
    return false;
}

void CompareCurves::makeGroups(const Request& request) {
    groups_.clear();
    const std::string tag = request.tag.toStdString();
    struct Members {
        std::vector<const widgets::Series*> series;
        int color = 1;
        widgets::XScale scale;
    };
    QStringList values;
    QHash<QString, Members> groups;
    for (const RunSummary& run : request.runs) {
        const CurveSource* source = sources_->find(run.path);
        if (!has(source, tag))
            continue;
        const QString value = wordsOf(run, request.group);
        if (!values.contains(value)) {
            values << value;
            groups[value].color = static_cast<int>(values.size());
            groups[value].scale = source->scale(request.unit);
        }
        groups[value].series.push_back(&source->series(tag));
    }
    for (int i = 0; i < values.size(); ++i) {
        const Members& members = groups[values[i]];
        widgets::GroupSeries& series = groups_.emplace_back(widgets::group_of(members.series));
        Curve mean;
        mean.name = tr("%1 = %2 (%Ln runs)", nullptr, static_cast<int>(members.series.size()))
                        .arg(request.group.section(QLatin1Char('.'), -1),
                             values[i].isEmpty() ? QStringLiteral("–") : values[i]);
        mean.series = &series.mean;
        mean.color = members.color;
        mean.scale = members.scale;
        mean.dash = widgets::run_dash(members.color);
        mean.end = widgets::end_marker(members.color);
        if (members.series.size() > 1) {
            mean.low = &series.lowest;
            mean.high = &series.highest;
        }
        curves_ << mean;
    }
}

}  // namespace trainyard::desktop
