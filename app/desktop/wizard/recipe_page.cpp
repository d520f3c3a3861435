#include "desktop/wizard/recipe_page.h"

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
    for (const config::RecipeKey& each : config::recipe_keys())
        if (key == QLatin1String(each.key.c_str()))
            return &each;
    return nullptr;
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

RecipePage::RecipePage(RunDraft* draft, Step step, QWidget* parent) : StepPage(draft, step, parent) {
    if (step == Step::Output)
        setHeading(tr("Output"), tr("Everything is kept in the folder of the run."));
    if (step == Step::Output)
        addRecipeRows();
}

void RecipePage::addRecipeRows() {
    for (const RecipeRow& row : recipeRows()) {
        const config::RecipeKey* key = keyOf(row.key);
        if (row.step != step() || key == nullptr)
            continue;
        if (!blocks_.contains(row.block) && row.usual)
            blocks_.insert(row.block, addBlock(row.block));
    }
    for (const RecipeRow& row : recipeRows()) {
        const config::RecipeKey* key = keyOf(row.key);
        if (row.step != step() || key == nullptr)
            continue;
        if (!blocks_.contains(row.block))
            blocks_.insert(row.block, addFolded(tr("More settings")));
        QString hint = row.hint;
        if (hint.isEmpty()) {
            hint = engineWords(key->help);
            if (hint.endsWith(QLatin1Char('.')))
                hint.chop(1);
        }
        const QString name = row.key;
        Field& field = addField(blocks_.value(row.block), -1, row.key, {}, row.key.section(QLatin1Char('.'), -1),
                                row.label, hint, makeEditor(*key),
                                [this, name](const QString& value) { draft()->setRecipeValue(name, value.trimmed()); });
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

ModelPage::ModelPage(RunDraft* draft, QWidget* parent) : RecipePage(draft, Step::Model, parent) {
    setHeading(tr("Which model?"), tr("Any of the families, from random weights or from files of transformers."));
    addRecipeRows();
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
    int index = static_cast<int>(std::size(kModelSizes));
    for (int i = 0; i < static_cast<int>(std::size(kModelSizes)); ++i)
        if (number(kLayersKey) == kModelSizes[i].layers && number(kHeadsKey) == kModelSizes[i].heads &&
            number(kWidthKey) == kModelSizes[i].width && number(kPositionsKey) == kModelSizes[i].block)
            index = i;
    filling_ = true;
    sizes_->setCurrent(index);
    filling_ = false;
}

DataPage::DataPage(RunDraft* draft, QWidget* parent) : RecipePage(draft, Step::Data, parent), panel_(new DataPanel) {
    setHeading(tr("Training data"), tr("Text, tables or arrays are read in place. Nothing is copied."));
    addRecipeRows();
    auto* folder = new QPushButton(tr("Folder…"));
    auto* file = new QPushButton(tr("File…"));
    FieldRow* path = row(QStringLiteral("data.path"));
    blockOf(QStringLiteral("data.path"))->addWidget(panel_);
    connect(panel_, &DataPanel::patternWanted, this, [this](const QString& pattern) {
        this->draft()->setRecipeValue(QStringLiteral("data.pattern"), pattern);
        this->draft()->checkNow();
    });
    path->addBeside(folder);
    path->addBeside(file);
    connect(folder, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder with text files"));
        if (!chosen.isEmpty())
            setPath(this->draft(), chosen);
    });
    connect(file, &QPushButton::clicked, this, [this] {
        const QString chosen = QFileDialog::getOpenFileName(this, tr("Text file"));
        if (!chosen.isEmpty())
            setPath(this->draft(), chosen);
    });
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
    : RecipePage(draft, Step::Training, parent), batch_(new BatchPanel(draft)) {
    setHeading(tr("Training"), tr("Steps, batch and learning rate, and what they add up to on all ranks."));
    addRecipeRows();
    blockOf(QStringLiteral("training.steps"))->addWidget(batch_);
}

void TrainingPage::takeValues() {
    RecipePage::takeValues();
    batch_->refresh();
}

}  // namespace trainyard::desktop
