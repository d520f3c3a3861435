// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A kept scenario beside the current one: memory, time, what is set otherwise. Hidden until there is one to compare with.

#include <optional>

#include <QFrame>

#include "desktop/estimator/saved_scenarios.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ComparePanel : public QFrame {
    Q_OBJECT
  public:
    explicit ComparePanel(Scenario* scenario, QWidget* parent = nullptr);
    void compare(const SavedEstimate& with);
    void end();
    bool isComparing() const { return with_.has_value(); }
    QString name() const { return with_ ? with_->kept.name : QString(); }
    /// The label of a cell: row of rowNames(), 0: kept, 1: current, 2: difference.
    QLabel* cell(int row, int column) const { return cells_[row][column]; }
    static constexpr int kRows = 6;
    /// Says "zero_stage 1, now 3".
    QLabel* changes() const { return changes_; }

  signals:
    void ended();

  private:
    void show();

    Scenario* scenario_;
    std::optional<SavedEstimate> with_;
    widgets::ElidedLabel* title_;
    QLabel* cells_[kRows][3] = {};
    QLabel* changes_;
};

}  // namespace trainyard::desktop
