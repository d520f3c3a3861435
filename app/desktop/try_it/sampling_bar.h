// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How tokens are chosen: greedy, drawn or by beams, with the settings that each has, under transformers' names.

#include <QJsonObject>
#include <QWidget>

#include "widgets/forward.h"

namespace trainyard::desktop {

class SamplingBar : public QWidget {
    Q_OBJECT
  public:
    enum class Way { Greedy, Drawn, Beams };

    explicit SamplingBar(QWidget* parent = nullptr);
    /// Keys of a request (worker/answer_prompts.h), without the prompt.
    QJsonObject options() const;
    QSpinBox* length() const { return length_; }

  private:
    Way way() const;
    void showWay();
    template <class Box>
    Box* add(const QString& label, const QString& hint, Box* box);

    QWidget* line_;
    widgets::SegmentedControl* ways_;
    QSpinBox *length_, *top_k_, *seed_, *beams_;
    QDoubleSpinBox *temperature_, *top_p_, *penalty_;
};

}  // namespace trainyard::desktop
