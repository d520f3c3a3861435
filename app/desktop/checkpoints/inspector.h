// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Right part of the page: statistics of the selected tensor, its elements, changes by layer, and the state of training.

#include <QWidget>

#include "desktop/checkpoints/open_checkpoint.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class HistogramBars;
class LayerGrid;
class SlicePicture;

class Inspector : public QWidget {
    Q_OBJECT
  public:
    explicit Inspector(QWidget* parent = nullptr);
    void setCheckpoint(OpenCheckpointPointer checkpoint);
    /// `other`: the figures of the same tensor in the checkpoint it is compared with. `from`: the checkpoint that has
    /// the tensor, if it is not that of setCheckpoint().
    void showTensor(std::optional<std::uint32_t> tensor, const inspect::Statistics* figures,
                    const inspect::Statistics* other, const inspect::TensorChange* change,
                    const OpenCheckpointPointer& from = nullptr);
    void setComparison(const OpenComparisonPointer& comparison);

  signals:
    void tensorRequested(quint32 tensor);

  private:
    void readSlice();
    void showState();

    OpenCheckpointPointer checkpoint_, from_;  ///< from_: has the shown tensor
    OpenComparisonPointer comparison_;
    std::optional<std::uint32_t> tensor_;
    QLabel *name_, *module_;
    HistogramBars* bars_;
    widgets::SegmentedControl *scale_, *view_;
    QFormLayout* figures_;
    QSpinBox *row_, *head_;
    QLabel *head_label_, *part_, *magnitudes_;
    QPlainTextEdit* numbers_;
    SlicePicture* picture_;
    QWidget *slice_box_, *grid_panel_;
    LayerGrid* grid_;
    QFormLayout* state_;
    widgets::Job* reading_;
    int head_rows_ = 0;       ///< rows of an attention head; 0: the tensor has none
    bool is_tokens_ = false;  ///< each row is a token
};

}  // namespace trainyard::desktop
