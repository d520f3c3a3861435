#include "desktop/dashboard/tile_row.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QHBoxLayout>
#include <QLocale>

#include "base/text.h"
#include "desktop/dashboard/metric_tile.h"
#include "desktop/dashboard/tags.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Series;
using widgets::Tone;
using widgets::value_number;

namespace {

constexpr std::size_t kWindow = 200;  // steps that medians look at

/// Median or another quantile of the last `kWindow` finite values; NaN without any.
double recent_quantile(const Series& series, double share) {
    std::vector<double> last;
    for (std::size_t i = series.size() > kWindow ? series.size() - kWindow : 0; i < series.size(); ++i)
        if (std::isfinite(series.value(i)))
            last.push_back(series.value(i));
    if (last.empty())
        return std::nan("");
    const auto at = last.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(last.size() - 1));
    std::nth_element(last.begin(), at, last.end());
    return *at;
}

double recent_mean(const Series& series, std::size_t begin, std::size_t end) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i)
        if (std::isfinite(series.value(i))) {
            sum += series.value(i);
            ++count;
        }
    return count > 0 ? sum / static_cast<double>(count) : std::nan("");
}

QString signed_number(double value, int digits) {
    return (value > 0 ? QStringLiteral("+") : QString()) + value_number(value, digits);
}

}  // namespace

TileRow::TileRow(const RunRecord* run, QWidget* parent)
    : QWidget(parent),
      run_(run),
      train_(new MetricTile(tr("Train loss"), &run->series(tag::kTrainLoss), color::kTrain)),
      validation_(new MetricTile(tr("Val loss"), &run->series(tag::kValidationLoss), color::kValidation)),
      throughput_(new MetricTile(tr("Throughput"), &run->series(tag::kTokensPerSecond), color::kThroughput)),
      step_time_(new MetricTile(tr("Step time"), &run->series(tag::kStepTime), color::kStepTime)),
      norm_(new MetricTile(tr("Grad norm"), &run->series(tag::kGradientNorm), color::kNorm)),
      rate_(new MetricTile(tr("Learning rate"), &run->series(tag::kLearningRate), color::kRate)),
      memory_(new MetricTile(tr("Memory"), nullptr, color::kMemory)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    for (MetricTile* tile : {train_, validation_, throughput_, step_time_, norm_, rate_, memory_})
        layout->addWidget(tile, 1);
}

void TileRow::refresh() {
    const Series& loss = run_->series(tag::kTrainLoss);
    if (loss.empty()) {
        train_->setFigure({});
    } else {
        QString note;
        Tone tone = Tone::Muted;
        // Change from the window before to the last window; noise of single steps says nothing.
        const std::size_t window = std::min(kWindow, loss.size() / 2);
        if (window >= 10) {
            const double change = recent_mean(loss, loss.size() - window, loss.size()) -
                                  recent_mean(loss, loss.size() - 2 * window, loss.size() - window);
            const double steps = static_cast<double>(loss.step(loss.size() - 1) - loss.step(loss.size() - 1 - window));
            if (std::isfinite(change) && steps > 0) {
                note = signed_number(change / steps * 1000, 3) + QStringLiteral("/1k");
                tone = change < 0 ? Tone::Ok : Tone::Warn;
            }
        }
        train_->setFigure(value_number(loss.value(loss.size() - 1)), {}, note, tone);
    }
    if (const Series& series = run_->series(tag::kValidationLoss); !series.empty())
        validation_->setFigure(
            value_number(series.value(series.size() - 1)), {},
            tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(series.step(series.size() - 1)))));
    else
        validation_->setFigure(loss.empty() ? QString() : QStringLiteral("–"), {}, {});
    if (const double rate = recent_quantile(run_->series(tag::kTokensPerSecond), 0.5); std::isfinite(rate)) {
        const QStringList parts = value_number(rate, 3).split(QChar(0xA0));
        throughput_->setFigure(parts.first(), (parts.size() > 1 ? parts[1] + QChar(0xA0) : QString()) + tr("tok/s"));
    } else {
        throughput_->setFigure({});
    }
    const Series& times = run_->series(tag::kStepTime);
    if (const double median = recent_quantile(times, 0.5); std::isfinite(median)) {
        const bool small = median < 1;
        const double unit = small ? 1000 : 1;
        step_time_->setFigure(value_number(median * unit, 3), small ? tr("ms") : tr("s"),
                              tr("p99 %1").arg(value_number(recent_quantile(times, 0.99) * unit, 3)));
    } else {
        step_time_->setFigure({});
    }
    if (const Series& norms = run_->series(tag::kGradientNorm); !norms.empty())
        norm_->setFigure(value_number(norms.value(norms.size() - 1), 3), {},
                         run_->facts() && run_->facts()->clip_norm > 0
                             ? tr("clip %1").arg(value_number(run_->facts()->clip_norm, 2))
                             : QString());
    else
        norm_->setFigure({});
    if (const Series& rates = run_->series(tag::kLearningRate); !rates.empty())
        rate_->setFigure(value_number(rates.value(rates.size() - 1)));
    else
        rate_->setFigure({});
    if (const auto [rank, bytes] = run_->largestMemory(); rank >= 0) {
        const QString size = QString::fromStdString(text::memory_size(static_cast<std::uint64_t>(bytes)));
        memory_->setSeries(&run_->series(std::string(tag::kResidentBytes) + std::to_string(rank)), color::kMemory);
        memory_->setFigure(size.section(QLatin1Char(' '), 0, 0), size.section(QLatin1Char(' '), 1),
                           run_->state()->ranks.size() > 1 ? tr("rank %1").arg(rank) : tr("peak"));
    } else {
        memory_->setFigure({});
    }
}

}  // namespace trainyard::desktop
