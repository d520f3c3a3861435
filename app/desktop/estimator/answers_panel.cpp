// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/answers_panel.h"

#include <QGridLayout>

#include "base/text.h"
#include "desktop/estimator/memory_groups.h"
#include "desktop/estimator/scenario.h"
#include "desktop/ui.h"
#include "widgets/chip.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

QString speedText(const estimate::Answer& answer) {
    return AnswersPanel::tr("%1, %2 tokens/s")
        .arg(memoryText(answer.memory), qtNumber(text::quantity(answer.time.tokens_per_second())));
}

/// Describes the effect of a saving.
QString savingWords(const estimate::Search::Saving& saving) {
    const QString value = qt(saving.value);
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
        return value == QLatin1String("disk") ? AnswersPanel::tr("Optimizer state on disk")
                                              : AnswersPanel::tr("Offload optimizer");
    if (saving.field == "zero_stage")
        return AnswersPanel::tr("ZeRO %1").arg(value);
    if (saving.field == "batch")
        return AnswersPanel::tr("Micro-batch %1").arg(value);
    if (saving.field == "tp")
        return AnswersPanel::tr("Tensor parallel %1").arg(value);
    return AnswersPanel::tr("Pipeline stages %1").arg(value);
}

constexpr std::size_t kMostSavings = 5;
/// The estimate of a layout that the engine trains is within this share of the measured memory (tests/bench/estimate).
constexpr double kError = 0.1;

}  // namespace

AnswersPanel::AnswersPanel(Scenario* scenario, QWidget* parent)
    : QWidget(parent),
      scenario_(scenario),
      chip_(new widgets::StateChip),
      total_(make_mono_label({}, 26)),
      limit_(wrapped(make_note({}))),
      spare_(wrapped(make_note({}))),
      time_(wrapped(make_note({}))),
      why_(wrapped(make_note({}, Tone::Error))) {
    setFixedWidth(284);
    auto* grid = new QGridLayout;
    savings_ = new QGridLayout;
    for (QGridLayout* lines : {grid, savings_}) {
        lines->setHorizontalSpacing(8);
        lines->setVerticalSpacing(2);
        lines->setColumnStretch(0, 1);
    }
    addLine(grid, 0, batch_, tr("Largest micro-batch"));
    addLine(grid, 2, sequence_, tr("Longest sequence"));
    addLine(grid, 4, fewest_, tr("Fewest devices"));
    const auto panel = [](LayoutItems items) { return make_frame("panel", make_column({14, 10, 14, 12}, 6, items)); };
    setLayout(make_column(
        {0, 0, 0, 0}, 10,
        {panel({make_row({{make_title(tr("Fullest rank"), 14), 1}, chip_}), total_, limit_, spare_, time_, why_}),
         panel({make_title(tr("What fits"), 14), grid}),
         {panel({wrapped(make_title(tr("Save memory, cheapest first"), 14)), savings_, stretch(),
                 wrapped(make_label(tr("Modelled: the memory of layouts that this engine trains was measured, the rest "
                                       "follows published formulas."),
                                    11, QFont::Normal, Tone::Muted))}),
          1}}));
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
    QLabel* name = wrapped(make_note(label));
    grid->addWidget(name, row, 0);
    grid->addWidget(line.value, row, 1, Qt::AlignRight);
    grid->addWidget(line.apply, row, 2, 2, 1, Qt::AlignVCenter);
    grid->addWidget(line.more, row + 1, 0, 1, 2);
    connect(line.apply, &QPushButton::clicked, this, [this, &line] {
        // A layout with fewer ranks needs other devices, which the page selects, too.
        estimate::Hardware hardware = scenario_->search().hardware();
        if (const std::int64_t ranks = line.setup.layout.ranks(); ranks != hardware.ranks()) {
            hardware.devices_per_host = std::min(ranks, hardware.devices_per_host);
            hardware.hosts = ranks / hardware.devices_per_host;
            scenario_->setHardware(tr("%1 x %2").arg(ranks).arg(qt(hardware.device.name)), hardware);
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

/// Describes which memory is too small, and by how much.
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
    const auto fill = [&](Line& line, std::optional<estimate::Answer> Scenario::Answers::*which, auto value) {
        const std::optional<estimate::Answer> answer = answers ? (*answers).*which : std::nullopt;
        line.value->setText(answer ? qtNumber(text::grouped(value(answer->setup))) : answers ? tr("none") : QString());
        line.more->setText(answer ? speedText(*answer) : QString());
        line.apply->setVisible(answer.has_value());
        if (answer)
            line.setup = answer->setup;
    };
    using Setup = estimate::TrainingSetup;
    fill(batch_, &Scenario::Answers::batch, [](const Setup& setup) { return setup.batch; });
    fill(sequence_, &Scenario::Answers::sequence, [](const Setup& setup) { return setup.sequence; });
    fill(fewest_, &Scenario::Answers::fewest, [](const Setup& setup) { return setup.layout.ranks(); });
    while (QLayoutItem* item = savings_->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    if (!answers)
        return;
    why_->setText(qtSentence(answers->why_not));
    why_->setVisible(!answers->why_not.empty());
    int row = 0;
    for (const estimate::Search::Saving& saving : answers->savings) {
        if (static_cast<std::size_t>(row) == kMostSavings)
            break;
        const QString words = savingWords(saving);
        QLabel* way = wrapped(make_label(words, 12));
        savings_->addWidget(way, 2 * row, 0, 1, 2);
        savings_->addWidget(make_mono_label(QStringLiteral("-") + memoryText(saving.saved), 12, Tone::Ok), 2 * row + 1,
                            0);
        // A step that takes 5.6 times as long has 18 % of the speed.
        const double change = 1 / (1 + saving.slower) - 1;
        savings_->addWidget(make_mono_label(tr("%1 % speed")
                                                .arg((change < 0 ? QStringLiteral("-") : QStringLiteral("+")) +
                                                     widgets::decimal_text(100 * std::abs(change))),
                                            12, Tone::Muted),
                            2 * row + 1, 1, Qt::AlignRight);
        auto* attempt = named(new QPushButton(tr("Try")), tr("Try: %1").arg(words));
        connect(attempt, &QPushButton::clicked, this, [this, setup = saving.setup] { scenario_->setSetup(setup); });
        savings_->addWidget(attempt, 2 * row, 2, 2, 1, Qt::AlignVCenter);
        ++row;
    }
}

}  // namespace trainyard::desktop
