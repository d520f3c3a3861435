#pragma once
// The values of a chart as a table: one row a step (or moment) of any shown curve in the visible range, one column a curve. For those who
// cannot see the chart, and for reading numbers off. At most kMost rows; the title says how many there are. Ctrl+C copies rows.

#include <vector>

#include <QAbstractTableModel>
#include <QDialog>

#include "widgets/plot/chart_export.h"

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

/// A window over the chart's; closes itself.
class ValueTable : public QDialog {
    Q_OBJECT
  public:
    explicit ValueTable(const CurveChart& chart, QWidget* parent = nullptr);
};

}  // namespace trainyard::widgets
