#pragma once
// "Does it fit?": the memory a recipe's model needs on this machine, by part, from engine/estimate. What recipes cannot be trained with has no
// figure here (plan::recipe_limit); the memory of GPUs and of other machines is not known, and the panel says so. Bytes.

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

    /// Nothing: a field is wrong just now; the last figures stay, dimmed.
    void setModel(const std::optional<config::Recipe>& recipe);
    /// An own script: there is no model to judge.
    void setNoModel();
    /// Memory of this machine; 0: not known yet.
    void setMemory(std::uint64_t bytes);

    enum class Verdict { unknown, fits, tight, over };
    Verdict verdict() const { return verdict_; }
    /// The figure that is shown, over all ranks of this machine; 0: none.
    std::uint64_t total() const { return total_; }
    /// Why there is no verdict, or how the figure is made up; as shown.
    QLabel* note() const { return note_; }
    /// Sequences a rank and step that fit; 0: not known, or none fits.
    std::int64_t largestBatch() const { return largest_batch_; }

  signals:
    /// "Apply" beside the largest batch.
    void batchWanted(qint64 batch);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void arrangeLegend(int columns);
    void compute();
    /// Of `ranks` in all, `copies` of them on one machine.
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
    QLabel* note_;
    widgets::Job file_job_;  ///< reads DeepSpeed's own file
};

}  // namespace trainyard::desktop
