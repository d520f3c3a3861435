// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/metric_figures.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QStringList>

#include "base/text.h"
#include "desktop/dashboard/main_metric.h"
#include "desktop/dashboard/tags.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/text/words.h"
#include "widgets/languages.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Series;
using widgets::Tone;
using widgets::value_number;

namespace {

constexpr std::size_t kRecentSteps = 200;     // steps that medians look at
constexpr std::size_t kFewestForSlope = 100;  // steps in each of two windows; the initial drop of a loss is not a trend
constexpr int kMostOfProgram = 6;             // tiles of a program, besides its memory
constexpr int kMostOfEvaluation = 2;          // tiles of metrics of evaluations, besides the loss
constexpr std::string_view kEvaluation = "eval/";
constexpr double kMemorySlack = 1.05;  // of the estimate: what is within is as expected

std::vector<double> recent(const Series& series) {
    std::vector<double> last;
    const std::size_t first = series.size() > kRecentSteps ? series.size() - kRecentSteps : 0;
    series.forEach(first, series.size(), [&](std::size_t, const widgets::SeriesPoint& point) {
        if (std::isfinite(point.value))
            last.push_back(point.value);
    });
    return last;
}

double last_of(const Series& series) {
    return series.value(series.size() - 1);
}

/// `739 k` + `tok/s` -> value 739, unit `k tok/s`.
MetricFigure with_unit(double value, const QString& unit) {
    const QStringList parts = value_number(value, 3).split(QChar(0xA0));
    return {parts.first(), (parts.size() > 1 ? parts[1] + QChar(0xA0) : QString()) + unit};
}

MetricFigure train_loss(const Series& loss) {
    MetricFigure figure{value_number(last_of(loss))};
    // Change from the previous to the last window, because single steps are noisy.
    const std::size_t window = std::min(kRecentSteps, loss.size() / 2);
    if (window < kFewestForSlope)
        return figure;
    const double change = mean_of(loss, loss.size() - window, loss.size()) -
                          mean_of(loss, loss.size() - 2 * window, loss.size() - window);
    const double steps = static_cast<double>(loss.step(loss.size() - 1) - loss.step(loss.size() - 1 - window));
    if (std::isfinite(change) && steps > 0) {
        const double slope = change / steps * 1000;
        figure.note = (slope > 0 ? QStringLiteral("+") : QString()) + value_number(slope, 3) + QStringLiteral("/1k");
        figure.tone = change < 0 ? Tone::Ok : Tone::Warn;
    }
    return figure;
}

MetricFigure step_time(const Series& times) {
    const double median = recent_quantile(times, 0.5);
    const double unit = median < 1 ? 1000 : 1;
    return {value_number(median * unit, 3), median < 1 ? tr("ms") : tr("s"),
            tr("p99 %1").arg(value_number(recent_quantile(times, 0.99) * unit, 3))};
}

MetricFigure mfu(const RunRecord& run, const Series& share) {
    const double percent = 100 * recent_quantile(share, 0.5);
    MetricFigure figure{value_number(percent, 3), QStringLiteral("%")};
    if (const Series& peak = run.series(tag::kPeak); !peak.empty()) {
        const bool measured = !run.facts() || run.facts()->device == QLatin1String("CPU");
        figure.note = tr("of %1").arg(value_number(last_of(peak), 3) + tr("FLOP/s"));
        figure.more = measured ? tr("The peak was measured on this run's ranks by multiplying matrices.")
                               : tr("The peak is the manufacturer's value for dense products in this number format.");
        if (percent > 100) {
            // A share above 100 % is impossible: the peak was measured on a busy machine, or for other matrix products.
            figure.value = QStringLiteral("–");
            figure.unit.clear();
            figure.note = tr("peak unknown");
            figure.more = tr("The steps reach %1FLOP/s, more than the measured peak of %2FLOP/s, so no share of the "
                             "peak is shown. The machine was busy during that measurement: delete it under Settings, "
                             "and the next run measures again.")
                              .arg(value_number(percent / 100 * last_of(peak), 3), value_number(last_of(peak), 3));
        }
    }
    return figure;
}

struct Fullest {
    const Series* series = nullptr;
    double bytes = 0;
    QString where;
    bool on_gpu = false;
};

Fullest fullest(const RunRecord& run) {
    Fullest found;
    for (const TagInfo& info : run.tags()) {
        const std::size_t at = info.tag.find("/memory_bytes@");
        if (!info.tag.starts_with("gpu") || at == std::string::npos)
            continue;
        const Series& series = run.series(info.tag);
        if (const widgets::Extremes extremes = series.extremes(0, series.size());
            extremes.found && extremes.high > found.bytes)
            found = {&series, extremes.high, tr("GPU %1").arg(qt(info.tag.substr(3, at - 3))), true};
    }
    if (found.series != nullptr)
        return found;
    if (const auto [rank, bytes] = run.largestMemory(); rank >= 0)
        return {&run.series(tag::kResidentBytes + std::to_string(rank)), bytes,
                run.state()->ranks.size() > 1 ? tr("rank %1").arg(rank) : tr("peak"), false};
    return found;
}

MetricFigure memory(const RunRecord& run) {
    const Fullest found = fullest(run);
    if (found.series == nullptr)
        return {};
    const QString size = qtNumber(text::memory_size(static_cast<std::uint64_t>(found.bytes)));
    MetricFigure figure{size.section(QLatin1Char(' '), 0, 0), size.section(QLatin1Char(' '), 1), found.where};
    if (!run.facts() || run.facts()->memory.empty())
        return figure;
    // The estimate's program and libraries are host memory: a GPU has none of that.
    std::uint64_t expected = run.facts()->memoryTotal();
    if (found.on_gpu)
        for (const auto& [part, bytes] : run.facts()->memory)
            if (part == "base")
                expected -= bytes;
    const QString words = qtNumber(text::memory_size(expected));
    const bool same_unit = words.section(QLatin1Char(' '), 1) == figure.unit;
    figure.note = tr("est. %1").arg(same_unit ? words.section(QLatin1Char(' '), 0, 0) : words);
    figure.tone = found.bytes <= kMemorySlack * static_cast<double>(expected) ? Tone::Ok : Tone::Warn;
    figure.more = tr("Highest so far (%1); the estimate before the start was %2.").arg(found.where, words);
    return figure;
}

}  // namespace

double mean_of(const Series& series, std::size_t begin, std::size_t end) {
    double sum = 0;
    std::size_t count = 0;
    series.forEach(begin, end, [&](std::size_t, const widgets::SeriesPoint& point) {
        if (std::isfinite(point.value)) {
            sum += point.value;
            ++count;
        }
    });
    return count > 0 ? sum / static_cast<double>(count) : std::nan("");
}

const QVector<MetricInfo>& known_metrics() {
    return widgets::once_per_language([] {
        return QVector<MetricInfo>{{tag::kTrainLoss, tr("Train loss"), color::kTrain},
                                   {tag::kValidationLoss, tr("Val loss"), color::kValidation},
                                   {tag::kTokensPerSecond, tr("Throughput"), color::kThroughput},
                                   {tag::kMfu, tr("MFU"), color::kMfu},
                                   {tag::kStepTime, tr("Step time"), color::kStepTime},
                                   {tag::kGradientNorm, tr("Grad norm"), color::kNorm},
                                   {tag::kMemory, tr("Memory peak"), color::kMemory},
                                   {tag::kLearningRate, tr("Learning rate"), color::kRate},
                                   {tag::kLossScale, tr("Loss scale"), color::kScale}};
    });
}

MetricInfo metric_info(const std::string& tag) {
    const auto known = std::ranges::find(known_metrics(), tag, &MetricInfo::tag);
    if (known != known_metrics().end())
        return *known;
    return {tag, tag.starts_with(kEvaluation) ? tr("Val %1").arg(qt(tag.substr(kEvaluation.size()))) : qt(tag),
            tag.starts_with(kEvaluation) ? color::kValidation : color::kScale};
}

QStringList usual_metrics(const RunRecord& run) {
    QStringList tags;
    if (run.isProgram()) {
        for (const std::string& tag : metrics_of(run))
            if (tags.size() < kMostOfProgram)
                tags << qt(tag);
        return tags << qt(tag::kMemory);
    }
    for (const MetricInfo& info : known_metrics().mid(0, 7))
        tags << qt(info.tag);
    // Accuracy, F1 and similar metrics are shown beside the loss. The step time is the throughput again, and the norm
    // has a chart.
    int found = 0;
    for (const TagInfo& info : run.tags())
        if (found < kMostOfEvaluation && info.kind == TagKind::Scalar && info.tag.starts_with(kEvaluation) &&
            !info.tag.starts_with(tag::kValidationLoss)) {
            tags.removeOne(qt(found == 0 ? tag::kStepTime : tag::kGradientNorm));
            tags.insert(2 + found++, qt(info.tag));
        }
    return tags;
}

const Series& metric_series(const RunRecord& run, const std::string& tag) {
    if (tag != tag::kMemory)
        return run.series(tag);
    const Fullest found = fullest(run);
    return found.series != nullptr ? *found.series : run.series(tag::kResidentBytes + std::string("0"));
}

MetricFigure metric_figure(const RunRecord& run, const std::string& tag) {
    // A run with steps will not write a missing metric later, so do not show a grey placeholder.
    MetricFigure none;
    if (run.hasSteps() && run.isCaughtUp())
        none.value = QStringLiteral("–");
    if (tag == tag::kMemory) {
        const MetricFigure figure = memory(run);
        return figure.value.isEmpty() ? none : figure;
    }
    const Series& series = run.series(tag);
    if (series.empty())
        return none;
    if (tag == tag::kTrainLoss)
        return train_loss(series);
    if (tag.starts_with(kEvaluation))
        return {value_number(last_of(series)), {}, tr("step %1").arg(stepText(series.step(series.size() - 1)))};
    if (tag == tag::kTokensPerSecond) {
        // The chart below shows the last step, which may differ much.
        MetricFigure speed = with_unit(recent_quantile(series, 0.5), tr("tok/s"));
        speed.note = tr("median");
        speed.more = tr("The median of the last %1 steps.").arg(std::min(kRecentSteps, series.size()));
        return speed;
    }
    if (tag == tag::kStepTime)
        return step_time(series);
    if (tag == tag::kMfu)
        return mfu(run, series);
    MetricFigure figure{value_number(last_of(series), tag == tag::kLearningRate ? 4 : 3)};
    if (tag == tag::kGradientNorm && run.facts() && run.facts()->clip_norm > 0)
        figure.note = tr("clip %1").arg(value_number(run.facts()->clip_norm, 2));
    return figure;
}

double recent_quantile(const Series& series, double share) {
    std::vector<double> values = recent(series);
    if (values.empty())
        return std::nan("");
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

}  // namespace trainyard::desktop
