// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// "Does it fit?": the memory that a recipe's model needs on this machine, by part, from engine/estimate. Settings that
// the engine cannot train with have no figure (plan::recipe_limit). The memory of GPUs and of other machines is
// unknown, and the panel says so. Bytes.

#include <cstdint>
#include <optional>

#include <QFrame>
#include <QVector>

#include "config/recipe/recipe.h"
#include "estimate/search.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DraftModel;
class MemoryBar;

class FitPanel : public QFrame {
    Q_OBJECT
  public:
    explicit FitPanel(DraftModel* draft, QWidget* parent = nullptr);

    /// std::nullopt: a field is invalid; the last figures stay, dimmed.
    void setModel(const std::optional<config::Recipe>& recipe);
    /// For a script of the user, whose model is unknown.
    void setNoModel();
    /// Memory of this machine; 0: not known yet.
    void setMemory(std::uint64_t bytes);

    enum class Verdict { unknown, fits, tight, over };
    Verdict verdict() const { return verdict_; }
    /// The displayed figure, summed over all ranks of this machine; 0: none.
    std::uint64_t total() const { return total_; }
    /// The displayed text: why there is no verdict, or how the figure is composed.
    QLabel* note() const { return note_; }
    /// Number of sequences per rank and step that fit; 0: unknown, or not even one.
    std::int64_t largestBatch() const { return largest_batch_; }

  signals:
    /// Emitted by the button "Apply" next to the largest batch.
    void batchWanted(qint64 batch);
    /// Emitted by the button "Architecture".
    void architectureWanted();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void arrangeLegend(int columns);
    void compute();
    /// Shows the memory of one rank, with `ranks` in all and `copies` of them on one machine.
    void showFigures(const config::Recipe& recipe, std::int64_t ranks, std::int64_t copies);
    void showNone(const QString& why);

    DraftModel* draft_;
    std::optional<config::Recipe> recipe_;
    bool stale_ = false;
    std::uint64_t memory_ = 0;
    std::uint64_t total_ = 0;
    std::int64_t largest_batch_ = 0;
    Verdict verdict_ = Verdict::unknown;
    widgets::StateChip* chip_;
    QLabel* figure_;
    QLabel* of_;
    MemoryBar* bar_;
    QWidget* legend_;
    QLabel* amounts_[6] = {};
    QVector<QWidget*> legend_cells_;  ///< swatch, name, amount of each part
    int legend_columns_ = 0;
    QWidget* batch_line_;
    QLabel* batch_;
    QPushButton* apply_;
    QPushButton* architecture_;
    QLabel* note_;
    widgets::Job file_job_;  ///< reads DeepSpeed's own file
};

}  // namespace trainyard::desktop
