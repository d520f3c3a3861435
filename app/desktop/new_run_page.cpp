#include "desktop/new_run_page.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>

#include "base/text.h"
#include "desktop/engine_link.h"
#include "desktop/sample.h"
#include "desktop/yaml_highlighter.h"
#include "run/spec.h"
#include "widgets/chip.h"
#include "widgets/field_row.h"
#include "widgets/label.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::FieldRow;
using widgets::make_label;
using widgets::Theme;
using widgets::Token;
using widgets::Tone;

namespace {
constexpr int kTypingMs = 300;
const QString kName = QStringLiteral("name");
const QString kPath = QStringLiteral("data.path");
const QString kPrecision = QStringLiteral("training.mixed_precision");
const QString kRanks = QStringLiteral("num_processes");
const QString kSize = QStringLiteral("model");

struct Size {
    const char* label;
    int layers, heads, width, block;
};
constexpr Size kSizes[] = {{"1 M", 4, 4, 128, 64}, {"10.8 M", 6, 6, 384, 256}};

/// A recipe, or the recipe inside a run.yaml together with its number of ranks.
struct Loaded {
    config::Recipe recipe;
    int ranks = 1;
};

Loaded readRecipe(const QString& file) {
    const std::filesystem::path path = file.toStdString();
    if (path.filename() == "run.yaml") {
        const run::RunSpec spec = run::read_spec(path);
        return {spec.recipe, spec.launch.num_processes};
    }
    return {config::load_recipe(path), 1};
}
}  // namespace

NewRunPage::NewRunPage(EngineLink* engine, QWidget* parent)
    : Page(tr("New run"), parent),
      engine_(engine),
      launch_(new QPushButton(tr("Launch"))),
      message_(new widgets::InlineMessage(this)) {
    setAcceptDrops(true);
    setFacts(tr("Nothing is written until you launch"));
    problems_ = make_label({}, 12, QFont::Medium, Tone::Error);
    auto* open = new QPushButton(tr("Open YAML…"));
    Theme::instance().bindIcon(open, QStringLiteral("folder"), Token::Text);
    launch_->setProperty("kind", QStringLiteral("primary"));
    launch_->setToolTip(tr("Start the run (Ctrl+Enter)"));
    launch_->setMinimumWidth(96);
    Theme::instance().bindIcon(launch_, QStringLiteral("play"), Token::OnAccent);
    actions()->addWidget(problems_);
    actions()->addSpacing(4);
    actions()->addWidget(open);
    actions()->addWidget(launch_);

    body()->addWidget(message_);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addWidget(makeForm(), 3);
    columns->addWidget(makePreview(), 2);
    body()->addLayout(columns, 1);

    typing_.setSingleShot(true);
    typing_.setInterval(kTypingMs);
    connect(&typing_, &QTimer::timeout, this, &NewRunPage::validate);
    connect(launch_, &QPushButton::clicked, this, &NewRunPage::primaryAction);
    connect(open, &QPushButton::clicked, this, [this] {
        const QString file = QFileDialog::getOpenFileName(this, tr("Open a recipe"), {}, tr("Recipes (*.yaml *.yml)"));
        if (!file.isEmpty())
            load(file);
    });
    fill(config::Recipe{}, 1);
    const QString sample = sampleRecipeFile();
    if (!sample.isEmpty())
        load(sample);
}

QWidget* NewRunPage::firstFocus() {
    return field(kName);
}

QLineEdit* NewRunPage::addField(QVBoxLayout* into, const QString& label, const QString& key, const QString& hint) {
    auto* edit = new QLineEdit;
    edit->setProperty("mono", true);
    edit->setFont(Theme::instance().mono(12));
    auto* line = new FieldRow(label, key, edit, hint);
    into->addWidget(line);
    rows_ << line;
    connect(edit, &QLineEdit::textEdited, this, [this, line] {
        line->setProblem({});
        typed();
    });
    connect(edit, &QLineEdit::editingFinished, this, [this] {
        if (typing_.isActive())
            validate();
    });
    return edit;
}

void NewRunPage::addChoice(QVBoxLayout* into, const QString& label, const QString& key, QWidget* choice,
                           const QString& hint) {
    auto* holder = new QWidget;
    auto* line = new QHBoxLayout(holder);
    line->setContentsMargins(0, 0, 0, 0);
    line->addWidget(choice);
    line->addStretch();
    holder->setFocusProxy(choice);
    auto* row = new FieldRow(label, key, holder, hint);
    into->addWidget(row);
    rows_ << row;
}

QWidget* NewRunPage::makeForm() {
    scroll_ = new QScrollArea;
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* content = new QWidget;
    content->setProperty("surface", QStringLiteral("clear"));
    scroll_->setWidget(content);
    auto* outer = new QVBoxLayout(content);
    outer->setContentsMargins(0, 4, 12, 12);
    outer->setSpacing(8);
    auto section = [outer](const QString& title) {
        auto* head = make_label(title, 14, QFont::DemiBold);
        outer->addSpacing(outer->count() > 0 ? 6 : 0);
        outer->addWidget(head);
        auto* panel = new QFrame;
        panel->setProperty("surface", QStringLiteral("panel"));
        auto* inside = new QVBoxLayout(panel);
        inside->setContentsMargins(16, 14, 16, 12);
        inside->setSpacing(12);
        outer->addWidget(panel);
        return inside;
    };
    QVBoxLayout* what = section(tr("What and on which text"));
    addField(what, tr("Name"), kName, {});
    addField(what, tr("Text"), kPath, tr("file or folder; drop one here"));
    auto* chooseFolder = new QPushButton(tr("Folder…"));
    auto* chooseFile = new QPushButton(tr("File…"));
    row(kPath)->addBeside(chooseFolder);
    row(kPath)->addBeside(chooseFile);
    connect(chooseFolder, &QPushButton::clicked, this, [this] {
        const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder with text files"));
        if (!folder.isEmpty())
            setDataPath(folder);
    });
    connect(chooseFile, &QPushButton::clicked, this, [this] {
        const QString file = QFileDialog::getOpenFileName(this, tr("Text file"));
        if (!file.isEmpty())
            setDataPath(file);
    });
    addField(what, tr("File names"), QStringLiteral("data.pattern"), tr("which files of a folder, e.g. *.txt"));

    QVBoxLayout* model = section(tr("Model"));
    size_ =
        new widgets::SegmentedControl({QLatin1String(kSizes[0].label), QLatin1String(kSizes[1].label), tr("Custom")});
    addChoice(model, tr("Size"), kSize, size_, {});
    connect(size_, &widgets::SegmentedControl::currentChanged, this, &NewRunPage::selectSize);
    addField(model, tr("Layers"), QStringLiteral("model.n_layer"), {});
    addField(model, tr("Heads"), QStringLiteral("model.n_head"), {});
    addField(model, tr("Width"), QStringLiteral("model.n_embd"), tr("a multiple of the heads"));
    addField(model, tr("Context"), QStringLiteral("model.n_positions"), tr("longest sequence, in tokens"));

    QVBoxLayout* training = section(tr("Training"));
    addField(training, tr("Steps"), QStringLiteral("training.steps"), {});
    addField(training, tr("Batch"), QStringLiteral("training.batch_size"), tr("sequences per rank and step"));
    addField(training, tr("Sequence length"), QStringLiteral("data.sequence_length"),
             tr("tokens, at most the context"));
    addField(training, tr("Learning rate"), QStringLiteral("optimizer.lr"), {});
    addField(training, tr("Warm-up"), QStringLiteral("schedule.warmup_steps"), tr("steps"));
    precision_ = new widgets::SegmentedControl({QStringLiteral("fp32"), QStringLiteral("bf16")});
    addChoice(training, tr("Precision"), kPrecision, precision_, {});
    connect(precision_, &widgets::SegmentedControl::currentChanged, this, [this] { typed(); });
    addField(training, tr("Seed"), QStringLiteral("training.seed"), {});

    QVBoxLayout* hardware = section(tr("Machine and output"));
    ranks_ = addField(hardware, tr("Ranks"), kRanks, tr("processes that share the work on this machine"));
    addField(hardware, tr("Evaluate every"), QStringLiteral("training.evaluate_every"),
             tr("steps; 0: only at the end"));
    addField(hardware, tr("Checkpoint every"), QStringLiteral("checkpoint.every"), tr("steps; 0: only at the end"));
    for (FieldRow* line : rows_)
        if (auto* edit = qobject_cast<QLineEdit*>(line->editor()); edit && line->key() != kName && line->key() != kPath)
            line->setEditorWidth(160);
    outer->addStretch();
    return scroll_;
}

QWidget* NewRunPage::makePreview() {
    auto* column = new QWidget;
    column->setMinimumWidth(320);
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    auto* summary = new QFrame;
    summary->setProperty("surface", QStringLiteral("panel"));
    auto* facts = new QVBoxLayout(summary);
    facts->setContentsMargins(14, 12, 14, 12);
    facts->setSpacing(6);
    auto* head = new QHBoxLayout;
    head->addWidget(make_label(tr("Ready?"), 14, QFont::DemiBold));
    head->addStretch();
    verdict_ = new widgets::StateChip;
    head->addWidget(verdict_);
    facts->addLayout(head);
    auto* numbers = new QHBoxLayout;
    auto number = [numbers](const QString& label) {
        auto* pair = new QVBoxLayout;
        pair->setSpacing(1);
        pair->addWidget(make_label(label, 12, QFont::Normal, Tone::Muted));
        QLabel* value = widgets::make_mono_label(QStringLiteral("–"), 16);
        value->setAccessibleName(label);
        pair->addWidget(value);
        numbers->addLayout(pair, 1);
        return value;
    };
    parameters_ = number(tr("Parameters"));
    step_tokens_ = number(tr("Tokens a step"));
    all_tokens_ = number(tr("Tokens in all"));
    facts->addLayout(numbers);
    layout->addWidget(summary);

    auto* panel = new QFrame;
    panel->setProperty("surface", QStringLiteral("panel"));
    auto* inside = new QVBoxLayout(panel);
    inside->setContentsMargins(14, 10, 8, 12);
    inside->setSpacing(6);
    inside->addWidget(make_label(tr("Will be written"), 14, QFont::DemiBold));
    preview_ = new QPlainTextEdit;
    preview_->setProperty("surface", QStringLiteral("code"));
    preview_->setReadOnly(true);
    preview_->setFont(Theme::instance().mono(12));
    preview_->setLineWrapMode(QPlainTextEdit::NoWrap);
    preview_->setAccessibleName(tr("Recipe that will be written"));
    preview_->setTabChangesFocus(true);
    new YamlHighlighter(preview_->document());
    inside->addWidget(preview_, 1);
    inside->addWidget(make_label(tr("and started with"), 12, QFont::Normal, Tone::Muted));
    command_ = widgets::make_mono_label({}, 12);
    command_->setWordWrap(true);
    command_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    inside->addWidget(command_);
    layout->addWidget(panel, 1);
    return column;
}

FieldRow* NewRunPage::row(const QString& key) const {
    for (FieldRow* line : rows_)
        if (line->key() == key)
            return line;
    return nullptr;
}

QLineEdit* NewRunPage::field(const QString& key) const {
    FieldRow* line = row(key);
    return line == nullptr ? nullptr : qobject_cast<QLineEdit*>(line->editor());
}

QString NewRunPage::previewText() const {
    return preview_->toPlainText();
}

int NewRunPage::ranks() const {
    bool ok = false;
    const int count = ranks_->text().trimmed().toInt(&ok);
    return ok && count >= 1 && count <= 4096 ? count : 0;
}

QString NewRunPage::command(const QString& file) const {
    return QStringLiteral("trainyard launch --num_processes %1 %2").arg(std::max(1, ranks())).arg(file);
}

void NewRunPage::fill(const config::Recipe& recipe, int rankCount) {
    filling_ = true;
    draft_ = RecipeDraft(recipe);
    for (FieldRow* line : rows_) {
        auto* edit = qobject_cast<QLineEdit*>(line->editor());
        line->setProblem({});
        if (edit != nullptr && line->key() != kRanks)
            edit->setText(draft_.value(line->key()));
    }
    ranks_->setText(QString::number(rankCount));
    precision_->setCurrent(recipe.training.mixed_precision == "bf16" ? 1 : 0);
    filling_ = false;
    showSize();
    validate();
}

void NewRunPage::load(const QString& file) {
    loading_.submit([file](const widgets::Cancelled&) { return readRecipe(file); },
                    [this](const Loaded& loaded) { fill(loaded.recipe, loaded.ranks); },
                    [this, file](const QString& words) {
                        message_->showMessage(widgets::InlineMessage::Kind::Error,
                                              tr("%1 is no recipe that can be run").arg(QFileInfo(file).fileName()),
                                              words);
                    });
}

void NewRunPage::setDataPath(const QString& path) {
    field(kPath)->setText(path);
    if (QFileInfo(path).isDir() && field(QStringLiteral("data.pattern"))->text() == QLatin1String("*.pod"))
        field(QStringLiteral("data.pattern"))->setText(QStringLiteral("*"));
    typed();
}

void NewRunPage::selectSize(int index) {
    if (filling_ || index >= static_cast<int>(std::size(kSizes)))
        return;
    const Size& size = kSizes[index];
    field(QStringLiteral("model.n_layer"))->setText(QString::number(size.layers));
    field(QStringLiteral("model.n_head"))->setText(QString::number(size.heads));
    field(QStringLiteral("model.n_embd"))->setText(QString::number(size.width));
    field(QStringLiteral("model.n_positions"))->setText(QString::number(size.block));
    field(QStringLiteral("data.sequence_length"))->setText(QString::number(size.block));
    typed();
}

void NewRunPage::showSize() {
    auto number = [this](const char* key) { return field(QLatin1String(key))->text().toInt(); };
    int index = static_cast<int>(std::size(kSizes));
    for (int i = 0; i < static_cast<int>(std::size(kSizes)); ++i)
        if (number("model.n_layer") == kSizes[i].layers && number("model.n_head") == kSizes[i].heads &&
            number("model.n_embd") == kSizes[i].width && number("model.n_positions") == kSizes[i].block)
            index = i;
    filling_ = true;
    size_->setCurrent(index);
    filling_ = false;
}

void NewRunPage::typed() {
    if (filling_)
        return;
    showSize();
    typing_.start();
}

void NewRunPage::validate() {
    typing_.stop();
    for (FieldRow* line : std::as_const(rows_))
        if (auto* edit = qobject_cast<QLineEdit*>(line->editor()); edit != nullptr && line->key() != kRanks)
            draft_.set(line->key(), edit->text().trimmed());
    draft_.set(kPrecision, precision_->current() == 1 ? QStringLiteral("bf16") : QStringLiteral("no"));
    const std::string yaml = draft_.yaml();
    const int rankCount = std::max(1, ranks());
    check_.submit([yaml, rankCount](const widgets::Cancelled&) { return checkDraft(yaml, rankCount); },
                  [this](const DraftReport& report) { showReport(report); });
}

void NewRunPage::showReport(const DraftReport& report) {
    report_ = report;
    if (ranks() == 0)
        report_.problems << DraftProblem{kRanks, tr("must be a whole number from 1 to 4096")};
    const QString text = QString::fromStdString(report.yaml);
    if (preview_->toPlainText() != text) {
        const int position = preview_->verticalScrollBar()->value();
        preview_->setPlainText(text);
        preview_->verticalScrollBar()->setValue(position);
    }
    command_->setText(command(QStringLiteral("%1.yaml").arg(field(kName)->text())));
    QMap<QString, QString> sentences;
    QStringList elsewhere;
    for (const DraftProblem& problem : std::as_const(report_.problems)) {
        // Paths of a list are one key in the file.
        const QString key = problem.key == QLatin1String("data.paths") ? kPath : problem.key;
        if (row(key) == nullptr)
            elsewhere << (key.isEmpty() ? problem.message : key + QStringLiteral(": ") + problem.message);
        else if (!sentences.contains(key))
            sentences.insert(key, problem.message);
    }
    for (FieldRow* line : std::as_const(rows_))
        line->setProblem(sentences.value(line->key()));
    if (!elsewhere.isEmpty())
        message_->showMessage(widgets::InlineMessage::Kind::Error, tr("The recipe cannot be run"),
                              elsewhere.join(QLatin1Char('\n')));
    const int count = static_cast<int>(report_.problems.size());
    problems_->setText(count == 0   ? QString()
                       : count == 1 ? tr("1 field to mend")
                                    : tr("%1 fields to mend").arg(count));
    verdict_->setChip(count == 0 ? widgets::Chip{tr("can start"), QStringLiteral("check"), Token::Ok}
                                 : widgets::Chip{problems_->text(), QStringLiteral("error"), Token::Error});
    if (report.parameters > 0) {
        auto quantity = [](std::int64_t value) {
            return QString::fromStdString(text::quantity(static_cast<double>(value))).replace(u' ', QChar(0xA0));
        };
        const std::int64_t steps = field(QStringLiteral("training.steps"))->text().toLongLong();
        parameters_->setText(quantity(report.parameters));
        step_tokens_->setText(quantity(report.tokensPerStep));
        all_tokens_->setText(quantity(report.tokensPerStep * steps));
    } else {
        for (QLabel* value : {parameters_, step_tokens_, all_tokens_})
            value->setText(QStringLiteral("–"));
    }
    if (launch_when_checked_) {
        launch_when_checked_ = false;
        primaryAction();
    }
}

void NewRunPage::goToFirstProblem() {
    for (FieldRow* line : std::as_const(rows_))
        if (!line->problem().isEmpty()) {
            QWidget* editor = line->editor();
            (editor->focusProxy() != nullptr ? editor->focusProxy() : editor)->setFocus(Qt::OtherFocusReason);
            if (auto* edit = qobject_cast<QLineEdit*>(editor))
                edit->selectAll();
            scroll_->ensureWidgetVisible(line, 20, 40);
            return;
        }
}

void NewRunPage::setLaunching(bool launching) {
    launch_->setEnabled(!launching);
    launch_->setText(launching ? tr("Launching…") : tr("Launch"));
}

void NewRunPage::primaryAction() {
    if (!launch_->isEnabled())
        return;
    if (!isChecked()) {
        launch_when_checked_ = true;
        if (typing_.isActive())
            validate();
        return;
    }
    if (!report_.problems.isEmpty()) {
        goToFirstProblem();
        return;
    }
    message_->dismiss();
    setLaunching(true);
    const std::string yaml = report_.yaml;
    const QString name = field(kName)->text().trimmed();
    auto failed = [this](const QString& words) {
        setLaunching(false);
        message_->showMessage(widgets::InlineMessage::Kind::Error, tr("The run was not started"), words);
    };
    writing_.submit([yaml, name](const widgets::Cancelled&) { return writeRecipe(yaml, name); },
                    [this, failed](const QString& file) {
                        engine_->launch(file, ranks(), [this, failed](const QString& path, const QString& error) {
                            if (path.isEmpty()) {
                                failed(error);
                                return;
                            }
                            setLaunching(false);
                            emit launched(path);
                        });
                    },
                    failed);
}

void NewRunPage::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasUrls() && event->mimeData()->urls().size() == 1 &&
        event->mimeData()->urls().first().isLocalFile())
        event->acceptProposedAction();
}

void NewRunPage::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().first().toLocalFile();
    if (path.endsWith(QLatin1String(".yaml")) || path.endsWith(QLatin1String(".yml")))
        load(path);
    else
        setDataPath(path);
    event->acceptProposedAction();
}

}  // namespace trainyard::desktop
