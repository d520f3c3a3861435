// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/traces_page.h"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QLineEdit>
#include <QLocale>
#include <QRegularExpression>
#include <QStackedWidget>
#include <QTableView>

#include "base/clock.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "desktop/traces/selection_panel.h"
#include "desktop/traces/share_panel.h"
#include "desktop/traces/slice_panel.h"
#include "desktop/traces/step_picker.h"
#include "desktop/traces/trace_words.h"
#include "widgets/inline_message.h"
#include "widgets/segmented_control.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

using widgets::InlineMessage;
using widgets::TimelinePlace;
using widgets::TimeSpan;

namespace {

const QString kView = QStringLiteral("traces"), kOpened = QStringLiteral("opened"), kShown = QStringLiteral("shown");
constexpr int kMostOpened = 12;       // traces that are listed besides those of runs
constexpr double kProfilesEvery = 5;  // seconds between two looks for profiles
constexpr int kSelectDelay = 120;     // ms
constexpr int kFoldFrom = 3;          // ranks: with so many, only the first is expanded

}  // namespace

TracesPage::TracesPage(QWidget* parent)
    : Page(tr("Traces"), parent),
      search_(new TraceSearch(this)),
      order_(new QComboBox),
      recorded_(new QPushButton),
      more_(new QPushButton),
      profiles_(new ProfileModel(this)),
      profile_table_(new QTableView),
      message_(new InlineMessage),
      reading_(new ReadingLine),
      stack_(widgets::make_stack()),
      steps_(new StepPicker),
      timeline_(new widgets::TimelineView(tr("Timeline"))),
      selection_(new SelectionPanel),
      right_tabs_(new widgets::SegmentedControl({tr("Where the time went"), tr("Slice")})),
      share_(new SharePanel),
      slice_(new SlicePanel) {
    makeHeader();
    makeBody();
    connect(reading_, &ReadingLine::previewed, this, [this](const auto& trace) { showTrace(trace, false); });
    connect(reading_, &ReadingLine::finished, this, [this](const auto& trace) { showTrace(trace, true); });
    connect(reading_, &ReadingLine::failed, this, &TracesPage::showFailure);
    act_after(select_timer_, kSelectDelay, this, &TracesPage::showSelection);
    connect(search_, &TraceSearch::chosen, this,
            [this](const TimelinePlace& place) { timeline_->choose(place, true); });
    connect(timeline_, &widgets::TimelineView::viewChanged, this, [this] { steps_->setView(timeline_->view()); });
    connect(timeline_, &widgets::TimelineView::selectionChanged, this, [this] { select_timer_.start(); });
    connect(timeline_, &widgets::TimelineView::arrangementChanged, this, &TracesPage::keepArrangement);
    connect(timeline_, &widgets::TimelineView::chosenChanged, this, [this] {
        slice_->setSlice(trace_, timeline_->chosen());
        if (timeline_->chosen().isValid())
            right_tabs_->setCurrent(1);
    });
    connect(steps_, &StepPicker::stepChosen, this, [this](const TimeSpan& range) {
        timeline_->select(range);
        timeline_->fit();
        right_tabs_->setCurrent(0);
    });
    connect(slice_, &SlicePanel::placeRequested, this, [this](const TimelinePlace& place) {
        timeline_->choose(place, true);
        timeline_->setFocus(Qt::OtherFocusReason);
    });
    connect(selection_, &SelectionPanel::rowChosen, this, [this](const TraceRow& row) { chooseRow(row, false); });
    connect(selection_, &SelectionPanel::rowActivated, this, [this](const TraceRow& row) { chooseRow(row, true); });
    showTools(false);
    steps_->hide();
}

QString TracesPage::subjectOf(const QString& file, qint64 step, int rank) {
    return file + QStringLiteral("#step=%1").arg(step) + (rank < 0 ? QString() : QStringLiteral("&rank=%1").arg(rank));
}

void TracesPage::goToWanted() {
    if (!wanted_ || trace_ == nullptr)
        return;
    const Wanted wanted = *std::exchange(wanted_, std::nullopt);
    if (!steps_->choose(wanted.step)) {
        message_->showMessage(InlineMessage::Kind::Note, tr("Step %1 is not in this trace").arg(wanted.step), {});
        return;
    }
    QSet<int> pinned = timeline_->pinned(), folded = timeline_->folded();
    if (const int group = trace_->groupOf(wanted.rank); group >= 0) {
        // Pin the rank, so that it is listed first, and expand it.
        pinned << group;
        folded.remove(group);
    }
    timeline_->setPinned(pinned);
    timeline_->setFolded(folded);
}

void TracesPage::setRuns(const QVector<ProfilePlace>& runs) {
    if (runs != runs_) {
        runs_ = runs;
        profiles_found_s_ = -1e9;
    }
    if (isVisible())
        findProfiles();
}

void TracesPage::findProfiles() {
    if (monotonic_seconds() - profiles_found_s_ < kProfilesEvery)
        return;
    profiles_found_s_ = monotonic_seconds();
    QVector<QStringList> opened;
    for (const QJsonValue paths : ViewState::instance().value(kView, kOpened).toArray())
        if (const QStringList words = stringsOf(paths); !words.isEmpty())
            opened << words;
    list_job_.submit(
        [runs = runs_, opened](const widgets::Cancelled& cancelled) {
            return recordedProfiles(runs, opened, [&] { return static_cast<bool>(cancelled); });
        },
        [this](const QVector<RecordedProfile>& found) {
            profiles_->setProfiles(found);
            showList(stack_->currentIndex() != kTrace || recorded_->isChecked());
        });
}

/// Shows the list of profiles instead of the trace; without profiles, the ways to open one.
void TracesPage::showList(bool shown) {
    const bool any = profiles_->rowCount() > 0;
    const QSignalBlocker quiet(recorded_);
    recorded_->setChecked(shown && any);
    recorded_->setVisible(trace_ != nullptr && any);
    stack_->setCurrentIndex(!shown ? kTrace : any ? kList : kEmpty);
    showTools(stack_->currentIndex() == kTrace && trace_ != nullptr);
    if (stack_->currentIndex() == kList && !profile_table_->currentIndex().isValid())
        profile_table_->setCurrentIndex(profiles_->index(0, 0));
}

void TracesPage::openProfile(int row) {
    const QStringList paths = profiles_->at(row).paths;
    if (trace_ != nullptr && paths == paths_)
        return showList(false);
    openPaths(paths);
}

/// Saves the shown trace for the list and for the next start.
void TracesPage::remember() {
    ViewState& views = ViewState::instance();
    const QJsonArray shown = QJsonArray::fromStringList(paths_);
    QJsonArray opened{shown};
    for (const QJsonValue paths : views.value(kView, kOpened).toArray())
        if (paths.toArray() != shown && opened.size() < kMostOpened)
            opened << paths;
    views.set(kView, kOpened, opened);
    views.set(kView, kShown, shown);
    profiles_found_s_ = -1e9;
    findProfiles();
}

void TracesPage::activate(const QString& subject) {
    findProfiles();
    if (subject.isEmpty()) {
        // The trace that was shown when the program ended.
        const QStringList last = stringsOf(ViewState::instance().value(kView, kShown));
        if (!std::exchange(returned_, true) && paths_.isEmpty() && !last.isEmpty())
            openPaths(last);
        return;
    }
    static const QRegularExpression place(QStringLiteral("^(.*)#step=(\\d+)(?:&rank=(\\d+))?$"));
    if (const QRegularExpressionMatch match = place.match(subject); match.hasMatch()) {
        QStringList ranks;
        for (const std::filesystem::path& file : traces::ranks_beside(match.captured(1).toStdString()))
            ranks << qt(file.string());
        wanted_ = Wanted{match.captured(2).toLongLong(), match.hasCaptured(3) ? match.captured(3).toInt() : -1};
        if (paths_ != ranks || (trace_ == nullptr && !isReading()))
            openPaths(ranks);
        else if (!isReading())
            goToWanted();
        return;
    }
    // `host:path` contains a colon; the id of a run does not.
    const bool is_path = QDir::isAbsolutePath(subject) || subject.contains(QLatin1Char(':'));
    const QString path = is_path || !folder_of_ ? subject : folder_of_(subject);
    // The folder may contain a newer profile by now.
    const bool is_file = path.endsWith(QStringLiteral(".json")) || path.endsWith(QStringLiteral(".gz")) ||
                         path.endsWith(QStringLiteral(".zst"));
    if (!is_file || paths_ != QStringList{path})
        openPaths({path});
}

void TracesPage::openPaths(const QStringList& paths) {
    paths_ = paths;
    returned_ = true;
    compare_job_.cancel();
    message_->dismiss();
    trace_.reset();
    search_->setTrace(nullptr);
    setTitle(tr("Traces of %1").arg(QFileInfo(paths.front()).fileName()));
    reading_->read(paths);
}

/// Shows or hides the controls that only make sense with an open trace.
void TracesPage::showTools(bool shown) {
    search_->setShown(shown);
    order_->setVisible(shown && trace_->groups().size() > 1);
}

void TracesPage::showFailure(const QString& sentence) {
    message_->showMessage(InlineMessage::Kind::Error, tr("This trace cannot be shown"), sentence);
    timeline_->setData(nullptr);
    steps_->setTrace(nullptr);
    trace_.reset();
    paths_.clear();
    search_->setTrace(nullptr);
    setTitle(tr("Traces"));
    setFacts({});
    ViewState::instance().set(kView, kShown, {});
    showList(true);
}

void TracesPage::showTrace(const std::shared_ptr<OpenedTrace>& trace, bool whole) {
    const bool keep = trace_ != nullptr;
    trace_ = trace;
    trace_->setColoring(by_name_ ? OpenedTrace::Coloring::Name : OpenedTrace::Coloring::Family);
    trace_->showPlan(shows_plan_);
    showList(false);
    setFacts(traceFacts(trace_->set()));
    steps_->setTrace(trace_.get());
    timeline_->setData(trace_, keep);
    search_->setTrace(trace_);
    if (!keep) {
        selection_->clearComparison();
        selection_->showTable(trace_->hasKernels() ? TraceTable::Kernels : TraceTable::Operations);
        if (trace_->groups().size() >= kFoldFrom) {
            QSet<int> folded;
            for (int group = 1; group < trace_->groups().size(); ++group)
                folded << group;
            timeline_->setFolded(folded);
        }
        const QJsonObject kept = ViewState::instance().view(QStringLiteral("trace/") + paths_.join(QLatin1Char('|')));
        QSet<int> pinned;
        for (const QJsonValue& rank : kept.value(QStringLiteral("pinned")).toArray())
            if (const int group = trace_->groupOf(rank.toInteger()); group >= 0)
                pinned << group;
        timeline_->setPinned(pinned);
    }
    arrange();
    steps_->setView(timeline_->view());
    if (!whole)
        return;
    remember();
    const QStringList problems = traceProblems(trace_->set());
    if (!problems.isEmpty())
        message_->showMessage(InlineMessage::Kind::Warning, tr("Not everything in the file could be shown"),
                              problems.first(), problems.size() > 1 ? problems.join(QLatin1Char('\n')) : QString());
    if (!search_->field()->text().isEmpty())
        search_->search();
    select_timer_.start();
    goToWanted();
}

void TracesPage::arrange() {
    if (!trace_)
        return;
    QVector<int> order;
    if (order_->currentIndex() == 1)
        order = trace_->slowestFirst();
    else
        for (int group = 0; group < trace_->groups().size(); ++group)
            order << group;
    timeline_->setOrder(order);
}

void TracesPage::keepArrangement() {
    if (!trace_)
        return;
    QJsonArray pinned;
    for (const int group : timeline_->pinned())
        pinned << qint64{trace_->rank(group)};
    ViewState::instance().set(QStringLiteral("trace/") + paths_.join(QLatin1Char('|')), QStringLiteral("pinned"),
                              pinned.isEmpty() ? QJsonValue() : QJsonValue(pinned));
}

bool TracesPage::isSelecting() const {
    return select_timer_.isActive() || !selection_->view()->isEnabled();
}

void TracesPage::showSelection() {
    if (!trace_)
        return;
    const TimeSpan range = timeline_->selection().value_or(trace_->whole());
    const int group = timeline_->selectedGroup();
    if (!timeline_->selection() && isReading())
        return;
    selection_->setBusy(true);
    select_job_.submit(
        [trace = trace_, range, group](const widgets::Cancelled& cancelled) {
            return selectionOf(*trace, range, group, cancelled);
        },
        [this, trace = trace_](const TraceSelection& selection) {
            if (trace_ != trace)  // another trace was opened meanwhile
                return;
            selection_->setSelection(selection, selectionWords(selection));
            share_->setSelection(selection);
        });
}

QString TracesPage::selectionWords(const TraceSelection& selection) const {
    QStringList words{selection.whole ? tr("whole trace, %1").arg(widgets::nanosecond_words(selection.range.length()))
                                      : widgets::nanosecond_words(selection.range.length())};
    for (const StepPicker::Step& step : steps_->steps())
        if (step.range == selection.range)
            words << tr("step %1").arg(QLocale().toString(qlonglong{step.number}));
    if (selection.group >= 0)
        words << rankWords(trace_->rank(selection.group));
    else if (trace_->groups().size() > 1)
        words << tr("all ranks");
    words << tr("%1 slices").arg(QLocale().toString(qulonglong{selection.slices}));
    return words.join(QStringLiteral("  \u00b7  "));
}

void TracesPage::chooseRow(const TraceRow& row, bool again) {
    if (!trace_ || selection_->shownTable() == TraceTable::Compared)
        return;
    if (row.group >= 0) {
        timeline_->choose(trace_->place(row.group, row.slice), true);
        return;
    }
    search_->findRow(row, timeline_->selection().value_or(trace_->whole()), timeline_->selectedGroup(), again);
}

QWidget* TracesPage::firstFocus() {
    return stack_->currentIndex() == kTrace  ? static_cast<QWidget*>(timeline_)
           : stack_->currentIndex() == kList ? static_cast<QWidget*>(profile_table_)
                                             : stack_->currentWidget()->findChild<QPushButton*>();
}

void TracesPage::find() {
    if (!trace_)
        return;
    search_->field()->setFocus(Qt::ShortcutFocusReason);
    search_->field()->selectAll();
}

void TracesPage::refresh() {
    profiles_found_s_ = -1e9;
    findProfiles();
    if (!paths_.isEmpty())
        openPaths(paths_);
}

}  // namespace trainyard::desktop
