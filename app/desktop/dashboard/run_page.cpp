#include "desktop/dashboard/run_page.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include <QApplication>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>

#include "base/clock.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/curves/shared_axis.h"
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
#include "desktop/ui.h"
#include "widgets/inline_message.h"
#include "widgets/plot/chart_link.h"
#include "widgets/plot/log_view.h"
#include "widgets/plot/plot_frame.h"

namespace trainyard::desktop {

using widgets::CurveChart;
using widgets::InlineMessage;
using widgets::XUnit;

namespace {
constexpr int kTick = 1000;            // ms: durations in words
constexpr int kLogMarkDelay = 60;      // ms
constexpr int kFiguresInterval = 100;  // ms: tiles and progress while points stream in
constexpr QSize kSmallest(840, 560);
constexpr int kRightColumn = 324;
constexpr int kNarrowRightColumn = 264;
constexpr int kRoomBelowCharts = 840;
constexpr int kRoomForHealth = 700;  // pixels; a lower page keeps its charts
constexpr int kStretchOfCharts = 41, kStretchOfHealth = 11;
constexpr int kNarrowPage = 1120;  // pixels; a narrower page gives the charts what it can

/// Of an event of kind profile, which tells of its last step.
std::int64_t first_step_of(const run::Event& profile) {
    return profile.value > 0 ? static_cast<std::int64_t>(profile.value) : profile.step;
}
}  // namespace

RunPage::RunPage(run::RunPaths run, QWidget* parent)
    : Page(parent), record_(new RunRecord(std::move(run), this)), link_(new widgets::ChartLink(this)) {
    setAccessibleName(tr("Dashboard"));
    setTitle(record_->name());
    setFocusPolicy(Qt::ClickFocus);
    // The parts give way in resizeEvent(): what they ask for at a wide page must not keep the window wide.
    setMinimumSize(kSmallest);
    build();
    connectParts();
    view_ = new RunView(record_->key(), loss_, tiles_, link_, this);
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
    header_ = new RunHeader(record_);
    auto* body = make_column({20, 8, 20, 12}, 8, {});
    setLayout(make_column({0, 0, 0, 0}, 0, {header_, {body, 1}}));
    progress_ = new ProgressLine(record_);
    body->addWidget(progress_);
    strip_ = new InlineMessage;
    warning_ = new InlineMessage;
    request_ = new InlineMessage;
    for (InlineMessage* message : {strip_, warning_, request_})
        body->addWidget(message);
    own_data_ = strip_->addAction(tr("Choose your data"));
    connect(own_data_, &QPushButton::clicked, this, &RunPage::ownDataRequested);
    connect(strip_, &InlineMessage::dismissed, this, [this] { own_data_left_ = own_data_->isVisibleTo(strip_); });
    reconnect_ = strip_->addAction(tr("Reconnect"));
    connect(reconnect_, &QPushButton::clicked, this,
            [this] { emit reconnectRequested(qt(record_->paths().root().string())); });
    actions_ = new RunActions(record_, header_, request_, this);
    tiles_ = new TileRow(record_);
    body->addWidget(tiles_);
    failure_ = new FailurePanel;
    failure_->hide();
    body->addWidget(failure_);

    auto* columns = make_row(8, {});
    body->addLayout(columns, 1);
    auto* left = left_ = new QVBoxLayout;
    left->setSpacing(8);
    columns->addLayout(left, 1);
    start_ = new StartPanel(record_);
    left->addWidget(start_, 28);
    charts_ = new QWidget;
    beside_ = new QBoxLayout(QBoxLayout::LeftToRight, charts_);
    beside_->setContentsMargins(0, 0, 0, 0);
    beside_->setSpacing(8);
    left->addWidget(charts_, kStretchOfCharts);
    auto* charts = make_column(8, {});
    beside_->addLayout(charts, 5);
    samples_ = new SamplesPanel(record_);
    samples_->hide();
    beside_->addWidget(samples_, 2);
    loss_ = new LossPanel(record_);
    charts->addWidget(loss_, 28);
    small_row_ = new QWidget;
    auto* small = make_row({0, 0, 0, 0}, 8, {});
    small_row_->setLayout(small);
    small_ = {new SmallChart(tr("Throughput, tok/s"), &record_->series(tag::kTokensPerSecond), color::kThroughput),
              new SmallChart(tr("Learning rate"), &record_->series(tag::kLearningRate), color::kRate),
              new SmallChart(tr("Gradient norm"), &record_->series(tag::kGradientNorm), color::kNorm),
              new SmallChart(tr("Loss scale"), &record_->series(tag::kLossScale), color::kScale)};
    for (SmallChart* chart : small_)
        small->addWidget(chart, 1);
    loss_scale_ = small_.last();
    loss_scale_->hide();
    charts->addWidget(small_row_, 13);
    health_ = new HealthPanel(record_);
    health_->hide();
    charts->addWidget(health_, kStretchOfHealth);
    log_ = new LogPanel;
    left->addWidget(log_, 15);

    auto* right = make_column(8, {});
    columns->addLayout(right);
    hosts_ = new HostsPanel(record_);
    ranks_ = new RanksPanel;
    events_ = new EventsPanel;
    diff_ = new ConfigDiffPanel(record_->paths());
    for (QWidget* panel : {static_cast<QWidget*>(hosts_), static_cast<QWidget*>(ranks_), static_cast<QWidget*>(events_),
                           static_cast<QWidget*>(diff_)}) {
        panel->setFixedWidth(kRightColumn);
        right->addWidget(panel, panel == events_ ? 1 : 0);
    }
    link_->add(loss_->chart());
    for (SmallChart* chart : small_)
        link_->add(chart->chart());
}

void RunPage::connectParts() {
    connect(record_, &RunRecord::stateChanged, this, &RunPage::refreshState);
    connect(record_, &RunRecord::factsChanged, this, &RunPage::refreshState);
    connect(record_, &RunRecord::factsChanged, this, &RunPage::findOthers);
    // What differs is told of the run that was laid over last.
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
        if (!curves_due_.isActive())
            curves_due_.start();
        health_due_ = true;
        // Charts wait for their own frame; the figures for a calmer beat.
        if (start_->isVisibleTo(this) && record_->hasSteps())
            refreshState();
        loss_->chart()->dataChanged();
        for (SmallChart* chart : small_)
            chart->chart()->dataChanged();
    });
    connect(record_, &RunRecord::mediaChanged, this, &RunPage::refreshSamples);
    connect(record_, &RunRecord::eventsChanged, this, &RunPage::refreshEvents);
    connect(record_, &RunRecord::problemsChanged, this, &RunPage::refreshProblems);
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
    connect(header_, &RunHeader::copyPathRequested, this, [folder] { copy_text(folder); });
    const QString spec = qt(record_->paths().spec().string());
    // The newest of its own is found by the engine, which looks whether it is whole; of another run its folder has to be named.
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
    connect(failure_, &FailurePanel::resumeRequested, this, resume);
    connect(failure_, &FailurePanel::logRequested, log_, &LogPanel::showRank);
    connect(ranks_, &RanksPanel::rankActivated, log_, &LogPanel::showRank);
    connect(events_, &EventsPanel::eventChosen, this, [this](qint64 step) {
        if (step < 0 || !record_->hasSteps())
            return;
        showTrainingStep(static_cast<double>(step));
    });
    connect(log_, &LogPanel::placeChosen, this, [this](qint64 step, double wall_time) {
        const widgets::XScale scale = record_->scale(unit_);
        double x = std::numeric_limits<double>::quiet_NaN();
        if (const widgets::Series& loss = record_->series(tag::kTrainLoss); step >= 0 && !loss.empty())
            x = loss.x(loss.nearest(static_cast<double>(step), widgets::XScale{}), scale);
        else if (std::isfinite(wall_time) && !loss.empty()) {
            widgets::XScale wall;
            wall.unit = XUnit::Wall;
            x = loss.x(loss.nearest(wall_time, wall), scale);
        }
        if (std::isfinite(x))
            setCrosshair(x);
    });
    act_after(crosshair_due_, kLogMarkDelay, this, [this] {
        const widgets::Series& loss = record_->series(tag::kTrainLoss);
        const double x = loss_->chart()->view().crosshair;
        log_->markTime(std::isfinite(x) && !loss.empty() ? loss.wallTime(loss.nearest(x, record_->scale(unit_)))
                                                         : std::numeric_limits<double>::quiet_NaN());
    });
    connect(loss_->chart(), &CurveChart::crosshairMoved, &crosshair_due_, qOverload<>(&QTimer::start));
    connect(loss_->chart(), &CurveChart::markerActivated, this,
            [this](int id) { events_->select(static_cast<std::size_t>(id)); });
    connect(loss_->chart(), &CurveChart::markerOpened, this, [this](int id) { actOn(static_cast<std::size_t>(id)); });
    connect(loss_->chart(), &CurveChart::noteRequested, this, [this](double x) { noteAt(x, unit_); });
    connect(events_, &EventsPanel::eventOpened, this, &RunPage::actOn);
    connect(health_, &HealthPanel::rankActivated, this, &RunPage::actOnRank);
    connect(health_, &HealthPanel::crosshairMoved, this, &RunPage::setCrosshair);
    connect(loss_->chart(), &CurveChart::crosshairMoved, health_, &HealthPanel::setCrosshair);
    connect(loss_->chart(), &CurveChart::crosshairMoved, this, [this](double x) {
        const widgets::Series& loss = record_->series(tag::kTrainLoss);
        if (std::isfinite(x) && !loss.empty())
            x = static_cast<double>(loss.step(loss.nearest(x, record_->scale(unit_))));
        samples_->showStep(x);
    });
    // The pictures below keep the axis of the loss.
    connect(loss_->chart(), &CurveChart::redrawn, this, [this] {
        health_->setView(loss_->chart()->view().scale, loss_->chart()->view().x);
        health_->alignTo(loss_->chart(), loss_->chart()->frame().area.left());
    });
}

void RunPage::setUnit(XUnit unit) {
    unit_ = unit;
    refreshCurves();
}

void RunPage::tick() {
    if (!isVisible())
        return;
    const double now = wall_seconds();
    header_->refresh(now);
    progress_->refresh(now);
    if (start_->isVisible())
        start_->refresh(now);
    // Pictures of a run that says nothing stay as they are.
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
    const bool scale = !record_->series(tag::kLossScale).empty();
    if (loss_scale_->isVisibleTo(small_row_) != scale)
        loss_scale_->setVisible(scale);
}

/// A page that is narrow and low keeps its charts; all curves show the texts there, too.
void RunPage::refreshSamples() {
    const bool room = width() >= kNarrowPage || height() >= kRoomBelowCharts;
    samples_->setVisible(samples_->refresh() && room);
}

void RunPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    health_due_ = true;
    beside_->setDirection(width() < kNarrowPage ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    refreshSamples();
    for (QWidget* panel : {static_cast<QWidget*>(hosts_), static_cast<QWidget*>(ranks_), static_cast<QWidget*>(events_),
                           static_cast<QWidget*>(diff_)})
        panel->setFixedWidth(width() < kNarrowPage ? kNarrowRightColumn : kRightColumn);
}

void RunPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    tick();
    // The keys of the page work at once, and no button looks pressed.
    if (focusWidget() == nullptr || !focusWidget()->hasFocus())
        setFocus(Qt::OtherFocusReason);
}

void RunPage::findOthers() {
    finding_.submit([run = record_->paths()](const widgets::Cancelled&) { return find_other_runs(run); },
                    [this](const OtherRuns& others) {
                        loss_->overlays()->offer(others.runs);
                        diff_->offer(others);
                    });
}

void RunPage::refreshState() {
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
    // Until everything was read an empty chart stands there: the curve fills it from the left.
    const bool waits = !has_steps && (record_->isCaughtUp() || record_->stage() == RunStage::Missing);
    start_->setVisible(waits);
    charts_->setVisible(!waits && !shows_curves_);
    if (waits)
        start_->refresh(now);
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
        log_->setRanks(static_cast<int>(state->ranks.size()));
        log_->setStart(state->started > 0 ? state->started : state->created);
    }
    refreshHealth();
    refreshStrip(now);
    refreshCurves();
    setTitle(record_->name());
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
    events_->follow(record_->events());
    QVector<widgets::Marker> markers;
    const std::vector<run::Event>& events = record_->events();
    for (std::size_t i = 0; i < events.size(); ++i)
        if (is_marked(events[i]))
            markers << event_marker(events[i], static_cast<int>(i));
    if (auto best = best_marker(events))
        markers << *best;
    loss_->setMarkers(markers);
    loss_->refresh();
    if (record_->stage() == RunStage::Failed)
        failure_->showFailure(*record_);
    if (curves_ != nullptr)
        curves_->setMarkers(markers);
    progress_->refresh(wall_seconds());
}

void RunPage::refreshProblems() {
    const std::vector<std::string>& problems = record_->problems();
    if (problems.empty()) {
        warning_->dismiss();
        return;
    }
    QStringList lines;
    for (const std::string& problem : problems)
        lines << qtSentence(problem);
    warning_->showMessage(InlineMessage::Kind::Warning, tr("Part of the run cannot be read"),
                          lines.join(QLatin1Char('\n')));
}

void RunPage::refreshStrip(double now) {
    const auto& state = record_->state();
    const RunStage stage = record_->stage();
    reconnect_->setVisible(state && state->mirror);
    const bool leads_on = state && stage == RunStage::Finished && record_->facts() && record_->facts()->is_sample;
    own_data_->setVisible(leads_on);
    if (leads_on && !own_data_left_) {
        strip_->showMessage(InlineMessage::Kind::Note, tr("The sample run is complete"),
                            tr("The same model can be trained on your own text: choose a file or a folder."));
        return;
    }
    if (state && state->mirror && record_->isLive() && run::is_unreachable(*state->mirror, now)) {
        const run::MirrorState& mirror = *state->mirror;
        const QString host = qt(mirror.host);
        QString words = tr("The run may still be going on there. What was received up to then is shown.");
        if (!mirror.message.empty())
            words += QLatin1Char('\n') + qtSentence(mirror.message);
        strip_->showMessage(InlineMessage::Kind::Warning,
                            mirror.contact > 0 ? tr("%1 silent since %2").arg(host, clock_text(mirror.contact, now))
                                               : tr("%1 has not answered yet").arg(host),
                            words);
        return;
    }
    if (state && stage == RunStage::Lost) {
        strip_->showMessage(
            InlineMessage::Kind::Error,
            tr("The supervisor of this run has not been running since %1").arg(clock_text(state->heartbeat, now)),
            tr("It ran on %1. What it wrote is shown. Resume the run from its last checkpoint.")
                .arg(qt(state->supervisor_host)));
        return;
    }
    if (state && record_->isLive() && !state->mirror && now - state->heartbeat > kStaleHeartbeat) {
        // Tens of seconds: each new text lays out the whole window, which is most of what a silent run costs.
        const double silence = std::max(kStaleHeartbeat, std::floor((now - state->heartbeat) / 10) * 10);
        strip_->showMessage(
            InlineMessage::Kind::Warning,
            tr("%1 silent since %2").arg(qt(state->supervisor_host), clock_text(state->heartbeat, now)),
            tr("No heartbeat for %1. The run may still be going on there.").arg(whole_seconds(silence)));
        return;
    }
    if (strip_->isVisibleTo(this))
        strip_->dismiss();
}

void RunPage::setCrosshair(double x) {
    loss_->chart()->setCrosshair(x);
    for (SmallChart* chart : small_)
        chart->chart()->setCrosshair(x);
    health_->setCrosshair(x);
}

void RunPage::showTrainingStep(double step) {
    const widgets::Series& loss = record_->series(tag::kTrainLoss);
    if (!loss.empty())
        setCrosshair(loss.x(loss.nearest(step, widgets::XScale{}), record_->scale(unit_)));
}

void RunPage::noteAt(double x, XUnit unit) {
    const widgets::Series& loss = record_->series(tag::kTrainLoss);
    std::int64_t step = record_->step();
    if (std::isfinite(x) && !loss.empty())
        step = loss.step(loss.nearest(x, record_->scale(unit)));
    if (record_->isLive())
        actions_->note(step);
}

QString RunPage::traceOf(std::int64_t step) const {
    const std::vector<run::Event>& events = record_->events();
    for (auto event = events.rbegin(); event != events.rend(); ++event)
        if (event->kind == "profile" && !event->path.empty() && first_step_of(*event) <= step && step <= event->step)
            return qt((record_->paths().root() / event->path).string());
    return {};
}

/// The newest profile shows what the rank did; without one, its log does.
void RunPage::actOnRank(int rank) {
    const std::vector<run::Event>& events = record_->events();
    for (auto event = events.rbegin(); event != events.rend(); ++event)
        if (event->kind == "profile" && !event->path.empty()) {
            emit traceRequested(qt((record_->paths().root() / event->path).string()), first_step_of(*event), rank);
            return;
        }
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
    refreshState();
    if (curves && !tag.isEmpty())
        curves_->showTag(tag);
}

Page::Shortcuts RunPage::shortcuts() const {
    return {{QStringLiteral("K"), tr("Checkpoint now")},
            {QStringLiteral("H"), tr("Pause or continue")},
            {QStringLiteral("P"), tr("Profile the next steps")},
            {QStringLiteral("X"), tr("Stop the run")},
            {QStringLiteral("N"), tr("Add a note at the crosshair")},
            {QStringLiteral("T"), tr("All curves, or back to the overview")},
            {QStringLiteral("O"), tr("Overlay another run")},
            {QStringLiteral("1 … 9"), tr("Open the curve of a tile")},
            {QStringLiteral("[  ]"), tr("Previous or next event")},
            {QStringLiteral("F"), tr("Fit the curves to the chart")},
            {QStringLiteral("L"), tr("Logarithmic vertical axis")},
            {QStringLiteral("B"), tr("Show or hide the bands")},
            {QStringLiteral("← →"), tr("Move the crosshair of the chart")},
            {QStringLiteral("Shift+Backspace"), tr("Next zoom of the chart")},
            {QStringLiteral("Backspace"), tr("Previous zoom of the chart")},
            {QStringLiteral("Ctrl+F"), tr("Find in the log")},
            {QStringLiteral("Ctrl+L"), tr("Go to the log")},
            {QStringLiteral("Ctrl+Shift+S"), tr("Keep the layout under a name")}};
}

void RunPage::find() {
    if (shows_curves_) {
        curves_->find();
        return;
    }
    log_->focusFind();
}

void RunPage::keyPressEvent(QKeyEvent* event) {
    if (actions_->key(*event))
        return;
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_N && record_->isLive()) {
        noteAt(loss_->chart()->view().crosshair, unit_);
        return;
    }
    if (event->modifiers() == Qt::NoModifier && event->key() == Qt::Key_T) {
        showCurves(!shows_curves_);
        return;
    }
    if (lookKey(*event))
        return;
    // Without another focus the letters of a chart mean the loss.
    static constexpr int kChartKeys[] = {Qt::Key_F, Qt::Key_L, Qt::Key_S, Qt::Key_B, Qt::Key_G};
    if (event->modifiers() == Qt::NoModifier && hasFocus() && loss_->isVisible() &&
        std::find(std::begin(kChartKeys), std::end(kChartKeys), event->key()) != std::end(kChartKeys)) {
        QApplication::sendEvent(loss_->chart(), event);
        return;
    }
    Page::keyPressEvent(event);
}

bool RunPage::lookKey(const QKeyEvent& event) {
    const Qt::KeyboardModifiers keys = event.modifiers() & ~Qt::KeypadModifier;
    if (keys == Qt::ControlModifier && event.key() == Qt::Key_L) {
        log_->view()->setFocus(Qt::ShortcutFocusReason);
        return true;
    }
    if (keys == (Qt::ControlModifier | Qt::ShiftModifier) && event.key() == Qt::Key_S) {
        view_->layouts()->ask();
        return true;
    }
    // Brackets need a modifier on many keyboards.
    if (event.key() == Qt::Key_BracketLeft || event.key() == Qt::Key_BracketRight) {
        events_->step(event.key() == Qt::Key_BracketLeft ? -1 : 1);
        return true;
    }
    if (keys != Qt::NoModifier)
        return false;
    if (event.key() >= Qt::Key_1 && event.key() <= Qt::Key_9) {
        if (const int place = event.key() - Qt::Key_1; place < tiles_->chosen().size())
            emit tiles_->chartRequested(tiles_->chosen()[place]);
        return true;
    }
    if (event.key() == Qt::Key_O && loss_->isVisible()) {
        loss_->showOverlayMenu();
        return true;
    }
    return false;
}

}  // namespace trainyard::desktop
