#pragma once
// The ranks of a run: host, device, state, step, phase, memory. A rank that is behind or gone stands out.

#include <QAbstractTableModel>
#include <QFrame>

#include "run/state.h"

class QLabel;
class QTableView;

namespace trainyard::desktop {

class RanksModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    enum Column { Rank, State, Step, Phase, Memory, ColumnCount };
    using QAbstractTableModel::QAbstractTableModel;
    void setRanks(const std::vector<run::RankState>& ranks, int first_failed);
    const run::RankState& rank(int row) const { return ranks_[static_cast<std::size_t>(row)]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    std::vector<run::RankState> ranks_;
    int first_failed_ = -1;
};

class RanksPanel : public QFrame {
    Q_OBJECT
  public:
    explicit RanksPanel(QWidget* parent = nullptr);
    void setRanks(const std::vector<run::RankState>& ranks, int first_failed);
    RanksModel* model() const { return model_; }

  signals:
    void rankActivated(int rank);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    RanksModel* model_;
    QTableView* table_;
    QLabel* summary_;
};

}  // namespace trainyard::desktop
