// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The table of ranks (ranks_model.h), with how many hosts there are above it.

#include <QFrame>

#include "desktop/dashboard/ranks_model.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class RanksPanel : public QFrame {
    Q_OBJECT
  public:
    explicit RanksPanel(QWidget* parent = nullptr);
    void setRanks(const std::vector<run::RankState>& ranks, int first_failed,
                  const std::vector<run::MachineState>& machines = {}, double now = 0);

  signals:
    void rankActivated(int rank);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    /// Gives states and phases the room of their words; without room for both the phases are hidden.
    void arrange();
    RanksModel* model_;
    QTableView* table_;
    QLabel* summary_;
};

}  // namespace trainyard::desktop
