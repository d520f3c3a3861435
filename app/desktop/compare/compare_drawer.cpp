// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/compare_drawer.h"

#include <algorithm>
#include <cmath>

#include <QComboBox>
#include <QJsonArray>
#include <QSet>
#include <QSplitter>
#include <QStackedWidget>

#include "base/clock.h"
#include "desktop/compare/differences_panel.h"
#include "desktop/compare/report.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/smoothing_control.h"
#include "desktop/runs/run_filter.h"
#include "desktop/shell/save_file.h"
#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/chart_legend.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/parallel_coordinates.h"
#include "widgets/plot/scatter_plot.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::CurveChart;
using widgets::SegmentedControl;
using widgets::XUnit;

namespace {
constexpr int kRedraw = 100;  // ms; differences and groups are computed from whole curves
constexpr int kSweep = 1000;  // ms; live runs have new values all the time
constexpr XUnit kUnits[] = {XUnit::Step, XUnit::Time, XUnit::Tokens, XUnit::Epoch};
constexpr int kMostAxes = 9;
const int& kCompareStackedBelow = live_px(800);  // pixels
const int &kDrawerHeight = live_px(224), &kStackedDrawerHeight = live_px(480);
// Views of older versions have "smoothing", which was 0.9 without a choice of the user.
const QString kSmoothing = QStringLiteral("chosen_smoothing");
}  // namespace

CompareDrawer::CompareDrawer(QWidget* parent)
    : QWidget(parent),
      sources_(new CompareSources(this)),
      curves_(sources_),
      title_(make_elided({}, Theme::instance().text(13, QFont::DemiBold))),
      tags_(named(new QComboBox, tr("Metric"))),
      groups_(named(new QComboBox, tr("Group by"),
                    tr("Runs with the same value of a setting as one line: mean, lowest and highest"))),
      units_(named(new SegmentedControl({tr("Step"), tr("Time"), tr("Tokens"), tr("Epoch")}), tr("Horizontal axis"))),
      modes_(named(new SegmentedControl({tr("Curves"), tr("A − B"), tr("All"), tr("Sweep")}), tr("What is compared"))),
      smoothing_(new SmoothingControl(this)),
      stack_(new QStackedWidget),
      window_(with_look(new QPushButton, {.kind = "ghost", .icon = "screen", .tip = tr("Open in a new window")})),
      shut_(with_look(new QPushButton, {.kind = "ghost",
                                        .icon = "x",
                                        .tip = tr("Close the comparison; C opens it again"),
                                        .name = tr("Close the comparison")})),
      chart_(new CurveChart(tr("Comparison"))),
      legend_(new widgets::ChartLegend(chart_)),
      parallel_(new widgets::ParallelCoordinates(tr("Runs across their settings"))),
      scatter_(new widgets::ScatterPlot(tr("Runs as points"))),
      scatter_x_(named(new QComboBox, tr("Setting along the horizontal axis"))),
      remark_(wrapped(make_label({}, 11, QFont::Normal, Tone::Muted))),
      differences_(new DifferencesPanel) {
    setMinimumHeight(kDrawerHeight);
    for (const auto& [box, letters] : {std::pair(tags_, 7), std::pair(groups_, 12)}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(letters);
    }
    groups_->setMaximumWidth(220_px);
    modes_->button(1)->setToolTip(tr("Each run minus the baseline, at the steps both have"));
    modes_->button(2)->setToolTip(tr("All curves of these runs"));
    modes_->button(3)->setToolTip(tr("Settings that differ and the best value, as parallel coordinates and points"));
    connect(window_, &QPushButton::clicked, this, &CompareDrawer::windowRequested);
    auto* legend =
        make_row({8, 0, 8, 0}, 8, {{legend_, 1}, smoothing_->word(), smoothing_->slider(), smoothing_->figure()});
    auto* curves = make_holder(make_column({0, 0, 0, 0}, 0, {legend, {chart_, 1}}));
    stack_->addWidget(curves);
    scatter_x_->setMaximumWidth(240_px);
    auto* points = make_holder(make_column({4, 2, 8, 0}, {scatter_x_, {scatter_, 1}}));
    sweep_ = make_splitter(Qt::Horizontal, {parallel_, points});
    sweep_->setStretchFactor(0, 3);
    sweep_->setStretchFactor(1, 2);
    stack_->addWidget(sweep_);
    head_ = make_row({12, 0, 8, 0}, 8, {{title_, 1}, stretch(), tags_, units_, modes_, window_, shut_});
    foot_ = make_row({12, 0, 8, 0}, 8, {{remark_, 1}, stretch(), groups_});
    panel_frame_ = make_frame("panel", make_column({1, 6, 1, 4}, 2, {head_, {stack_, 1}, foot_}));
    panel_frame_->installEventFilter(this);
    splitter_ = widgets::make_stacking_splitter(kCompareStackedBelow, {panel_frame_, differences_});
    splitter_->setStretchFactor(0, 2);
    splitter_->setStretchFactor(1, 1);
    splitter_->setSizes({780, 380});
    setLayout(make_column({0, 0, 0, 0}, {splitter_}));
    chart_->setUnit(XUnit::Step);

    act_after(sweep_due_, kSweep, this, [this] {
        if (shown() == Show::Sweep)
            fillSweep();
    });
    act_after(redraw_due_, kRedraw, this, &CompareDrawer::redraw);
    connect(sources_, &CompareSources::curvesChanged, this, [this] { start_unless_active(redraw_due_); });
    connect(sources_, &CompareSources::tagsChanged, this, &CompareDrawer::fillTags);
    connect(tags_, &QComboBox::activated, this, [this] { wanted_tag_ = tags_->currentText(); });
    connect(groups_, &QComboBox::activated, this, [this] {
        wanted_group_ = groups_->currentData().toString();
        refresh();
        keep();
    });
    connect(units_, &SegmentedControl::currentChanged, this, [this] { chart_->setUnit(unit()); });
    const auto show_anew = [this] {
        chart_->fit();
        refresh();
        keep();
    };
    connect(tags_, &QComboBox::activated, this, show_anew);
    for (SegmentedControl* control : {units_, modes_})
        connect(control, &SegmentedControl::currentChanged, this, show_anew);
    connect(scatter_x_, &QComboBox::activated, this, [this] { fillSweep(); });
    connect(shut_, &QPushButton::clicked, this, &CompareDrawer::closed);
    connect(differences_, &DifferencesPanel::pageChanged, this, &CompareDrawer::keep);
    connect(smoothing_, &SmoothingControl::chosen, this, &CompareDrawer::setSmoothing);
    connect(chart_, &CurveChart::smoothingChanged, this, [this](double weight) {
        automatic_ = automatic_ && weight == smoothing_for(longestCurve());
        smoothing_->setWeight(weight);
    });
    connect(chart_, &CurveChart::viewChanged, this, &CompareDrawer::keep);
    connect(splitter_, &QSplitter::splitterMoved, this, &CompareDrawer::keep);
    connect(parallel_, &widgets::ParallelCoordinates::activated, this, &CompareDrawer::runActivated);
    connect(scatter_, &widgets::ScatterPlot::activated, this, &CompareDrawer::runActivated);
    connect(parallel_, &widgets::ParallelCoordinates::keptChanged, this, &CompareDrawer::tellBrushes);
    connect(scatter_, &widgets::ScatterPlot::selectionChanged, this, &CompareDrawer::pointed);
    connect(differences_, &DifferencesPanel::exportWanted, this, &CompareDrawer::openExport);
}

CompareDrawer::~CompareDrawer() {
    // The chart and the panel refer to series of the sources, so they are destroyed first.
    chart_->setCurves({});
    delete panel_;
}

XUnit CompareDrawer::unit() const {
    return kUnits[units_->current()];
}

CompareDrawer::Show CompareDrawer::shown() const {
    return static_cast<Show>(modes_->current());
}

void CompareDrawer::show(Show what) {
    modes_->setCurrent(static_cast<int>(what));
}

void CompareDrawer::setTag(const QString& tag) {
    wanted_tag_ = tag;
    fillTags();
    refresh();
}

void CompareDrawer::setUnit(XUnit unit) {
    for (int i = 0; i < 4; ++i)
        if (kUnits[i] == unit)
            units_->setCurrent(i);
}

void CompareDrawer::setRuns(const RunSummaries& runs) {
    const bool unchanged = look_alike(runs, runs_);
    const bool measured = unchanged && !std::ranges::equal(runs, runs_, {}, &RunSummary::metrics, &RunSummary::metrics);
    runs_ = runs;
    differences_->setRuns(runs);
    if (measured)
        start_unless_active(sweep_due_);
    if (unchanged)
        return;
    title_->setFullText(tr("Compare %Ln runs", nullptr, static_cast<int>(runs.size())));
    panel_frame_->setAccessibleName(title_->fullText());
    // No pointer into a source that is about to be destroyed may remain.
    chart_->setCurves({});
    if (panel_ != nullptr)
        panel_->setSources({});
    sources_->setRuns(runs);
    fillTags();
    fillGroups();
    refresh();
}

void CompareDrawer::fillTags() {
    const QStringList tags = sources_->tags();
    QStringList shown;
    for (int i = 0; i < tags_->count(); ++i)
        shown << tags_->itemText(i);
    if (tags != shown) {
        tags_->clear();
        tags_->addItems(tags);
    }
    const int wanted = wanted_tag_.isEmpty() ? 0 : static_cast<int>(tags.indexOf(wanted_tag_));
    const QString before = tags_->currentText();
    tags_->setCurrentIndex(wanted >= 0 ? wanted : tags.isEmpty() ? -1 : 0);
    if (tags_->currentText() != before || tags != shown)
        refresh();
}

void CompareDrawer::fillGroups() {
    groups_->clear();
    groups_->addItem(tr("No groups"), QString());
    for (const Differences::Row& row : differencesOf(runs_).rows)
        groups_->addItem(tr("by %1").arg(row.shown), row.key);
    groups_->setCurrentIndex(std::max(0, groups_->findData(wanted_group_)));
}

bool CompareDrawer::eventFilter(QObject* watched, QEvent* event) {
    if (watched == panel_frame_ && event->type() == QEvent::Resize) {
        arrangeHead();
        setMinimumHeight(splitter_->orientation() == Qt::Vertical ? kStackedDrawerHeight : kDrawerHeight);
    }
    return QWidget::eventFilter(watched, event);
}

/// If the header is too narrow, the axis control moves below the chart, and then the title is hidden: the legend names
/// the runs, too.
void CompareDrawer::arrangeHead() {
    const auto wide = [](const QWidget* widget) { return widget->isHidden() ? 0 : widget->sizeHint().width() + 8; };
    int needed = 36;  // margins, and room between the groups
    for (const QWidget* one : std::initializer_list<const QWidget*>{tags_, modes_, window_, shut_})
        needed += wide(one);
    const int room = panel_frame_->width();
    const int title = title_->sizeHint().width() + 8;
    const bool below = needed + title + wide(units_) > room;
    title_->setVisible(!below || needed + title <= room);
    if (below == (foot_->indexOf(units_) >= 0))
        return;
    (below ? head_ : foot_)->removeWidget(units_);
    if (below)
        foot_->insertWidget(foot_->indexOf(groups_), units_);
    else
        head_->insertWidget(head_->indexOf(modes_), units_);
}

void CompareDrawer::refresh() {
    const Show what = shown();
    groups_->setVisible(what == Show::Curves && groups_->count() > 1);
    tags_->setVisible(what != Show::All);
    units_->setVisible(showsCurves());
    if (what == Show::All) {
        if (panel_ == nullptr) {
            panel_ = new CurvesPanel(QStringLiteral("compare"), QStringLiteral("compare/view"));
            panel_->setContentsMargins(7, 0, 7, 0);
            stack_->addWidget(panel_);
        }
        panel_->setSources(sources_->all());
        stack_->setCurrentWidget(panel_);
    } else {
        if (panel_ != nullptr)
            panel_->setSources({});
        stack_->setCurrentIndex(what == Show::Sweep ? 1 : 0);
    }
    arrangeHead();
    differences_->setTag(tags_->currentText());
    if (what == Show::Sweep)
        fillSweep();
    else
        tellBrushes();
    redraw();
}

void CompareDrawer::redraw() {
    const Show what = shown();
    QStringList remarks;
    if (showsCurves()) {
        CompareCurves::Request request;
        request.runs = runs_;
        request.tag = tags_->currentText();
        request.mode = what == Show::Differences ? CompareMode::Differences : CompareMode::Curves;
        request.unit = unit();
        request.group = what == Show::Curves ? groups_->currentData().toString() : QString();
        request.base = baseOf(runs_);
        QSet<QString> hidden;  // in the legend
        for (const widgets::Curve& curve : chart_->curves())
            if (!curve.visible)
                hidden << curve.name;
        chart_->setCurves({});  // groups are created again
        QVector<widgets::Curve> made = curves_.make(request);
        for (widgets::Curve& curve : made)
            curve.visible = !hidden.contains(curve.name);
        chart_->setCurves(made);
        if (automatic_)
            chart_->setSmoothing(smoothing_for(longestCurve()));
        QVector<widgets::Marker> markers;
        if (unit() == XUnit::Step && request.group.isEmpty())
            for (int i = 0; i < runs_.size(); ++i) {
                QString why;
                const std::int64_t step = sources_->failureOf(runs_[i].path, &why);
                if (step > 0)
                    markers << widgets::Marker{i,
                                               static_cast<double>(step),
                                               0,
                                               QStringLiteral("error"),
                                               Token::Error,
                                               QStringLiteral("%1: %2").arg(runs_[i].name, why)};
            }
        chart_->setMarkers(markers);
        chart_->dataChanged();
        if (what == Show::Differences)
            remarks << (runs_.size() < 2
                            ? tr("Select a second run to see a difference.")
                            : tr("Minus %1 (B on a run makes it the baseline).").arg(runs_.value(baseOf(runs_)).name));
        if (curves_.missing() > 0 && !request.tag.isEmpty())
            remarks << tr("%Ln without %1.", nullptr, curves_.missing()).arg(request.tag);
        if (curves_.reading() > 0) {
            start_unless_active(redraw_due_);  // the end of a file without such a curve changes no curve
            remarks << tr("%Ln runs are still being read.", nullptr, curves_.reading());
        }
    }
    if (runs_.size() > CompareSources::kMost)
        remarks << tr("Curves of the first %1 of %2.").arg(CompareSources::kMost).arg(stepText(runs_.size()));
    remark_->setText(remarks.join(QStringLiteral("  ")));
    remark_->setVisible(!remarks.isEmpty());
}

void CompareDrawer::fillSweep() {
    const Differences found = differencesOf(runs_);
    const QString tag = tags_->currentText();
    QStringList names;
    QVector<widgets::SweepRun> runs;
    QVector<QStringList> values(runs_.size());  // by run, then by axis
    for (const Differences::Row& row : found.rows.mid(0, kMostAxes)) {
        names << row.shown;
        for (int i = 0; i < runs_.size(); ++i)
            values[i] << (row.values[i] == QStringLiteral("–") ? QString() : row.values[i]);
    }
    for (int i = 0; i < runs_.size(); ++i) {
        const double value = numberOf(runs_[i], tag + QStringLiteral(".best"), 0);
        values[i] << (std::isnan(value) ? QString() : QString::number(value, 'g', 17));
        widgets::SweepRun one;
        one.id = runs_[i].path;
        one.name = runs_[i].name;
        one.color = runs_[i].number;
        runs << one;
    }
    names << (isMoreBetter(tag) ? tr("Highest %1").arg(tag) : tr("Lowest %1").arg(tag));
    const widgets::Sweep sweep = widgets::sweep_of(names, runs, values);
    const int metric = static_cast<int>(names.size()) - 1;
    parallel_->setSweep(sweep);
    parallel_->setColorAxis(runs_.size() > 12 ? metric : -1);
    QStringList offered;
    for (int i = 0; i < scatter_x_->count(); ++i)
        offered << scatter_x_->itemText(i);
    if (offered != names.mid(0, metric)) {
        const QString chosen = scatter_x_->currentText();
        scatter_x_->clear();
        scatter_x_->addItems(names.mid(0, metric));
        scatter_x_->setCurrentIndex(std::max(0, scatter_x_->findText(chosen)));
    }
    scatter_x_->setVisible(metric > 0);
    scatter_->setSweep(sweep);
    scatter_->setAxes(metric > 0 ? scatter_x_->currentIndex() : metric, metric);
    tellBrushes();
}

void CompareDrawer::tellBrushes() {
    bool any = false;
    if (shown() == Show::Sweep)
        for (int axis = 0; axis < parallel_->sweep().axes.size(); ++axis)
            any = any || parallel_->brush(axis).has_value();
    if (!any && !brushed_)
        return;
    brushed_ = any;
    emit brushed(any, any ? parallel_->kept() : QSet<QString>());
}

void CompareDrawer::clearBrushes() {
    for (int axis = 0; axis < parallel_->sweep().axes.size(); ++axis)
        parallel_->setBrush(axis, std::nullopt);
}

void CompareDrawer::openExport() {
    const QString report = tr("Self-contained report (*.html)");
    widgets::ask_save_file(this, tr("Save the comparison"), QStringLiteral("comparison.html"),
                           QStringList{report, tr("Table (*.csv)"), tr("Picture (*.png)")}.join(QStringLiteral(";;")),
                           [this](const QString& file) { exportTo(file); });
}

void CompareDrawer::exportTo(const QString& file) {
    ReportInput input{runs_, tags_->currentText(), {}, remark_->text(), wall_seconds()};
    const bool table = file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive);
    const bool picture = file.endsWith(QLatin1String(".png"), Qt::CaseInsensitive);
    const MetricPart part = differences_->page() == 1 ? MetricPart::Last : MetricPart::Best;
    if (picture) {
        input.chart = grab().toImage();
    } else if (!table) {
        input.chart = showsCurves() ? widgets::chart_image(*chart_, {}) : stack_->grab().toImage();
    }
    export_.submit(
        [input, file, table, picture, part]() -> QString {
            return saveFile(file, picture ? pngOf(input.chart)
                                  : table ? comparisonCsv(input.runs, part).toUtf8()
                                          : comparisonReport(input));
        },
        [this, file](const QString& problem) { emit exported(file, problem); });
}

void CompareDrawer::keep() {
    if (restoring_)
        return;
    QJsonArray sizes;
    for (int size : splitter_->sizes())
        sizes << size;
    QJsonObject view{{QStringLiteral("tag"), wanted_tag_},
                     {QStringLiteral("group"), wanted_group_},
                     {QStringLiteral("unit"), units_->current()},
                     {QStringLiteral("show"), modes_->current()},
                     {QStringLiteral("table"), differences_->page()},
                     {QStringLiteral("log"), chart_->isLogY()},
                     {QStringLiteral("sizes"), sizes}};
    if (!automatic_)
        view.insert(kSmoothing, chart_->smoothing());
    emit viewChanged(view);
}

std::size_t CompareDrawer::longestCurve() const {
    std::size_t points = 0;
    for (const widgets::Curve& curve : chart_->curves())
        points = std::max(points, curve.series->size());
    return points;
}

void CompareDrawer::setSmoothing(double weight) {
    automatic_ = false;
    chart_->setSmoothing(weight);
    keep();
}

void CompareDrawer::restoreView(const QJsonObject& view) {
    restoring_ = true;
    wanted_tag_ = view.value(QStringLiteral("tag")).toString();
    wanted_group_ = view.value(QStringLiteral("group")).toString();
    units_->setCurrent(std::clamp(view.value(QStringLiteral("unit")).toInt(), 0, units_->count() - 1));
    modes_->setCurrent(std::clamp(view.value(QStringLiteral("show")).toInt(), 0, modes_->count() - 1));
    differences_->setPage(std::clamp(view.value(QStringLiteral("table")).toInt(), 0, 3));
    if (const QJsonValue weight = view.value(kSmoothing); weight.isDouble())
        setSmoothing(std::clamp(weight.toDouble(), 0.0, 0.999));
    chart_->setLogY(view.value(QStringLiteral("log")).toBool());
    if (const QJsonArray sizes = view.value(QStringLiteral("sizes")).toArray(); sizes.size() == 2)
        splitter_->setSizes({sizes.at(0).toInt(), sizes.at(1).toInt()});
    restoring_ = false;
}

}  // namespace trainyard::desktop
