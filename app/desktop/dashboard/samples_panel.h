#pragma once
// What the model writes while it trains (generation.every): the texts of a prompt by step, beside the curves. The newest one is shown until the slider or
// the crosshair of the loss chooses an earlier one.

#include <QFrame>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class SamplesPanel : public QFrame {
    Q_OBJECT
  public:
    explicit SamplesPanel(const RunRecord* run, QWidget* parent = nullptr);
    /// Takes what came. The run has texts of prompts.
    bool refresh();
    /// While the crosshair of the loss stands at a step: the newest text up to it, or the first one. No number: what the slider has chosen again.
    void showStep(double step);
    std::int64_t shownStep() const;  ///< -1: none

  private:
    const MediaPoints& points() const;
    void showText();

    const RunRecord* run_;
    QComboBox* prompts_;  ///< their data are tags
    QPlainTextEdit* text_;
    QSlider* slider_;
    QLabel* step_;
    std::size_t tags_seen_ = 0;
    int chosen_ = -1;         ///< by the slider; -1: the newest, and those that come
    bool at_a_step_ = false;  ///< showStep() has chosen
};

}  // namespace trainyard::desktop
