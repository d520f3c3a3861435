// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The hyper-parameters of several sources as a table. Answers widgets::CellRole.

#include <QStringList>
#include <QVector>

#include "desktop/curves/curve_source.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

class ParametersModel : public widgets::CellTable {
    Q_OBJECT
  public:
    using CellTable::CellTable;
    void setSources(const QVector<CurveSource*>& sources);
    int differing() const { return differing_; }
    /// Tab-separated, with the names of the sources on top.
    QString text() const;

  protected:
    int rows() const override { return static_cast<int>(rows_.size()); }
    int columns() const override { return static_cast<int>(names_.size()) + 1; }
    QString title(int column) const override { return column == 0 ? tr("Parameter") : names_[column - 1]; }
    widgets::Cell cell(int row, int column) const override;
    QString tip(int row, int column) const override { return words(row, column); }

  private:
    struct Row {
        QString name;
        QStringList values;
        bool differs = false;
        bool operator==(const Row&) const = default;
    };
    QVector<Row> rows_;
    QStringList names_;
    int differing_ = 0;
};

}  // namespace trainyard::desktop
