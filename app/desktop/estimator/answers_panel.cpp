#include "desktop/estimator/answers_panel.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "base/text.h"
#include "desktop/estimator/memory_groups.h"
#include "desktop/estimator/scenario.h"
#include "desktop/qt_text.h"
#include "widgets/chip.h"
#include "widgets/label.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

using widgets::make_label;
using widgets::make_mono_label;
using widgets::Token;
using widgets::Tone;

namespace {

constexpr std::size_t kMostSavings = 5;
/// The estimate of a layout that the engine trains is within this share of the measured memory (tests/bench/estimate).
constexpr double kError = 0.1;

QFrame* panelWith(QVBoxLayout*& layout) {
    auto* panel = new QFrame;
    panel->setProperty("surface", QStringLiteral("panel"));
    layout = new QVBoxLayout(panel);
    layout->setContentsMargins(14, 10, 14, 12);
    layout->setSpacing(6);
    return panel;
}

QString speedText(const estimate::Answer& answer) {
    return AnswersPanel::tr("%1, %2 tokens/s")
        .arg(memoryText(answer.memory), qtNumber(text::quantity(answer.time.tokens_per_second())));
}

/// What a saving does, in words.
QString savingWords(const estimate::Search::Saving& saving) {
    const QString value = QString::fromStdString(saving.value);
    if (saving.field == "chunked_loss")
        return AnswersPanel::tr("Loss in chunks");
    if (saving.field == "attention")
        return AnswersPanel::tr("Flash attention");
    if (saving.field == "precision")
        return AnswersPanel::tr("Products in %1").arg(value);
    if (saving.field == "optimizer")
        return AnswersPanel::tr("8-bit AdamW");
    if (saving.field == "checkpointing")
        return value == QLatin1String("full") ? AnswersPanel::tr("Full checkpointing")
                                              : AnswersPanel::tr("Selective checkpointing");
    if (saving.field == "offload_optimizer")
        return AnswersPanel::tr("Offload optimizer");
    if (saving.field == "zero_stage")
        return AnswersPanel::tr("ZeRO %1").arg(value);
    if (saving.field == "batch")
        return AnswersPanel::tr("Micro-batch %1").arg(value);
    if (saving.field == "tp")
        return AnswersPanel::tr("Tensor parallel %1").arg(value);
    return AnswersPanel::tr("Pipeline stages %1").arg(value);
}

}  // namespace

AnswersPanel::AnswersPanel(Scenario* scenario, QWidget* parent)
    : QWidget(parent),
      scenario_(scenario),
      chip_(new widgets::StateChip),
      total_(make_mono_label({}, 26)),
      limit_(make_label({}, 12, QFont::Normal, Tone::Secondary)),
      spare_(make_label({}, 12, QFont::Normal, Tone::Secondary)),
      time_(make_label({}, 12, QFont::Normal, Tone::Secondary)),
      why_(make_label({}, 12, QFont::Normal, Tone::Error)) {
    setFixedWidth(284);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(10);
    QVBoxLayout* layout = nullptr;
    column->addWidget(panelWith(layout));
    auto* head = new QHBoxLayout;
    head->addWidget(make_label(tr("Fullest rank"), 14, QFont::DemiBold), 1);
    head->addWidget(chip_);
    layout->addLayout(head);
    layout->addWidget(total_);
    for (QLabel* label : {limit_, spare_, time_, why_}) {
        label->setWordWrap(true);
        layout->addWidget(label);
    }
    column->addWidget(panelWith(layout));
    layout->addWidget(make_label(tr("What fits"), 14, QFont::DemiBold));
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(8);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    addLine(grid, 0, batch_, tr("Largest micro-batch"));
    addLine(grid, 2, sequence_, tr("Longest sequence"));
    addLine(grid, 4, fewest_, tr("Fewest devices"));
    layout->addLayout(grid);
    column->addWidget(panelWith(layout), 1);
    QLabel* save = make_label(tr("Save memory, cheapest first"), 14, QFont::DemiBold);
    save->setWordWrap(true);
    layout->addWidget(save);
    savings_ = new QGridLayout;
    savings_->setHorizontalSpacing(8);
    savings_->setVerticalSpacing(2);
    savings_->setColumnStretch(0, 1);
    layout->addLayout(savings_);
    layout->addStretch();
    auto* honest = make_label(tr("Modelled: the memory of layouts that this engine trains was measured, the rest "
                                 "follows published formulas."),
                              11, QFont::Normal, Tone::Muted);
    honest->setWordWrap(true);
    layout->addWidget(honest);
    connect(scenario_, &Scenario::changed, this, [this] {
        showFit();
        showAnswers();
    });
    connect(scenario_, &Scenario::answersChanged, this, &AnswersPanel::showAnswers);
    showFit();
    showAnswers();
}

void AnswersPanel::addLine(QGridLayout* grid, int row, Line& line, const QString& label) {
    line.value = make_mono_label({}, 13);
    line.more = make_label({}, 11, QFont::Normal, Tone::Muted);
    line.apply = new QPushButton(tr("Apply"));
    line.apply->setAccessibleName(tr("Apply: %1").arg(label));
    QLabel* name = make_label(label, 12, QFont::Normal, Tone::Secondary);
    name->setWordWrap(true);
    grid->addWidget(name, row, 0);
    grid->addWidget(line.value, row, 1, Qt::AlignRight);
    grid->addWidget(line.apply, row, 2, 2, 1, Qt::AlignVCenter);
    grid->addWidget(line.more, row + 1, 0, 1, 2);
    connect(line.apply, &QPushButton::clicked, this, [this, &line] {
        // A layout of fewer ranks is for other devices: the page takes them, too.
        estimate::Hardware hardware = scenario_->search().hardware();
        if (const std::int64_t ranks = line.setup.layout.ranks(); ranks != hardware.ranks()) {
            hardware.devices_per_host = std::min(ranks, hardware.devices_per_host);
            hardware.hosts = ranks / hardware.devices_per_host;
            scenario_->setHardware(tr("%1 x %2").arg(ranks).arg(QString::fromStdString(hardware.device.name)),
                                   hardware);
        }
        scenario_->setSetup(line.setup);
    });
}

void AnswersPanel::showFit() {
    why_->clear();
    why_->hide();
    if (!scenario_->isValid()) {
        total_->setText(QStringLiteral("-"));
        chip_->setChip({tr("not judged"), QStringLiteral("info"), Token::TextSecondary});
        for (QLabel* label : {limit_, spare_, time_})
            label->clear();
        return;
    }
    const double total = scenario_->memory().total(), limit = scenario_->search().limit();
    total_->setText(memoryText(total));
    limit_->setText(tr("of %1, range %2 - %3")
                        .arg(memoryText(limit), memoryText(total * (1 - kError)), memoryText(total * (1 + kError))));
    const bool fits = scenario_->fits();
    chip_->setChip(fits ? widgets::Chip{tr("fits"), QStringLiteral("check"), Token::Ok}
                        : widgets::Chip{tr("does not fit"), QStringLiteral("error"), Token::Error});
    spare_->setText(fits ? tr("%1 spare").arg(memoryText(limit - total)) : shortText());
    const estimate::StepTime time =
        estimate::step_time(scenario_->search().model(), scenario_->setup(), scenario_->search().hardware());
    time_->setText(tr("A step takes about %1 (%2 - %3), %4 tokens/s")
                       .arg(qtNumber(text::duration(time.seconds())), qtNumber(text::duration(time.fastest())),
                            qtNumber(text::duration(time.slowest())),
                            qtNumber(text::quantity(time.tokens_per_second()))));
}

/// Which memory is too small, and by how much.
QString AnswersPanel::shortText() const {
    const estimate::Shortage missing = scenario_->shortage();
    QStringList words;
    if (missing.device > 0)
        words << tr("%1 short on this rank").arg(memoryText(missing.device));
    if (missing.host > 0)
        words << tr("%1 of host memory short: a host has %2")
                     .arg(memoryText(missing.host), memoryText(scenario_->search().hardware().host_memory));
    return words.join(QLatin1Char('\n'));
}

void AnswersPanel::showAnswers() {
    const auto& answers = scenario_->answers();
    const auto fill = [&](Line& line, const std::optional<estimate::Answer>& answer, const QString& value) {
        line.value->setText(answer ? value : answers ? tr("none") : QString());
        line.more->setText(answer ? speedText(*answer) : QString());
        line.apply->setVisible(answer.has_value());
        if (answer)
            line.setup = answer->setup;
    };
    const auto number = [](std::int64_t value) { return qtNumber(text::grouped(value)); };
    fill(batch_, answers ? answers->batch : std::nullopt,
         answers && answers->batch ? number(answers->batch->setup.batch) : QString());
    fill(sequence_, answers ? answers->sequence : std::nullopt,
         answers && answers->sequence ? number(answers->sequence->setup.sequence) : QString());
    fill(fewest_, answers ? answers->fewest : std::nullopt,
         answers && answers->fewest ? number(answers->fewest->setup.layout.ranks()) : QString());
    while (QLayoutItem* item = savings_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    if (!answers)
        return;
    why_->setText(QString::fromStdString(answers->why_not));
    why_->setVisible(!answers->why_not.empty());
    int row = 0;
    for (const estimate::Search::Saving& saving : answers->savings) {
        if (static_cast<std::size_t>(row) == kMostSavings)
            break;
        const QString words = savingWords(saving);
        QLabel* way = make_label(words, 12);
        way->setWordWrap(true);
        savings_->addWidget(way, 2 * row, 0, 1, 2);
        savings_->addWidget(make_mono_label(QStringLiteral("-") + memoryText(saving.saved), 12, Tone::Ok), 2 * row + 1,
                            0);
        savings_->addWidget(make_mono_label(tr("%1 % speed")
                                                .arg((saving.slower > 0 ? QStringLiteral("-") : QStringLiteral("+")) +
                                                     widgets::decimal_text(100 * std::abs(saving.slower))),
                                            12, Tone::Muted),
                            2 * row + 1, 1, Qt::AlignRight);
        auto* attempt = new QPushButton(tr("Try"));
        attempt->setAccessibleName(tr("Try: %1").arg(words));
        connect(attempt, &QPushButton::clicked, this, [this, setup = saving.setup] { scenario_->setSetup(setup); });
        savings_->addWidget(attempt, 2 * row, 2, 2, 1, Qt::AlignVCenter);
        ++row;
    }
}

}  // namespace trainyard::desktop
