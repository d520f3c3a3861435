#include "desktop/wizard/start_page.h"

#include "desktop/engine_words.h"
#include "desktop/qt_text.h"
#include "desktop/wizard/choice_card.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/field_row.h"

namespace trainyard::desktop {

namespace {
const QString kRunName = QStringLiteral("name");

/// Everything the preset sets stands in the draft.
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
        new ChoiceCard(tr("Train a model"), tr("A model on your data, with the engine of Trainyard; no Python")),
        new ChoiceCard(tr("Own Python script"), tr("A script, module or program that uses Accelerate")),
        new ChoiceCard(tr("Settings file only"), tr("What accelerate config writes, for use elsewhere"))};
    purposes_ = new CardRow(ways);
    addBlock({})->addWidget(purposes_);
    for (int i = 0; i < ways.size(); ++i)
        connect(ways[i], &ChoiceCard::activated, this,
                [this, i] { this->draft()->setPurpose(static_cast<Purpose>(i)); });

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
            this->draft()->model()->applyPreset(preset);
            emit presetApplied(engineWords(preset.name));
        });
    }
    if (cards.isEmpty())
        return;
    presets_ = new CardRow(cards);
    addBlock(tr("Start from a preset"))->addWidget(presets_);
}

void StartPage::focusFirst() {
    purposes_->card(static_cast<int>(draft()->purpose()))->setFocus(Qt::OtherFocusReason);
}

void StartPage::takeValues() {
    for (int i = 0; i < purposes_->count(); ++i)
        purposes_->card(i)->setChosen(static_cast<int>(draft()->purpose()) == i);
    row(kRunName)->parentWidget()->setVisible(draft()->purpose() == Purpose::Engine);
    FieldEditor* name = editor(kRunName);
    if (name->value().trimmed() != draft()->recipeValue(kRunName))
        name->setValue(draft()->recipeValue(kRunName));
    const auto& presets = settings::Draft::presets();
    for (int i = 0; presets_ != nullptr && i < presets_->count(); ++i)
        presets_->card(i)->setChosen(holds(draft()->draft().settings(), presets[static_cast<std::size_t>(i)]));
}

}  // namespace trainyard::desktop
