#include "desktop/estimator/what_if_panel.h"

#include <algorithm>
#include <bit>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QVBoxLayout>

#include "desktop/estimator/scenario.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::make_label;
using widgets::Tone;

namespace {

constexpr double kBytesOfGiB = 1024.0 * 1024 * 1024;
constexpr int kMostHostGiB = 1 << 20;
constexpr int kLeastPanel = 268, kWidestPanel = 290, kBesideContent = 28;  // pixels: margins and scroll bar

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
      problems_(make_label({}, 12, QFont::Normal, Tone::Error)),
      ranks_(widgets::make_mono_label({}, 12, Tone::Secondary)),
      reset_(new QPushButton(tr("Reset"))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(14, 10, 4, 12);
    outer->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 10, 0);
    head->addWidget(make_label(tr("What if"), 14, QFont::DemiBold));
    head->addStretch();
    reset_->setProperty("kind", QStringLiteral("ghost"));
    widgets::Theme::instance().bindIcon(reset_, QStringLiteral("undo"));
    connect(reset_, &QPushButton::clicked, scenario_, &Scenario::reset);
    head->addWidget(reset_);
    outer->addLayout(head);

    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 10, 0);
    layout->setSpacing(8);
    batch_ = addNumber(layout, tr("Micro-batch per rank"), "batch", 10);
    sequence_ = addNumber(layout, tr("Sequence length"), "sequence", 20);
    addNumber(layout, tr("Gradient accumulation"), "accumulation", 10);
    addSegments(layout, tr("Precision"), "precision", {tr("fp32"), tr("fp16"), tr("bf16"), tr("fp8")},
                {"no", "fp16", "bf16", "fp8"});
    addSegments(layout, tr("Sharding"), "zero_stage", {tr("DDP"), tr("ZeRO 1"), tr("ZeRO 2"), tr("Full")},
                {"0", "1", "2", "3"});
    layout->addWidget(make_label(tr("Optimizer"), 12, QFont::Normal, Tone::Secondary));
    auto* optimizer = new QComboBox;
    optimizer->setAccessibleName(tr("Optimizer"));
    for (const std::string& name : setupFieldOf("optimizer").choices)
        optimizer->addItem(QString::fromStdString(name));
    connect(optimizer, &QComboBox::currentTextChanged, this, [this](const QString& name) {
        if (!showing_)
            scenario_->change("optimizer", name.toStdString());
    });
    showers_ <<
        [this, optimizer] { optimizer->setCurrentText(QString::fromStdString(valueOf(scenario_, "optimizer"))); };
    layout->addWidget(optimizer);
    const std::vector<std::string> sizes{"1", "2", "4", "8"};
    const QStringList size_labels{QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("4"), QStringLiteral("8")};
    addSegments(layout, tr("Tensor parallel"), "tp", size_labels, sizes);
    addSegments(layout, tr("Pipeline stages"), "pp", size_labels, sizes);
    addSegments(layout, tr("Context parallel"), "cp", size_labels, sizes);
    addSegments(layout, tr("Activation checkpointing"), "checkpointing", {tr("Off"), tr("Selective"), tr("Full")},
                {"no", "selective", "full"});
    addCheck(layout, tr("Offload optimizer to host"), "offload_optimizer", "cpu", "none");
    addCheck(layout, tr("Offload parameters to host"), "offload_param", "cpu", "none");
    addHostMemory(layout);
    addCheck(layout, tr("Loss in chunks"), "chunked_loss", "true", "false");
    addCheck(layout, tr("16-bit weights, fp32 masters"), "half_weights", "true", "false");
    layout->addStretch();
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(content);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    // Four kinds of sharding, or longer words, and a scroll bar.
    content->ensurePolished();
    setFixedWidth(std::clamp(content->minimumSizeHint().width() + kBesideContent, kLeastPanel, kWidestPanel));
    outer->addWidget(scroll, 1);
    problems_->setWordWrap(true);
    outer->addWidget(problems_);
    outer->addWidget(ranks_);
    connect(scenario_, &Scenario::changed, this, &WhatIfPanel::show);
    show();
}

QSpinBox* WhatIfPanel::addNumber(QVBoxLayout* layout, const QString& label, const std::string& field,
                                 int most_exponent) {
    auto* line = new QHBoxLayout;
    auto* words = make_label(label, 12, QFont::Normal, Tone::Secondary);
    words->setWordWrap(true);
    line->addWidget(words, 1);
    auto* box = new QSpinBox;
    box->setRange(1, 1 << most_exponent);
    box->setGroupSeparatorShown(true);
    box->setAlignment(Qt::AlignRight);
    box->setFont(widgets::Theme::instance().mono(12));
    box->setKeyboardTracking(false);
    box->setAccessibleName(label);
    box->setFixedWidth(96);
    line->addWidget(box);
    layout->addLayout(line);
    auto* slider = new QSlider(Qt::Horizontal);
    slider->setRange(0, most_exponent);
    slider->setPageStep(1);
    slider->setAccessibleName(tr("%1, powers of two").arg(label));
    layout->addWidget(slider);
    connect(box, &QSpinBox::valueChanged, this, [this, field](int value) {
        if (!showing_)
            scenario_->change(field, std::to_string(value));
    });
    connect(slider, &QSlider::valueChanged, this, [this, field](int exponent) {
        if (!showing_)
            scenario_->change(field, std::to_string(1ll << exponent));
    });
    showers_ << [this, field, box, slider] {
        const long long value = std::stoll(valueOf(scenario_, field));
        box->setValue(static_cast<int>(std::min<long long>(value, box->maximum())));
        slider->setValue(std::bit_width(static_cast<unsigned long long>(value)) - 1);
    };
    return box;
}

void WhatIfPanel::addSegments(QVBoxLayout* layout, const QString& label, const std::string& field,
                              const QStringList& labels, const std::vector<std::string>& values) {
    layout->addWidget(make_label(label, 12, QFont::Normal, Tone::Secondary));
    auto* segments = new widgets::SegmentedControl(labels);
    segments->setAccessibleName(label);
    layout->addWidget(segments);
    connect(segments, &widgets::SegmentedControl::currentChanged, this, [this, field, values](int index) {
        if (!showing_)
            scenario_->change(field, values[static_cast<std::size_t>(index)]);
    });
    showers_ << [this, field, segments, values] {
        const auto found = std::ranges::find(values, valueOf(scenario_, field));
        if (found != values.end())
            segments->setCurrent(static_cast<int>(found - values.begin()));
    };
}

void WhatIfPanel::addCheck(QVBoxLayout* layout, const QString& label, const std::string& field, const std::string& on,
                           const std::string& off) {
    auto* box = new QCheckBox(label);
    layout->addWidget(box);
    connect(box, &QCheckBox::toggled, this, [this, field, on, off](bool checked) {
        if (!showing_)
            scenario_->change(field, checked ? on : off);
    });
    showers_ << [this, field, box, off] { box->setChecked(valueOf(scenario_, field) != off); };
}

void WhatIfPanel::addHostMemory(QVBoxLayout* layout) {
    auto* line = new QHBoxLayout;
    auto* words = make_label(tr("Memory of a host, GiB"), 12, QFont::Normal, Tone::Secondary);
    words->setWordWrap(true);
    line->addWidget(words, 1);
    auto* box = new QSpinBox;
    box->setRange(0, kMostHostGiB);
    box->setSpecialValueText(tr("not known"));
    box->setGroupSeparatorShown(true);
    box->setAlignment(Qt::AlignRight);
    box->setFont(widgets::Theme::instance().mono(12));
    box->setKeyboardTracking(false);
    box->setAccessibleName(tr("Memory of a host, GiB"));
    box->setToolTip(tr("What is offloaded is judged by it; 0: not known"));
    box->setFixedWidth(96);
    line->addWidget(box);
    layout->addLayout(line);
    connect(box, &QSpinBox::valueChanged, this, [this](int value) {
        if (!showing_)
            scenario_->setHostMemory(kBytesOfGiB * value);
    });
    showers_ << [this, box] {
        const estimate::Hardware& hardware = scenario_->search().hardware();
        box->setValue(static_cast<int>(std::min<double>(kMostHostGiB, hardware.host_memory / kBytesOfGiB)));
        box->setEnabled(!hardware.device.cpu);
    };
}

void WhatIfPanel::show() {
    showing_ = true;
    for (const std::function<void()>& shower : std::as_const(showers_))
        shower();
    showing_ = false;
    QStringList sentences;
    for (const Problem& problem : scenario_->problems())
        sentences << QString::fromStdString(problem.message);
    problems_->setText(sentences.join(QLatin1Char('\n')));
    problems_->setVisible(!sentences.isEmpty());
    const estimate::Layout& layout = scenario_->setup().layout;
    ranks_->setText(tr("%1 data x %2 tensor x %3 context x %4 stages = %n ranks", nullptr,
                       static_cast<int>(std::min<std::int64_t>(layout.ranks(), 1 << 30)))
                        .arg(layout.data_ranks())
                        .arg(layout.tp)
                        .arg(layout.cp)
                        .arg(layout.pp));
    ranks_->setWordWrap(true);
}

}  // namespace trainyard::desktop
