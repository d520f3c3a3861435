// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What batch and accumulation make on all ranks together, and how the same training is kept on another number of ranks: which
// batch, accumulation and learning rate (config/accelerate/batch.h). Changes the recipe only when a choice is applied.

#include <QFrame>

#include "config/accelerate/batch.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class RunDraft;

class BatchPanel : public QFrame {
    Q_OBJECT
  public:
    explicit BatchPanel(RunDraft* draft, QWidget* parent = nullptr);
    void refresh();
    QLabel* facts() const { return facts_; }

  private:
    void showChoices();
    /// Of a step of so many tokens, and of all steps, as an earlier run was.
    QString timeWords(double tokens) const;
    void apply(const settings::BatchSetup& setup);
    /// data.split_batches: the batch is that of all ranks.
    bool splits() const;
    settings::BatchSetup setup(int ranks) const;
    /// In the range that a recipe may have.
    bool isUsable(const settings::BatchSetup& setup) const;

    RunDraft* draft_;
    QLabel* facts_;
    QLineEdit* tuned_;
    widgets::SegmentedControl* rule_;
    QVBoxLayout* choices_;
    QWidget* shown_ = nullptr;
};

}  // namespace trainyard::desktop
