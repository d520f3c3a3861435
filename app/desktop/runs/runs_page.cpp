#include "desktop/runs/runs_page.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>

#include "desktop/runs/run_store.h"
#include "widgets/cell_delegate.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::Token;
using widgets::Tone;

RunsPage::RunsPage(RunStore* store, QWidget* parent)
    : Page(tr("Runs"), parent),
      store_(store),
      model_(new RunsModel(this)),
      proxy_(new RunsProxy(model_, this)),
      table_(new QTableView),
      filter_(new QLineEdit),
      complaint_(widgets::make_label({}, 12, QFont::Normal, Tone::Error)),
      nothing_(widgets::make_label({}, 13, QFont::Normal, Tone::Muted, table_)),
      segments_(new widgets::SegmentedControl({tr("All"), tr("Live"), tr("Finished"), tr("Failed")})) {
    actions()->addWidget(segments_);
    filter_->setPlaceholderText(tr("Filter   state:failed  loss<2.6  age<7d"));
    filter_->setAccessibleName(tr("Filter the runs"));
    filter_->setClearButtonEnabled(true);
    filter_->setFixedWidth(300);
    filter_->setFont(Theme::instance().text(13));
    auto* funnel = filter_->addAction(QIcon(), QLineEdit::LeadingPosition);
    Theme::instance().bindIcon(funnel, QStringLiteral("filter"), Token::TextMuted);
    actions()->addWidget(filter_);

    complaint_->hide();
    body()->addWidget(complaint_);
    auto* panel = new QFrame;
    panel->setProperty("surface", QStringLiteral("panel"));
    auto* inside = new QVBoxLayout(panel);
    inside->setContentsMargins(1, 4, 1, 4);
    inside->addWidget(table_);
    body()->addWidget(panel, 1);

    table_->setModel(proxy_);
    table_->setItemDelegate(new widgets::CellDelegate(table_));
    table_->setAccessibleName(tr("Runs"));
    table_->setShowGrid(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setMouseTracking(true);
    table_->setTabKeyNavigation(false);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->verticalHeader()->setDefaultSectionSize(38);
    QHeaderView* header = table_->horizontalHeader();
    header->setHighlightSections(false);
    header->setFixedHeight(34);
    header->setFont(Theme::instance().text(12, QFont::Medium));
    header->setMinimumSectionSize(48);
    header->setSortIndicatorClearable(false);
    table_->setSortingEnabled(true);
    table_->sortByColumn(RunsModel::Started, Qt::DescendingOrder);
    static constexpr int widths[RunsModel::ColumnCount] = {240, 186, 116, 76, 76, 88, 84, 130, 62, 118};
    for (int column = 0; column < RunsModel::ColumnCount; ++column)
        header->resizeSection(column, widths[column]);
    header->setSectionResizeMode(RunsModel::Name, QHeaderView::Stretch);
    table_->installEventFilter(this);
    nothing_->setAlignment(Qt::AlignCenter);
    nothing_->hide();

    connect(store_, &RunStore::changed, this, &RunsPage::storeChanged);
    connect(segments_, &widgets::SegmentedControl::currentChanged, this, [this](int index) {
        proxy_->setSegment(static_cast<RunSegment>(index));
        updateEmptyText();
    });
    connect(filter_, &QLineEdit::textChanged, this, &RunsPage::filterTyped);
    connect(filter_, &QLineEdit::returnPressed, this, [this] {
        table_->setFocus();
        if (proxy_->rowCount() > 0)
            table_->selectRow(0);
    });
    connect(table_, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { emit runActivated(proxy_->at(index).id); });
    connect(table_, &QTableView::customContextMenuRequested, this, &RunsPage::openMenu);
    connect(&Theme::instance(), &Theme::changed, table_->viewport(), QOverload<>::of(&QWidget::update));
    storeChanged();
}

void RunsPage::fitColumns() {
    // In a narrow window the least telling columns go rather than half of the table.
    constexpr int kNameWidth = 170;
    QHeaderView* header = table_->horizontalHeader();
    int needed = kNameWidth;
    for (int column = 0; column < RunsModel::ColumnCount; ++column) {
        if (column == RunsModel::Name)
            continue;
        table_->setColumnHidden(column, false);
        needed += header->sectionSize(column);
    }
    for (int column : {RunsModel::Hosts, RunsModel::Validation, RunsModel::Ranks, RunsModel::Curve}) {
        if (needed <= table_->width())
            break;
        needed -= header->sectionSize(column);
        table_->setColumnHidden(column, true);
    }
}

QWidget* RunsPage::firstFocus() {
    return table_;
}

void RunsPage::find() {
    filter_->setFocus();
    filter_->selectAll();
}

void RunsPage::primaryAction() {
    if (table_->currentIndex().isValid())
        emit runActivated(proxy_->at(table_->currentIndex()).id);
}

QByteArray RunsPage::saveColumns() const {
    return table_->horizontalHeader()->saveState();
}

void RunsPage::restoreColumns(const QByteArray& state) {
    QHeaderView* header = table_->horizontalHeader();
    if (header->restoreState(state))
        table_->sortByColumn(header->sortIndicatorSection(), header->sortIndicatorOrder());
    header->setSectionResizeMode(RunsModel::Name, QHeaderView::Stretch);
}

void RunsPage::storeChanged() {
    model_->setRuns(store_->runs());
    int counts[4] = {0, 0, 0, 0};
    for (const RunSummary& run : store_->runs())
        for (int segment = 0; segment < 4; ++segment)
            counts[segment] += inSegment(run, static_cast<RunSegment>(segment)) ? 1 : 0;
    const QString names[4] = {tr("All"), tr("Live"), tr("Finished"), tr("Failed")};
    for (int segment = 0; segment < 4; ++segment)
        segments_->setLabel(segment, QStringLiteral("%1 %2").arg(names[segment]).arg(counts[segment]));
    const QString all = counts[0] == 1 ? tr("1 run") : tr("%1 runs").arg(counts[0]);
    setFacts(tr("%1 live").arg(counts[1]) + QStringLiteral("  ·  ") + all);
    updateEmptyText();
}

void RunsPage::filterTyped(const QString& text) {
    const QString sentence = proxy_->setFilterText(text);
    complaint_->setText(sentence);
    complaint_->setVisible(!sentence.isEmpty());
    filter_->setProperty("invalid", !sentence.isEmpty());
    filter_->style()->unpolish(filter_);
    filter_->style()->polish(filter_);
    updateEmptyText();
}

void RunsPage::updateEmptyText() {
    const bool empty = proxy_->rowCount() == 0 && model_->rowCount() > 0;
    nothing_->setText(tr("No run matches. Clear the filter or choose All."));
    nothing_->setGeometry(0, 60, table_->width(), 60);
    nothing_->setVisible(empty);
}

bool RunsPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize) {
        nothing_->setGeometry(0, 60, table_->width(), 60);
        fitColumns();
    }
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        const QModelIndex current = table_->currentIndex();
        if (key->matches(QKeySequence::Copy)) {
            copySelection();
            return true;
        }
        if (current.isValid() && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) &&
            key->modifiers() == Qt::NoModifier) {
            emit runActivated(proxy_->at(current).id);
            return true;
        }
        if (current.isValid() && key->key() == Qt::Key_R && key->modifiers() == Qt::NoModifier) {
            emit runAgainRequested(proxy_->at(current).path + QStringLiteral("/run.yaml"));
            return true;
        }
    }
    return Page::eventFilter(watched, event);
}

void RunsPage::openMenu(const QPoint& position) {
    const QModelIndex index = table_->indexAt(position);
    if (!index.isValid())
        return;
    const RunSummary run = proxy_->at(index);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Open dashboard"), this, [this, run] { emit runActivated(run.id); });
    menu->addSeparator();
    if (run.isLive()) {
        menu->addAction(tr("Checkpoint now"), this,
                        [this, run] { store_->request(run.path, QStringLiteral("checkpoint")); });
        menu->addAction(tr("Stop after a checkpoint"), this,
                        [this, run] { store_->request(run.path, QStringLiteral("stop")); });
        menu->addSeparator();
    }
    menu->addAction(tr("Run again"), this,
                    [this, run] { emit runAgainRequested(run.path + QStringLiteral("/run.yaml")); });
    menu->addAction(tr("Open folder"), this, [this, run] { emit folderRequested(run.path); });
    menu->addAction(tr("Copy path"), this, [run] { QApplication::clipboard()->setText(run.path); });
    menu->popup(table_->viewport()->mapToGlobal(position));
}

void RunsPage::copySelection() const {
    QStringList lines;
    for (const QModelIndex& row : table_->selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < RunsModel::ColumnCount; ++column)
            if (column != RunsModel::Curve)
                cells << row.sibling(row.row(), column).data(Qt::DisplayRole).toString();
        lines << cells.join(QLatin1Char('\t')).replace(QChar(0x2212), QLatin1Char('-'));
    }
    QApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

}  // namespace trainyard::desktop
