// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/loss_panel.h"

#include <algorithm>
#include <utility>

#include <QEvent>
#include <QLocale>
#include <QMenu>
#include <QSlider>

#include "desktop/dashboard/swatch.h"
#include "desktop/dashboard/tags.h"
#include "desktop/ui.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/room.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::Curve;
using widgets::CurveChart;
using widgets::SegmentedControl;
using widgets::XUnit;

namespace {
constexpr double kUsualSmoothing = 0.9;
constexpr int kSliderSteps = 1000;
constexpr int kRoomForWord = 720;      // pixels of the panel; narrower, "Smoothing" and "Overlay" are hidden
constexpr int kRoomForOverlays = 860;  // with other runs in the legend
constexpr int kNameRoom = 110;

/// Returns the first step after each restart, where the curve has a gap.
QVector<std::int64_t> breaks_of(const RunRecord& run) {
    QVector<std::int64_t> breaks;
    const widgets::Series& loss = run.series(tag::kTrainLoss);
    widgets::XScale wall;
    wall.unit = XUnit::Wall;
    for (const run::Event& event : run.events())
        if (event.kind == "restart" || event.kind == "resume")
            if (const std::size_t at = loss.lowerBound(event.time, wall); at > 0 && at < loss.size())
                breaks << loss.step(at);
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
      overlays_(new Overlays(run, this)),
      chart_(new CurveChart(tr("Loss"))),
      legend_(new QWidget),
      entries_(new QHBoxLayout(legend_)),
      overlay_(with_look(new QPushButton, {.kind = "ghost",
                                           .icon = "plus",
                                           .tip = tr("Overlay other runs, or show the difference to them (O)"),
                                           .name = tr("Overlay another run")})),
      menu_(new QMenu(this)),
      smoothing_word_(make_note(tr("Smoothing"))),
      smoothing_(named(new QSlider(Qt::Horizontal), tr("Smoothing weight"),
                       tr("Exponential moving average, as TensorBoard draws it. S switches it off and on."))),
      weight_(make_mono_label({}, 12)),
      units_(named(new SegmentedControl({tr("Step"), tr("Time"), tr("Tokens")}), tr("Horizontal axis"))),
      scale_(named(new SegmentedControl({tr("Lin"), tr("Log")}), tr("Vertical axis"))) {
    setProperty("surface", QStringLiteral("panel"));
    entries_->setContentsMargins(8, 0, 0, 0);
    entries_->setSpacing(12);
    connect(overlay_, &QPushButton::clicked, this, &LossPanel::showOverlayMenu);
    smoothing_->setRange(0, kSliderSteps - 1);
    smoothing_->setFixedWidth(84);
    line_ = make_row(
        {12, 0, 10, 0}, 8,
        {make_title(tr("Loss")), legend_, overlay_, stretch(), smoothing_word_, smoothing_, weight_, units_, scale_});
    setLayout(make_column({1, 6, 1, 4}, 2, {line_, {chart_, 1}}));
    setMinimumHeight(170);

    connect(overlays_, &Overlays::changed, this, &LossPanel::showCurves);
    connect(overlays_, &Overlays::curvesGrown, this, [this] {
        refresh();
        chart_->dataChanged();
    });
    connect(menu_, &QMenu::aboutToShow, this, &LossPanel::fillMenu);
    showCurves();
    connect(smoothing_, &QSlider::valueChanged, this,
            [this](int value) { setWeight(static_cast<double>(value) / kSliderSteps); });
    connect(chart_, &CurveChart::smoothingToggled, this, [this](bool) {
        // The chart emits the signal before it changes.
        QMetaObject::invokeMethod(
            this, [this] { smoothing_->setValue(static_cast<int>(chart_->smoothing() * kSliderSteps + 0.5)); },
            Qt::QueuedConnection);
    });
    connect(units_, &SegmentedControl::currentChanged, this, [this] {
        was_time_ = was_time_ && unit() == XUnit::Time;
        refresh();
        emit unitChanged(unit());
    });
    // A second click on Time toggles the display without pauses and restarts, if the run had any.
    connect(units_->button(static_cast<int>(XUnit::Time)), &QPushButton::clicked, this, [this] {
        if (std::exchange(was_time_, unit() == XUnit::Time) && run_->wasIdle())
            setActiveTime(!run_->isActiveTime());
    });
    connect(scale_, &SegmentedControl::currentChanged, this, [this](int index) { chart_->setLogY(index == 1); });
    connect(chart_, &CurveChart::logToggled, this, [this](bool log) { scale_->setCurrent(log ? 1 : 0); });
    smoothing_->setValue(static_cast<int>(kUsualSmoothing * kSliderSteps));
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
        away->setFixedSize(20, 18);
        away->setIconSize({12, 12});
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
    if (!difference) {
        addLegend(tr("train"), color::kTrain);
        addLegend(tr("val"), color::kValidation);
    }
    for (const OtherRun& other : overlays_->shown())
        addLegend(difference ? tr("train − %1").arg(other.name) : other.name, other.color, other.folder);
}

void LossPanel::refresh() {
    const int time = static_cast<int>(XUnit::Time);
    const bool active = run_->isActiveTime() && run_->wasIdle();
    units_->setLabel(time, active ? tr("Active") : tr("Time"));
    units_->button(time)->setToolTip(!run_->wasIdle() ? tr("Time since the start")
                                     : active ? tr("Time since the start without pauses and restarts; again: with them")
                                              : tr("Time since the start; again: without pauses and restarts"));
    QVector<Curve> curves = overlays_->curves(unit());
    if (!overlays_->isDifference() || curves.isEmpty()) {
        Curve train{tr("train"), &run_->series(tag::kTrainLoss), color::kTrain, true};
        train.breaks = breaks_of(*run_);
        Curve validation{tr("val"), &run_->series(tag::kValidationLoss), color::kValidation, false};
        validation.breaks = train.breaks;
        curves << train << validation;
        // The run itself is the first row of the table.
        std::rotate(curves.begin(), curves.end() - 2, curves.end());
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

void LossPanel::setWeight(double weight) {
    weight_->setText(QLocale().toString(weight, 'f', 2));
    chart_->setSmoothing(weight);
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
    smoothing_->setValue(static_cast<int>(weight * kSliderSteps + 0.5));
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
    widgets::spare_in_line(line_, width() - 2 + spare, {smoothing_word_, weight_, smoothing_});
}

}  // namespace trainyard::desktop
