// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/health_panel.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <QComboBox>
#include <QLocale>
#include <QStackedWidget>

#include "base/text.h"
#include "desktop/dashboard/metric_figures.h"
#include "desktop/dashboard/tags.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plot/heat_strip.h"
#include "widgets/plot/number_text.h"
#include "widgets/plot/stack_chart.h"
#include "widgets/room.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::HeatStrip;
using widgets::Series;
using widgets::StackChart;

namespace {

constexpr std::size_t kComparedSteps = 200;  // steps
constexpr double kSlow = 1.1;                // times the median of the others
constexpr double kLeastSeconds = 0.0005;
constexpr int kBeat = 150;  // ms

QString seconds_words(double seconds) {
    if (seconds < 1e-3)
        return widgets::value_number(seconds * 1e6, 3) + QStringLiteral(" µs");
    return seconds < 1 ? widgets::value_number(seconds * 1000, 3) + QStringLiteral(" ms")
                       : widgets::value_number(seconds, 3) + QStringLiteral(" s");
}

QString bytes_words(double bytes) {
    return qtNumber(text::memory_size(static_cast<std::uint64_t>(std::max(0.0, bytes))));
}

QString number_words(double value) {
    return widgets::value_number(value);
}

QString agreement_words(double differs) {
    return differs > 0 ? HealthPanel::tr("parameters differ from the other ranks")
                       : HealthPanel::tr("the same parameters");
}

/// A quantity that the cells of the strip can show.
struct Measure {
    const char* tag;
    const char* title;
    QString (*words)(double value);
    bool against_median;  ///< else: a share of the highest one shown
};
constexpr Measure kMeasures[] = {
    {"rank/own_time_s", QT_TRANSLATE_NOOP("trainyard::desktop::HealthPanel", "Own time"), seconds_words, true},
    {"rank/step_time_s", QT_TRANSLATE_NOOP("trainyard::desktop::HealthPanel", "Step time"), seconds_words, true},
    {"rank/waited_s", QT_TRANSLATE_NOOP("trainyard::desktop::HealthPanel", "Waited"), seconds_words, false},
    {"system/resident_bytes", QT_TRANSLATE_NOOP("trainyard::desktop::HealthPanel", "Memory"), bytes_words, false},
    {"rank/loss", QT_TRANSLATE_NOOP("trainyard::desktop::HealthPanel", "Loss"), number_words, true},
    {"rank/grad_norm", QT_TRANSLATE_NOOP("trainyard::desktop::HealthPanel", "Grad norm"), number_words, true},
    {"rank/weights_differ", QT_TRANSLATE_NOOP("trainyard::desktop::HealthPanel", "Weights"), agreement_words, false}};

}  // namespace

QString SlowRank::sentence() const {
    return HealthPanel::tr("rank %1 on %2 was %3 × slower, steps %4–%5")
        .arg(rank)
        .arg(host)
        .arg(QLocale().toString(factor, 'f', 2))
        .arg(stepText(first), stepText(last));
}

std::optional<SlowRank> slowest_rank(const RunRecord& run) {
    if (!run.state() || run.state()->ranks.size() < 2)
        return std::nullopt;
    struct Own {
        const run::RankState* rank;
        double seconds;
    };
    std::vector<Own> all;
    for (const run::RankState& rank : run.state()->ranks) {
        const Series& series = run.series(tag::of_rank("rank/own_time_s", rank.rank));
        if (series.size() < kComparedSteps)
            return std::nullopt;
        all.push_back({&rank, mean_of(series, series.size() - std::min(series.size(), kComparedSteps), series.size())});
    }
    const auto slowest = std::ranges::max_element(all, {}, &Own::seconds);
    std::vector<double> others;
    for (const Own& own : all)
        if (own.rank != slowest->rank && std::isfinite(own.seconds))
            others.push_back(own.seconds);
    if (others.empty() || !std::isfinite(slowest->seconds))
        return std::nullopt;
    // Use the lower of two middle values, because half of the others may be slow themselves.
    const auto middle = others.begin() + static_cast<std::ptrdiff_t>((others.size() - 1) / 2);
    std::nth_element(others.begin(), middle, others.end());
    if (!(slowest->seconds > kSlow * *middle) || slowest->seconds - *middle < kLeastSeconds)
        return std::nullopt;
    const Series& series = run.series(tag::of_rank("rank/own_time_s", slowest->rank->rank));
    return SlowRank{slowest->rank->rank, qt(slowest->rank->host), slowest->seconds / *middle,
                    series.step(series.size() - kComparedSteps), series.step(series.size() - 1)};
}

HealthPanel::HealthPanel(const RunRecord* run, QWidget* parent)
    : QFrame(parent),
      run_(run),
      which_(named(new widgets::SegmentedControl({tr("Phases"), tr("Ranks")}), tr("Phases of a step, or ranks"))),
      words_(make_note({})),
      warning_(make_label({}, 12, QFont::Medium, Tone::Warn)),
      measure_(named(new QComboBox, tr("Cell value"))),
      stack_(new QStackedWidget),
      strip_(new HeatStrip(tr("Ranks by step"))),
      legend_(new widgets::HeatLegend(strip_)),
      phases_(new StackChart(tr("Phases of a step"))) {
    setProperty("surface", QStringLiteral("panel"));
    setMinimumHeight(96_px);
    for (const Measure& measure : kMeasures)
        measure_->addItem(tr(measure.title));
    stack_->addWidget(phases_);
    stack_->addWidget(strip_);
    line_ = make_row({12, 0, 10, 0}, 8, {which_, words_, legend_, stretch(), warning_, measure_});
    setLayout(make_column({1, 6, 1, 5}, 3, {line_, {stack_, 1}}));
    phases_->setValueText(seconds_words);
    phases_->setUnit([](double seconds) {
        return seconds < 1e-3 ? widgets::StackUnit{1e-6, QStringLiteral("µs")}
               : seconds < 1  ? widgets::StackUnit{1e-3, QStringLiteral("ms")}
                              : widgets::StackUnit{1, QStringLiteral("s")};
    });
    QVector<widgets::StackPart> parts;
    for (const auto& [name, title, number, occasional] : {std::tuple("data", tr("data"), 4, false),
                                                          {"forward", tr("forward"), 1, false},
                                                          {"backward", tr("backward"), 6, false},
                                                          {"communicate", tr("communicate"), 8, false},
                                                          {"optimizer", tr("optimizer"), 2, false},
                                                          {"other", tr("other"), 10, false},
                                                          {"save", tr("save"), 9, true},
                                                          {"evaluate", tr("evaluate"), 5, true}})
        parts.push_back({title, &run->series(tag::kPhase + std::string(name)), number, occasional});
    phases_->setParts(parts);
    connect(which_, &widgets::SegmentedControl::currentChanged, this, &HealthPanel::measure);
    connect(measure_, &QComboBox::currentIndexChanged, this, &HealthPanel::measure);
    connect(strip_, &HeatStrip::rowActivated, this,
            [this](int row) { emit rankActivated(ranks_[static_cast<std::size_t>(row)]); });
    connect(strip_, &HeatStrip::crosshairMoved, this, &HealthPanel::crosshairMoved);
    connect(phases_, &StackChart::crosshairMoved, this, &HealthPanel::crosshairMoved);
    act_after(view_due_, kBeat, this, [this] {
        strip_->setView(scale_, range_);
        phases_->setView(scale_, range_);
        legend_->refresh();
    });
    measure();
}

/// A narrow panel has no room for the words, then none for the legend.
void HealthPanel::showLegend() {
    legend_->refresh();
    // Weights agree or differ; there is nothing in between.
    const bool scaled = which_->current() == 1 && kMeasures[measure_->currentIndex()].words != agreement_words;
    legend_->setVisible(scaled);
    widgets::spare_in_line(line_, width() - 2, scaled ? QList<QWidget*>{words_, legend_} : QList<QWidget*>{words_});
}

void HealthPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    showLegend();
}

bool HealthPanel::hasData() const {
    return !run_->series(tag::kPhase + std::string("forward")).empty() ||
           !run_->series(tag::of_rank("rank/own_time_s", 0)).empty();
}

void HealthPanel::showRanks(bool ranks) {
    which_->setCurrent(ranks ? 1 : 0);
    measure();
}

void HealthPanel::setRows() {
    const char* name = kMeasures[measure_->currentIndex()].tag;
    QVector<widgets::HeatRow> rows;
    for (const int rank : ranks_) {
        const auto state = std::ranges::find(run_->state()->ranks, rank, &run::RankState::rank);
        rows.push_back({tr("rank %1").arg(rank), state == run_->state()->ranks.end() ? QString() : qt(state->host),
                        &run_->series(tag::of_rank(name, rank))});
    }
    strip_->setRows(rows);
}

void HealthPanel::measure() {
    const bool ranks = which_->current() == 1;
    const Measure& measure = kMeasures[measure_->currentIndex()];
    stack_->setCurrentIndex(ranks ? 1 : 0);
    measure_->setVisible(ranks);
    strip_->setMeasure(measure.against_median ? HeatStrip::Measure::AgainstMedian : HeatStrip::Measure::Share);
    strip_->setValueText(measure.words);
    if (run_->state())
        setRows();
    words_->setText(!ranks ? tr("time of a step on rank 0")
                    : measure.words == agreement_words
                        ? tr("highlighted where the parameters differ from the other ranks")
                    : measure.against_median ? tr("relative to the median of the step")
                                             : tr("relative to the highest value shown"));
    showLegend();
}

void HealthPanel::refresh() {
    std::vector<int> ranks;
    if (run_->state())
        for (const std::string& host : hosts_of(run_->state()->ranks))
            for (const run::RankState& rank : run_->state()->ranks)
                if (rank.host == host)
                    ranks.push_back(rank.rank);
    const bool several = ranks.size() > 1;
    if (ranks != ranks_) {
        const bool first = ranks_.size() < 2 && several;
        ranks_ = ranks;
        setRows();
        which_->setVisible(several);
        if (first)
            showRanks(true);
    }
    strip_->dataChanged();
    phases_->dataChanged();
    const auto slow = slowest_rank(*run_);
    warning_->setText(slow ? slow->sentence() : QString());
    warning_->setVisible(slow.has_value());
    showLegend();
}

void HealthPanel::setView(const widgets::XScale& scale, const widgets::XRange& range) {
    scale_ = scale;
    range_ = range;
    start_unless_active(view_due_);
}

void HealthPanel::alignTo(const QWidget* chart, int left) {
    if (!isVisible() || chart->window() != window())
        return;
    const int begin = chart->mapTo(window(), QPoint(left, 0)).x() - stack_->mapTo(window(), QPoint(0, 0)).x();
    strip_->setAxisWidth(begin);
    phases_->setAxisWidth(begin);
}

void HealthPanel::setCrosshair(double x) {
    strip_->setCrosshair(x);
    phases_->setCrosshair(x);
}

}  // namespace trainyard::desktop
