// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/answers_panel.h"

#include <set>

#include <QGridLayout>

#include "base/text.h"
#include "desktop/estimator/memory_bar.h"
#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "widgets/chip.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

QString speedText(const estimate::Answer& answer) {
    return AnswersPanel::tr("%1, %2 tokens/s")
        .arg(memoryText(answer.memory), qtNumber(text::quantity(answer.time.tokens_per_second())));
}

/// Describes the new value of a field of the setup.
QString change_words(const std::string& field, const QString& value) {
    if (field == "chunked_loss")
        return AnswersPanel::tr("Loss in chunks");
    if (field == "attention")
        return AnswersPanel::tr("Flash attention");
    if (field == "precision")
        return AnswersPanel::tr("Products in %1").arg(value);
    if (field == "optimizer")
        return AnswersPanel::tr("8-bit AdamW");
    if (field == "checkpointing")
        return value == QLatin1String("full") ? AnswersPanel::tr("Full checkpointing")
                                              : AnswersPanel::tr("Selective checkpointing");
    if (field == "offload_optimizer")
        return value == QLatin1String("disk") ? AnswersPanel::tr("Optimizer state on disk")
                                              : AnswersPanel::tr("Offload optimizer");
    if (field == "offload_param")
        return AnswersPanel::tr("Offload parameters");
    if (field == "zero_stage")
        return value == QLatin1String("0") ? AnswersPanel::tr("No sharding") : AnswersPanel::tr("ZeRO %1").arg(value);
    if (field == "batch")
        return AnswersPanel::tr("Micro-batch %1").arg(value);
    if (field == "accumulation")
        return AnswersPanel::tr("Accumulation %1").arg(value);
    if (field == "tp")
        return AnswersPanel::tr("Tensor parallel %1").arg(value);
    if (field == "cp")
        return AnswersPanel::tr("Context parallel %1").arg(value);
    return AnswersPanel::tr("Pipeline stages %1").arg(value);
}

/// What an answer changes besides the numbers of ranks that share the data; empty: nothing.
QString changes_words(const estimate::TrainingSetup& from, const estimate::TrainingSetup& to) {
    static const std::set<std::string> shown{"precision",
                                             "checkpointing",
                                             "offload_optimizer",
                                             "offload_param",
                                             "zero_stage",
                                             "batch",
                                             "accumulation",
                                             "tp",
                                             "cp",
                                             "pp"};
    QStringList words;
    for (const estimate::SetupField& field : estimate::setup_fields())
        if (const std::string value = estimate::field_text(to, field);
            shown.contains(field.name) && value != estimate::field_text(from, field))
            words << change_words(field.name, qt(value));
    return words.join(QStringLiteral(" · "));
}

constexpr std::size_t kMostSavings = 5;
const int& kBelowEntry = live_px(6);  ///< an entry has two lines

}  // namespace

AnswersPanel::AnswersPanel(Scenario* scenario, QWidget* parent)
    : QWidget(parent),
      scenario_(scenario),
      chip_(new widgets::StateChip),
      total_(make_mono_label({}, 26)),
      bar_(new MemoryBar),
      limit_(wrapped(make_note({}))),
      spare_(wrapped(make_note({}))),
      time_(wrapped(make_note({}))),
      why_(wrapped(make_note({}, Tone::Error))) {
    setFixedWidth(284_px);
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
    addLine(grid, 6, best_, tr("Fastest layout"));
    const auto panel = [](LayoutItems items) { return make_frame("panel", make_column({14, 10, 14, 12}, 6, items)); };
    setLayout(make_column(
        {0, 0, 0, 0}, 10,
        {panel({make_row({{make_title(tr("Fullest rank"), 14), 1}, chip_}), total_, bar_, limit_, spare_, time_, why_}),
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
    line.more = wrapped(make_label({}, 11, QFont::Normal, Tone::Muted));
    line.more->setContentsMargins(0, 0, 0, kBelowEntry);
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
            scenario_->setHardware(tr("%1 × %2").arg(ranks).arg(qt(hardware.device.name)), hardware);
        }
        scenario_->setSetup(line.setup);
    });
}

void AnswersPanel::showFit() {
    why_->clear();
    why_->hide();
    if (!scenario_->isValid()) {
        total_->setText(QStringLiteral("–"));
        chip_->setChip({tr("not judged"), QStringLiteral("info"), Token::TextSecondary});
        for (QLabel* label : {limit_, spare_, time_})
            label->clear();
        bar_->show({}, 0);
        return;
    }
    const double total = scenario_->memory().total(), limit = scenario_->search().limit();
    total_->setText(memoryText(total));
    const auto fullest = static_cast<std::size_t>(scenario_->memory().fullest().stage);
    bar_->show(memoryGroups(scenario_->memory().stages[fullest]), limit);
    limit_->setText(tr("of %1, range %2 – %3")
                        .arg(memoryText(limit), memoryText(total * (1 - Scenario::kError)),
                             memoryText(total * (1 + Scenario::kError))));
    const bool fits = scenario_->fits();
    const double excess = scenario_->excessOfRange();
    chip_->setChip(!fits        ? widgets::Chip{tr("does not fit"), QStringLiteral("error"), Token::Error}
                   : excess > 0 ? widgets::Chip{tr("tight"), QStringLiteral("warn"), Token::Warn}
                                : widgets::Chip{tr("fits"), QStringLiteral("check"), Token::Ok});
    spare_->setText(!fits        ? shortText()
                    : excess > 0 ? tr("%1 spare; the end of the range is %2 above the limit")
                                       .arg(memoryText(limit - total), memoryText(excess))
                                 : tr("%1 spare").arg(memoryText(limit - total)));
    const estimate::StepTime time =
        estimate::step_time(scenario_->search().model(), scenario_->setup(), scenario_->search().hardware());
    const auto duration = [](double seconds) {
        return qtNumber(text::duration(seconds)).replace(QLatin1Char(' '), QChar(QChar::Nbsp));
    };
    time_->setText(tr("A step takes about %1 (%2 – %3), %4 tokens/s")
                       .arg(duration(time.seconds()), duration(time.fastest()), duration(time.slowest()),
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
        const QString changes = answer ? changes_words(scenario_->setup(), answer->setup) : QString();
        line.more->setText(!answer             ? QString()
                           : changes.isEmpty() ? speedText(*answer)
                                               : speedText(*answer) + QLatin1Char('\n') + changes);
        line.apply->setVisible(answer && answer->setup != scenario_->setup());
        if (answer)
            line.setup = answer->setup;
    };
    using Setup = estimate::TrainingSetup;
    fill(batch_, &Scenario::Answers::batch, [](const Setup& setup) { return setup.batch; });
    fill(sequence_, &Scenario::Answers::sequence, [](const Setup& setup) { return setup.sequence; });
    fill(fewest_, &Scenario::Answers::fewest, [](const Setup& setup) { return setup.layout.ranks(); });
    fill(best_, &Scenario::Answers::best, [](const Setup& setup) { return setup.layout.ranks(); });
    if (answers && answers->best)
        best_.value->setText(answers->best->setup == scenario_->setup() ? tr("this one") : QString());
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
        const QString words = change_words(saving.field, qt(saving.value));
        QLabel* way = wrapped(make_label(words, 12));
        savings_->addWidget(way, 2 * row, 0, 1, 2);
        QLabel* saved = make_mono_label(QStringLiteral("\u2212") + memoryText(saving.saved), 12, Tone::Ok);
        savings_->addWidget(saved, 2 * row + 1, 0);
        // A step that takes 5.6 times as long has 18 % of the speed.
        const double change = 1 / (1 + saving.slower) - 1;
        QLabel* speed = make_mono_label(tr("%1 % speed")
                                            .arg((change < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) +
                                                 widgets::decimal_text(100 * std::abs(change))),
                                        12, Tone::Muted);
        savings_->addWidget(speed, 2 * row + 1, 1, Qt::AlignRight);
        for (QLabel* label : {saved, speed})
            label->setContentsMargins(0, 0, 0, kBelowEntry);
        auto* attempt = named(new QPushButton(tr("Try")), tr("Try: %1").arg(words));
        connect(attempt, &QPushButton::clicked, this, [this, setup = saving.setup] { scenario_->setSetup(setup); });
        savings_->addWidget(attempt, 2 * row, 2, 2, 1, Qt::AlignVCenter);
        ++row;
    }
}

}  // namespace trainyard::desktop
