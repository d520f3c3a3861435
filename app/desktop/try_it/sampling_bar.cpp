// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/try_it/sampling_bar.h"

#include <QDoubleSpinBox>
#include <QSpinBox>

#include "desktop/shell/ui.h"
#include "widgets/number_box.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {

QSpinBox* whole_box(int least, int most, int value) {
    auto* box = new widgets::NumberBox;
    box->setRange(least, most);
    box->setValue(value);
    return box;
}

QDoubleSpinBox* number_box(double least, double most, double step, double value) {
    auto* box = new QDoubleSpinBox;
    box->setDecimals(2);
    box->setRange(least, most);
    box->setSingleStep(step);
    box->setValue(value);
    return box;
}

}  // namespace

template <class Box>
Box* SamplingBar::add(const QString& label, const QString& hint, Box* box) {
    box->setAlignment(Qt::AlignRight);
    box->setFont(Theme::instance().mono(12));
    box->setAccessibleName(label);
    box->setToolTip(hint);
    box->setFixedWidth(84_px);
    auto* column = new QWidget(this);
    column->setLayout(make_column({0, 0, 0, 0}, 4, {make_note(label), box}));
    line_->layout()->addWidget(column);
    return box;
}

SamplingBar::SamplingBar(QWidget* parent)
    : QWidget(parent), ways_(new widgets::SegmentedControl({tr("Greedy"), tr("Sampling"), tr("Beams")})) {
    auto* choice = make_holder(make_column({0, 0, 0, 0}, 4, {make_note(tr("Next token")), ways_}));
    line_ = widgets::make_wrapping_row(12, {choice});
    setLayout(make_column(QMargins(), 0, {line_}));
    length_ = add(tr("New tokens"), tr("max_new_tokens: most tokens of an answer"), whole_box(1, 100'000, 128));
    temperature_ =
        add(tr("Temperature"), tr("Below 1 likely tokens become more likely"), number_box(0.01, 10, 0.1, 0.8));
    top_k_ =
        add(tr("Top k"), tr("Samples from this many of the most likely tokens; 0: all"), whole_box(0, 1'000'000, 50));
    top_p_ = add(tr("Top p"), tr("Samples from the most likely tokens with this total probability"),
                 number_box(0.01, 1, 0.05, 0.95));
    seed_ = add(tr("Seed"), tr("The same seed gives the same text"), whole_box(0, 2'000'000'000, 0));
    beams_ =
        add(tr("Beams"), tr("num_beams: texts that are continued side by side; the likeliest one is shown at the end"),
            whole_box(2, 64, 4));
    penalty_ =
        add(tr("Repetition"), tr("repetition_penalty: values above 1 make tokens that already occurred less likely"),
            number_box(0.5, 5, 0.1, 1));
    static_cast<QBoxLayout*>(line_->layout())->addStretch();
    ways_->setCurrent(static_cast<int>(Way::Drawn));
    connect(ways_, &widgets::SegmentedControl::currentChanged, this, &SamplingBar::showWay);
    showWay();
}

SamplingBar::Way SamplingBar::way() const {
    return static_cast<Way>(ways_->current());
}

void SamplingBar::showWay() {
    for (QWidget* box : std::initializer_list<QWidget*>{temperature_, top_k_, top_p_, seed_})
        box->parentWidget()->setVisible(way() == Way::Drawn);
    beams_->parentWidget()->setVisible(way() == Way::Beams);
}

QJsonObject SamplingBar::options() const {
    // What is shown counts, whatever the model's generation_config.json says.
    QJsonObject options{{QStringLiteral("max_new_tokens"), length_->value()},
                        {QStringLiteral("repetition_penalty"), penalty_->value()},
                        {QStringLiteral("do_sample"), way() == Way::Drawn},
                        {QStringLiteral("num_beams"), way() == Way::Beams ? beams_->value() : 1}};
    if (way() == Way::Drawn) {
        options[QStringLiteral("temperature")] = temperature_->value();
        options[QStringLiteral("top_k")] = top_k_->value();
        options[QStringLiteral("top_p")] = top_p_->value();
        options[QStringLiteral("seed")] = seed_->value();
    }
    return options;
}

}  // namespace trainyard::desktop
