// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The first rows of data as a table: texts, small pictures, and titles with what each column is used for.

#include <QAbstractTableModel>
#include <QIcon>

#include "desktop/data/data_look.h"

namespace trainyard::desktop {

class PreviewModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    using QAbstractTableModel::QAbstractTableModel;
    /// `uses`: of each column, as the user reads it; empty: none. `side`: of a picture, in pixels. Rows that stay keep
    /// the selection of a view.
    void setLook(const DataLook& look, const QStringList& uses, int side);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  private:
    DataLook look_;
    QStringList uses_;
    QVector<QVector<QIcon>> icons_;  ///< as look_.pictures; null without a picture
};

}  // namespace trainyard::desktop
