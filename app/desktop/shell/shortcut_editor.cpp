// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/shortcut_editor.h"

#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>
#include <QTableView>

#include "desktop/shell/action_collection.h"
#include "desktop/shell/shortcut_model.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

ShortcutEditor::ShortcutEditor(QWidget* parent)
    : QDialog(parent),
      model_(new ShortcutModel(this)),
      proxy_(new QSortFilterProxyModel(this)),
      search_(make_search_field(tr("Search commands and shortcuts"), tr("Search commands and shortcuts"), "search")),
      table_(named(new QTableView, tr("Commands and shortcuts"))),
      field_(named(new QKeySequenceEdit, tr("New shortcut"))),
      assign_(with_look(new QPushButton(tr("Assign")), {.kind = "primary"})),
      remove_(new QPushButton(tr("Remove"))),
      reset_(new QPushButton(tr("Reset"))),
      reset_all_(new QPushButton(tr("Reset all"))),
      problem_(wrapped(make_note({}, Tone::Secondary))) {
    setWindowTitle(tr("Edit shortcuts"));
    if (auto* line = field_->findChild<QLineEdit*>())
        line->setAccessibleName(field_->accessibleName());
    resize(720_px, 560_px);
    proxy_->setSourceModel(model_);
    proxy_->setFilterKeyColumn(-1);
    proxy_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table_->setModel(proxy_);
    widgets::set_rows_look(table_);
    table_->setItemDelegate(new QStyledItemDelegate(table_));  // plain texts
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setSortingEnabled(true);
    table_->sortByColumn(-1, Qt::AscendingOrder);  // in the order of the menus
    QHeaderView* header = table_->horizontalHeader();
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setSectionResizeMode(ShortcutModel::Name, QHeaderView::Stretch);
    widgets::set_column_widths(header, {{ShortcutModel::Where, 190}, {ShortcutModel::Keys, 170}});
    // The line of a conflict does not move the buttons.
    problem_->setMinimumHeight(2 * problem_->fontMetrics().lineSpacing());
    auto* close = new QPushButton(tr("Close"));
    setLayout(make_column(10, {search_,
                               {table_, 1},
                               make_row(8, {make_note(tr("New shortcut")), {field_, 1}, assign_, remove_, reset_}),
                               problem_,
                               make_row(8, {reset_all_, stretch(), close})}));
    for (QPushButton* button : {assign_, remove_, reset_, reset_all_, close})
        button->setAutoDefault(false);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connectParts();
    table_->selectRow(0);
}

void ShortcutEditor::connectParts() {
    ActionCollection& commands = ActionCollection::instance();
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) {
        proxy_->setFilterFixedString(words);
        if (!table_->currentIndex().isValid())
            table_->selectRow(0);
    });
    connect(table_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ShortcutEditor::showChosen);
    connect(table_, &QTableView::activated, field_, [this] { field_->setFocus(Qt::OtherFocusReason); });
    connect(&commands, &ActionCollection::changed, this, &ShortcutEditor::showChosen);
    connect(field_, &QKeySequenceEdit::keySequenceChanged, this, [this](const QKeySequence& keys) {
        if (keys.count() > 1)
            field_->setKeySequence(typed());
        else
            showProblem();
    });
    // The signal of the field comes a second after the key.
    if (auto* line = field_->findChild<QLineEdit*>())
        connect(line, &QLineEdit::textChanged, this, &ShortcutEditor::showProblem);
    connect(assign_, &QPushButton::clicked, this, [this, &commands] { commands.assign(chosen(), {typed()}); });
    connect(remove_, &QPushButton::clicked, this, [this, &commands] { commands.setShortcuts(chosen(), {}); });
    connect(reset_, &QPushButton::clicked, this, [this, &commands] { commands.reset(chosen()); });
    connect(reset_all_, &QPushButton::clicked, this, [&commands] { commands.resetAll(); });
}

/// One chord, as everywhere in the program.
QKeySequence ShortcutEditor::typed() const {
    const QKeySequence keys = field_->keySequence();
    return keys.isEmpty() ? QKeySequence() : QKeySequence(keys[0]);
}

QString ShortcutEditor::chosen() const {
    return table_->currentIndex().data(ShortcutModel::kIdRole).toString();
}

void ShortcutEditor::showChosen() {
    const ActionCollection& commands = ActionCollection::instance();
    const Command* command = commands.find(chosen());
    const QList<QKeySequence> keys = commands.shortcuts(chosen());
    const bool editable = command != nullptr && !command->fixed;
    field_->clear();  // also a key that the field would continue
    field_->setKeySequence(keys.isEmpty() ? QKeySequence() : keys.front());
    field_->setEnabled(editable);
    remove_->setEnabled(editable && !keys.isEmpty());
    reset_->setEnabled(editable && commands.isChanged(chosen()));
    reset_all_->setEnabled(!commands.changes().isEmpty());
    showProblem();
}

/// Names the commands that have the shortcut in the field, and offers what can be done.
void ShortcutEditor::showProblem() {
    const ActionCollection& commands = ActionCollection::instance();
    const Command* command = commands.find(chosen());
    const QKeySequence keys = typed();
    QStringList names;
    bool has_fixed = false;
    for (const QString& id : commands.conflicts(chosen(), keys)) {
        const Command* other = commands.find(id);
        names << tr("“%1” (%2)").arg(other->text(), Commands::scopeTitle(other->scope()));
        has_fixed = has_fixed || other->fixed;
    }
    const QString list = widgets::list_text(names);
    const bool closes = keys == QKeySequence(Qt::Key_Escape);
    problem_->setText(command != nullptr && command->fixed ? tr("This key belongs to the widget and cannot be changed.")
                      : closes    ? tr("Esc closes and goes back everywhere. Choose another shortcut.")
                      : has_fixed ? tr("%1 has this key, and it cannot be changed. Choose another shortcut.").arg(list)
                      : !names.isEmpty() ? tr("%1 has this shortcut and loses it.").arg(list)
                                         : QString());
    problem_->setForegroundRole(tone_role(closes || has_fixed ? Tone::Error
                                          : names.isEmpty()   ? Tone::Secondary
                                                              : Tone::Warn));
    assign_->setText(names.isEmpty() ? tr("Assign") : tr("Assign here instead"));
    assign_->setEnabled(command != nullptr && !command->fixed && !keys.isEmpty() && !closes && !has_fixed &&
                        !commands.shortcuts(command->id).contains(keys));
}

}  // namespace trainyard::desktop
