// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/smoothing_control.h"

#include <algorithm>
#include <cmath>

#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>

#include "desktop/shell/ui.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
constexpr double kHeaviestSmoothing = 0.9;  // that is set automatically
constexpr double kLag = 0.01;               // of the points
constexpr int kSliderSteps = 1000;
}  // namespace

double smoothing_for(std::size_t points) {
    // An average of weight w lags behind by w / (1 - w) points.
    const double lag = kLag * static_cast<double>(points);
    return std::min(kHeaviestSmoothing, std::floor(100 * lag / (1 + lag)) / 100);
}

SmoothingControl::SmoothingControl(QObject* parent)
    : QObject(parent),
      word_(make_note(tr("Smoothing"))),
      slider_(named(new QSlider(Qt::Horizontal), tr("Smoothing weight"),
                    tr("Exponential moving average, as TensorBoard draws it. S switches it off and on."))),
      figure_(make_mono_label({}, 12)) {
    slider_->setRange(0, kSliderSteps - 1);
    slider_->setFixedWidth(84_px);
    connect(slider_, &QSlider::valueChanged, this, [this](int value) {
        const double weight = static_cast<double>(value) / kSliderSteps;
        figure_->setText(QLocale().toString(weight, 'f', 2));
        emit chosen(weight);
    });
    setWeight(0);
}

void SmoothingControl::setWeight(double weight) {
    const QSignalBlocker silent(slider_);
    if (!slider_->isSliderDown())
        slider_->setValue(static_cast<int>(weight * kSliderSteps + 0.5));
    figure_->setText(QLocale().toString(weight, 'f', 2));
}

}  // namespace trainyard::desktop
