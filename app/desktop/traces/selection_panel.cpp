// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/selection_panel.h"

#include <algorithm>

#include <QHeaderView>
#include <QLocale>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>

#include "desktop/shell/ui.h"
#include "desktop/traces/flame_graph.h"
#include "widgets/cell_delegate.h"
#include "widgets/csv_text.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

SelectionPanel::SelectionPanel(QWidget* parent)
    : QFrame(parent),
      words_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      tabs_(new widgets::SegmentedControl(
          {tr("Kernels"), tr("Ops"), tr("Calls"), tr("Slices"), tr("Flame graph"), tr("Compared")})),
      model_(new TraceTableModel(this)),
      stack_(new QStackedWidget),
      view_(named(new QTableView, tr("Table of the selection"))),
      flame_(new FlameGraph),
      note_(make_note({}, Tone::Muted)) {
    setProperty("surface", QStringLiteral("panel"));
    auto* copy_button = with_look(new QPushButton, {.kind = "quiet", .icon = "copy", .tip = tr("Copy the table")});
    connect(copy_button, &QPushButton::clicked, this, &SelectionPanel::copy);
    // A line of its own: the tabs need the whole of theirs in a window of 1100 pixels.
    words_->setContentsMargins(12, 0, 12, 0);
    view_->setModel(model_);
    widgets::set_rows_look(view_);
    view_->verticalHeader()->setDefaultSectionSize(24_px);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    const int kLeastName = 160_px;
    widgets::stretch_column(view_, 0, kLeastName);
    view_->horizontalHeader()->setSectionsClickable(true);
    connect(view_->horizontalHeader(), &QHeaderView::sectionClicked, this, [this](int section) {
        // Numbers begin with the largest, words with A.
        sorted_down_ = section == sorted_by_ ? !sorted_down_ : !model_->isName(section);
        sorted_by_ = section;
        filling_ = true;
        model_->sort(section, sorted_down_ ? Qt::DescendingOrder : Qt::AscendingOrder);
        filling_ = false;
    });
    const int kLeastRows = 120_px;  // pixels, below tabs in one or two lines
    stack_->setMinimumHeight(kLeastRows);
    stack_->addWidget(view_);
    stack_->addWidget(flame_);
    note_->setContentsMargins(12, 0, 12, 6);
    setLayout(make_column({1, 8, 1, 1}, 6,
                          {widgets::make_wrapping_row({12, 0, 9, 0}, 10,
                                                      {make_title(tr("Selection"), 14), stretch(), tabs_, copy_button}),
                           words_,
                           {stack_, 1},
                           note_}));
    tabs_->button(static_cast<int>(TraceTable::Compared))->hide();
    connect(tabs_, &widgets::SegmentedControl::currentChanged, this, &SelectionPanel::fill);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& now) {
        if (!filling_ && now.isValid())
            emit rowChosen(model_->at(now.row()));
    });
    connect(view_, &QTableView::activated, this,
            [this](const QModelIndex& index) { emit rowActivated(model_->at(index.row())); });
    connect(flame_, &FlameGraph::callChosen, this, &SelectionPanel::rowChosen);
    auto* keys = new QShortcut(QKeySequence::Copy, view_, nullptr, nullptr, Qt::WidgetShortcut);
    connect(keys, &QShortcut::activated, this, &SelectionPanel::copy);
}

TraceTable SelectionPanel::shownTable() const {
    return static_cast<TraceTable>(tabs_->current());
}

void SelectionPanel::showTable(TraceTable table) {
    tabs_->setCurrent(static_cast<int>(table));
}

void SelectionPanel::setSelection(const TraceSelection& selection, const QString& words) {
    selection_ = selection;
    selection_words_ = words;
    setBusy(false);
    if (shownTable() != TraceTable::Compared)
        fill();
}

void SelectionPanel::setComparison(const QVector<TraceRow>& rows, const QString& words) {
    compared_ = rows;
    compared_words_ = words;
    tabs_->button(static_cast<int>(TraceTable::Compared))->show();
    if (shownTable() == TraceTable::Compared)
        fill();
    else
        showTable(TraceTable::Compared);
}

void SelectionPanel::clearComparison() {
    compared_.clear();
    tabs_->button(static_cast<int>(TraceTable::Compared))->hide();
    if (shownTable() == TraceTable::Compared)
        showTable(TraceTable::Operations);
}

void SelectionPanel::setBusy(bool busy) {
    stack_->setEnabled(!busy);
}

void SelectionPanel::fill() {
    const bool flame = shownTable() == TraceTable::Flame;
    const TraceTable table = flame ? TraceTable::Calls : shownTable();
    const bool compared = table == TraceTable::Compared;
    words_->setFullText(compared ? compared_words_ : selection_words_);
    filling_ = true;
    const bool other = model_->table() != table || !filled_;
    model_->setRows(table, compared ? compared_ : selection_.tables[static_cast<std::size_t>(table)]);
    filling_ = false;
    if (flame)
        flame_->setCalls(selection_.tables[static_cast<std::size_t>(TraceTable::Calls)]);
    stack_->setCurrentWidget(flame ? static_cast<QWidget*>(flame_) : view_);
    QHeaderView* header = view_->horizontalHeader();
    sorted_by_ = -1;
    const int rows = model_->rowCount();
    if (other) {
        filled_ = rows > 0;
        const int kLeastNumber = 76_px, kMostWords = 170_px;
        const QAbstractItemView* cells = view_;
        for (int section = 1; section < model_->columnCount(); ++section)
            header->resizeSection(
                section, std::max(header->sectionSizeHint(section),
                                  model_->hasWords(section) ? std::min(cells->sizeHintForColumn(section), kMostWords)
                                                            : kLeastNumber));
    }
    QString note;
    if (rows == 0)
        note = table == TraceTable::Kernels ? tr("No work on a device in this range.")
               : compared                   ? tr("Both took the same time everywhere.")
                                            : tr("Nothing in this range.");
    else if (table == TraceTable::Slices && selection_.slices > kMostSliceRows)
        note =
            tr("The longest %1 of %2 slices.")
                .arg(QLocale().toString(qulonglong{kMostSliceRows}), QLocale().toString(qulonglong{selection_.slices}));
    note_->setText(note);
    note_->setVisible(!note.isEmpty());
}

QByteArray SelectionPanel::csv() const {
    QByteArray bytes;
    for (const QStringList& cells : model_->plain())
        bytes += widgets::csv_line(cells).toUtf8();
    return bytes;
}

void SelectionPanel::copy() const {
    QStringList lines;
    for (const QStringList& cells : model_->plain())
        lines << cells.join(QLatin1Char('\t'));
    copy_text(lines.join(QLatin1Char('\n')));
}

}  // namespace trainyard::desktop
