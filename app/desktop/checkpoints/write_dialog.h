// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Dialog for exporting the weights of one checkpoint or an average of several, with every option of Export…: type,
// layout, a table that renames tensors, and the target folder.

#include <QDialog>

#include "observe/inspect/checkpoint_list.h"
#include "observe/inspect/conversion.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class WriteDialog : public QDialog {
    Q_OBJECT
  public:
    WriteDialog(const inspect::CheckpointList& checkpoint_list, int chosen, QWidget* parent);
    /// Returns the conversion for the current choices.
    inspect::Conversion conversion() const;

    /// Returns why the current choices are invalid, or an empty string.
    QString complaint() const;

  signals:
    void writeRequested(const inspect::Conversion& conversion);

  private:
    enum Source { One, Equal, Ema, Shares };
    enum Layout { File, Shards, Ranks, HuggingFace, Gguf, Onnx };
    void refresh();
    std::vector<double> shares() const;

    inspect::CheckpointList checkpoint_list_;
    int chosen_;
    std::vector<inspect::fs::path> good_;  ///< whole ones, oldest first
    QComboBox *source_, *type_, *layout_, *gguf_type_;
    QDoubleSpinBox *decay_, *shard_;
    QSpinBox* ranks_;
    QLineEdit *shares_, *table_, *target_;
    QLabel* words_;
    QPushButton* write_;
};

}  // namespace trainyard::desktop
