// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/start_page.h"

#include <QRegularExpression>

#include "base/clock.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/choice_card.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "launch/plan/recipe_limit.h"
#include "widgets/field_row.h"

namespace trainyard::desktop {

namespace {
const QString kRunName = QStringLiteral("name");

/// Whether the settings have every value that the preset sets.
bool holds(const settings::Settings& settings, const settings::Preset& preset) {
    for (const auto& [path, value] : preset.keys) {
        const Value* now = settings.find(path);
        if (value.is_null() ? now != nullptr : now == nullptr || !(*now == value))
            return false;
    }
    return !preset.keys.empty();
}
}  // namespace

StartPage::StartPage(RunDraft* draft, QWidget* parent) : StepPage(draft, Step::Start, parent) {
    setHeading(
        tr("What would you like to start?"),
        tr("Every page is filled in already; change what you like. Nothing is written until you launch or save."));
    const QVector<ChoiceCard*> ways{
        new ChoiceCard(tr("Train from scratch"), tr("A new model on your data, with Trainyard's engine; no Python")),
        new ChoiceCard(tr("Fine-tune a model"), tr("A folder of transformers, or a model of the hub, on your data")),
        new ChoiceCard(tr("Own Python script"), tr("A script, module or program that uses Accelerate")),
        new ChoiceCard(tr("Settings file only"), tr("What accelerate config writes, for use elsewhere"))};
    ways_ = new CardRow(ways);
    start_over_ = with_look(new QPushButton(tr("Start over")),
                            {.kind = "link", .tip = tr("Saves this draft and begins a new one")});
    resume_ = wrapped(make_note({}, Tone::Warn));
    drafts_ = addBlock({});
    addBlock({})->addWidget(resume_);
    addBlock({})->addWidget(ways_);
    drafts_->parentWidget()->hide();
    drafts_->addLayout(make_row({start_over_, stretch()}));
    connect(start_over_, &QPushButton::clicked, this, &StartPage::startOverRequested);
    for (int i = 0; i < ways.size(); ++i)
        connect(ways[i], &ChoiceCard::activated, this, [this, i] { this->draft()->setWay(static_cast<Way>(i)); });

    const RecipeRow* row = findRecipeRow(kRunName);
    addField(addBlock(row->block), -1, kRunName, {}, kRunName, row->label, row->hint,
             new FieldEditor(FieldEditor::Kind::Line, {}),
             [this](const QString& value) { this->draft()->setRecipeValue(kRunName, value.trimmed()); });

    QVector<ChoiceCard*> cards;
    for (const settings::Preset& preset : settings::Draft::presets()) {
        auto* card = new ChoiceCard(engineWords(preset.name), engineWords(preset.help));
        QStringList keys;
        for (const auto& [path, value] : preset.keys)
            keys << qt(path) + QStringLiteral(": ") + (value.is_null() ? tr("removed") : valueText(value));
        card->setToolTip(keys.join(QLatin1Char('\n')));
        cards << card;
        connect(card, &ChoiceCard::activated, this, [this, preset] {
            this->draft()->applyPreset(preset);
            emit presetApplied(engineWords(preset.name));
        });
    }
    if (cards.isEmpty())
        return;
    presets_ = new CardRow(cards);
    addBlock(tr("Start from a preset"))->addWidget(presets_);
}

void StartPage::setDrafts(const QVector<ParkedDraft>& parked, bool holdsWork) {
    start_over_->setVisible(holdsWork);
    drafts_->parentWidget()->setVisible(holdsWork || !parked.isEmpty());
    if (parked == parked_)
        return;
    parked_ = parked;
    showDrafts();
}

void StartPage::showDrafts() {
    for (QWidget* row : std::as_const(draft_rows_))
        row->deleteLater();
    draft_rows_.clear();
    for (const ParkedDraft& draft : std::as_const(parked_)) {
        const QString file = draft.file;
        auto* go = with_look(new QPushButton(tr("Continue draft")), {.icon = "resume"});
        auto* discard = with_look(new QPushButton(tr("Discard")), {.kind = "link"});
        named(go, tr("Continue draft: %1").arg(draft.name));
        named(discard, tr("Discard the draft %1").arg(draft.name));
        auto* name = make_elided(draft.name, Theme::instance().text(13, QFont::Medium));
        QLabel* age = make_note(clock_text(draft.time, wall_seconds()), Tone::Muted);
        QWidget* row = make_holder(make_row({0, 0, 0, 0}, 10, {go, {name, 1}, age, discard}));
        drafts_->insertWidget(static_cast<int>(draft_rows_.size()), row);
        draft_rows_ << row;
        // Queued, because the row is deleted while its button is being clicked.
        connect(
            go, &QPushButton::clicked, this, [this, file] { emit continueRequested(file); }, Qt::QueuedConnection);
        connect(
            discard, &QPushButton::clicked, this, [this, file] { emit discardRequested(file); }, Qt::QueuedConnection);
    }
}

void StartPage::focusFirst() {
    ways_->card(static_cast<int>(draft()->way()))->setFocus(Qt::OtherFocusReason);
}

void StartPage::takeValues() {
    const QString from = draft()->recipeValue(QStringLiteral("checkpoint.resume_from"));
    static const QRegularExpression step(QStringLiteral("checkpoint_([0-9]+)/*$"));
    const QString number = step.match(from).captured(1);
    resume_->setText(number.isEmpty() ? tr("Resumes from the newest checkpoint in %1").arg(from)
                                      : tr("Resumes from step %1: %2").arg(number, from));
    resume_->setToolTip(from);
    resume_->parentWidget()->setVisible(draft()->purpose() == Purpose::Engine && !from.isEmpty());
    for (int i = 0; i < ways_->count(); ++i)
        ways_->card(i)->setChosen(static_cast<int>(draft()->way()) == i);
    row(kRunName)->parentWidget()->setVisible(draft()->purpose() == Purpose::Engine);
    FieldEditor* name = editor(kRunName);
    if (name->value().trimmed() != draft()->recipeValue(kRunName))
        name->setValue(draft()->recipeValue(kRunName));
    const auto& presets = settings::Draft::presets();
    for (int i = 0; presets_ != nullptr && i < presets_->count(); ++i) {
        std::vector<plan::RecipeLimit> left_out;
        const settings::Preset usable = draft()->usablePreset(presets[static_cast<std::size_t>(i)], &left_out);
        presets_->card(i)->setChosen(holds(draft()->draft().settings(), usable));
        QStringList cautions;
        for (const plan::RecipeLimit& limit : left_out)
            cautions << tr("Not applied, because the engine does not support it: %1.").arg(qtClause(limit.sentence()));
        presets_->card(i)->setCaution(cautions.join(QLatin1Char('\n')));
    }
}

}  // namespace trainyard::desktop
