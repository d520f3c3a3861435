// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sweeps/sweeps_page.h"

#include <algorithm>
#include <cmath>

#include <QHeaderView>
#include <QLocale>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedLayout>
#include <QTableView>

#include "base/error.h"
#include "desktop/shell/ui.h"
#include "desktop/sweeps/sweep_commands.h"
#include "desktop/sweeps/trials_model.h"
#include "run/state.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
#include "widgets/chip.h"
#include "widgets/dialogs.h"
#include "widgets/empty_state.h"
#include "widgets/inline_message.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plot/chart_legend.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/parallel_coordinates.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::Cell;
using widgets::InlineMessage;

namespace {

constexpr int kSweepLookMs = 1000;              // between two looks at the folders
constexpr int kSweepSlowMs = 400;               // until reading is shown
const int& kSweepsStackedBelow = live_px(700);  // pixels: the list above the sweep
const int& kSweepListWidth = live_px(250);
const int& kTrialRowHeight = live_px(26);
enum SweepsShown { kReading, kNoSweeps, kSweeps, kUnreadable };  // pages of the stack

QTableView* make_sweep_table(const QString& name, widgets::CellRows* rows) {
    auto* table = named(new QTableView, name);
    table->setModel(rows);
    widgets::set_rows_look(table);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFrameShape(QFrame::NoFrame);
    table->verticalHeader()->setDefaultSectionSize(kTrialRowHeight);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
    return table;
}

/// Whether all trials that were started wait in queues.
bool trials_wait(const sweep::StoredSweep& sweep) {
    bool any = false;
    for (const auto& [number, trial] : sweep.trials) {
        if (trial.state != sweep::TrialState::running)
            continue;
        const auto state = run::read_state(run::RunPaths(run::runs_root() / trial.run));
        if (!state || state->status != run::Status::queued)
            return false;
        any = true;
    }
    return any;
}

}  // namespace

widgets::Chip SweepsPage::Read::chip() const {
    if (sweep == nullptr)
        return {tr("Unreadable"), QStringLiteral("error"), Token::Error};
    if (is_queued && sweep->state == sweep::SweepState::running)
        return {tr("Queued"), QStringLiteral("clock"), Token::Info};
    return chipOf(sweep->state);
}

SweepsPage::SweepsPage(EngineLink* engine, QWidget* parent)
    : Page(tr("Sweeps"), parent),
      commands_(new SweepCommands(engine, this)),
      looking_(this, widgets::Executor::Kind::Waits),
      stack_(new QStackedLayout),
      message_(new InlineMessage),
      unreadable_(new InlineMessage),
      sweeps_(new widgets::CellRows({{tr("Name")}, {tr("State")}}, this)),
      list_(make_sweep_table(tr("Sweeps"), sweeps_)),
      shares_(new widgets::CellRows({{tr("Parameter")}, {tr("Importance"), true}, {}}, this)),
      trials_(new TrialsModel(this)) {
    setFacts(tr("Many runs of one recipe with other values, and which of them is best"));
    auto* file =
        with_look(new QPushButton(tr("Start from a file…")), {.icon = "file", .tip = tr("Starts a sweep.yaml")});
    auto* fresh = with_look(new QPushButton(tr("New sweep")), {.kind = "primary", .icon = "plus"});
    add_items(actions(), {file, fresh});
    connect(fresh, &QPushButton::clicked, this, &SweepsPage::newSweepRequested);
    connect(file, &QPushButton::clicked, this, [this] {
        widgets::ask_file(this, tr("Start a sweep"), tr("Sweeps (*.yaml *.yml)"),
                          [this](const QString& path) { commands_->openFile(path); });
    });
    list_->horizontalHeader()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->setMinimumHeight(3 * kTrialRowHeight);
    auto* empty = new widgets::EmptyState(
        QStringLiteral("target"), tr("No sweeps yet"),
        tr("A sweep trains a recipe with many values of its keys. Its trials and the best of them are listed here."));
    connect(empty->addAction(tr("New sweep"), QStringLiteral("plus")), &QPushButton::clicked, this,
            &SweepsPage::newSweepRequested);
    auto* list_panel = make_frame("panel", make_column({1, 1, 1, 1}, 0, {{list_, 1}}));
    list_panel->setMinimumWidth(kSweepListWidth);
    auto* both = widgets::make_stacking_splitter(kSweepsStackedBelow, {list_panel, makeDetail()});
    both->setStretchFactor(0, 0);
    both->setStretchFactor(1, 1);
    // A slow disk is named, one that answers at once does not flicker.
    auto* reading = new widgets::EmptyState(QStringLiteral("clock"), tr("Reading the sweeps…"));
    reading->hide();
    act_after(slow_, kSweepSlowMs, this, [reading, this] { reading->setVisible(!loaded_); });
    slow_.start();
    stack_->addWidget(make_holder(make_column({0, 0, 0, 0}, 0, {{reading, 1}})));
    stack_->addWidget(empty);
    stack_->addWidget(both);
    stack_->addWidget(new QWidget);  // the place cannot be read, and nothing of it is known
    connect(unreadable_->addAction(tr("Retry")), &QPushButton::clicked, this, &SweepsPage::look);
    // While it is hidden its rows have no width yet, and would make the page higher than it is.
    const auto count_both = [both, stack = stack_] {
        const auto how = stack->currentWidget() == both ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        both->setSizePolicy(how, how);
    };
    connect(stack_, &QStackedLayout::currentChanged, this, count_both);
    count_both();
    add_items(body(), {message_, unreadable_});
    body()->addLayout(stack_, 1);
    connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SweepsPage::showSweep);
    act_after(due_, kSweepLookMs, this, &SweepsPage::look);
    addCommand("sweeps.open", [this] { openTrial(); });
    addCommand("sweeps.edit_best", [this] { act(&SweepCommands::editBest); });
    addCommand("sweeps.pause", [this] {
        if (const sweep::StoredSweep* sweep = shownSweep())
            sweep::is_live(sweep->state) ? commands_->end(*sweep, false) : commands_->proceed(*sweep);
    });
    addCommand("sweeps.delete", [this] { askToDelete(); });
    connect(commands_, &SweepCommands::begun, message_, &InlineMessage::dismiss);
    connect(commands_, &SweepCommands::failed, message_, [this](const QString& title, const QString& words) {
        message_->showMessage(InlineMessage::Kind::Error, title, words);
    });
    connect(commands_, &SweepCommands::started, this, [this](const QString& id) {
        wanted_ = id;
        look();
    });
    connect(commands_, &SweepCommands::changed, this, &SweepsPage::look);
    connect(commands_, &SweepCommands::proceeding, continue_, &QPushButton::setDisabled);
    connect(commands_, &SweepCommands::editAgainRequested, this, &SweepsPage::editAgainRequested);
}

SweepsPage::~SweepsPage() = default;

bool SweepsPage::isBusy() const {
    return commands_->isBusy();
}

QWidget* SweepsPage::makeDetail() {
    name_ = make_title({}, 15);
    name_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    chip_ = new widgets::StateChip;
    facts_ = wrapped(make_note({}));
    pause_ = with_look(new QPushButton(tr("Pause")),
                       {.icon = "pause", .tip = tr("Starts no more trials; running trials finish")});
    stop_ =
        with_look(new QPushButton(tr("Stop…")),
                  {.icon = "stop", .tip = tr("Also ends running trials; they start again when the sweep continues")});
    continue_ = with_look(new QPushButton(tr("Continue")), {.icon = "play"});
    more_ = with_look(new QPushButton(tr("Add trials…")), {.icon = "plus"});
    retry_ = with_look(new QPushButton(tr("Retry failed trials")), {.icon = "resume"});
    connect(retry_, &QPushButton::clicked, this, [this] {
        if (const sweep::StoredSweep* sweep = shownSweep())
            commands_->proceed(*sweep, {QStringLiteral("--retry")});
    });
    edit_ = with_look(new QPushButton(tr("Edit the best and run again")),
                      {.icon = "wand", .tip = tr("Opens New run with the recipe of the best trial")});
    delete_ = with_look(new QPushButton(tr("Delete…")), {.icon = "trash"});
    connect(pause_, &QPushButton::clicked, this, [this] {
        if (const sweep::StoredSweep* sweep = shownSweep())
            commands_->end(*sweep, false);
    });
    connect(stop_, &QPushButton::clicked, this, [this] { act(&SweepCommands::askToStop); });
    connect(continue_, &QPushButton::clicked, this, [this] {
        if (const sweep::StoredSweep* sweep = shownSweep())
            commands_->proceed(*sweep);
    });
    connect(more_, &QPushButton::clicked, this, [this] { act(&SweepCommands::askForMore); });
    connect(edit_, &QPushButton::clicked, this, [this] { act(&SweepCommands::editBest); });
    connect(delete_, &QPushButton::clicked, this, &SweepsPage::askToDelete);

    chart_ = new widgets::CurveChart(tr("Values of the trials, and the best so far"));
    chart_->setMinimumHeight(110_px);
    importance_ = make_sweep_table(tr("Importance of the parameters"), shares_);
    for (const int column : {1, 2})
        importance_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
    widgets::set_column_widths(importance_->horizontalHeader(), {{1, 64}, {2, 60}});
    importance_->horizontalHeader()->setToolTip(
        tr("Share of the differences between finished trials that each parameter alone explains"));
    importance_->setMinimumHeight(110_px);
    auto* legend = new widgets::ChartLegend(chart_);
    auto* charts = widgets::make_stacking_row(
        560, 8,
        {{make_frame("panel", make_column({1, 4, 1, 1}, 0, {make_row({8, 0, 8, 0}, {{legend, 1}}), {chart_, 1}})), 1},
         {make_frame("panel", make_column({1, 1, 1, 1}, 0, {{importance_, 1}})), 1}});

    table_ = named(new QTableView, tr("Trials"));
    table_->setModel(trials_);
    table_->setItemDelegate(new widgets::CellDelegate(table_));
    widgets::set_rows_look(table_);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setMinimumHeight(100_px);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(kTrialRowHeight);
    table_->setSortingEnabled(true);
    table_->sortByColumn(TrialsModel::Number, Qt::AscendingOrder);
    table_->horizontalHeader()->setSectionResizeMode(TrialsModel::State, QHeaderView::ResizeToContents);
    connect(table_, &QTableView::activated, this, &SweepsPage::openTrial);
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { updateActions(); });
    parallel_ = new widgets::ParallelCoordinates(tr("Trials across their parameters"));
    connect(parallel_, &widgets::ParallelCoordinates::activated, this, &SweepsPage::runActivated);
    open_ = with_look(new QPushButton(tr("Open run")), {.icon = "runs"});
    stop_trial_ =
        with_look(new QPushButton(tr("Stop trial")),
                  {.icon = "stop", .tip = tr("Ends the run of the selected trial, which then counts as failed")});
    connect(open_, &QPushButton::clicked, this, &SweepsPage::openTrial);
    connect(stop_trial_, &QPushButton::clicked, this, [this] {
        if (const sweep::Trial* trial = selected())
            emit stopRunRequested(qt((run::runs_root() / trial->run).string()));
    });
    views_ = named(new widgets::SegmentedControl({tr("Trials"), tr("Parallel coordinates")}), tr("View of the trials"));
    view_ = new QStackedLayout;
    view_->addWidget(table_);
    view_->addWidget(parallel_);
    connect(views_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        view_->setCurrentIndex(index);
        updateActions();
    });
    auto* shown = make_frame("panel", make_column({1, 1, 1, 1}, 0, {}));
    static_cast<QVBoxLayout*>(shown->layout())->addLayout(view_, 1);
    return make_holder(make_column(
        {0, 0, 0, 0}, 8,
        {make_row(8, {{name_, 1}, chip_}),
         facts_,
         widgets::make_wrapping_row(8, {pause_, stop_, continue_, more_, retry_, edit_, delete_, stretch()}),
         {charts, 2},
         widgets::make_wrapping_row(8, {views_, stretch(), open_, stop_trial_}),
         {shown, 3}}));
}

void SweepsPage::activate(const QString& subject) {
    if (!subject.isEmpty())
        wanted_ = subject;
    look();
}

QWidget* SweepsPage::firstFocus() {
    return read_.empty() ? nullptr : list_;
}

void SweepsPage::primaryAction() {
    emit newSweepRequested();
}

void SweepsPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    look();
}

void SweepsPage::hideEvent(QHideEvent* event) {
    Page::hideEvent(event);
    due_.stop();
}

void SweepsPage::look() {
    looking_.submit(
        [before = read_, place = sweep::sweeps_in(run::runs_root())] {
            AllRead all;
            for (const std::filesystem::path& folder : sweep::sweep_folders(place)) {
                Read read;
                read.id = folder.filename().string();
                read.signature = sweep::sweep_signature(folder);
                const auto same = std::ranges::find_if(
                    before, [&](const auto& one) { return one->id == read.id && one->signature == read.signature; });
                try {
                    if (same != before.end()) {
                        read = **same;
                    } else {
                        auto sweep = std::make_shared<const sweep::StoredSweep>(sweep::read_sweep(folder));
                        read.importance = sweep::importance(sweep->file, sweep->trials);
                        read.sweep = std::move(sweep);
                    }
                    read.is_queued = read.sweep != nullptr && trials_wait(*read.sweep);
                } catch (const std::exception& error) {
                    read.problem = qtSentence(message_of(error));
                }
                const bool is_same = same != before.end() && (*same)->is_queued == read.is_queued;
                all.push_back(is_same ? *same : std::make_shared<const Read>(std::move(read)));
            }
            return all;
        },
        [this](const AllRead& read) { take(read); },
        [this](const QString& sentence) {
            showUnreadable(sentence);
            if (isVisible())
                due_.start();
        });
}

void SweepsPage::showUnreadable(const QString& sentence) {
    unreadable_->showMessage(InlineMessage::Kind::Error, tr("The sweeps cannot be read"), sentence);
    loaded_ = true;
    if (read_.empty())
        stack_->setCurrentIndex(kUnreadable);
}

void SweepsPage::take(const AllRead& read) {
    const bool changed = !loaded_ || stack_->currentIndex() == kUnreadable || read != read_;
    loaded_ = true;
    unreadable_->dismiss();
    read_ = read;
    if (changed || !wanted_.isEmpty())
        showList();
    if (isVisible())
        due_.start();
}

const SweepsPage::Read* SweepsPage::current() const {
    const int row = list_->currentIndex().row();
    return row < 0 || row >= static_cast<int>(read_.size()) ? nullptr : read_[static_cast<std::size_t>(row)].get();
}

const sweep::StoredSweep* SweepsPage::shownSweep() const {
    return current() == nullptr ? nullptr : current()->sweep.get();
}

QString SweepsPage::shownId() const {
    return current() == nullptr ? QString() : qt(current()->id);
}

void SweepsPage::showList() {
    const QString chosen = wanted_.isEmpty() ? last_ : wanted_;
    QVector<widgets::CellRows::Row> rows;
    int row = 0;
    for (const auto& one : read_) {
        const QString id = qt(one->id);
        const widgets::Chip chip = one->chip();
        if (id == chosen) {
            row = static_cast<int>(rows.size());
            wanted_.clear();
        }
        rows << widgets::CellRows::Row{{{.text = id, .strong = true}, id}, {{.chip = chip}, chip.text}};
    }
    sweeps_->setRows(rows);
    list_->setCurrentIndex(sweeps_->index(row, 0));
    stack_->setCurrentIndex(read_.empty() ? kNoSweeps : kSweeps);
    showSweep();
}

void SweepsPage::showSweep() {
    const Read* read = current();
    if (read == nullptr) {
        shown_.clear();
        return;
    }
    last_ = qt(read->id);
    if (const std::string key = read->id + read->signature + (read->is_queued ? " queued" : ""); key == shown_)
        return;
    else
        shown_ = key;
    name_->setText(qt(read->id));
    name_->setToolTip(qt(read->id));
    static const sweep::StoredSweep kNothing;
    const sweep::StoredSweep& sweep = read->sweep == nullptr ? kNothing : *read->sweep;
    chip_->setChip(read->chip());
    QStringList facts;
    if (read->sweep == nullptr) {
        facts << read->problem;
    } else {
        facts << tr("%1 of %2 trials")
                     .arg(QLocale().toString(static_cast<qlonglong>(sweep.over())),
                          QLocale().toString(static_cast<qlonglong>(sweep.file.trials)));
        facts << QStringLiteral("%1, %2").arg(qt(choice_name(sweep.file.method)), qt(sweep.file.metric));
        if (const auto best = sweep.best())
            facts << tr("best %1 in trial %2")
                         .arg(QLocale().toString(*sweep.trials.at(*best).value, 'g', 6),
                              QLocale().toString(static_cast<qlonglong>(*best)));
        if (!sweep.file.hosts.empty()) {
            QStringList hosts;
            for (const std::string& host : sweep.file.hosts)
                hosts << qt(host);
            facts << tr("on %1").arg(widgets::list_text(hosts));
        }
    }
    QString words = facts.join(QStringLiteral("  ·  "));
    if (!sweep.problem.empty())
        words += QLatin1Char('\n') + qtSentence(sweep.problem);
    facts_->setText(words);
    facts_->setForegroundRole(
        tone_role(read->sweep == nullptr || !sweep.problem.empty() ? Tone::Error : Tone::Secondary));

    const sweep::Trial* before = selected();
    const std::int64_t number = before == nullptr || trials_->sweep().folder != sweep.folder ? -1 : before->number;
    const int scrolled = table_->verticalScrollBar()->value();
    const bool other = trials_->sweep().folder != sweep.folder;
    trials_->setSweep(sweep);
    if (other) {
        table_->horizontalHeader()->setSortIndicator(TrialsModel::Number, Qt::AscendingOrder);
        for (int column = 0; column < trials_->columnCount(); ++column)
            table_->setColumnWidth(column, std::max(column == TrialsModel::State ? 110 : 72,
                                                    table_->horizontalHeader()->sectionSizeHint(column) + 8));
    }
    if (const int row = trials_->rowOf(number); row >= 0)
        table_->setCurrentIndex(trials_->index(row, 0));
    table_->verticalScrollBar()->setValue(other ? 0 : scrolled);
    showPlots(sweep);
    showImportance(*read);
    updateActions();
}

void SweepsPage::showPlots(const sweep::StoredSweep& sweep) {
    const bool lower = sweep.file.direction == sweep::Direction::minimize;
    QStringList names;
    for (const sweep::Parameter& parameter : sweep.file.parameters)
        names << qt(parameter.key);
    names << qt(sweep.file.metric);
    QVector<widgets::SweepRun> runs;
    QVector<QStringList> values;
    values_.clear();
    best_.clear();
    double best = lower ? HUGE_VAL : -HUGE_VAL;
    for (const auto& [number, trial] : sweep.trials) {
        if (!trial.value || trial.state == sweep::TrialState::failed)
            continue;
        widgets::SweepRun run;
        run.id = qt(trial.run);
        run.name = tr("Trial %1").arg(number);
        runs << run;
        QStringList row;
        for (const std::string& text : trial.point)
            row << qt(text);
        values << (row << QString::number(*trial.value, 'g', 17));
        const auto at = static_cast<double>(number);
        if (std::isfinite(best))  // it holds until a better one
            best_.append({number, at, best});
        best = lower ? std::min(best, *trial.value) : std::max(best, *trial.value);
        values_.append({number, at, *trial.value});
        best_.append({number, at, best});
    }
    parallel_->setSweep(widgets::sweep_of(names, runs, values));
    parallel_->setColorAxis(runs.isEmpty() ? -1 : static_cast<int>(names.size()) - 1);
    chart_->setUnit(widgets::XUnit::Step);
    widgets::Curve each, so_far;
    each.name = tr("Trial");
    each.series = &values_;
    each.strength = widgets::Strength::Thin;
    so_far.name = tr("Best so far");
    so_far.series = &best_;
    so_far.color = 2;
    so_far.end = widgets::EndMarker::Disc;
    chart_->setCurves({each, so_far});
    chart_->dataChanged();
}

void SweepsPage::showImportance(const Read& read) {
    const std::size_t count = read.sweep == nullptr ? 0 : read.sweep->file.parameters.size();
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i)
        order[i] = i;
    if (read.importance.size() == count)
        std::ranges::stable_sort(order,
                                 [&](std::size_t a, std::size_t b) { return read.importance[a] > read.importance[b]; });
    QVector<widgets::CellRows::Row> rows;
    for (const std::size_t i : order) {
        const QString key = qt(read.sweep->file.parameters[i].key);
        Cell share{.text = QStringLiteral("–"), .mono = true, .ink = Token::TextMuted};
        Cell bar;
        if (read.importance.size() == count) {
            share.text = widgets::percent_text(read.importance[i]);
            share.ink = Token::Text;
            bar.bar = read.importance[i];
            bar.ink = Token::Info;
        }
        rows << widgets::CellRows::Row{{{.text = key, .mono = true}, key}, {share, share.text}, {bar}};
    }
    shares_->setRows(rows);
}

const sweep::Trial* SweepsPage::selected() const {
    return trials_->trial(table_->currentIndex().row());
}

void SweepsPage::updateActions() {
    const Read* read = current();
    const sweep::StoredSweep* sweep = read == nullptr ? nullptr : read->sweep.get();
    const bool live = sweep != nullptr && sweep::is_live(sweep->state);
    const bool is_over = sweep != nullptr && sweep->state == sweep::SweepState::finished;
    pause_->setVisible(live);
    stop_->setVisible(live);
    pause_->setEnabled(live && sweep->state == sweep::SweepState::running);
    stop_->setEnabled(live && sweep->state != sweep::SweepState::stopping);
    continue_->setVisible(sweep != nullptr && !live && !is_over);
    more_->setVisible(sweep != nullptr && !live && sweep->file.method != sweep::Method::grid);
    retry_->setVisible(sweep != nullptr && !live && std::ranges::any_of(sweep->trials, [](const auto& one) {
                           return one.second.state == sweep::TrialState::failed;
                       }));
    edit_->setVisible(sweep != nullptr && sweep->file.program.empty());
    edit_->setEnabled(sweep != nullptr && sweep->best().has_value());
    delete_->setVisible(!live);
    const sweep::Trial* trial = selected();
    const bool table = view_->currentIndex() == 0;
    open_->setEnabled(table && trial != nullptr && !trial->run.empty());
    stop_trial_->setEnabled(table && trial != nullptr && trial->state == sweep::TrialState::running);
}

void SweepsPage::openTrial() {
    if (const sweep::Trial* trial = selected(); trial != nullptr && !trial->run.empty())
        emit runActivated(qt(trial->run));
}

void SweepsPage::act(void (SweepCommands::*command)(const sweep::StoredSweep&)) {
    if (const sweep::StoredSweep* sweep = shownSweep())
        (commands_->*command)(*sweep);
}

void SweepsPage::askToDelete() {
    if (const Read* read = current();
        read != nullptr && (read->sweep == nullptr || !sweep::is_live(read->sweep->state)))
        commands_->askToDelete(read->id);
}

}  // namespace trainyard::desktop
