// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/runs_page.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QHeaderView>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QTableView>
#include <QUndoStack>

#include "desktop/compare/compare_drawer.h"
#include "desktop/runs/chosen_runs.h"
#include "desktop/runs/columns_popup.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_messages.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_columns.h"
#include "desktop/runs/saved_filters.h"
#include "desktop/runs/trash_view.h"
#include "desktop/runs/word_completer.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/save_file.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "run/paths.h"
#include "widgets/cell_delegate.h"
#include "widgets/csv_text.h"
#include "widgets/dialogs.h"
#include "widgets/drag_out.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
const QString kRunsPlace = QStringLiteral("place/runs");
const int& kLeastDrawer = live_px(180);
const int& kLeastFilter = live_px(160);
const int& kMostFilter = live_px(310);
const int& kRoomBesideFilter = live_px(872);  // title, segments, buttons
}  // namespace

RunsPage::RunsPage(RunStore* store, QWidget* parent)
    : Page(tr("Runs"), parent),
      store_(store),
      edits_(RunEdits::of(store)),
      model_(new RunsModel(this)),
      proxy_(new RunsProxy(model_, this)),
      table_(new QTableView),
      filter_(make_search_field(tr("Filter the runs"), tr("Filter   tag:lr-sweep  lr>1e-4  host:gpu-a"))),
      messages_(new RunMessages(table_, filter_)),
      empty_label_(make_label({}, 13, QFont::Normal, Tone::Muted, table_)),
      segments_(new widgets::SegmentedControl(
          {tr("All"), tr("Live"), tr("Finished"), tr("Failed"), tr("Archived"), tr("Trash")})),
      columns_button_(new QPushButton(tr("Columns"))),
      more_(with_look(new QPushButton, {.icon = "more", .tip = tr("More for the list of runs")})),
      ticked_line_(new QWidget),
      ticked_words_(wrapped(make_note({}))),
      compare_(with_look(new QPushButton(tr("Compare")), {.kind = "link"})),
      show_ticked_(with_look(new QPushButton(tr("Show them")), {.kind = "link"})),
      saved_filters_(new SavedFilters(filter_)),
      drawer_(new CompareDrawer),
      splitter_(make_splitter(Qt::Vertical, {make_frame("panel", make_column({1, 4, 1, 4}, {table_})), drawer_})),
      trash_(new TrashView(store)) {
    add_items(actions(), {segments_, filter_, columns_button_, more_});
    filter_->setFixedWidth(kLeastFilter);
    filter_->setFont(Theme::instance().text(13));
    filter_->addAction(Theme::instance().icon(QStringLiteral("filter"), Token::TextMuted), QLineEdit::LeadingPosition);
    new WordCompleter(filter_, [this](const QString&) { return offerWords(); });
    columns_button_->setIcon(Theme::instance().icon(QStringLiteral("panel")));

    connect(messages_, &RunMessages::allRequested, drawer_, &CompareDrawer::clearBrushes);
    connect(messages_, &RunMessages::updateRequested, this, &RunsPage::releaseRows);
    body()->addWidget(saved_filters_);
    connect(saved_filters_, &SavedFilters::changed, this,
            [this](const QJsonArray& filters) { keep(QStringLiteral("filters"), filters); });

    makeTable();
    makeDrawer();
    auto* untick = with_look(new QPushButton(tr("Deselect all")), {.kind = "link"});
    connect(untick, &QPushButton::clicked, this, [this] { model_->setTicked({}); });
    connect(show_ticked_, &QPushButton::clicked, this, &RunsPage::showTicked);
    connect(compare_, &QPushButton::clicked, this, [this] {
        drawer_wanted_ = true;
        tickedChanged();
    });
    ticked_line_->setLayout(make_row({0, 0, 0, 0}, {{ticked_words_, 1}, compare_, show_ticked_, untick}));
    ticked_line_->hide();
    body()->addWidget(ticked_line_);
    trash_->hide();
    body()->addWidget(trash_, 1);
    connect(trash_, &TrashView::failed, store_, &RunStore::requestFailed);
    connect(trash_, &TrashView::counted, this, [this](int runs) {
        segments_->setLabel(static_cast<int>(RunSegment::Trash), tr("Trash %1").arg(stepText(runs)));
    });
    makeActions();
    connect(messages_, &RunMessages::undoRequested, this, [this] {
        edits_->stack()->undo();
        messages_->hideTold();
        table_->setFocus();
    });
    // Changes by the user are shown at once.
    connect(edits_->stack(), &QUndoStack::indexChanged, this, [this] {
        messages_->hideTold();  // a new change shows it again
        releaseRows();
    });
    // The edits are a part of the store, which a window destroys before its pages: they clear their stack then.
    connect(store_, &QObject::destroyed, this, [this] {
        disconnect(edits_->stack(), nullptr, this, nullptr);
        edits_ = nullptr;
    });
    connect(edits_, &RunEdits::done, messages_, [this](const QString& words) { messages_->tell(words); });
    connect(store_, &RunStore::changed, this, &RunsPage::storeChanged);
    connect(segments_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        showSegment(index);
        keep(QStringLiteral("segment"), index);
    });
    connect(filter_, &QLineEdit::textChanged, this, &RunsPage::filterTyped);
    connect(filter_, &QLineEdit::returnPressed, this, [this] {
        table_->setFocus();
        if (proxy_->rowCount() > 0)
            table_->selectRow(0);
    });
    connect(columns_button_, &QPushButton::clicked, this, &RunsPage::openColumns);
    connect(more_, &QPushButton::clicked, this, &RunsPage::openMore);
    restoreView();
    storeChanged();
    trash_->begin();
}

RunsPage::~RunsPage() {
    if (edits_ != nullptr)
        disconnect(edits_->stack(), nullptr, this, nullptr);
}

void RunsPage::makeTable() {
    table_->setModel(proxy_);
    widgets::set_rows_look(table_);
    table_->setAccessibleName(tr("Runs"));
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setMouseTracking(true);
    table_->setDragEnabled(true);
    table_->setAcceptDrops(true);
    table_->setDragDropMode(QAbstractItemView::DragDrop);
    table_->setDefaultDropAction(Qt::MoveAction);
    table_->setDragDropOverwriteMode(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    columns_ = new RunsColumns(table_, model_, proxy_);
    connect(columns_, &RunsColumns::changed, this, &RunsPage::keep);
    connect(table_->horizontalHeader(), &QHeaderView::customContextMenuRequested, this, &RunsPage::openColumns);
    table_->installEventFilter(this);
    table_->viewport()->installEventFilter(this);
    // A queued run is dragged to another place of its queue instead.
    new widgets::DragOut(table_->viewport(), [this](const QPoint& at) -> QMimeData* {
        const QModelIndex index = table_->indexAt(at);
        if (!index.isValid() || proxy_->groupAt(index) != nullptr || proxy_->at(index).queuePlace > 0 ||
            !QDir::isAbsolutePath(proxy_->at(index).path))
            return nullptr;
        return widgets::make_file_data({proxy_->at(index).path});
    });
    empty_label_->setAlignment(Qt::AlignCenter);
    empty_label_->hide();

    connect(table_, &QTableView::doubleClicked, this, &RunsPage::openRow);
    chosen_ = new ChosenRuns(table_, model_, proxy_, store_, this);
    connect(table_, &QTableView::customContextMenuRequested, chosen_, &ChosenRuns::openMenu);
    connect(chosen_, &ChosenRuns::openRequested, this, &RunsPage::openRun);
    connect(chosen_, &ChosenRuns::foldRequested, this, &RunsPage::foldCurrent);
    connect(chosen_, &ChosenRuns::replaceRequested, this, &RunsPage::replaceFolder);
    connect(chosen_, &ChosenRuns::folderRequested, this, &RunsPage::folderRequested);
    connect(chosen_, &ChosenRuns::runAgainRequested, this, &RunsPage::runAgainRequested);
    connect(chosen_, &ChosenRuns::editAgainRequested, this, &RunsPage::editAgainRequested);
    connect(chosen_, &ChosenRuns::continueRequested, this, &RunsPage::continueRequested);
    connect(chosen_, &ChosenRuns::windowRequested, this, &RunsPage::windowRequested);
    connect(chosen_, &ChosenRuns::queueAgainRequested, this, &RunsPage::queueAgainRequested);
    connect(model_, &RunsModel::tickedChanged, this, &RunsPage::tickedChanged);
    connect(model_, &RunsModel::renamed, edits_, &RunEdits::rename);
    connect(proxy_, &RunsProxy::queueMoveWanted, edits_, &RunEdits::moveInQueue);
}

void RunsPage::makeDrawer() {
    splitter_->setStretchFactor(0, 1);
    splitter_->setSizes({440, 290});
    drawer_->hide();
    body()->addWidget(splitter_, 1);
    connect(drawer_, &CompareDrawer::runActivated, this, [this](const QString& path) {
        if (const RunSummary* run = store_->findPath(path))
            run->isOurs() ? emit runActivated(run->id) : emit importedActivated(path);
    });
    connect(drawer_, &CompareDrawer::untickRequested, this,
            [this](const QString& path) { model_->tick({path}, false); });
    connect(drawer_, &CompareDrawer::brushed, this, &RunsPage::showBrushed);
    connect(drawer_, &CompareDrawer::pointed, this, &RunsPage::selectRuns);
    connect(drawer_, &CompareDrawer::exported, this, [this](const QString& file, const QString& problem) {
        messages_->tell(problem.isEmpty() ? tr("Saved to %1.").arg(file) : problem, false);
    });
    connect(drawer_, &CompareDrawer::windowRequested, this, &RunsPage::compareWindowRequested);
    connect(drawer_, &CompareDrawer::closed, this, [this] {
        if (drawer_aside_)
            return;  // its window closes
        drawer_wanted_ = false;
        drawer_->hide();
        table_->setFocus();
    });
    connect(drawer_, &CompareDrawer::viewChanged, this,
            [this](const QJsonObject& view) { keep(QStringLiteral("compare"), view); });
    connect(splitter_, &QSplitter::splitterMoved, this,
            [this] { keep(QStringLiteral("drawer"), splitter_->sizes().value(1)); });
}

void RunsPage::showSegment(int segment) {
    const bool trash = static_cast<RunSegment>(segment) == RunSegment::Trash;
    proxy_->setSegment(static_cast<RunSegment>(segment));
    if (trash && !trash_->isVisibleTo(this))
        trash_->refresh();
    trash_->setVisible(trash);
    splitter_->setVisible(!trash);
    filter_->setEnabled(!trash);
    columns_button_->setEnabled(!trash);
    updateEmptyText();
    tickedChanged();
}

CompareDrawer* RunsPage::takeDrawer() {
    drawer_aside_ = true;
    drawer_->setVisible(true);
    tickedChanged();
    return drawer_;
}

void RunsPage::returnDrawer() {
    drawer_aside_ = false;
    splitter_->addWidget(drawer_);
    tickedChanged();
}

void RunsPage::activate(const QString& ids) {
    if (ids.isEmpty())
        return;
    QStringList paths;
    for (const QString& id : ids.split(QLatin1Char(','), Qt::SkipEmptyParts))
        paths << qt((run::runs_root() / id.toStdString()).string());
    all_wanted_ = true;
    model_->setTicked(paths);
    tickedChanged();
}

QWidget* RunsPage::firstFocus() {
    return trash_->isVisibleTo(this) ? static_cast<QWidget*>(trash_->table()) : table_;
}

void RunsPage::find() {
    filter_->setFocus();
    filter_->selectAll();
}

void RunsPage::primaryAction() {
    openRow(table_->currentIndex());
}

void RunsPage::openRow(const QModelIndex& index) {
    if (!index.isValid())
        return;
    if (const RunGroup* group = proxy_->groupAt(index))
        foldCurrent(!group->collapsed);
    else
        openRun(proxy_->at(index));
}

void RunsPage::openRun(const RunSummary& run) {
    if (run.phase == RunPhase::Missing)
        chosen_->openMissingMenu(run.path);
    else if (run.phase == RunPhase::Imported)
        emit importedActivated(run.path);
    else
        emit runActivated(run.id);
}

void RunsPage::storeChanged() {
    model_->setRuns(store_->runs());
    proxy_->regroup();
    const QString names[5] = {tr("All"), tr("Live"), tr("Finished"), tr("Failed"), tr("Archived")};
    std::ptrdiff_t counts[5];
    for (int segment = 0; segment < 5; ++segment) {
        counts[segment] = std::ranges::count_if(
            store_->runs(), [&](const RunSummary& run) { return inSegment(run, static_cast<RunSegment>(segment)); });
        segments_->setLabel(segment, QStringLiteral("%1 %2").arg(names[segment], stepText(counts[segment])));
    }
    const QString all = counts[0] == 1 ? tr("1 run") : tr("%1 runs").arg(stepText(counts[0]));
    setFacts(tr("%1 live").arg(stepText(counts[1])) + QStringLiteral("  ·  ") + all);
    if (store_->isLoaded()) {
        // A run that was deleted is no longer compared; it is again when it comes back from the trash.
        QStringList ticked, gone;
        for (const QString& path : model_->ticked() + gone_ticks_)
            (store_->findPath(path) != nullptr ? ticked : gone) << path;
        gone_ticks_ = gone;
        if (ticked != model_->ticked())
            model_->setTicked(ticked);
        else
            tickedChanged();
    }
    messages_->showFolders(store_->unreadableFolders());
    const bool unknown = !proxy_->unknownName(filter_->text()).isEmpty();
    if (unknown != name_unknown_)
        filterTyped(filter_->text());
    if (!table_->underMouse() && QApplication::activePopupWidget() == nullptr)
        releaseRows();
    showWaiting();
    updateEmptyText();
}

/// The ticked runs of the list are compared: what the filter or the segment hides is not, and a line says so.
void RunsPage::tickedChanged() {
    if (!store_->isLoaded() || restoring_)
        return;
    const QStringList before = std::exchange(last_ticked_, model_->ticked());
    RunSummaries runs;
    int hidden = 0;
    bool added = false;
    for (const QString& path : std::as_const(last_ticked_)) {
        added = added || !before.contains(path);
        const RunSummary* run = store_->findPath(path);
        if (run != nullptr && isInList(*run))
            runs << *run;
        else
            hidden += run != nullptr;
    }
    if (hidden > 0 && std::exchange(all_wanted_, false))
        return showTicked();
    if (added || last_ticked_.isEmpty())
        drawer_wanted_ = true;
    if (!drawer_aside_)
        drawer_->setVisible(!runs.isEmpty() && drawer_wanted_);
    drawer_->setRuns(drawer_->isHidden() ? RunSummaries() : runs);
    showTickedLine(static_cast<int>(runs.size()), hidden);
    keep(QStringLiteral("ticked"), QJsonArray::fromStringList(last_ticked_));
}

bool RunsPage::isInList(const RunSummary& run) const {
    return trash_->isVisibleTo(this) || proxy_->accepts(run);
}

/// Filter and segment that hide no ticked run, unless it is archived.
void RunsPage::showTicked() {
    segments_->setCurrent(static_cast<int>(RunSegment::All));
    filter_->clear();
    tickedChanged();
}

void RunsPage::showTickedLine(int compared, int hidden) {
    const bool closed = compared > 0 && drawer_->isHidden();
    compare_->setVisible(closed);
    show_ticked_->setVisible(hidden > 0);
    QStringList sentences;
    if (closed)
        sentences << tr("%Ln runs are selected for comparison.", nullptr, compared);
    if (hidden > 0)
        sentences << tr("%Ln selected runs are not in this list, so they are not compared.", nullptr, hidden);
    ticked_words_->setText(sentences.join(QLatin1Char(' ')));
    ticked_line_->setVisible(!sentences.isEmpty() && !trash_->isVisibleTo(this));
}

void RunsPage::holdRows() {
    if (!proxy_->isHeld())
        proxy_->hold();
}

void RunsPage::releaseRows() {
    proxy_->release();
    showWaiting();
}

void RunsPage::showWaiting() {
    messages_->showWaiting(proxy_->waiting());
}

void RunsPage::showBrushed(bool any, const QSet<QString>& paths) {
    proxy_->setOnly(any ? std::optional(paths) : std::nullopt);
    messages_->showBrushed(any, static_cast<int>(paths.size()), static_cast<int>(drawer_->runs().size()));
    updateEmptyText();
}

void RunsPage::selectRuns(const QSet<QString>& paths) {
    QItemSelection rows;
    for (int row = 0; row < proxy_->rowCount(); ++row)
        if (const QModelIndex index = proxy_->index(row, 0); paths.contains(proxy_->at(index).path))
            rows.select(index, index);
    table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    if (!rows.isEmpty())
        table_->scrollTo(rows.first().topLeft());
}

void RunsPage::filterTyped(const QString& text) {
    const QString sentence = proxy_->setFilterText(text);
    name_unknown_ = !proxy_->unknownName(text).isEmpty();
    messages_->showComplaint(sentence);
    set_invalid(filter_, !sentence.isEmpty());
    updateEmptyText();
    saved_filters_->refresh();
    tickedChanged();
    if (sentence.isEmpty())
        keep(QStringLiteral("filter"), text);
}

QStringList RunsPage::offerWords() const {
    QStringList words{QStringLiteral("tag:"),  QStringLiteral("note:"),    QStringLiteral("state:"),
                      QStringLiteral("host:"), QStringLiteral("name:"),    QStringLiteral("loss<"),
                      QStringLiteral("val<"),  QStringLiteral("step>"),    QStringLiteral("rate>"),
                      QStringLiteral("age<"),  QStringLiteral("duration>")};
    for (int phase = 0; phase <= static_cast<int>(RunPhase::Unreadable); ++phase)
        words << QStringLiteral("state:") + phaseKey(static_cast<RunPhase>(phase));
    QSet<QString> more;
    for (const RunSummary& run : store_->runs()) {
        for (const QString& tag : run.tags)
            more.insert(QStringLiteral("tag:") + tag);
        for (const QString& host : run.hosts)
            if (!host.contains(QLatin1Char(' ')))
                more.insert(QStringLiteral("host:") + host);
    }
    const KnownNames known = knownNames(store_->runs());
    QStringList sorted = more.values();
    sorted.sort();
    return words + sorted + known.keys + known.metrics;
}

void RunsPage::updateEmptyText() {
    const bool empty = proxy_->rowCount() == 0 && model_->rowCount() > 0;
    empty_label_->setText(tr("No run matches. Clear the filter or choose All."));
    empty_label_->setGeometry(0, 60, table_->width(), 60);
    empty_label_->setVisible(empty);
}

bool RunsPage::clicked(const QPoint& position) {
    const QModelIndex index = table_->indexAt(position);
    if (!index.isValid() || index.column() != RunsModel::Name)
        return false;
    const QRect cell = table_->visualRect(index);
    if (const RunGroup* group = proxy_->groupAt(index)) {
        if (widgets::tick_area(cell).adjusted(-10, -10, 4, 10).contains(position)) {
            chosen_->toggleTicks(group->paths);
        } else if (widgets::swatch_area(cell, true).contains(position)) {
            table_->setCurrentIndex(index);
            foldCurrent(!group->collapsed);
        } else {
            return false;
        }
        return true;
    }
    const QString path = proxy_->at(index).path;
    // The box and what is around it: a miss by three pixels must not open the run.
    if (widgets::tick_area(cell).adjusted(-10, -10, 4, 10).contains(position)) {
        chosen_->toggleTicks({path});
        table_->setCurrentIndex(index);
        return true;
    }
    if (widgets::swatch_area(cell, true).contains(position)) {
        chosen_->openColors(table_->viewport()->mapToGlobal(position), {path});
        return true;
    }
    return false;
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize) {
        empty_label_->setGeometry(0, 60, table_->width(), 60);
        filter_->setFixedWidth(std::clamp(width() - kRoomBesideFilter, kLeastFilter, kMostFilter));
    }
    // The table hears of a new size before it gives it to what it shows.
    if (watched == table_->viewport() && event->type() == QEvent::Resize)
        columns_->fit();
    if (watched == table_->viewport() && event->type() == QEvent::MouseMove)
        holdRows();
    if (watched == table_ && event->type() == QEvent::Leave && QApplication::activePopupWidget() == nullptr)
        releaseRows();
    if (watched == table_->viewport() &&
        (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseButtonDblClick)) {
        auto* mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() == Qt::LeftButton && clicked(mouse->position().toPoint()))
            return true;
    }
    // The editor of a name passes the key on that ends it.
    if (watched == table_ && event->type() == QEvent::KeyPress && table_->hasFocus()) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            copySelection();
            return true;
        }
        const QModelIndex current = table_->currentIndex();
        if ((key->key() == Qt::Key_Left || key->key() == Qt::Key_Right) && key->modifiers() == Qt::NoModifier &&
            current.isValid() && proxy_->grouping().kind != GroupKind::None) {
            foldCurrent(key->key() == Qt::Key_Left);
            return true;
        }
        if ((key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) && key->modifiers() == Qt::NoModifier &&
            table_->currentIndex().isValid()) {
            openRow(table_->currentIndex());
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

/// Collapses or expands the group of the current row, and leaves its head selected.
void RunsPage::foldCurrent(bool collapsed) {
    for (int row = table_->currentIndex().row(); row >= 0; --row) {
        const RunGroup* group = proxy_->groupAt(proxy_->index(row, 0));
        if (group == nullptr)
            continue;
        const QString key = group->key;
        if (group->collapsed != collapsed)
            proxy_->toggleGroup(key);
        for (int now = 0; now < proxy_->rowCount(); ++now)
            if (const RunGroup* head = proxy_->groupAt(proxy_->index(now, 0)); head != nullptr && head->key == key)
                table_->setCurrentIndex(proxy_->index(now, RunsModel::Name));
        return keepCollapsed();
    }
}

void RunsPage::foldAll(bool collapsed) {
    QSet<QString> keys;
    for (int row = 0; collapsed && row < proxy_->rowCount(); ++row)
        if (const RunGroup* group = proxy_->groupAt(proxy_->index(row, 0)))
            keys.insert(group->key);
    proxy_->setCollapsed(keys);
    keepCollapsed();
}

QStringList RunsPage::chosen() const {
    return chosen_->paths();
}

void RunsPage::makeActions() {
    ActionCollection& commands = ActionCollection::instance();
    // Single letters act only while the list has the focus, never while the user types.
    const auto add = [this, &commands](const char* id, const std::function<void()>& run) {
        return commands.addFor(table_, id, this, run);
    };
    add("runs.select_all", [this] { table_->selectAll(); });
    add("runs.group", [this] { openGroupMenu(); });
    add("runs.collapse_groups", [this] { foldAll(true); });
    add("runs.expand_groups", [this] { foldAll(false); });
    add("runs.compare", [this] {
        if (model_->ticked().isEmpty())
            model_->setTicked(chosen());
        else if (drawer_aside_)
            emit compareWindowRequested();
        else {
            drawer_wanted_ = drawer_->isHidden();
            tickedChanged();
        }
    });
    add("runs.deselect", [this] { model_->setTicked({}); });
    commands.addUndo(this, edits_->stack());
    add("runs.columns", [this] { openColumns(); });
    add("runs.export", [this] { exportTable(); });
    add("runs.watch", [this] { watchFolder(); });
    add("runs.save_filter", [this] { saved_filters_->askName(); });
}

void RunsPage::watchFolder() {
    widgets::ask_folder(this, tr("A folder that contains run folders"), [this](const QString& folder) {
        if (!watched_.contains(folder))
            setWatched(watched_ + QStringList{folder});
    });
}

void RunsPage::setWatched(const QStringList& folders) {
    watched_ = folders;
    keep(QStringLiteral("watched"), QJsonArray::fromStringList(watched_));
    store_->setMore(watched_, imported_);
}

void RunsPage::openMore() {
    QMenu* menu = make_menu(this);
    saved_filters_->fillMenu(menu);
    menu->addSeparator();
    menu->addAction(tr("Select all rows") + QStringLiteral("\tCtrl+A"), table_, &QTableView::selectAll);
    fillGroupMenu(menu->addMenu(tr("Group by")));
    menu->addSeparator();
    menu->addAction(tr("Watch a folder of runs…"), this, &RunsPage::watchFolder);
    for (const QString& folder : std::as_const(watched_))
        menu->addAction(tr("Stop watching %1").arg(folder), this, [this, folder] { replaceFolder(folder, {}); });
    menu->addSeparator();
    menu->addAction(tr("Save the list as a table…"), this, &RunsPage::exportTable);
    menu->addAction(tr("Deselect all runs"), this, [this] { model_->setTicked({}); })
        ->setEnabled(!model_->ticked().isEmpty());
    menu->addActions({ActionCollection::instance().undoAction(), ActionCollection::instance().redoAction()});
    menu->popup(more_->mapToGlobal(QPoint(0, more_->height() + 4)));
}

void RunsPage::fillGroupMenu(QMenu* menu) {
    QVector<Grouping> choices;
    for (const GroupKind kind : {GroupKind::None, GroupKind::Name, GroupKind::Tags, GroupKind::Project,
                                 GroupKind::Sweep, GroupKind::Host, GroupKind::State})
        choices << Grouping{kind};
    // Settings that are columns; another one becomes a choice once it is a column.
    const QStringList settings = knownNames(store_->runs()).keys;
    for (const QString& name : model_->extraColumns())
        if (settings.contains(name))
            choices << Grouping{GroupKind::Setting, name};
    if (!choices.contains(proxy_->grouping()))
        choices << proxy_->grouping();
    for (const Grouping& choice : std::as_const(choices)) {
        QAction* action = menu->addAction(choice.title(), this, [this, choice] { setGrouping(choice); });
        action->setCheckable(true);
        action->setChecked(choice == proxy_->grouping());
    }
    menu->addSeparator();
    const bool grouped = proxy_->grouping().kind != GroupKind::None;
    menu->addAction(tr("Collapse all groups"), this, [this] { foldAll(true); })->setEnabled(grouped);
    menu->addAction(tr("Expand all groups"), this, [this] { foldAll(false); })->setEnabled(grouped);
}

void RunsPage::openGroupMenu() {
    QMenu* menu = make_menu(this);
    fillGroupMenu(menu);
    menu->popup(more_->mapToGlobal(QPoint(0, more_->height() + 4)));
}

void RunsPage::openColumns() {
    columns_->openChooser(knownNames(store_->runs()), columns_button_);
}

void RunsPage::replaceFolder(const QString& path, const QString& by) {
    if (!watched_.contains(path)) {
        emit importedReplaced(path, by);
        return;
    }
    QStringList folders = watched_;
    folders.removeAll(path);
    if (!by.isEmpty() && !folders.contains(by))
        folders << by;
    setWatched(folders);
}

void RunsPage::copySelection() const {
    QVector<int> rows;
    for (const QModelIndex& row : table_->selectionModel()->selectedRows())
        rows << row.row();
    std::sort(rows.begin(), rows.end());
    QStringList lines;
    for (const QStringList& cells : columns_->texts(rows))
        lines << cells.join(QLatin1Char('\t'));
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void RunsPage::saveTable(const QString& file) {
    QVector<int> rows(proxy_->rowCount());
    std::iota(rows.begin(), rows.end(), 0);
    export_.submit(
        [table = columns_->texts(rows), file] {
            QByteArray bytes;
            for (const QStringList& cells : table)
                bytes += widgets::csv_line(cells).toUtf8();
            return saveFile(file, bytes);
        },
        [this, file](const QString& problem) {
            messages_->tell(problem.isEmpty() ? tr("Saved to %1.").arg(file) : problem, false);
        });
}

void RunsPage::exportTable() {
    widgets::ask_save_file(this, tr("Save the list"), QStringLiteral("runs.csv"), tr("Tables (*.csv)"),
                           [this](const QString& file) { saveTable(file); });
}

void RunsPage::keep(const QString& name, const QJsonValue& value) {
    if (!restoring_)
        ViewState::instance().set(kRunsPlace, name, value);
}

void RunsPage::setGrouping(const Grouping& grouping) {
    proxy_->setGrouping(grouping);
    keep(QStringLiteral("group"), grouping.key());
    keepCollapsed();
}

void RunsPage::keepCollapsed() {
    keep(QStringLiteral("collapsed"), QJsonArray::fromStringList(proxy_->collapsed().values()));
}

void RunsPage::restoreView() {
    const QJsonObject view = ViewState::instance().view(kRunsPlace);
    columns_->restore(view);
    saved_filters_->restore(view.value(QStringLiteral("filters")).toArray());
    segments_->setCurrent(std::clamp(view.value(QStringLiteral("segment")).toInt(), 0, segments_->count() - 1));
    proxy_->setGrouping(Grouping::ofKey(view.value(QStringLiteral("group")).toString()));
    const QStringList collapsed = stringsOf(view.value(QStringLiteral("collapsed")));
    proxy_->setCollapsed(QSet<QString>(collapsed.begin(), collapsed.end()));
    filter_->setText(view.value(QStringLiteral("filter")).toString());
    model_->setTicked(stringsOf(view.value(QStringLiteral("ticked"))));
    drawer_->restoreView(view.value(QStringLiteral("compare")).toObject());
    if (const int height = view.value(QStringLiteral("drawer")).toInt(); height >= kLeastDrawer)
        splitter_->setSizes({std::max(200, 730 - height), height});
    watched_ = stringsOf(view.value(QStringLiteral("watched")));
    if (!watched_.isEmpty())
        store_->setMore(watched_, imported_);
    restoring_ = false;
}

void RunsPage::setImported(const QStringList& folders) {
    if (folders == imported_)
        return;
    imported_ = folders;
    store_->setMore(watched_, imported_);
}

}  // namespace trainyard::desktop
