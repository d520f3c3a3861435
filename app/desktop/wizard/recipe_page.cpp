#include "desktop/wizard/recipe_page.h"

#include <algorithm>

#include <QFileDialog>
#include <QFileInfo>
#include <QPushButton>
#include <QVBoxLayout>

#include "desktop/engine_words.h"
#include "desktop/qt_text.h"
#include "desktop/wizard/batch_panel.h"
#include "desktop/wizard/data_panel.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "widgets/field_row.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::FieldRow;
using widgets::SegmentedControl;

namespace {

constexpr int kShortWidth = 140;

struct ModelSize {
    const char* label;
    int layers, heads, width, block;
};
constexpr ModelSize kModelSizes[] = {{"1 M", 4, 4, 128, 64}, {"10.8 M", 6, 6, 384, 256}};

const char* const kLayersKey = "model.n_layer";
const char* const kHeadsKey = "model.n_head";
const char* const kWidthKey = "model.n_embd";
const char* const kPositionsKey = "model.n_positions";

/// A list or table without entries is an empty field.
QString shownValue(const QString& value) {
    return value == QLatin1String("[]") || value == QLatin1String("{}") ? QString() : value;
}

const config::RecipeKey* keyOf(const QString& key) {
    const auto found = std::ranges::find(config::recipe_keys(), key.toStdString(), &config::RecipeKey::key);
    return found == config::recipe_keys().end() ? nullptr : &*found;
}

FieldEditor* makeEditor(const config::RecipeKey& key) {
    const QString type = qt(key.type);
    if (type == QLatin1String("true or false"))
        return new FieldEditor(FieldEditor::Kind::Tick, {{QStringLiteral("true"), RecipePage::tr("Yes"), {}},
                                                         {QStringLiteral("false"), {}, {}}});
    static const QStringList typed{QStringLiteral("whole number"),
                                   QStringLiteral("number"),
                                   QStringLiteral("text"),
                                   QStringLiteral("path"),
                                   QStringLiteral("path or list of paths"),
                                   QStringLiteral("word or list of words"),
                                   QStringLiteral("table of keys"),
                                   QStringLiteral("table or list"),
                                   QStringLiteral("list of two numbers")};
    if (typed.contains(type))
        return new FieldEditor(FieldEditor::Kind::Line, {});
    QVector<FieldOption> options;
    for (const QString& choice : type.split(QStringLiteral(" | ")))
        options << FieldOption{choice, choice, {}};
    return new FieldEditor(FieldEditor::Kind::Choice, options);
}

}  // namespace

RecipePage::RecipePage(RunDraft* draft, Step step, const QString& title, const QString& subtitle, QWidget* parent)
    : StepPage(draft, step, parent) {
    setHeading(title, subtitle);
    for (const RecipeRow& row : recipeRows())
        if (row.step == step && row.usual && !blocks_.contains(row.block))
            blocks_.insert(row.block, addBlock(row.block));
    QVBoxLayout* folded = nullptr;
    for (const RecipeRow& row : recipeRows()) {
        const config::RecipeKey* key = keyOf(row.key);
        if (row.step != step || key == nullptr)
            continue;
        if (!blocks_.contains(row.block)) {
            if (folded == nullptr)
                folded = addFolded(tr("More settings"));
            addTitle(folded, row.block);
            blocks_.insert(row.block, folded);
        }
        QString hint = row.hint;
        if (hint.isEmpty()) {
            hint = engineWords(key->help);
            if (hint.endsWith(QLatin1Char('.')))
                hint.chop(1);
        }
        const QString name = row.key;
        Field& field = addField(blocks_.value(row.block), -1, row.key, {}, row.key.section(QLatin1Char('.'), -1),
                                row.label, hint, makeEditor(*key), [this, name](const QString& value) {
                                    this->draft()->setRecipeValue(name, value.trimmed());
                                });
        if (row.width == RecipeRow::Width::Short && field.editor->kind() == FieldEditor::Kind::Line)
            field.row->setEditorWidth(kShortWidth);
        keys_ << row.key;
    }
}

QVBoxLayout* RecipePage::blockOf(const QString& key) const {
    return blocks_.value(findRecipeRow(key)->block);
}

void RecipePage::takeValues() {
    for (const QString& key : std::as_const(keys_)) {
        const bool there = draft()->hasRecipeKey(key);
        row(key)->setVisible(there);  // keys of other families
        if (!there)
            continue;
        const QString value = shownValue(draft()->recipeValue(key));
        FieldEditor* field = editor(key);
        // A blank at the end that is being typed stays.
        if (field->value().trimmed() != value)
            field->setValue(value);
    }
}

ModelPage::ModelPage(RunDraft* draft, QWidget* parent)
    : RecipePage(draft, Step::Model, tr("Which model?"),
                 tr("Any of the families, from random weights or from files of transformers."), parent) {
    sizes_ =
        new SegmentedControl({QLatin1String(kModelSizes[0].label), QLatin1String(kModelSizes[1].label), tr("Custom")});
    auto* row = new FieldRow(tr("Size"), {}, sizes_, tr("parameters; sets the numbers below"));
    blockOf(QLatin1String(kLayersKey))->insertWidget(1, row);
    connect(sizes_, &SegmentedControl::currentChanged, this, &ModelPage::chooseSize);
}

void ModelPage::chooseSize(int index) {
    if (filling_ || index >= static_cast<int>(std::size(kModelSizes)))
        return;
    const ModelSize& size = kModelSizes[index];
    const std::pair<const char*, int> values[] = {{kLayersKey, size.layers},
                                                  {kHeadsKey, size.heads},
                                                  {kWidthKey, size.width},
                                                  {kPositionsKey, size.block},
                                                  {"data.sequence_length", size.block}};
    draft()->beginStep();
    for (const auto& [key, value] : values)
        if (const QString own = draft()->sameRecipeKey(QLatin1String(key)); !own.isEmpty())
            draft()->setRecipeValue(own, QString::number(value));
    draft()->endStep();
}

void ModelPage::takeValues() {
    RecipePage::takeValues();
    auto number = [this](const char* key) {
        return draft()->recipeValue(draft()->sameRecipeKey(QLatin1String(key))).toInt();
    };
    const auto chosen = std::ranges::find_if(kModelSizes, [&](const ModelSize& size) {
        return number(kLayersKey) == size.layers && number(kHeadsKey) == size.heads &&
               number(kWidthKey) == size.width && number(kPositionsKey) == size.block;
    });
    filling_ = true;
    sizes_->setCurrent(static_cast<int>(chosen - kModelSizes));
    filling_ = false;
}

DataPage::DataPage(RunDraft* draft, QWidget* parent)
    : RecipePage(draft, Step::Data, tr("Training data"),
                 tr("Text, tables or arrays are read in place. Nothing is copied."), parent),
      panel_(new DataPanel) {
    blockOf(QStringLiteral("data.path"))->addWidget(panel_);
    connect(panel_, &DataPanel::patternWanted, this, [this](const QString& pattern) {
        this->draft()->setRecipeValue(QStringLiteral("data.pattern"), pattern);
        this->draft()->checkNow();
    });
    for (const bool folder : {true, false}) {
        auto* choose = new QPushButton(folder ? tr("Folder…") : tr("File…"));
        row(QStringLiteral("data.path"))->addBeside(choose);
        connect(choose, &QPushButton::clicked, this, [this, folder] {
            const QString chosen = folder ? QFileDialog::getExistingDirectory(this, tr("Folder with text files"))
                                          : QFileDialog::getOpenFileName(this, tr("Text file"));
            if (!chosen.isEmpty())
                setPath(this->draft(), chosen);
        });
    }
}

void DataPage::takeValues() {
    RecipePage::takeValues();
    panel_->showLook(draft()->report().data);
}

void DataPage::setPath(RunDraft* draft, const QString& path) {
    draft->beginStep();
    draft->setRecipeValue(QStringLiteral("data.path"), path);
    if (QFileInfo(path).isDir() && draft->recipeValue(QStringLiteral("data.pattern")) == QLatin1String("*.pod"))
        draft->setRecipeValue(QStringLiteral("data.pattern"), QStringLiteral("*"));
    draft->endStep();
}

TrainingPage::TrainingPage(RunDraft* draft, QWidget* parent)
    : RecipePage(draft, Step::Training, tr("Training"),
                 tr("Steps, batch and learning rate, and what they add up to on all ranks."), parent),
      batch_(new BatchPanel(draft)) {
    blockOf(QStringLiteral("training.steps"))->addWidget(batch_);
}

void TrainingPage::takeValues() {
    RecipePage::takeValues();
    batch_->refresh();
}

}  // namespace trainyard::desktop
