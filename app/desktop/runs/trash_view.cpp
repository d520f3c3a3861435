// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/trash_view.h"

#include <algorithm>

#include <QAction>
#include <QHeaderView>
#include <QSpinBox>
#include <QTableView>

#include "base/clock.h"
#include "base/text.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/cell_delegate.h"
#include "widgets/cell_rows.h"
#include "widgets/dialogs.h"
#include "widgets/number_box.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

const QString kPlace = QStringLiteral("settings/trash");
const QString kDays = QStringLiteral("days");
constexpr int kMostDays = 3650;
enum TrashColumn { NameColumn, DeletedColumn, GoneColumn, SizeColumn, FolderColumn };

std::vector<run::TrashedRun> list_all(const QStringList& roots) {
    std::vector<run::TrashedRun> all;
    for (const QString& root : roots) {
        std::vector<run::TrashedRun> some = run::list_trash(root.toStdString());
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

QString fileSizeText(quint64 bytes) {
    return qtNumber(text::file_size(bytes));
}

quint64 sumOf(const std::vector<TrashView::Row>& rows) {
    quint64 bytes = 0;
    for (const TrashView::Row& row : rows)
        bytes += row.bytes;
    return bytes;
}

}  // namespace

TrashView::TrashView(RunStore* store, QWidget* parent)
    : QWidget(parent),
      store_(store),
      model_(new widgets::CellRows(
          {{tr("Name")}, {tr("Deleted")}, {tr("Deleted permanently")}, {tr("Size")}, {tr("Id")}}, this)),
      table_(named(new QTableView, tr("Deleted runs"))),
      empty_label_(make_label(tr("The trash is empty. Deleted runs are kept here and can be restored."), 13,
                              QFont::Normal, Tone::Muted, table_)),
      sum_(make_note({})),
      days_(named(new widgets::NumberBox, tr("Days that deleted runs are kept"),
                  tr("Older runs are deleted permanently when the program starts. 0 keeps all of them."))),
      restore_(with_look(new QPushButton(tr("Restore")), {.icon = "undo", .tip = tr("Restore (Enter)")})),
      delete_(with_look(new QPushButton(tr("Delete permanently…")), {.icon = "trash", .tip = tr("Del")})),
      empty_(new QPushButton(tr("Empty the trash…"))) {
    days_->setRange(0, kMostDays);
    days_->setMinimumWidth(96_px);
    days_->setSpecialValueText(tr("forever"));
    days_->setSuffix(tr(" days"));
    days_->setValue(keptDays());
    auto* panel = make_frame("panel", make_column({1, 4, 1, 4}, {table_}));
    setLayout(make_column({0, 0, 0, 0}, 8,
                          {make_row(8, {make_note(tr("Deleted runs are kept")), days_, gap(8), sum_, stretch(),
                                        restore_, delete_, empty_}),
                           {panel, 1}}));

    table_->setModel(model_);
    widgets::set_rows_look(table_);
    QHeaderView* header = table_->horizontalHeader();
    widgets::set_column_widths(header,
                               {{DeletedColumn, 140}, {GoneColumn, 140}, {SizeColumn, 110}, {FolderColumn, 330}});
    header->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    empty_label_->setAlignment(Qt::AlignHCenter);
    empty_label_->setGeometry(0, 60, 700, 24);
    empty_label_->hide();

    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &TrashView::updateButtons);
    connect(table_, &QTableView::activated, this, &TrashView::restoreChosen);
    connect(restore_, &QPushButton::clicked, this, &TrashView::restoreChosen);
    connect(delete_, &QPushButton::clicked, this, [this] { askToDelete(chosen()); });
    connect(empty_, &QPushButton::clicked, this, [this] { askToDelete(rows_); });
    connect(days_, &QSpinBox::valueChanged, this, [this](int days) {
        setKeptDays(days);
        show(std::move(rows_));
    });
    // The context menu of the table has the actions of the buttons, and opens the folder.
    const auto add = [this](const QString& text, const QString& icon, const QKeySequence& key, auto act) {
        auto* action = new QAction(text, table_);
        action->setIcon(Theme::instance().icon(icon, Token::Text));
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        action->setShortcutVisibleInContextMenu(true);
        connect(action, &QAction::triggered, this, act);
        table_->addAction(action);
        return action;
    };
    of_chosen_ << add(tr("Restore"), QStringLiteral("undo"), {}, &TrashView::restoreChosen)
               << add(tr("Copy path"), QStringLiteral("copy"), QKeySequence::Copy, &TrashView::copyPaths)
               << add(tr("Delete permanently…"), QStringLiteral("trash"), QKeySequence::Delete,
                      [this] { askToDelete(chosen()); });
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    // Update when runs are deleted or restored.
    connect(store_, &RunStore::trashed, this, &TrashView::refresh);
    connect(store_, &RunStore::restored, this, &TrashView::refresh);
    connect(store_, &RunStore::rootsChanged, this, &TrashView::refresh);
    updateButtons();
}

int TrashView::keptDays() {
    const QJsonValue kept = ViewState::instance().value(kPlace, kDays);
    return kept.isDouble() ? std::clamp(kept.toInt(), 0, kMostDays) : static_cast<int>(run::kTrashDays);
}

void TrashView::setKeptDays(int days) {
    ViewState::instance().set(kPlace, kDays, days);
}

void TrashView::begin() {
    const int days = keptDays();
    if (days == 0)
        refresh();
    else
        thenRefresh([roots = store_->roots(), days] {
            for (const QString& root : roots)
                run::purge_trash(root.toStdString(), days * 86400.0);
        });
}

void TrashView::thenRefresh(std::function<void()> work) {
    deleting_.inOrder(
        deleting_.key(), [work = std::move(work)] { work(); }, [this] { refresh(); },
        [this](const QString& sentence) {
            emit failed(sentence);
            refresh();
        });
}

void TrashView::refresh() {
    reading_.submit(
        [roots = store_->roots()](const widgets::Cancelled& cancelled) {
            std::vector<Row> rows;
            for (run::TrashedRun& run : list_all(roots)) {
                if (cancelled)
                    break;
                const QString name = qt(run::shown_name(run));
                const quint64 bytes = run::size_of(run);
                rows.push_back({std::move(run), name, bytes});
            }
            return rows;
        },
        [this](const std::vector<Row>& rows) { show(rows); },
        [this](const QString& sentence) { emit failed(sentence); });
}

void TrashView::show(std::vector<Row> rows) {
    rows_ = std::move(rows);
    const double now = wall_seconds();
    const int days = keptDays();
    QVector<widgets::CellRows::Row> cells;
    for (const Row& one : rows_) {
        const double left = one.run.deleted + days * 86400.0 - now;
        const QString gone = days == 0  ? tr("never")
                             : left > 0 ? tr("in %1").arg(durationText(left))
                                        : tr("at the next start");
        cells << widgets::CellRows::Row{
            {{.text = one.name, .strong = true}, one.name},
            {{.text = relativeTime(one.run.deleted, now), .ink = Token::TextSecondary}, absoluteTime(one.run.deleted)},
            {{.text = gone, .ink = Token::TextSecondary},
             days == 0 ? QString() : absoluteTime(one.run.deleted + days * 86400.0)},
            {{.text = fileSizeText(one.bytes), .mono = true, .ink = Token::TextSecondary},
             tr("%1 bytes").arg(one.bytes)},
            {{.text = qt(one.run.id), .mono = true, .ink = Token::TextMuted}, qt(one.run.folder.string())}};
    }
    model_->setRows(cells);
    if (!cells.isEmpty() && !table_->selectionModel()->hasSelection())
        table_->selectRow(0);
    empty_label_->setVisible(rows_.empty());
    empty_label_->setFixedWidth(std::max(200, table_->width()));
    sum_->setText(rows_.empty() ? QString() : tr("%1 in total").arg(fileSizeText(sumOf(rows_))));
    updateButtons();
    emit counted(static_cast<int>(rows_.size()));
}

std::vector<TrashView::Row> TrashView::chosen() const {
    std::vector<Row> some;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        if (index.row() < static_cast<int>(rows_.size()))
            some.push_back(rows_[static_cast<std::size_t>(index.row())]);
    return some;
}

void TrashView::updateButtons() {
    const bool any = !table_->selectionModel()->selectedRows().isEmpty();
    restore_->setEnabled(any);
    delete_->setEnabled(any);
    for (QAction* action : of_chosen_)
        action->setEnabled(any);
    empty_->setEnabled(!rows_.empty());
}

QStringList TrashView::chosenFolders() const {
    QStringList folders;
    for (const Row& row : chosen())
        folders << qt(row.run.folder.string());
    return folders;
}

void TrashView::restoreChosen() {
    if (const QStringList folders = chosenFolders(); !folders.isEmpty())
        store_->restore(folders);
}

void TrashView::copyPaths() {
    if (const QStringList folders = chosenFolders(); !folders.isEmpty())
        copy_text(folders.join(QLatin1Char('\n')));
}

void TrashView::askToDelete(const std::vector<Row>& rows) {
    if (rows.empty())
        return;
    const QString size = fileSizeText(sumOf(rows));
    widgets::ask_before_loss(
        this,
        {tr("Delete permanently"),
         rows.size() == 1 ? tr("Delete %1 permanently?").arg(rows.front().name)
                          : tr("Delete %1 runs permanently?").arg(rows.size()),
         tr("%1 with all curves, logs and checkpoints. This cannot be undone.").arg(size), tr("Delete %1").arg(size)},
        [this, rows] { deleteForGood(rows); });
}

void TrashView::deleteForGood(const std::vector<Row>& rows) {
    std::vector<std::filesystem::path> folders;
    for (const Row& row : rows)
        folders.push_back(row.run.folder);
    for (QPushButton* button : {restore_, delete_, empty_})
        button->setEnabled(false);
    thenRefresh([folders] {
        for (const std::filesystem::path& folder : folders)
            run::delete_for_good(folder);
    });
}

}  // namespace trainyard::desktop
