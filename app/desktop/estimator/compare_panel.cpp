// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/compare_panel.h"

#include <array>
#include <cmath>

#include <QGridLayout>

#include "base/text.h"
#include "desktop/estimator/memory_groups.h"
#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using estimate::Place;

namespace {

/// The figures of one scenario, in the order of the rows.
using Figures = std::array<double, ComparePanel::kRows>;

Figures figuresOf(const estimate::Search& search, const estimate::TrainingSetup& setup,
                  const estimate::MemoryEstimate& memory) {
    const estimate::StepTime time = estimate::step_time(search.model(), setup, search.hardware());
    return {memory.total(),
            search.of_host(memory, Place::host),
            search.of_host(memory, Place::disk),
            memory.checkpoint,
            time.seconds(),
            time.tokens_per_second()};
}

QString comparedText(int row, double value) {
    return row == 4   ? qtNumber(text::duration(value))
           : row == 5 ? qtNumber(text::quantity(value))
           : row == 3 ? qtNumber(text::file_size(static_cast<std::uint64_t>(value)))
                      : memoryText(value);
}

QString differenceText(double before, double now) {
    if (before <= 0 || !std::isfinite(before) || !std::isfinite(now))
        return {};
    const double change = now / before - 1;
    return (change < 0 ? QString() : QStringLiteral("+")) + widgets::percent_text(change, 1);
}

}  // namespace

ComparePanel::ComparePanel(Scenario* scenario, QWidget* parent)
    : QFrame(parent),
      scenario_(scenario),
      title_(make_elided({}, Theme::instance().text(14, QFont::DemiBold))),
      changes_(selectable(wrapped(make_note({})))) {
    setProperty("surface", QStringLiteral("panel"));
    auto* close = with_look(new QPushButton(tr("End")), {.kind = "link", .name = tr("End the comparison")});
    connect(close, &QPushButton::clicked, this, &ComparePanel::end);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(2);
    grid->setColumnStretch(0, 1);
    const QStringList heads{tr("kept"), tr("now"), tr("change")};
    for (int column = 0; column < 3; ++column)
        grid->addWidget(make_label(heads[column], 11, QFont::Normal, Tone::Muted), 0, column + 1, Qt::AlignRight);
    const QStringList names{tr("Fullest rank"), tr("Host memory"), tr("Disk"),
                            tr("Checkpoint"),   tr("A step"),      tr("Tokens/s")};
    for (int row = 0; row < kRows; ++row) {
        grid->addWidget(make_note(names[row]), row + 1, 0);
        for (int column = 0; column < 3; ++column) {
            cells_[row][column] = make_mono_label({}, 12, column == 2 ? Tone::Muted : Tone::Text);
            cells_[row][column]->setAccessibleName(names[row] + QStringLiteral(", ") + heads[column]);
            grid->addWidget(cells_[row][column], row + 1, column + 1, Qt::AlignRight);
        }
    }
    QWidget* content = make_holder(make_column({0, 0, 6, 0}, 4, {grid, changes_, stretch()}));
    content->setProperty("surface", QStringLiteral("clear"));
    setLayout(
        make_column({14, 10, 14, 8}, 4, {make_row({{title_, 1}, close}), {widgets::make_scroll_area(content), 1}}));
    connect(scenario_, &Scenario::changed, this, &ComparePanel::show);
    hide();
}

void ComparePanel::compare(const SavedEstimate& with) {
    with_ = with;
    QFrame::show();
    show();
}

void ComparePanel::end() {
    if (!with_)
        return;
    with_.reset();
    hide();
    emit ended();
}

void ComparePanel::show() {
    if (!with_)
        return;
    const SavedScenario& kept = with_->kept;
    title_->setFullText(tr("%1, and now").arg(kept.name));
    const bool valid = scenario_->isValid();
    const Figures before = figuresOf(with_->search, kept.setup, with_->memory);
    const Figures now = valid ? figuresOf(scenario_->search(), scenario_->setup(), scenario_->memory()) : Figures{};
    for (int row = 0; row < kRows; ++row) {
        const auto i = static_cast<std::size_t>(row);
        cells_[row][0]->setText(comparedText(row, before[i]));
        cells_[row][1]->setText(valid ? comparedText(row, now[i]) : QStringLiteral("–"));
        cells_[row][2]->setText(valid ? differenceText(before[i], now[i]) : QString());
    }
    QStringList changes;
    const auto differs = [&](const QString& what, const QString& saved_value, const QString& value) {
        if (saved_value != value)
            changes << tr("%1 %2, now %3").arg(what, saved_value, value);
    };
    differs(tr("model"), kept.model, scenario_->modelName());
    differs(tr("devices"), kept.hardware, scenario_->hardwareName());
    for (const estimate::SetupField& field : estimate::setup_fields())
        differs(qt(field.name), qt(estimate::field_text(kept.setup, field)),
                qt(estimate::field_text(scenario_->setup(), field)));
    const bool fits = !with_->search.shortage(with_->memory).any();
    if (valid && fits != scenario_->fits())
        changes << (fits ? tr("no longer fits") : tr("fits now"));
    changes_->setText(changes.isEmpty() ? tr("No settings differ.")
                                        : changes.join(QStringLiteral("; ")) + QLatin1Char('.'));
}

}  // namespace trainyard::desktop
