// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Texts that the model generates during training (generation.every): the texts of a prompt by step, next to the curves.
// The newest text is shown until the slider or the crosshair of the loss selects an earlier one.

#include <QFrame>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class SamplesPanel : public QFrame {
    Q_OBJECT
  public:
    explicit SamplesPanel(const RunRecord* run, QWidget* parent = nullptr);
    /// Takes new texts. Returns whether the run has texts of prompts.
    bool refresh();
    /// Shows the newest text up to the step at the crosshair of the loss, or else the first text. NaN: shows the choice
    /// of the slider again.
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
