// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/runs_page.h"

#include <algorithm>
#include <utility>

#include <QApplication>
#include <QDir>
#include <QHeaderView>
#include <QJsonArray>
#include <QKeyEvent>
#include <QLineEdit>
#include <QSplitter>
#include <QTableView>
#include <QUndoStack>

#include "desktop/compare/compare_drawer.h"
#include "desktop/runs/chosen_runs.h"
#include "desktop/runs/columns_popup.h"
#include "desktop/runs/run_edits.h"
#include "desktop/runs/run_messages.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/trash_view.h"
#include "desktop/runs/word_completer.h"
#include "desktop/shell/ui.h"
#include "run/paths.h"
#include "widgets/cell_delegate.h"
#include "widgets/drag_out.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
const int& kNameWidth = live_px(230);
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
      messages_(new RunMessages(table_)),
      empty_label_(make_label({}, 13, QFont::Normal, Tone::Muted, table_)),
      segments_(new widgets::SegmentedControl(
          {tr("All"), tr("Live"), tr("Finished"), tr("Failed"), tr("Archived"), tr("Trash")})),
      columns_(new QPushButton(tr("Columns"))),
      more_(with_look(new QPushButton, {.icon = "more", .tip = tr("More for the list of runs")})),
      ticked_line_(new QWidget),
      ticked_words_(wrapped(make_note({}))),
      compare_(with_look(new QPushButton(tr("Compare")), {.kind = "link"})),
      show_ticked_(with_look(new QPushButton(tr("Show them")), {.kind = "link"})),
      saved_row_(new QWidget),
      drawer_(new CompareDrawer),
      splitter_(make_splitter(Qt::Vertical, {make_frame("panel", make_column({1, 4, 1, 4}, {table_})), drawer_})),
      trash_(new TrashView(store)) {
    add_items(actions(), {segments_, filter_, columns_, more_});
    filter_->setFixedWidth(kLeastFilter);
    filter_->setFont(Theme::instance().text(13));
    filter_->addAction(Theme::instance().icon(QStringLiteral("filter"), Token::TextMuted), QLineEdit::LeadingPosition);
    new WordCompleter(filter_, [this](const QString&) { return offerWords(); });
    columns_->setIcon(Theme::instance().icon(QStringLiteral("panel")));

    saved_row_->setLayout(make_row({0, 0, 0, 0}, 6, {}));
    saved_row_->hide();
    connect(messages_, &RunMessages::allRequested, drawer_, &CompareDrawer::clearBrushes);
    connect(messages_, &RunMessages::updateRequested, this, &RunsPage::releaseRows);
    body()->addWidget(saved_row_);

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
    connect(trash_, &TrashView::counted, this,
            [this](int runs) { segments_->setLabel(static_cast<int>(RunSegment::Trash), tr("Trash %1").arg(runs)); });
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
    connect(columns_, &QPushButton::clicked, this, &RunsPage::openColumns);
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
    QHeaderView* header = table_->horizontalHeader();
    header->setTextElideMode(Qt::ElideRight);
    header->setMinimumSectionSize(48_px);
    header->setSortIndicatorClearable(false);
    header->setSectionsClickable(true);
    header->setSortIndicatorShown(true);
    header->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->sortByColumn(RunsModel::Started, Qt::DescendingOrder);
    static constexpr int widths[RunsModel::ColumnCount] = {230, 198, 104, 74, 74, 82, 76, 112, 58, 58, 114, 84, 180};
    for (int column = 0; column < RunsModel::ColumnCount; ++column)
        header->resizeSection(column, TextSize::instance().scaled(widths[column]));
    header->setSectionResizeMode(RunsModel::Name, QHeaderView::Stretch);
    hidden_ = {RunsModel::Gpus, RunsModel::Duration, RunsModel::Note};
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

    connect(header, &QHeaderView::sectionClicked, this, &RunsPage::sortClicked);
    connect(header, &QHeaderView::sectionResized, this, [this](int column) {
        if (column != RunsModel::Name && table_->horizontalHeader()->isVisible())
            keepColumns();
    });
    connect(header, &QHeaderView::customContextMenuRequested, this, &RunsPage::openColumns);
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
    columns_->setEnabled(!trash);
    updateEmptyText();
    tickedChanged();
}

void RunsPage::fitColumns() {
    // In a narrow window the least telling columns go rather than half of the table.
    QHeaderView* header = table_->horizontalHeader();
    int needed = kNameWidth;
    for (int column = 0; column < model_->columnCount(); ++column) {
        table_->setColumnHidden(column, hidden_.contains(column));
        if (column != RunsModel::Name && !hidden_.contains(column))
            needed += header->sectionSize(column);
    }
    for (int column :
         {RunsModel::Hosts, RunsModel::Validation, RunsModel::Ranks, RunsModel::Curve, RunsModel::Rate, RunsModel::Note,
          RunsModel::Gpus, RunsModel::Duration, RunsModel::Started, RunsModel::Step, RunsModel::Train}) {
        if (needed <= table_->viewport()->width())
            break;
        if (hidden_.contains(column))
            continue;
        needed -= header->sectionSize(column);
        table_->setColumnHidden(column, true);
    }
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

void RunsPage::sortClicked(int column) {
    QHeaderView* header = table_->horizontalHeader();
    // The header has turned its arrow already.
    if (!QApplication::keyboardModifiers().testFlag(Qt::ShiftModifier)) {
        if (column == proxy_->secondKey())
            proxy_->setSecondKey(-1, Qt::AscendingOrder);
        proxy_->sort(column, header->sortIndicatorOrder());
    } else {
        header->setSortIndicator(proxy_->sortColumn(), proxy_->sortOrder());
        const bool again = column == proxy_->secondKey();
        if (column != proxy_->sortColumn()) {
            if (again && proxy_->secondOrder() == Qt::DescendingOrder)
                proxy_->setSecondKey(-1, Qt::AscendingOrder);
            else
                proxy_->setSecondKey(column, again ? Qt::DescendingOrder : Qt::AscendingOrder);
        }
    }
    keepColumns();
}

void RunsPage::storeChanged() {
    model_->setRuns(store_->runs());
    proxy_->regroup();
    const QString names[5] = {tr("All"), tr("Live"), tr("Finished"), tr("Failed"), tr("Archived")};
    std::ptrdiff_t counts[5];
    for (int segment = 0; segment < 5; ++segment) {
        counts[segment] = std::ranges::count_if(
            store_->runs(), [&](const RunSummary& run) { return inSegment(run, static_cast<RunSegment>(segment)); });
        segments_->setLabel(segment, QStringLiteral("%1 %2").arg(names[segment]).arg(counts[segment]));
    }
    const QString all = counts[0] == 1 ? tr("1 run") : tr("%1 runs").arg(counts[0]);
    setFacts(tr("%1 live").arg(counts[1]) + QStringLiteral("  ·  ") + all);
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
        sentences << tr("%n runs are selected for comparison.", nullptr, compared);
    if (hidden > 0)
        sentences << tr("%n selected runs are not in this list, so they are not compared.", nullptr, hidden);
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
    showSavedFilters();
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
        fitColumns();
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
    if (watched == table_ && event->type() == QEvent::KeyPress) {
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

QString RunsPage::shownMessage() const {
    return messages_->told();
}

}  // namespace trainyard::desktop
