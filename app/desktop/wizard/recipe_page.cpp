// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/recipe_page.h"

#include <algorithm>

#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>

#include "base/text.h"
#include "desktop/data/data_panel.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/hub/hub_line.h"
#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "desktop/wizard/batch_panel.h"
#include "desktop/wizard/hub_download.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::FieldRow;
using widgets::SegmentedControl;

namespace {

const int& kShortWidth = live_px(140);

struct ModelSize {
    const char* label;
    int layers, heads, width, block;
};
constexpr ModelSize kModelSizes[] = {{"1 M", 4, 4, 128, 64}, {"10.8 M", 6, 6, 384, 256}};

const char* const kLayersKey = "model.n_layer";
const char* const kHeadsKey = "model.n_head";
const char* const kWidthKey = "model.n_embd";
const char* const kPositionsKey = "model.n_positions";
const char* const kWeightsKey = "model.weights";

/// A list or table without entries is an empty field.
QString shownValue(const QString& value) {
    return value == QLatin1String("[]") || value == QLatin1String("{}") ? QString() : value;
}

enum class Place { File, Folder, Either };

Place place_of_key(const QString& key) {
    static const QStringList folders{QStringLiteral("checkpoint.resume_from"),
                                     QStringLiteral("profile.output_trace_dir"),
                                     QStringLiteral("parallel.offload_optimizer_nvme_path"),
                                     QStringLiteral("parallel.offload_param_nvme_path"),
                                     QStringLiteral("lora.adapter"),
                                     QStringLiteral("data.mask_path")};
    static const QStringList either{QStringLiteral("model.weights"), QStringLiteral("data.tokenizer"),
                                    QStringLiteral("data.path")};
    return folders.contains(key) ? Place::Folder : either.contains(key) ? Place::Either : Place::File;
}

/// Columns of tables that a task can use, with the words of their fields.
QVector<DataPanel::Role> roles_of(const QString& task, const QString& loss) {
    using namespace families;
    const QString text = QStringLiteral("data.column"), second = QStringLiteral("data.second_column");
    const QString label = QStringLiteral("data.label_column"), target = QStringLiteral("data.target_column");
    QStringList keys{text};
    if (task == QLatin1String(kSequenceClassification))
        keys << second << label;
    else if (task == QLatin1String(kQuestionAnswering) || task == QLatin1String(kMultipleChoice))
        keys << second << label;
    else if (task == QLatin1String(kSentenceEmbedding))
        keys << (loss == QLatin1String("cosine_similarity") ? QStringList{second, label} : QStringList{second});
    else if (task == QLatin1String(kTokenClassification) || task == QLatin1String(kImageClassification))
        keys << label;
    else if (task == QLatin1String(kSeq2SeqLm))
        keys << target;
    QVector<DataPanel::Role> roles;
    for (const QString& key : std::as_const(keys))
        roles << DataPanel::Role{key, findRecipeRow(key)->label};
    return roles;
}

QString hintOf(const RecipeRow& row, const config::RecipeKey& key) {
    if (!row.hint.isEmpty())
        return row.hint;
    QString hint = engineWords(key.help);
    if (hint.endsWith(QLatin1Char('.')))
        hint.chop(1);
    return hint;
}

FieldEditor* makeEditor(const config::RecipeKey& key) {
    if (is_truth_key(key))
        return new FieldEditor(FieldEditor::Kind::Tick, {{QStringLiteral("true"), RecipePage::tr("Yes"), {}},
                                                         {QStringLiteral("false"), {}, {}}});
    QVector<FieldOption> options;
    if (!is_path_key(key))  // which may also be one of a few words
        for (const QString& choice : recipe_options(key))
            options << FieldOption{choice, choice, {}};
    return new FieldEditor(options.isEmpty() ? FieldEditor::Kind::Line : FieldEditor::Kind::Choice, options);
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
        const config::RecipeKey* key = find_recipe_key(row.key);
        if (row.step != step || key == nullptr)
            continue;
        if (!blocks_.contains(row.block)) {
            if (folded == nullptr)
                folded = addFolded(tr("More settings"));
            addTitle(folded, row.block);
            blocks_.insert(row.block, folded);
        }
        const QString name = row.key;
        Field& field = addField(blocks_.value(row.block), -1, row.key, {}, row.key.section(QLatin1Char('.'), -1),
                                row.label, hintOf(row, *key), makeEditor(*key), [this, name](const QString& value) {
                                    this->draft()->setRecipeValue(name, value.trimmed());
                                });
        if (row.width == RecipeRow::Width::Short && field.editor->kind() == FieldEditor::Kind::Line &&
            !is_path_key(*key))
            field.row->setEditorWidth(kShortWidth);
        if (HubDownload::isFor(row.key)) {
            auto* download = new HubDownload(draft, row.key, row.label);
            auto* line = new FieldRow({}, {}, download);
            line->hide();
            connect(download, &HubDownload::needed, line, &QWidget::setVisible);
            connect(download, &HubDownload::needed, this, &RecipePage::showProblems);
            blocks_.value(row.block)->addWidget(line);
            field.row->addBeside(download->button());
            downloads_ << download;
            if (auto* edit = qobject_cast<QLineEdit*>(field.editor->widget()))
                offerHubNames(edit, HubDownload::itemOf(row.key),
                              [this, name](const QString& chosen) { this->draft()->setRecipeValue(name, chosen); });
        }
        if (is_path_key(*key))
            addChooser(row.key);
        keys_ << row.key;
    }
    folded_block_ = folded;
}

void RecipePage::addChooser(const QString& key) {
    FieldRow* field = row(key);
    auto* choose = named(new QPushButton(tr("Choose…")), tr("Choose: %1").arg(field->label()));
    field->addBeside(choose);
    const auto take = [this, key](const QString& path) {
        key == QLatin1String("data.path") ? DataPage::setPath(draft(), path) : draft()->setRecipeValue(key, path);
    };
    const auto file = [this, field, take] { widgets::ask_file(this, field->label(), {}, take); };
    const auto folder = [this, field, take] { widgets::ask_folder(this, field->label(), take); };
    connect(choose, &QPushButton::clicked, this, [this, key, choose, file, folder, take] {
        const Place place = place_of_key(key);
        if (place != Place::Either && !HubDownload::isFor(key))
            return place == Place::File ? file() : folder();
        QMenu* menu = make_menu(this);
        if (place != Place::File)
            menu->addAction(tr("Folder…"), this, folder);
        if (place != Place::Folder)
            menu->addAction(tr("File…"), this, file);
        if (HubDownload::isFor(key))
            menu->addAction(tr("From the hub…"), this, [this, key, take] {
                ask_hub(this, HubDownload::itemOf(key), [take](const QString& name, const QString&) { take(name); });
            });
        menu->popup(choose->mapToGlobal(QPoint(0, choose->height())));
    });
}

bool RecipePage::isBeingSolved(const QString& key) const {
    return std::ranges::any_of(
        downloads_, [&](const HubDownload* download) { return download->key() == key && download->isShown(); });
}

bool RecipePage::focusField(const QString& key) {
    if (keys_.contains(key) && draft()->hasRecipeKey(key) && row(key)->isHidden()) {
        wanted_.insert(key);
        takeValues();
    }
    return StepPage::focusField(key);
}

QVBoxLayout* RecipePage::blockOf(const QString& key) const {
    return blocks_.value(findRecipeRow(key)->block);
}

void RecipePage::takeValues() {
    QSet<QVBoxLayout*> used;
    for (const QString& key : std::as_const(keys_)) {
        const bool wrong = std::ranges::any_of(
            problems(), [&](const FieldProblem& problem) { return problem.key == key && problem.error; });
        const bool there = draft()->hasRecipeKey(key) &&  // keys of other families are not
                           (wrong || wanted_.contains(key) || isRelevant(key));
        row(key)->setVisible(there);
        if (!there)
            continue;
        used.insert(blockOf(key));
        const QString value = shownValue(draft()->recipeValue(key));
        FieldEditor* field = editor(key);
        if (const QString formats = formatHint(*draft(), key, field->options()); !formats.isEmpty())
            row(key)->setHint(hintOf(*findRecipeRow(key), *find_recipe_key(key)) + QLatin1Char('\n') + formats);
        // A blank at the end that is being typed stays.
        if (field->value().trimmed() != value)
            field->setValue(value);
        if (auto* line = qobject_cast<QLineEdit*>(field->widget()))
            line->setPlaceholderText(shownValue(draft()->recipeDefault(key)));
    }
    for (HubDownload* download : std::as_const(downloads_))
        download->refresh();
    for (QVBoxLayout* block : std::as_const(blocks_))
        if (block != folded_block_)
            block->parentWidget()->setVisible(used.contains(block));
}

ModelPage::ModelPage(RunDraft* draft, QWidget* parent)
    : RecipePage(draft, Step::Model, tr("Which model?"),
                 tr("Any of the families, from random weights or from files of transformers."), parent) {
    sizes_ =
        new SegmentedControl({QLatin1String(kModelSizes[0].label), QLatin1String(kModelSizes[1].label), tr("Custom")});
    size_row_ = new FieldRow(tr("Size"), {}, sizes_, tr("parameters; sets the numbers below"));
    blockOf(QLatin1String(kLayersKey))->insertWidget(1, size_row_);
    facts_ = selectable(wrapped(make_mono_label({}, 12)));
    facts_->setAccessibleName(tr("Facts of the model"));
    blockOf(QLatin1String(kWeightsKey))->insertWidget(2, facts_);  // below the field
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

bool ModelPage::hasFacts() const {
    return draft()->way() == Way::FineTune && !draft()->modelLook().family.isEmpty() &&
           !draft()->recipeValue(QLatin1String(kWeightsKey)).isEmpty();
}

QString ModelPage::facts() const {
    const ModelLook& look = draft()->modelLook();
    if (!hasFacts())
        return {};
    QStringList parts{look.architecture};
    if (look.parameters > 0)
        parts << tr("%1 parameters").arg(qtNumber(text::quantity(static_cast<double>(look.parameters))));
    parts << (look.dtype.isEmpty() ? tr("no weights") : look.dtype)
          << (look.tokenizer.isEmpty() ? tr("no tokenizer.json") : QStringLiteral("tokenizer.json"));
    if (look.labels > 0)
        parts << tr("%1 classes").arg(look.labels);
    if (!look.licence.isEmpty())
        parts << tr("licence %1").arg(look.licence);
    return parts.join(QStringLiteral("  ·  "));
}

bool ModelPage::isRelevant(const QString& key) const {
    // Weights without a config.json do not say what they are of.
    const bool no_model = draft()->way() == Way::FineTune && draft()->recipeValue(QLatin1String(kWeightsKey)).isEmpty();
    if (!(hasFacts() || no_model) || chosen_.contains(key))
        return true;
    if (key == QLatin1String("model.model_type"))
        return false;
    // Facts of the weights are shown in one line, not as fields.
    return std::ranges::none_of(families::all_keys(), [&](const families::ConfigKey& known) {
        return known.of_weights && key.mid(6) == qt(known.name) && key.startsWith(QLatin1String("model."));
    });
}

void ModelPage::takeValues() {
    const QStringList keys = draft()->chosenKeys();
    chosen_ = QSet<QString>(keys.begin(), keys.end());
    RecipePage::takeValues();
    const bool tunes = draft()->way() == Way::FineTune;
    setHeading(tunes ? tr("Which model is fine-tuned?") : tr("Which model?"),
               tunes ? tr("Its family, sizes and tokenizer are read from its folder.")
                     : tr("Any of the families, from random weights or from files of transformers."));
    moveBlock(blockOf(QLatin1String(kWeightsKey)), tunes ? 0 : 2);
    size_row_->setVisible(!hasFacts());
    facts_->setText(facts());
    facts_->setVisible(hasFacts());
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
    for (const char* key : {"data.column", "data.second_column", "data.label_column", "data.target_column"}) {
        const QString name = QLatin1String(key);
        auto* columns = named(new QPushButton(tr("Columns…")), tr("Choose a column: %1").arg(row(name)->label()));
        row(name)->addBeside(columns);
        column_buttons_.insert(name, columns);
        connect(columns, &QPushButton::clicked, this, [this, name] { offerColumns(name); });
    }
    connect(panel_, &DataPanel::columnWanted, this,
            [this](const QString& key, const QString& column) { this->draft()->setRecipeValue(key, column); });
    connect(panel_, &DataPanel::hostWanted, this, [this] {
        if (!this->draft()->offeredHost().isEmpty())
            return this->draft()->readRemoteData();
        if (!asker_)
            asker_ = DialogAsker::make(this);
        this->draft()->remoteData()->retry(asker_);
    });
    connect(panel_, &DataPanel::patternWanted, this, [this](const QString& pattern) {
        this->draft()->setRecipeValue(QStringLiteral("data.pattern"), pattern);
        this->draft()->checkNow();
    });
}

DataPage::~DataPage() {
    if (asker_)
        asker_->close();
}

void DataPage::offerColumns(const QString& key) {
    QMenu* menu = make_menu(this);
    menu->addAction(tr("By its usual name"), this, [this, key] { draft()->setRecipeValue(key, {}); });
    menu->addSeparator();
    for (const QString& column : draft()->report().data.columns)
        menu->addAction(column, this, [this, key, column] { draft()->setRecipeValue(key, column); });
    const QPushButton* button = column_buttons_.value(key);
    menu->popup(button->mapToGlobal(QPoint(0, button->height())));
}

bool DataPage::hasTables() const {
    static const QStringList plain{QStringLiteral("bytes"), QStringLiteral("text"), QStringLiteral("images"),
                                   QStringLiteral("audio"), QStringLiteral("megatron")};
    return !plain.contains(draft()->recipeValue(QStringLiteral("data.format")));
}

bool DataPage::isRelevant(const QString& key) const {
    const QString task = draft()->recipeValue(QStringLiteral("model.task"));
    const QString format = draft()->recipeValue(QStringLiteral("data.format"));
    const bool table = hasTables();
    if (draft()->recipeValue(key) != draft()->recipeDefault(key))
        return true;
    static const QStringList columns{QStringLiteral("data.column"), QStringLiteral("data.second_column"),
                                     QStringLiteral("data.label_column"), QStringLiteral("data.target_column")};
    if (columns.contains(key)) {
        const QVector<DataPanel::Role> roles = roles_of(task, draft()->recipeValue(QStringLiteral("model.loss")));
        return table && std::ranges::any_of(roles, [&](const DataPanel::Role& role) { return role.key == key; });
    }
    static const QStringList ofAnswers{QStringLiteral("data.doc_stride"), QStringLiteral("data.max_answer_length"),
                                       QStringLiteral("data.n_best_size")};
    static const QStringList ofImages{QStringLiteral("data.image_size"), QStringLiteral("data.image_mean"),
                                      QStringLiteral("data.image_std"), QStringLiteral("data.random_resized_crop"),
                                      QStringLiteral("data.random_horizontal_flip")};
    if (ofAnswers.contains(key))
        return task == QLatin1String(families::kQuestionAnswering);
    if (key == QLatin1String("data.choice_columns"))
        return table && task == QLatin1String(families::kMultipleChoice);
    const bool images = families::reads_images(task.toStdString());
    if (ofImages.contains(key))
        return images;
    static const QStringList ofRecordings{QStringLiteral("data.sampling_rate"),
                                          QStringLiteral("data.max_duration_in_seconds"),
                                          QStringLiteral("data.min_duration_in_seconds")};
    if (ofRecordings.contains(key))
        return task == QLatin1String(families::kSpeechPretraining);
    if (key == QLatin1String("data.mask_path") || key == QLatin1String("data.reduce_labels"))
        return task == QLatin1String(families::kSemanticSegmentation);
    if (key == QLatin1String("data.label_pattern"))
        return format == QLatin1String("images") && task == QLatin1String(families::kImageClassification);
    if (key == QLatin1String("data.target_length"))
        return task == QLatin1String(families::kSeq2SeqLm);
    if (key == QLatin1String("data.mlm_probability"))
        return task == QLatin1String(families::kMaskedLm);
    if (key == QLatin1String("data.chat"))
        return table && task == QLatin1String(families::kCausalLm);
    if (key == QLatin1String("data.tokenizer"))
        return families::reads_text(task.toStdString()) && format != QLatin1String("bytes");
    return true;
}

void DataPage::takeValues() {
    RecipePage::takeValues();
    const DataLook& look = draft()->report().data;
    const RemoteData* far = draft()->remoteData();
    if (!draft()->offeredHost().isEmpty())
        panel_->showNotRead(draft()->offeredHost(), {});
    else if (far->state() == RemoteData::State::Reading)
        panel_->showReading(far->host());
    else if (far->state() == RemoteData::State::Failed)
        panel_->showNotRead(far->host(), far->problem());
    else
        showLook(look);
    for (auto each = column_buttons_.cbegin(); each != column_buttons_.cend(); ++each) {
        each.value()->setVisible(hasTables() && !look.columns.isEmpty());
        if (auto* line = qobject_cast<QLineEdit*>(editor(each.key())->widget()))
            line->setPlaceholderText(look.uses.value(each.key()));
    }
}

void DataPage::showLook(const DataLook& look) {
    panel_->showLook(look,
                     hasTables() ? roles_of(draft()->recipeValue(QStringLiteral("model.task")),
                                            draft()->recipeValue(QStringLiteral("model.loss")))
                                 : QVector<DataPanel::Role>(),
                     !shownValue(draft()->recipeValue(QStringLiteral("data.path"))).isEmpty());
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
