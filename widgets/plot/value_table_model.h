// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The values of a chart as rows: one a step (or moment) of any shown curve in the visible range, one column a curve. At most kMost rows.

#include <cstdint>
#include <vector>

#include <QAbstractTableModel>

#include "widgets/plot/chart_values.h"

namespace trainyard::widgets {

class ValueTableModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    static constexpr int kMost = 100'000;
    explicit ValueTableModel(ChartValues values, QObject* parent = nullptr);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    bool isWhole() const { return whole_; }

  private:
    ChartValues values_;
    std::vector<std::int64_t> steps_;
    bool whole_ = true;
};

}  // namespace trainyard::widgets
