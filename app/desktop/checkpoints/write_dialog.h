#pragma once
// How the weights of checkpoints are written anew: which of them, as an average or one alone, type, layout, names by a table, and
// where to. What Export… offers in one click, with every choice.

#include <QDialog>

#include "observe/inspect/conversion.h"
#include "observe/inspect/shelf.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class WriteDialog : public QDialog {
    Q_OBJECT
  public:
    WriteDialog(const inspect::Shelf& shelf, int chosen, QWidget* parent);
    /// Of what is chosen now.
    inspect::Conversion conversion() const;

    /// Why it cannot be written like this; empty: it can.
    QString complaint() const;

  signals:
    void writeRequested(const inspect::Conversion& conversion);

  private:
    enum Source { One, Equal, Ema, Shares };
    enum Layout { File, Shards, Ranks, HuggingFace };
    void refresh();
    std::vector<double> shares() const;

    inspect::Shelf shelf_;
    int chosen_;
    std::vector<inspect::fs::path> good_;  ///< whole ones, oldest first
    QComboBox *source_, *type_, *layout_;
    QDoubleSpinBox *decay_, *shard_;
    QSpinBox* ranks_;
    QLineEdit *shares_, *table_, *target_;
    QLabel* words_;
    QPushButton* write_;
};

}  // namespace trainyard::desktop
