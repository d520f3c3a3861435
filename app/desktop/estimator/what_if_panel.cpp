// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/what_if_panel.h"

#include <algorithm>
#include <bit>

#include <QCheckBox>
#include <QComboBox>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>

#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "desktop/text/format_words.h"
#include "widgets/number_box.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {

constexpr double kBytesOfGiB = 1024.0 * 1024 * 1024;
constexpr int kMostHostGiB = 1 << 20;
const int& kLeastPanel = live_px(268);
constexpr QMargins kPanelMargins(14, 10, 4, 12);

const estimate::SetupField& setupFieldOf(const std::string& name) {
    return *std::ranges::find(estimate::setup_fields(), name, &estimate::SetupField::name);
}

std::string valueOf(const Scenario* scenario, const std::string& field) {
    return estimate::field_text(scenario->setup(), setupFieldOf(field));
}

}  // namespace

WhatIfPanel::WhatIfPanel(Scenario* scenario, QWidget* parent)
    : QFrame(parent),
      scenario_(scenario),
      problems_(wrapped(make_note({}, Tone::Error))),
      ranks_(wrapped(make_mono_label({}, 12, Tone::Secondary))),
      reset_(with_look(new QPushButton(tr("Reset")), {.kind = "ghost"})),
      scroll_(widgets::make_scroll_area()) {
    setProperty("surface", QStringLiteral("panel"));
    const int kLeastHeight = 240_px;
    setMinimumHeight(kLeastHeight);
    reset_->setIcon(Theme::instance().icon(QStringLiteral("undo")));
    connect(reset_, &QPushButton::clicked, scenario_, &Scenario::reset);

    auto* layout = make_column({0, 0, 10, 0}, 8, {});
    auto* content = make_holder(layout);
    batch_ = addNumber(layout, tr("Micro-batch per rank"), "batch", 16);
    sequence_ = addNumber(layout, tr("Sequence length"), "sequence", 22);
    addNumber(layout, tr("Gradient accumulation"), "accumulation", 20);
    addSegments(layout, tr("Precision"), "precision", {tr("fp32"), tr("fp16"), tr("bf16"), tr("fp8")},
                {"no", "fp16", "bf16", "fp8"});
    QLabel* formats = wrapped(make_note({}, Tone::Muted));
    formats->setObjectName(QStringLiteral("formats"));
    layout->addWidget(formats);
    updaters_ << [this, formats] {
        QVector<std::pair<QString, QString>> choices;
        for (const auto format : {"fp16", "bf16", "fp8"})
            choices.emplaceBack(QLatin1String(format), QLatin1String(format));
        formats->setText(
            formatWords(QStringLiteral("training.mixed_precision"), choices,
                        {TrainingDevice{{}, estimate::format_facts(scenario_->search().hardware().device)}}));
    };
    addSegments(layout, tr("Sharding"), "zero_stage", {tr("DDP"), tr("ZeRO 1"), tr("ZeRO 2"), tr("Full")},
                {"0", "1", "2", "3"});
    const std::vector<std::string> sizes{"1", "2", "4", "8"};
    const QStringList size_labels{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4"), QStringLiteral("8")};
    auto* plus_rows = make_column({}, 8, {});
    addSegments(plus_rows, tr("Ranks of a second copy"), "zero_hpz_partition_size", size_labels, sizes);
    addCheck(plus_rows, tr("Send weights in 8 bits"), "zero_quantized_weights", "true", "false");
    addCheck(plus_rows, tr("Send gradients in 4 bits"), "zero_quantized_gradients", "true", "false");
    QWidget* plus = make_holder(plus_rows);
    layout->addWidget(plus);
    updaters_ << [this, plus] {
        const estimate::TrainingSetup& setup = scenario_->setup();
        plus->setVisible(setup.zero_stage == 3 || setup.zero_hpz_partition_size > 1 || setup.zero_quantized_weights ||
                         setup.zero_quantized_gradients);
    };
    layout->addWidget(make_note(tr("Optimizer")));
    auto* optimizer = named(new QComboBox, tr("Optimizer"));
    for (const std::string& name : setupFieldOf("optimizer").choices)
        optimizer->addItem(qt(name));
    connect(optimizer, &QComboBox::currentTextChanged, this,
            [this](const QString& name) { change("optimizer", name.toStdString()); });
    updaters_ << [this, optimizer] { optimizer->setCurrentText(qt(valueOf(scenario_, "optimizer"))); };
    layout->addWidget(optimizer);
    addSegments(layout, tr("Tensor parallel"), "tp", size_labels, sizes);
    addSegments(layout, tr("Pipeline stages"), "pp", size_labels, sizes);
    addSegments(layout, tr("Context parallel"), "cp", size_labels, sizes);
    addSegments(layout, tr("Activation checkpointing"), "checkpointing", {tr("Off"), tr("Selective"), tr("Full")},
                {"no", "selective", "full"});
    addSegments(layout, tr("Optimizer state"), "offload_optimizer", {tr("Device"), tr("Host"), tr("Disk")},
                {"none", "cpu", "disk"});
    addCheck(layout, tr("Offload parameters to host"), "offload_param", "cpu", "none");
    addHostMemory(layout);
    addCheck(layout, tr("Loss in chunks"), "chunked_loss", "true", "false");
    addCheck(layout, tr("16-bit weights, fp32 masters"), "half_weights", "true", "false");
    addCheck(layout, tr("16-bit weights without masters"), "bf16_stochastic_round", "true", "false");
    layout->addStretch();
    scroll_->setWidget(content);
    scroll_->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    setLayout(make_column(kPanelMargins, 6,
                          {make_row({0, 0, 10, 0}, {make_title(tr("What if"), 14), stretch(), reset_}),
                           {scroll_, 1},
                           problems_,
                           ranks_}));
    connect(scenario_, &Scenario::changed, this, &WhatIfPanel::show);
    show();
}

void WhatIfPanel::showEvent(QShowEvent* event) {
    QFrame::showEvent(event);
    // Four kinds of sharding, or longer words, and a scroll bar.
    const int beside = width() - contentsRect().width() + kPanelMargins.left() + kPanelMargins.right() +
                       scroll_->verticalScrollBar()->sizeHint().width();
    setMinimumWidth(std::max(kLeastPanel, scroll_->widget()->minimumSizeHint().width() + beside));
}

QSpinBox* WhatIfPanel::addBox(QVBoxLayout* layout, const QString& label, int least, int most) {
    auto* box = named(new widgets::NumberBox, label);
    box->setRange(least, most);
    box->setGroupSeparatorShown(true);
    box->setAlignment(Qt::AlignRight);
    box->setFont(Theme::instance().mono(12));
    box->setKeyboardTracking(false);
    box->setFixedWidth(96_px);
    layout->addLayout(make_row({{wrapped(make_note(label)), 1}, box}));
    return box;
}

QSpinBox* WhatIfPanel::addNumber(QVBoxLayout* layout, const QString& label, const std::string& field,
                                 int most_exponent) {
    QSpinBox* box = addBox(layout, label, 1, 1 << most_exponent);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setRange(0, most_exponent);
    slider->setPageStep(1);
    slider->setAccessibleName(tr("%1, powers of two").arg(label));
    layout->addWidget(slider);
    connect(box, &QSpinBox::valueChanged, this, [this, field](int value) { change(field, std::to_string(value)); });
    connect(slider, &QSlider::valueChanged, this,
            [this, field](int exponent) { change(field, std::to_string(1ll << exponent)); });
    updaters_ << [this, field, box, slider] {
        const long long value = std::stoll(valueOf(scenario_, field));
        box->setValue(static_cast<int>(std::min<long long>(value, box->maximum())));
        slider->setValue(std::bit_width(static_cast<unsigned long long>(value)) - 1);
    };
    return box;
}

void WhatIfPanel::addSegments(QVBoxLayout* layout, const QString& label, const std::string& field,
                              const QStringList& labels, const std::vector<std::string>& values) {
    QLabel* title = wrapped(make_note(label));
    layout->addWidget(title);
    auto* segments = named(new widgets::SegmentedControl(labels), label);
    layout->addWidget(segments);
    connect(segments, &widgets::SegmentedControl::currentChanged, this,
            [this, field, values](int index) { change(field, values[static_cast<std::size_t>(index)]); });
    updaters_ << [this, title, label, field, segments, values] {
        const std::string value = valueOf(scenario_, field);
        const auto found = std::ranges::find(values, value);
        segments->setCurrent(found == values.end() ? -1 : static_cast<int>(found - values.begin()));
        // Of an answer or a recipe: no segment has it.
        title->setText(found == values.end() ? tr("%1: %2").arg(label, qt(value)) : label);
    };
}

void WhatIfPanel::addCheck(QVBoxLayout* layout, const QString& label, const std::string& field, const std::string& on,
                           const std::string& off) {
    auto* box = new QCheckBox(label);
    layout->addWidget(box);
    connect(box, &QCheckBox::toggled, this,
            [this, field, on, off](bool checked) { change(field, checked ? on : off); });
    updaters_ << [this, field, box, off] { box->setChecked(valueOf(scenario_, field) != off); };
}

void WhatIfPanel::addHostMemory(QVBoxLayout* layout) {
    QSpinBox* box = addBox(layout, tr("Memory of a host, GiB"), 0, kMostHostGiB);
    box->setSpecialValueText(tr("not known"));
    box->setToolTip(tr("What is offloaded is judged by it; 0: not known"));
    connect(box, &QSpinBox::valueChanged, this, [this](int value) {
        if (!showing_)
            scenario_->setHostMemory(kBytesOfGiB * value);
    });
    updaters_ << [this, box] {
        const estimate::Hardware& hardware = scenario_->search().hardware();
        box->setValue(static_cast<int>(std::min<double>(kMostHostGiB, hardware.host_memory / kBytesOfGiB)));
        box->setEnabled(!hardware.device.cpu);
    };
}

void WhatIfPanel::change(const std::string& field, const std::string& value) {
    if (!showing_)
        scenario_->change(field, value);
}

void WhatIfPanel::show() {
    showing_ = true;
    for (const std::function<void()>& shower : std::as_const(updaters_))
        shower();
    showing_ = false;
    QStringList sentences;
    for (const Problem& problem : scenario_->problems())
        sentences << qtSentence(problem.message);
    problems_->setText(sentences.join(QLatin1Char('\n')));
    problems_->setVisible(!sentences.isEmpty());
    const estimate::Layout& layout = scenario_->setup().layout;
    ranks_->setText(tr("%1 data × %2 tensor × %3 context × %4 pipeline = %Ln ranks", nullptr,
                       static_cast<int>(std::min<std::int64_t>(layout.ranks(), 1 << 30)))
                        .arg(layout.data_ranks())
                        .arg(layout.tp)
                        .arg(layout.cp)
                        .arg(layout.pp));
}

}  // namespace trainyard::desktop
