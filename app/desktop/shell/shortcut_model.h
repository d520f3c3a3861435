// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The commands and their shortcuts as a table.

#include <QAbstractTableModel>

#include "desktop/shell/commands.h"

namespace trainyard::desktop {

class ShortcutModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Name, Where, Keys, ColumnCount };
    static constexpr int kIdRole = Qt::UserRole;

    explicit ShortcutModel(QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    QVector<Command> commands_;  ///< without those whose keys only pass on to a widget
};

}  // namespace trainyard::desktop
