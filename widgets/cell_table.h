// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table model of Cells (cell.h): a subclass defines the number of rows and columns, the titles and the cells. The
// data for views and screen readers is derived from that.

#include <QAbstractTableModel>

#include "widgets/cell.h"

namespace trainyard::widgets {

class CellTable : public QAbstractTableModel {
  public:
    using QAbstractTableModel::QAbstractTableModel;
    int rowCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : rows(); }
    int columnCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : columns(); }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  protected:
    virtual int rows() const = 0;
    virtual int columns() const = 0;
    virtual QString title(int column) const = 0;
    virtual bool isNumber(int /*column*/) const { return false; }  ///< numbers are right-aligned, like their title
    virtual Cell cell(int row, int column) const = 0;
    /// The text and tags of a cell, without its picture.
    virtual QString words(int row, int column) const;
    /// The text for screen readers.
    virtual QString spoken(int row, int column) const { return words(row, column); }
    virtual QString tip(int /*row*/, int /*column*/) const { return {}; }
    /// The contents of existing rows have changed.
    void cellsChanged();
};

}  // namespace trainyard::widgets
