// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/shortcut_model.h"

#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

ShortcutModel::ShortcutModel(QObject* parent)
    : QAbstractTableModel(parent), commands_(ActionCollection::instance().commands()) {
    connect(&ActionCollection::instance(), &ActionCollection::changed, this,
            [this] { emit dataChanged(index(0, Keys), index(rowCount() - 1, Keys)); });
}

int ShortcutModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(commands_.size());
}

int ShortcutModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant ShortcutModel::data(const QModelIndex& index, int role) const {
    const Command& command = commands_[index.row()];
    const ActionCollection& collection = ActionCollection::instance();
    switch (role) {
        case kIdRole:
            return command.id;
        case Qt::DisplayRole: {
            if (index.column() == Name)
                return command.text();
            if (index.column() == Where)
                return Commands::scopeTitle(command.scope());
            QStringList keys;
            for (const QKeySequence& each : collection.shortcuts(command.id))
                keys << each.toString(QKeySequence::NativeText);
            return widgets::list_text(keys);
        }
        case Qt::FontRole:
            return index.column() == Keys
                       ? Theme::instance().mono(12, collection.isChanged(command.id) ? QFont::DemiBold : QFont::Normal)
                       : QVariant();
        case Qt::ForegroundRole:
            return command.fixed ? QVariant(Theme::instance().color(Token::TextMuted)) : QVariant();
        case Qt::ToolTipRole:
            return command.fixed                      ? tr("This key belongs to the widget and cannot be changed")
                   : collection.isChanged(command.id) ? tr("Changed; Reset restores the default")
                                                      : QVariant();
        default:
            return {};
    }
}

QVariant ShortcutModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Name ? tr("Command") : section == Where ? tr("Where") : tr("Shortcut");
}

}  // namespace trainyard::desktop
