// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/loss_panel.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QMenu>
#include <QSignalBlocker>

#include "desktop/curves/smoothing_control.h"
#include "desktop/dashboard/main_metric.h"
#include "desktop/dashboard/swatch.h"
#include "desktop/dashboard/tags.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/pixels.h"
#include "widgets/plot/chart_export.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/room.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::Curve;
using widgets::CurveChart;
using widgets::SegmentedControl;
using widgets::XUnit;

namespace {
constexpr std::size_t kNoisyFrom = 50;  // points; fewer are drawn as they are
const int& kSelectorWidth = live_px(240);
const int& kRoomForWord = live_px(720);      // pixels of the panel; narrower, "Smoothing" and "Overlay" are hidden
const int& kRoomForOverlays = live_px(860);  // with other runs in the legend
const int& kNameRoom = live_px(110);

/// Returns the first step after each restart, where the curve has a gap.
QVector<std::int64_t> breaks_of(const RunRecord& run, const widgets::Series& loss) {
    QVector<std::int64_t> breaks;
    widgets::XScale wall;
    wall.unit = XUnit::Wall;
    for (const char* kind : {"restart", "resume"})
        for (const std::size_t position : run.eventsOf(kind))
            if (const std::size_t at = loss.lowerBound(run.events()[position].time, wall); at > 0 && at < loss.size())
                breaks << loss.step(at);
    std::ranges::sort(breaks);
    return breaks;
}

bool looks_alike(const QVector<Curve>& a, const QVector<Curve>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Curve& one, const Curve& other) {
        return one.series == other.series && one.name == other.name && one.color == other.color &&
               one.scale == other.scale && one.noisy == other.noisy && one.breaks == other.breaks;
    });
}
}  // namespace

LossPanel::LossPanel(RunRecord* run, QWidget* parent)
    : QFrame(parent),
      run_(run),
      metric_(tag::kTrainLoss),
      overlays_(new Overlays(run, this)),
      title_(make_title(tr("Loss"))),
      selector_(named(new QComboBox, tr("Curve of the main chart"))),
      chart_(new CurveChart(tr("Loss"))),
      legend_(new QWidget),
      entries_(new QHBoxLayout(legend_)),
      overlay_(with_look(new QPushButton, {.kind = "ghost", .icon = "plus", .name = tr("Overlay another run")})),
      menu_(new QMenu(this)),
      smoothing_(new SmoothingControl(this)),
      active_(new QCheckBox(tr("Without pauses"))),
      units_(named(new SegmentedControl({tr("Step"), tr("Time"), tr("Tokens")}), tr("Horizontal axis"))),
      scale_(named(new SegmentedControl({tr("Lin"), tr("Log")}), tr("Vertical axis"))) {
    setProperty("surface", QStringLiteral("panel"));
    entries_->setContentsMargins(8, 0, 0, 0);
    entries_->setSpacing(12);
    ActionCollection::instance().describe(overlay_, "run.overlay",
                                          tr("Overlay other runs, or show the difference to them"));
    connect(overlay_, &QPushButton::clicked, this, &LossPanel::showOverlayMenu);
    QWidget* tools = widgets::make_wrapping_row({12, 0, 10, 0}, 8,
                                                {title_, selector_, legend_, overlay_, stretch(), smoothing_->word(),
                                                 smoothing_->slider(), smoothing_->figure(), active_, units_, scale_});
    line_ = static_cast<QHBoxLayout*>(tools->layout());
    setLayout(make_column({1, 6, 1, 4}, 2, {tools, {chart_, 1}}));
    setMinimumHeight(170_px);
    for (QWidget* handle : {static_cast<QWidget*>(title_), legend_})
        widgets::make_draggable(handle, chart_);
    active_->hide();
    active_->setToolTip(tr("Leaves out the time in which the run was paused or waited for a restart"));
    units_->button(static_cast<int>(XUnit::Time))->setToolTip(tr("Time since the start"));
    selector_->hide();
    selector_->setMaximumWidth(kSelectorWidth);
    selector_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(selector_, &QComboBox::activated, this, [this](int index) {
        chooseMetric(selector_->itemData(index).toString().toStdString());
        emit metricChosen();
    });

    connect(overlays_, &Overlays::changed, this, &LossPanel::showCurves);
    connect(overlays_, &Overlays::curvesGrown, this, [this] {
        refresh();
        chart_->dataChanged();
    });
    connect(menu_, &QMenu::aboutToShow, this, &LossPanel::fillMenu);
    showCurves();
    connect(smoothing_, &SmoothingControl::chosen, this, &LossPanel::setSmoothing);
    connect(chart_, &CurveChart::smoothingChanged, this, [this](double weight) {
        automatic_ = automatic_ && weight == smoothing_for(series().size());
        smoothing_->setWeight(weight);
    });
    connect(units_, &SegmentedControl::currentChanged, this, [this] {
        refresh();
        emit unitChanged(unit());
    });
    connect(active_, &QCheckBox::toggled, this, &LossPanel::setActiveTime);
    connect(scale_, &SegmentedControl::currentChanged, this, [this](int index) { chart_->setLogY(index == 1); });
    connect(chart_, &CurveChart::logToggled, this, [this](bool log) { scale_->setCurrent(log ? 1 : 0); });
    setSmoothingAutomatic();
    scale_->setCurrent(1);
}

LossPanel::~LossPanel() {
    // Destroy the chart before the curves of the other runs.
    delete chart_;
}

void LossPanel::addLegend(const QString& name, int color, const QString& folder) {
    auto* layout = make_row({0, 0, 0, 0}, 6, {new Swatch(color)});
    auto* entry = make_holder(layout);
    if (folder.isEmpty()) {
        layout->addWidget(make_note(name));
    } else {
        auto* words = make_elided(name, Theme::instance().text(12), Tone::Secondary);
        words->setMaximumWidth(kNameRoom);
        layout->addWidget(words);
        auto* away = with_look(new QPushButton, {.kind = "hint", .icon = "x", .tip = tr("Remove %1").arg(name)});
        away->setFixedSize(20_px, 18_px);
        away->setIconSize({12_px, 12_px});
        // Queued, because the button itself is deleted by the change.
        connect(
            away, &QPushButton::clicked, overlays_, [this, folder] { overlays_->toggle(folder); },
            Qt::QueuedConnection);
        layout->addWidget(away);
    }
    entries_->addWidget(entry);
}

void LossPanel::showCurves() {
    const bool difference = overlays_->isDifference() && !overlays_->shown().empty();
    if (difference ? chart_->isLogY() : was_log_) {
        was_log_ = difference;
        setLogY(!difference);
    }
    refresh();
    // Hide and delete entries later: the click that changed the legend may come from one of them.
    while (QLayoutItem* item = entries_->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater();
        delete item;
    }
    const bool is_loss = metric_ == tag::kTrainLoss;
    if (!difference && is_loss) {
        addLegend(tr("train"), color::kTrain);
        addLegend(tr("val"), color::kValidation);
    }
    for (const OtherRun& other : overlays_->shown())
        addLegend(!difference ? other.name
                  : is_loss   ? tr("train − %1").arg(other.name)
                              : qt(metric_) + QStringLiteral(" − ") + other.name,
                  other.color, other.folder);
}

void LossPanel::chooseMetric(const std::string& tag) {
    chosen_ = tag;
    refresh();
}

void LossPanel::showMetric(const std::string& tag) {
    if (std::exchange(metric_, tag) == tag)
        return;
    overlays_->setTag(tag);
    chart_->setAccessibleName(tag == tag::kTrainLoss ? tr("Loss") : qt(tag));
    setLogY(is_loss_name(tag));
    showCurves();
}

/// Offers the curves of a program, and shows the main one unless the user chose another.
void LossPanel::follow() {
    const std::vector<std::string> metrics = run_->isProgram() ? metrics_of(*run_) : std::vector<std::string>{};
    const bool selects = metrics.size() > 1 || (metrics.size() == 1 && metrics.front() != tag::kTrainLoss);
    title_->setVisible(!selects);
    selector_->setVisible(selects);
    showMetric(!chosen_.empty() && std::ranges::find(metrics, chosen_) != metrics.end() ? chosen_ : run_->mainTag());
    if (!selects)
        return;
    const QSignalBlocker quiet(selector_);
    if (selector_->count() != static_cast<int>(metrics.size()) ||
        !std::ranges::all_of(metrics, [this](const std::string& tag) { return selector_->findData(qt(tag)) >= 0; })) {
        selector_->clear();
        for (const std::string& tag : metrics)
            selector_->addItem(qt(tag), qt(tag));
    }
    selector_->setCurrentIndex(selector_->findData(qt(metric_)));
}

void LossPanel::refresh() {
    follow();
    if (automatic_)
        setSmoothingAutomatic();
    // Offered where it changes the axis: in time, for a run that was paused or restarted.
    active_->setVisible(unit() == XUnit::Time && run_->wasIdle());
    {
        const QSignalBlocker quiet(active_);
        active_->setChecked(run_->isActiveTime());
    }
    QVector<Curve> curves = overlays_->curves(unit());
    if (!overlays_->isDifference() || curves.isEmpty()) {
        const bool is_loss = metric_ == tag::kTrainLoss;
        Curve train{is_loss ? tr("train") : qt(metric_), &series(), color::kTrain,
                    is_loss || series().size() > kNoisyFrom};
        train.breaks = breaks_of(*run_, series());
        QVector<Curve> own{train};
        if (is_loss) {
            Curve validation{tr("val"), &run_->series(tag::kValidationLoss), color::kValidation, false};
            validation.breaks = train.breaks;
            own << validation;
        }
        // The run itself is the first row of the table.
        curves = own + curves;
    }
    if (!looks_alike(curves, chart_->curves()))
        chart_->setCurves(curves);
}

void LossPanel::fillMenu() {
    menu_->clear();
    menu_->setToolTipsVisible(true);
    if (overlays_->offered().empty())
        menu_->addAction(tr("There is no other run in this folder"))->setEnabled(false);
    const auto add = [this](const QString& words, bool on, const QString& tip, auto act) {
        QAction* action = menu_->addAction(words, this, act);
        action->setCheckable(true);
        action->setChecked(on);
        action->setToolTip(tip);
    };
    for (const OtherRun& other : overlays_->offered())
        add(other.name, overlays_->folders().contains(other.folder), other.folder,
            [this, other] { overlays_->toggle(other.folder); });
    menu_->addSeparator();
    add(tr("Aligned at resume"), overlays_->isAtResume(),
        tr("Shifts the other run so that the step this run was resumed from coincides in both, or else their first "
           "points. When off, runs are aligned by step, time or tokens, whichever the axis shows."),
        [this](bool on) { overlays_->setAtResume(on); });
    add(tr("Differences: A − B"), overlays_->isDifference(),
        tr("This run minus each other run, at the steps both have"), [this](bool on) { overlays_->setDifference(on); });
}

void LossPanel::showOverlayMenu() {
    menu_->popup(overlay_->mapToGlobal(QPoint(0, overlay_->height() + 2)));
}

void LossPanel::setMarkers(const QVector<widgets::Marker>& markers) {
    chart_->setMarkers(markers);
}

XUnit LossPanel::unit() const {
    return static_cast<XUnit>(units_->current());
}

void LossPanel::setUnit(XUnit unit) {
    if (static_cast<int>(unit) >= 0 && static_cast<int>(unit) < units_->count())
        units_->setCurrent(static_cast<int>(unit));
}

void LossPanel::setActiveTime(bool active) {
    run_->setActiveTime(active);
    refresh();
    emit unitChanged(unit());
}

void LossPanel::setSmoothing(double weight) {
    automatic_ = false;
    chart_->setSmoothing(weight);
}

void LossPanel::setSmoothingAutomatic() {
    automatic_ = true;
    chart_->setSmoothing(smoothing_for(series().size()));
}

void LossPanel::setLogY(bool log) {
    scale_->setCurrent(log ? 1 : 0);
}

void LossPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    fitWords();
}

bool LossPanel::event(QEvent* event) {
    // Entries of the legend have no width before their layout shows them.
    if (event->type() == QEvent::LayoutRequest)
        fitWords();
    return QFrame::event(event);
}

void LossPanel::fitWords() {
    const bool has_others = !overlays_->folders().isEmpty();
    overlay_->setText(width() >= (has_others ? kRoomForOverlays : kRoomForWord) ? tr("Overlay") : QString());
    // Names of other runs may lose their ends first.
    const int spare = legend_->sizeHint().width() - legend_->minimumSizeHint().width();
    widgets::spare_in_line(line_, width() - 2 + spare,
                           {smoothing_->word(), smoothing_->figure(), smoothing_->slider()});
}

}  // namespace trainyard::desktop
