#include "desktop/dashboard/loss_panel.h"

#include <QHBoxLayout>
#include <QSlider>
#include <QVBoxLayout>

#include "desktop/dashboard/swatch.h"
#include "desktop/dashboard/tags.h"
#include "widgets/label.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/number_text.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::CurveChart;
using widgets::SegmentedControl;
using widgets::Tone;
using widgets::XUnit;

namespace {
constexpr double kUsualSmoothing = 0.9;
constexpr int kSliderSteps = 1000;
constexpr int kRoomForLegend = 720;
}  // namespace

LossPanel::LossPanel(const RunRecord* run, QWidget* parent)
    : QFrame(parent),
      run_(run),
      chart_(new CurveChart(tr("Loss"))),
      legend_(new QWidget),
      smoothing_word_(widgets::make_label(tr("Smoothing"), 12, QFont::Normal, Tone::Secondary)),
      smoothing_(new QSlider(Qt::Horizontal)),
      weight_(widgets::make_mono_label({}, 12)),
      units_(new SegmentedControl({tr("Step"), tr("Time"), tr("Tokens")})),
      scale_(new SegmentedControl({tr("Lin"), tr("Log")})) {
    setProperty("surface", QStringLiteral("panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 6, 1, 4);
    layout->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(12, 0, 10, 0);
    line->setSpacing(8);
    line->addWidget(widgets::make_label(tr("Loss"), 13, QFont::DemiBold));
    auto* entries = new QHBoxLayout(legend_);
    entries->setContentsMargins(8, 0, 0, 0);
    entries->setSpacing(12);
    entries->addWidget(legendEntry(tr("train"), color::kTrain));
    entries->addWidget(legendEntry(tr("val"), color::kValidation));
    line->addWidget(legend_);
    line->addStretch();
    line->addWidget(smoothing_word_);
    smoothing_->setRange(0, kSliderSteps - 1);
    smoothing_->setFixedWidth(84);
    smoothing_->setAccessibleName(tr("Smoothing weight"));
    smoothing_->setToolTip(tr("Exponential moving average, as TensorBoard draws it. S switches it off and on."));
    line->addWidget(smoothing_);
    line->addWidget(weight_);
    units_->setAccessibleName(tr("Horizontal axis"));
    scale_->setAccessibleName(tr("Vertical axis"));
    line->addWidget(units_);
    line->addWidget(scale_);
    layout->addLayout(line);
    layout->addWidget(chart_, 1);
    setMinimumHeight(170);

    chart_->setCurves({{tr("train"), &run->series(tag::kTrainLoss), color::kTrain, true},
                       {tr("val"), &run->series(tag::kValidationLoss), color::kValidation, false}});
    connect(smoothing_, &QSlider::valueChanged, this,
            [this](int value) { setWeight(static_cast<double>(value) / kSliderSteps); });
    connect(chart_, &CurveChart::smoothingToggled, this, [this](bool) {
        // The chart has not changed yet when it tells.
        QMetaObject::invokeMethod(
            this, [this] { smoothing_->setValue(static_cast<int>(chart_->smoothing() * kSliderSteps + 0.5)); },
            Qt::QueuedConnection);
    });
    connect(units_, &SegmentedControl::currentChanged, this, [this] { emit unitChanged(unit()); });
    connect(scale_, &SegmentedControl::currentChanged, this, [this](int index) { chart_->setLogY(index == 1); });
    connect(chart_, &CurveChart::logToggled, this, [this](bool log) { scale_->setCurrent(log ? 1 : 0); });
    smoothing_->setValue(static_cast<int>(kUsualSmoothing * kSliderSteps));
    scale_->setCurrent(1);
}

QWidget* LossPanel::legendEntry(const QString& name, int color) {
    auto* entry = new QWidget;
    auto* layout = new QHBoxLayout(entry);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(new Swatch(color));
    layout->addWidget(widgets::make_label(name, 12, QFont::Normal, Tone::Secondary));
    return entry;
}

void LossPanel::setWeight(double weight) {
    weight_->setText(QString::number(weight, 'f', 2));
    chart_->setSmoothing(weight);
}

void LossPanel::setMarkers(const QVector<widgets::Marker>& markers) {
    chart_->setMarkers(markers);
}

XUnit LossPanel::unit() const {
    return static_cast<XUnit>(units_->current());
}

void LossPanel::setUnit(XUnit unit) {
    if (static_cast<int>(unit) >= 0 && static_cast<int>(unit) < units_->count())
        units_->setCurrent(static_cast<int>(unit));
}

void LossPanel::setSmoothing(double weight) {
    smoothing_->setValue(static_cast<int>(weight * kSliderSteps + 0.5));
}

void LossPanel::setLogY(bool log) {
    scale_->setCurrent(log ? 1 : 0);
}

void LossPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    smoothing_word_->setVisible(width() >= kRoomForLegend);
}

}  // namespace trainyard::desktop
