// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The control of a chart's smoothing: a word, a slider and the weight, which a panel places in its own line.

#include <cstddef>

#include <QObject>

#include "widgets/forward.h"

namespace trainyard::desktop {

/// Returns the weight of an exponential moving average that lags behind by a hundredth of so many points, 0.9 at most.
double smoothing_for(std::size_t points);

class SmoothingControl : public QObject {
    Q_OBJECT
  public:
    explicit SmoothingControl(QObject* parent);
    QLabel* word() const { return word_; }
    QSlider* slider() const { return slider_; }
    QLabel* figure() const { return figure_; }
    /// Shows a weight; does not emit chosen().
    void setWeight(double weight);

  signals:
    void chosen(double weight);

  private:
    QLabel* word_;
    QSlider* slider_;
    QLabel* figure_;
};

}  // namespace trainyard::desktop
