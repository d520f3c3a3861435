// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Left on the page: the metric by step, the list of checkpoints, the files of the chosen one, what a policy would
// remove.

#include <vector>

#include <QFrame>

#include "desktop/checkpoints/checkpoint_list_model.h"
#include "desktop/checkpoints/checkpoint_listing.h"
#include "observe/inspect/verify.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class MetricDots;

class CheckpointListPanel : public QFrame {
    Q_OBJECT
  public:
    explicit CheckpointListPanel(QWidget* parent = nullptr);
    void setShelf(const inspect::CheckpointList& checkpoint_list, const std::vector<inspect::InUse>& inUse,
                  const CheckpointCurves& curves);
    void setChosen(int chosen, int other);
    void setFiles(const inspect::Contents* contents);
    /// Marks of a verification; nothing: only what the headers tell.
    void setVerdict(const inspect::Verdict& verdict);
    /// Of the policy; 0: no such rule.
    void setPlaces(int best, int last, int every = 0);

    const inspect::CheckpointList& checkpoint_list() const { return model_->checkpoint_list(); }
    const inspect::PrunePlan& plan() const { return plan_; }
    QTableView* table() const { return table_; }

  signals:
    void chosen(int item);
    void otherChosen(int item);  ///< by its tick
    void pruneRequested();

  private:
    void showDots();
    void showPlan();
    void keepPolicy();
    void addFileLine(const char* icon, const std::string& file, std::uint64_t bytes, const Message& problem,
                     const QString& tip);
    void clearFiles();

    CheckpointListModel* model_;
    QTableView* table_;
    MetricDots* dots_;
    widgets::SegmentedControl* which_;
    QLabel* files_title_;
    QVBoxLayout* files_;
    QSpinBox *best_, *last_, *every_;
    QLabel* preview_;
    QPushButton* prune_;
    std::vector<inspect::InUse> in_use_;
    inspect::PrunePlan plan_;
    CheckpointCurves curves_;
    int file_lines_ = 0;
    QString key_;  ///< of what is kept of this list
    int chosen_ = -1, other_ = -1;
};

}  // namespace trainyard::desktop
