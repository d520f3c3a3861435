// SPDX-License-Identifier: GPL-3.0-or-later
// Connections between the parts of a run's page, and actions for an event, a rank or a point in time.
#include <cmath>
#include <limits>
#include <ranges>

#include <QMenu>

#include "desktop/curves/named_layouts.h"
#include "desktop/dashboard/classes_panel.h"
#include "desktop/dashboard/config_diff.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/health_panel.h"
#include "desktop/dashboard/log_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/ranks_panel.h"
#include "desktop/dashboard/run_actions.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/dashboard/run_view.h"
#include "desktop/dashboard/samples_panel.h"
#include "desktop/dashboard/small_chart.h"
#include "desktop/dashboard/start_panel.h"
#include "desktop/dashboard/tags.h"
#include "desktop/dashboard/tile_row.h"
#include "desktop/shell/ui.h"
#include "widgets/plot/chart_link.h"
#include "widgets/plot/plot_frame.h"

namespace trainyard::desktop {

using widgets::CurveChart;
using widgets::XUnit;

namespace {
constexpr int kLogMarkDelay = 60;  // ms

const widgets::XScale kOnSteps{};

widgets::XScale wall_scale() {
    widgets::XScale scale;
    scale.unit = XUnit::Wall;
    return scale;
}

/// Returns the first step of an event of kind profile, whose own step is the last one.
std::int64_t first_step_of(const run::Event& profile) {
    return profile.value > 0 ? static_cast<std::int64_t>(profile.value) : profile.step;
}
}  // namespace

void RunPage::connectParts() {
    connect(record_, &RunRecord::stateChanged, this, &RunPage::refreshState);
    connect(record_, &RunRecord::factsChanged, this, &RunPage::refreshState);
    connect(record_, &RunRecord::factsChanged, this, &RunPage::findOthers);
    // The panel of differences compares with the run that was overlaid last.
    connect(loss_->overlays(), &Overlays::changed, this, [this] {
        if (!loss_->overlays()->folders().isEmpty())
            diff_->choose(loss_->overlays()->folders().last());
    });
    connect(header_, &RunHeader::layoutMenuShown, this, [this](QMenu* menu) {
        view_->layouts()->fill(menu);
        menu->addSeparator();
        menu->addAction(tr("Reset the layout"), view_, &RunView::reset);
    });
    connect(record_, &RunRecord::curvesChanged, this, [this] {
        start_unless_active(curves_due_);
        health_due_ = true;
        // Charts are redrawn once per frame; metrics are updated at a longer interval.
        if (start_->isVisibleTo(this) && record_->hasSteps())
            refreshState();
        loss_->chart()->dataChanged();
        for (SmallChart* chart : small_)
            chart->chart()->dataChanged();
    });
    connect(record_, &RunRecord::mediaChanged, this, &RunPage::refreshSamples);
    connect(record_, &RunRecord::eventsChanged, this, &RunPage::refreshEvents);
    connect(record_, &RunRecord::problemsChanged, this, &RunPage::refreshProblems);
    connect(record_, &RunRecord::classesChanged, this, [this] { classes_->setVisible(classes_->refresh()); });
    connect(record_, &RunRecord::logCame, log_, &LogPanel::append);
    connect(loss_, &LossPanel::unitChanged, this, &RunPage::setUnit);

    connect(header_, &RunHeader::noteRequested, this, [this] { noteAt(loss_->chart()->view().crosshair, unit_); });
    connect(header_, &RunHeader::curvesRequested, this, [this] { showCurves(!shows_curves_); });
    connect(tiles_, &TileRow::chartRequested, this, [this](const QString& tag) {
        const QString shown = tag == QLatin1String(tag::kMemory) ? QStringLiteral("system/resident_bytes") : tag;
        showCurves(true, shown);
    });
    const QString folder = qt(record_->paths().root().string());
    connect(header_, &RunHeader::folderRequested, this, [this, folder] { emit openFolderRequested(folder); });
    connect(header_, &RunHeader::tracesRequested, this, [this, folder] { emit tracesRequested(folder); });
    connect(header_, &RunHeader::tryRequested, this, [this, folder] { emit tryRequested(folder); });
    connect(header_, &RunHeader::windowRequested, this, &RunPage::windowRequested);
    connect(header_, &RunHeader::alarmsRequested, this, [this, folder] { emit alarmsRequested(folder); });
    connect(header_, &RunHeader::continueRequested, this, [this, folder] { emit continueRequested(folder); });
    connect(header_, &RunHeader::copyPathRequested, this, [folder] { copy_text(folder); });
    const QString spec = qt(record_->paths().spec().string());
    // The engine finds the newest valid checkpoint of the run itself. A checkpoint of an ancestor is passed by its
    // folder.
    const auto newest = [this, folder] {
        const std::vector<SavedCheckpoint>& saved = record_->checkpoints();
        return saved.empty() || saved.front().own ? folder : qt(saved.front().path);
    };
    const auto resume = [this, spec, newest] { emit resumeRequested(spec, newest()); };
    connect(header_, &RunHeader::resumeRequested, this, resume);
    connect(header_, &RunHeader::resumeFromRequested, this,
            [this, spec](const QString& checkpoint) { emit resumeRequested(spec, checkpoint); });
    connect(header_, &RunHeader::resumeElsewhereRequested, this,
            [this, spec, newest] { emit resumeElsewhereRequested(spec, newest()); });
    const auto again = [this] { emit runAgainRequested(qt(record_->paths().spec().string())); };
    connect(header_, &RunHeader::runAgainRequested, this, again);
    connect(failure_, &FailurePanel::runAgainRequested, this, again);
    const auto edit = [this] { emit editAgainRequested(qt(record_->paths().spec().string())); };
    connect(header_, &RunHeader::editAgainRequested, this, edit);
    connect(failure_, &FailurePanel::editAgainRequested, this, edit);
    connect(failure_, &FailurePanel::resumeRequested, this, resume);
    connect(failure_, &FailurePanel::logRequested, log_, &LogPanel::showRank);
    connect(ranks_, &RanksPanel::rankActivated, log_, &LogPanel::showRank);
    connect(events_, &EventsPanel::eventChosen, this, [this](qint64 step) {
        if (step >= 0 && record_->hasSteps())
            showTrainingStep(static_cast<double>(step));
    });
    connect(log_, &LogPanel::placeChosen, this, [this](qint64 step, double wall_time) {
        const double x = step >= 0 ? nearest(static_cast<double>(step), kOnSteps, record_->scale(unit_))
                                   : nearest(wall_time, wall_scale(), record_->scale(unit_));
        if (std::isfinite(x))
            setCrosshair(x);
    });
    act_after(crosshair_due_, kLogMarkDelay, this, [this] {
        log_->markTime(nearest(loss_->chart()->view().crosshair, record_->scale(unit_), wall_scale()));
    });
    connect(loss_->chart(), &CurveChart::crosshairMoved, &crosshair_due_, qOverload<>(&QTimer::start));
    connect(loss_->chart(), &CurveChart::markerActivated, this,
            [this](int id) { events_->select(static_cast<std::size_t>(id)); });
    connect(loss_->chart(), &CurveChart::markerOpened, this, [this](int id) { actOn(static_cast<std::size_t>(id)); });
    connect(loss_->chart(), &CurveChart::noteRequested, this, [this](double x) { noteAt(x, unit_); });
    connect(events_, &EventsPanel::eventOpened, this, &RunPage::actOn);
    connect(actions_, &RunActions::profileRecorded, this, &RunPage::actOn);
    connect(health_, &HealthPanel::rankActivated, this, &RunPage::actOnRank);
    connect(health_, &HealthPanel::crosshairMoved, this, &RunPage::setCrosshair);
    connect(loss_->chart(), &CurveChart::crosshairMoved, health_, &HealthPanel::setCrosshair);
    connect(loss_->chart(), &CurveChart::crosshairMoved, this,
            [this](double x) { samples_->showStep(nearest(x, record_->scale(unit_), kOnSteps)); });
    // The charts below have the same axis as the loss.
    connect(loss_->chart(), &CurveChart::redrawn, this, [this] {
        health_->setView(loss_->chart()->view().scale, loss_->chart()->view().x);
        health_->alignTo(loss_->chart(), loss_->chart()->frame().area.left());
    });
}

void RunPage::setCrosshair(double x) {
    loss_->chart()->setCrosshair(x);
    for (SmallChart* chart : small_)
        chart->chart()->setCrosshair(x);
    health_->setCrosshair(x);
}

double RunPage::nearest(double at, const widgets::XScale& from, const widgets::XScale& to) const {
    const widgets::Series& loss = record_->series(record_->mainTag());
    return std::isfinite(at) && !loss.empty() ? loss.x(loss.nearest(at, from), to)
                                              : std::numeric_limits<double>::quiet_NaN();
}

void RunPage::showTrainingStep(double step) {
    if (const double x = nearest(step, kOnSteps, record_->scale(unit_)); std::isfinite(x))
        setCrosshair(x);
}

void RunPage::noteAt(double x, XUnit unit) {
    const double step = nearest(x, record_->scale(unit), kOnSteps);
    if (record_->isLive())
        actions_->note(std::isfinite(step) ? std::llround(step) : record_->step());
}

QString RunPage::traceOf(std::int64_t step) const {
    for (const std::size_t position : record_->eventsOf("profile") | std::views::reverse)
        if (const run::Event& event = record_->events()[position];
            !event.path.empty() && first_step_of(event) <= step && step <= event.step)
            return qt((record_->paths().root() / event.path).string());
    return {};
}

/// Opens the newest profile at this rank, or the rank's log if the run has no profile.
void RunPage::actOnRank(int rank) {
    for (const std::size_t position : record_->eventsOf("profile") | std::views::reverse)
        if (const run::Event& event = record_->events()[position]; !event.path.empty())
            return emit traceRequested(qt((record_->paths().root() / event.path).string()), first_step_of(event), rank);
    log_->showRank(rank);
}

void RunPage::actOn(std::size_t number) {
    const std::vector<run::Event>& events = record_->events();
    if (number >= events.size())
        return;
    const run::Event& event = events[number];
    const std::filesystem::path root = record_->paths().root();
    const std::filesystem::path file = root / event.path;
    const bool about_a_step = event.kind == "spike" || event.kind == "nan" || event.kind == "straggler";
    if (!event.path.empty() && event.kind == "profile")
        emit traceRequested(qt(file.string()), first_step_of(event), -1);
    else if (!event.path.empty() && event.kind == "checkpoint")
        emit openFolderRequested(qt(file.string()));
    else if (const QString trace = about_a_step ? traceOf(event.step) : QString(); !trace.isEmpty())
        emit traceRequested(trace, event.step, static_cast<int>(event.rank));
    else if (event.rank >= 0)
        log_->showRank(event.rank);
    else
        showTrainingStep(static_cast<double>(event.step));
}

}  // namespace trainyard::desktop
