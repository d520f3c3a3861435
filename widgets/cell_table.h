#pragma once
// A table of Cells (cell.h): a model says how many rows and columns it has, how these are called, and what stands in a cell; what views and programs that
// read aloud ask for follows from that.

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
    virtual bool isNumber(int /*column*/) const { return false; }  ///< numbers stand at the right, under their title
    virtual Cell cell(int row, int column) const = 0;
    /// Of a cell, without its picture: its text and its tags.
    virtual QString words(int row, int column) const;
    /// What programs that read aloud say in the place of the words.
    virtual QString spoken(int row, int column) const { return words(row, column); }
    virtual QString tip(int /*row*/, int /*column*/) const { return {}; }
    /// Other words in the same rows.
    void cellsChanged();
};

}  // namespace trainyard::widgets
