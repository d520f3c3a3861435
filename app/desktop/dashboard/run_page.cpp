// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_page.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QScopedValueRollback>

#include "base/clock.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/dashboard/classes_panel.h"
#include "desktop/dashboard/config_diff.h"
#include "desktop/dashboard/events_panel.h"
#include "desktop/dashboard/failure_panel.h"
#include "desktop/dashboard/health_panel.h"
#include "desktop/dashboard/hosts_panel.h"
#include "desktop/dashboard/log_panel.h"
#include "desktop/dashboard/loss_panel.h"
#include "desktop/dashboard/progress_line.h"
#include "desktop/dashboard/ranks_panel.h"
#include "desktop/dashboard/run_actions.h"
#include "desktop/dashboard/run_header.h"
#include "desktop/dashboard/run_view.h"
#include "desktop/dashboard/samples_panel.h"
#include "desktop/dashboard/small_chart.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/dashboard/start_panel.h"
#include "desktop/dashboard/tags.h"
#include "desktop/dashboard/tile_row.h"
#include "desktop/dashboard/unsent_records.h"
#include "desktop/shell/ui.h"
#include "widgets/inline_message.h"
#include "widgets/layout_hold.h"
#include "widgets/pixels.h"
#include "widgets/plot/log_view.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using widgets::CurveChart;
using widgets::InlineMessage;
using widgets::XUnit;

namespace {
constexpr int kTick = 1000;            // ms: durations in words
constexpr int kFiguresInterval = 100;  // ms: tiles and progress while points stream in
const int& kRightColumn = live_px(324);
const int& kNarrowRightColumn = live_px(264);
const int& kRoomBelowCharts = live_px(840);
const int& kRoomForHealth = live_px(700);  // pixels; a lower page keeps its charts
constexpr int kStretchOfCharts = 41, kStretchOfHealth = 11;
const int& kStackedPage = live_px(720);  // pixels; on a narrower page the side column is below the charts
const int &kStackedLeft = live_px(420), &kStackedSide = live_px(300);
const int& kNarrowPage = live_px(1120);  // pixels; a narrower page gives the charts what it can
}  // namespace

RunPage::RunPage(run::RunPaths run, QWidget* parent)
    : Page(parent), record_(new RunRecord(std::move(run), this)), link_(new widgets::ChartLink(this)) {
    setAccessibleName(tr("Dashboard"));
    setTitle(record_->name());
    setFocusPolicy(Qt::ClickFocus);
    // resizeEvent() shrinks the panels. Their size hints on a wide page must not keep the window wide.
    setMinimumSize(540_px, 560_px);
    build();
    connectParts();
    view_ = new RunView(record_->key(), loss_, tiles_, link_, this);
    addActions();
    act_every(clock_, kTick, this, &RunPage::tick);
    clock_.start();
    act_after(curves_due_, kFiguresInterval, this, &RunPage::refreshCurves);
    refreshState();
    if (view_->showsCurves())
        showCurves(true);
    record_->start();
}

RunPage::~RunPage() {
    delete curves_;  // before the run that it shows
}

void RunPage::build() {
    header_ = new RunHeader(record_, this);
    progress_ = new ProgressLine(record_, this);
    strip_ = new InlineMessage(this);
    warning_ = new InlineMessage(this);
    request_ = new InlineMessage(this);
    auto* unsent = new InlineMessage(this);
    unsent_ = new UnsentRecords(record_, unsent, this);
    own_data_ = strip_->addAction(tr("Choose your data"));
    connect(own_data_, &QPushButton::clicked, this, &RunPage::ownDataRequested);
    connect(strip_, &InlineMessage::dismissed, this, [this] { own_data_left_ = own_data_->isVisibleTo(strip_); });
    reconnect_ = strip_->addAction(tr("Reconnect"));
    connect(reconnect_, &QPushButton::clicked, this,
            [this] { emit reconnectRequested(qt(record_->paths().root().string())); });
    actions_ = new RunActions(record_, header_, request_, this);
    tiles_ = new TileRow(record_, this);
    failure_ = new FailurePanel(this);

    // Each panel is created with its final parent: a widget that is reparented later is styled again.
    QScrollArea* left = charts_scroll_ = widgets::make_panel_scroll(nullptr, this);
    start_ = new StartPanel(record_, left->widget());
    charts_ = new QWidget(left->widget());
    small_row_ = new QWidget(charts_);
    side_ = widgets::make_panel_scroll(nullptr, this);
    samples_ = new SamplesPanel(record_, charts_);
    loss_ = new LossPanel(record_, charts_);
    small_ = {new SmallChart(tr("Throughput, tok/s"), &record_->series(tag::kTokensPerSecond), color::kThroughput,
                             small_row_),
              new SmallChart(tr("Learning rate"), &record_->series(tag::kLearningRate), color::kRate, small_row_),
              new SmallChart(tr("Gradient norm"), &record_->series(tag::kGradientNorm), color::kNorm, small_row_),
              new SmallChart(tr("Loss scale"), &record_->series(tag::kLossScale), color::kScale, small_row_)};
    loss_scale_ = small_.last();
    auto* small = make_row({0, 0, 0, 0}, 8, {});
    for (SmallChart* chart : small_)
        small->addWidget(chart, 1);
    small_row_->setLayout(small);
    health_ = new HealthPanel(record_, charts_);
    classes_ = new ClassesPanel(record_, charts_);
    log_ = new LogPanel(left->widget());
    for (QWidget* part : std::initializer_list<QWidget*>{failure_, samples_, loss_scale_, health_, classes_})
        part->hide();
    beside_ =
        make_row({0, 0, 0, 0}, 8,
                 {{make_column(8, {{loss_, 28}, {small_row_, 13}, {health_, kStretchOfHealth}, {classes_, 20}}), 5},
                  {samples_, 2}});
    charts_->setLayout(beside_);
    left_ = make_column({0, 0, 0, 0}, 8, {{start_, 28}, {charts_, kStretchOfCharts}, {log_, 15}});
    left->widget()->setLayout(left_);

    hosts_ = new HostsPanel(record_, side_->widget());
    ranks_ = new RanksPanel(side_->widget());
    events_ = new EventsPanel(side_->widget());
    diff_ = new ConfigDiffPanel(record_->paths(), side_->widget());
    side_->widget()->setLayout(make_column({0, 0, 0, 0}, 8, {hosts_, ranks_, {events_, 1}, diff_}));
    side_->setFixedWidth(kRightColumn);
    columns_ = make_row(8, {{left, 1}, side_});
    auto* body = make_column({20, 8, 20, 12}, 8,
                             {progress_, strip_, warning_, request_, unsent, tiles_, failure_, {columns_, 1}});
    setLayout(make_column({0, 0, 0, 0}, 0, {header_, {body, 1}}));
    link_->add(loss_->chart());
    for (SmallChart* chart : small_)
        link_->add(chart->chart());
}

void RunPage::setUnit(XUnit unit) {
    unit_ = unit;
    refreshCurves();
}

void RunPage::tick() {
    if (!isVisible())
        return;
    const widgets::LayoutHold hold(this);
    const double now = wall_seconds();
    header_->refresh(now);
    progress_->refresh(now);
    if (start_->isVisible())
        start_->refresh(now);
    // Charts of a silent run are not redrawn.
    if (health_due_)
        refreshHealth();
    else if (record_->isLive())
        hosts_->refresh(now);
    refreshStrip(now);
}

void RunPage::refreshHealth() {
    health_due_ = false;
    hosts_->refresh(wall_seconds());
    const bool shown = loss_->isVisibleTo(this) && height() >= kRoomForHealth && health_->hasData();
    health_->setVisible(shown);
    left_->setStretchFactor(charts_, kStretchOfCharts + (shown ? kStretchOfHealth : 0));
    if (shown)
        health_->refresh();
    loss_scale_->setVisible(!record_->series(tag::kLossScale).empty());
    // A program has these figures only under the names that a worker gives them.
    bool any = false;
    for (SmallChart* chart : small_) {
        const bool has_points = !chart->chart()->curves().first().series->empty();
        if (chart != loss_scale_)
            chart->setVisible(has_points || !record_->isProgram());
        any = any || has_points;
    }
    small_row_->setVisible(any || !record_->isProgram());
}

/// On a small page the charts have priority; the texts are then available in all curves.
void RunPage::refreshSamples() {
    const bool room = width() >= kNarrowPage || height() >= kRoomBelowCharts;
    samples_->setVisible(samples_->refresh() && room);
}

void RunPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    health_due_ = true;
    beside_->setDirection(width() < kNarrowPage ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    refreshSamples();
    const bool stacked = width() < kStackedPage;
    columns_->setDirection(stacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    charts_scroll_->setMinimumHeight(stacked ? kStackedLeft : 0);
    side_->setMinimumSize(0, stacked ? kStackedSide : 0);
    side_->setMaximumWidth(QWIDGETSIZE_MAX);
    if (!stacked)
        side_->setFixedWidth(width() < kNarrowPage ? kNarrowRightColumn : kRightColumn);
}

void RunPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (state_due_)
        refreshState();
    if (events_due_)
        refreshEvents();
    tick();
    // The keys of the page work at once, and no button looks pressed.
    if (focusWidget() == nullptr || !focusWidget()->hasFocus())
        setFocus(Qt::OtherFocusReason);
}

void RunPage::findOthers() {
    finding_.submit([run = record_->paths()] { return find_other_runs(run); },
                    [this](const OtherRuns& others) {
                        loss_->overlays()->offer(others.runs);
                        diff_->offer(others);
                    });
}

void RunPage::refreshState() {
    setTitle(record_->name());
    state_due_ = !isVisible();
    if (state_due_)
        return;
    const widgets::LayoutHold hold(this);
    const double now = wall_seconds();
    const auto& state = record_->state();
    const bool failed = record_->stage() == RunStage::Failed;
    const bool has_steps = record_->hasSteps();
    header_->refresh(now);
    progress_->refresh(now);
    failure_->setVisible(failed);
    tiles_->setVisible(!failed);
    if (failed)
        failure_->showFailure(*record_);
    // An empty chart is shown until everything has been read; the curve fills it from the left.
    const bool waits = !has_steps && (record_->isCaughtUp() || record_->stage() == RunStage::Missing);
    start_->setVisible(waits);
    charts_->setVisible(!waits && !shows_curves_);
    if (waits)
        start_->refresh(now);
    unsent_->refresh();
    loss_->chart()->setNotesOffered(record_->isLive());
    if (curves_ != nullptr)
        curves_->setNotesOffered(record_->isLive());
    if (state) {
        std::vector<run::RankState> ranks = state->ranks;
        if (record_->stage() == RunStage::Lost)
            for (run::RankState& rank : ranks)
                if (!rank.exit_code && !rank.signal)
                    rank.state = "unknown";
        ranks_->setRanks(ranks, state->first_failure ? state->first_failure->rank : -1, state->machines, now);
        QStringList places;
        for (const run::RankState& rank : ranks)
            places << qt(rank.place);
        log_->setRanks(static_cast<int>(ranks.size()), places);
        log_->setStart(state->started > 0 ? state->started : state->created);
    }
    refreshHealth();
    refreshStrip(now);
    refreshCurves();
}

void RunPage::refreshCurves() {
    curves_due_.stop();
    const widgets::XScale scale = record_->scale(unit_);
    loss_->chart()->setScale(scale);
    loss_->refresh();
    for (SmallChart* chart : small_)
        chart->chart()->setScale(scale);
    tiles_->refresh();
    progress_->refresh(wall_seconds());
}

void RunPage::refreshEvents() {
    events_due_ = !isVisible();
    if (events_due_)
        return;
    const widgets::LayoutHold hold(this);
    events_->follow(record_->events());
    event_markers_.follow(record_->events());
    const QVector<widgets::Marker> markers = event_markers_.markers();
    loss_->setMarkers(markers);
    loss_->refresh();
    if (record_->stage() == RunStage::Failed)
        failure_->showFailure(*record_);
    if (curves_ != nullptr)
        curves_->setMarkers(markers);
    progress_->refresh(wall_seconds());
}

void RunPage::refreshProblems() {
    const QStringList problems = record_->complaints();
    if (problems.isEmpty())
        warning_->dismiss();
    else
        warning_->showMessage(InlineMessage::Kind::Warning, tr("Part of the run cannot be read"),
                              problems.join(QLatin1Char('\n')));
}

void RunPage::refreshStrip(double now) {
    const auto& state = record_->state();
    const bool lost = state && record_->stage() == RunStage::Lost;
    const bool mirrored = state && state->mirror;
    reconnect_->setVisible(mirrored);
    const bool leads_on =
        state && record_->stage() == RunStage::Finished && record_->facts() && record_->facts()->is_sample;
    own_data_->setVisible(leads_on);
    if (leads_on && !own_data_left_) {
        strip_->showMessage(InlineMessage::Kind::Note, tr("The sample run is complete"),
                            tr("The same model can be trained on your own text: choose a file or a folder."));
    } else if (mirrored && record_->isLive() && run::is_unreachable(*state->mirror, now)) {
        const run::MirrorState& mirror = *state->mirror;
        const QString host = qt(mirror.host);
        QString words = tr("The run may still be active there. The data received so far is shown.");
        if (!mirror.message.empty())
            words += QLatin1Char('\n') + qtSentence(mirror.message);
        strip_->showMessage(InlineMessage::Kind::Warning,
                            mirror.contact > 0 ? tr("%1 silent since %2").arg(host, clock_text(mirror.contact, now))
                                               : tr("%1 has not answered yet").arg(host),
                            words);
    } else if (state && !mirrored && record_->isDiskFull()) {
        const QString folder = qt(record_->paths().root().string());
        const QString since = clock_text(state->heartbeat, now);
        strip_->showMessage(InlineMessage::Kind::Error, tr("The disk of the run's folder is full"),
                            lost ? tr("Nothing could be written in %1 since %2, and the supervisor has ended. Make "
                                      "room on this disk, then resume the run from its last checkpoint.")
                                       .arg(folder, since)
                                 : tr("Nothing could be written in %1 since %2. The ranks may still be training; once "
                                      "there is room on this disk, the run continues to write.")
                                       .arg(folder, since));
    } else if (lost) {
        strip_->showMessage(
            InlineMessage::Kind::Error,
            tr("The supervisor of this run has not been running since %1").arg(clock_text(state->heartbeat, now)),
            tr("It ran on %1. The data that it wrote is shown. Resume the run from its last checkpoint.")
                .arg(qt(state->supervisor_host)));
    } else if (state && record_->isLive() && !mirrored && now - state->heartbeat > kStaleHeartbeat) {
        // Round to tens of seconds: each new text causes a layout of the whole window, which is most of the cost of a
        // silent run.
        const double silence = std::max(kStaleHeartbeat, std::floor((now - state->heartbeat) / 10) * 10);
        strip_->showMessage(InlineMessage::Kind::Warning,
                            tr("%1 silent since %2").arg(qt(state->supervisor_host), clock_text(state->heartbeat, now)),
                            tr("No heartbeat for %1. The run may still be active there.").arg(whole_seconds(silence)));
    } else if (strip_->isVisibleTo(this)) {
        strip_->dismiss();
    }
}

void RunPage::setLabels(const RunLabels& labels) {
    header_->setLabels(labels);
    setTitle(labels.name.isEmpty() ? record_->name() : labels.name);
}

void RunPage::showCurves(bool curves, const QString& tag) {
    shows_curves_ = curves;
    health_due_ = true;
    view_->setShowsCurves(curves);
    if (curves && curves_ == nullptr) {
        curves_ = new CurvesPanel(QStringLiteral("run/layout"), record_->key());
        curves_->setSources({record_});
        connect(curves_, &CurvesPanel::markerActivated, this,
                [this](int id) { events_->select(static_cast<std::size_t>(id)); });
        connect(curves_, &CurvesPanel::noteRequested, this,
                [this](double x) { noteAt(x, curves_->axis()->look().unit); });
        left_->insertWidget(0, curves_, 52);
        refreshEvents();
    }
    if (curves_ != nullptr)
        curves_->setVisible(curves);
    save_layout_->setEnabled(!curves);
    refreshState();
    if (curves && !tag.isEmpty())
        curves_->showTag(tag);
}

void RunPage::addActions() {
    static constexpr const char* kTiles[] = {"run.tile1", "run.tile2", "run.tile3", "run.tile4", "run.tile5",
                                             "run.tile6", "run.tile7", "run.tile8", "run.tile9"};
    for (int place = 0; place < static_cast<int>(std::size(kTiles)); ++place)
        addCommand(kTiles[place], [this, place] {
            if (place < tiles_->chosen().size())
                emit tiles_->chartRequested(tiles_->chosen()[place]);
        });
    // Brackets need a modifier on many keyboards.
    addCommand("run.previous_event", [this] { events_->step(-1); });
    addCommand("run.next_event", [this] { events_->step(1); });
    addCommand("run.log", [this] { log_->view()->setFocus(Qt::ShortcutFocusReason); });
    // While the panel of all curves is visible, its own command saves its layout.
    save_layout_ = addCommand("curves.save_layout", [this] { view_->layouts()->ask(); });
    addCommand("run.overlay", [this] {
        if (loss_->isVisible())
            loss_->showOverlayMenu();
    });
    addCommand("run.note", [this] {
        if (record_->isLive())
            noteAt(loss_->chart()->view().crosshair, unit_);
    });
    addCommand("run.curves", [this] { showCurves(!shows_curves_); });
}

void RunPage::find() {
    if (shows_curves_)
        curves_->find();
    else
        log_->focusFind();
}

/// If no other widget has the focus, the keys of a chart act on the loss chart.
void RunPage::keyPressEvent(QKeyEvent* event) {
    // A key that the chart does not know comes back to its page.
    if (!hasFocus() || forwarding_ || !loss_->isVisible())
        return Page::keyPressEvent(event);
    const QScopedValueRollback<bool> guard(forwarding_, true);
    QApplication::sendEvent(loss_->chart(), event);
}

}  // namespace trainyard::desktop
