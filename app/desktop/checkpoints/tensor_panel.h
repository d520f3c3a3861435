// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Middle part of the page: the tree of tensors with its filter, the checkpoint it is compared with, and the progress of
// the passes.

#include <QFrame>

#include "desktop/checkpoints/tensor_model.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class TensorPanel : public QFrame {
    Q_OBJECT
  public:
    explicit TensorPanel(QWidget* parent = nullptr);

    void setCheckpoint(const OpenCheckpointPointer& checkpoint, const QString& name);
    void setComparison(const OpenComparisonPointer& comparison);
    /// Number of the entry for a checkpoint that is not in the list, in setOthers() and otherChosen().
    static constexpr int kOtherPlace = -2;
    /// Sets the checkpoints to compare with: texts and their indices in the list. `chosen`: -1 for none.
    void setOthers(const QList<std::pair<QString, int>>& others, int chosen);
    void choose(std::uint32_t tensor);
    /// Shows a text below the tree; with `total`, also a progress bar and Cancel.
    void setProgress(const QString& words, quint64 done = 0, quint64 total = 0);

    TensorModel* model() const { return model_; }
    QTreeView* tree() const { return tree_; }
    QLineEdit* filterLine() const { return filter_; }
    QComboBox* againstBox() const { return against_; }
    std::optional<std::uint32_t> current() const;
    /// The chosen tensor of the other checkpoint, if only that one has it.
    std::optional<std::uint32_t> currentOfOther() const;
    /// The ways to choose any other checkpoint.
    QMenu* compareMenu() const { return compare_menu_; }

  signals:
    void tensorChosen();
    void otherChosen(int item);
    void cancelRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void applyFilter();
    QStringList openNodes() const;
    void openAgain(const QStringList& nodes);

    TensorModel* model_;
    QTreeView* tree_;
    widgets::ElidedLabel* title_;
    QMenu* compare_menu_;
    QPushButton* compare_;
    QComboBox* against_;
    widgets::SegmentedControl* which_;
    QLineEdit* filter_;
    QLabel* complaint_;
    widgets::ElidedLabel* footer_;
    QProgressBar* bar_;
    QPushButton* cancel_;
    QTimer* due_;
    widgets::Job* filtering_;
};

}  // namespace trainyard::desktop
