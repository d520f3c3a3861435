// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sweeps/sweep_dialog.h"

#include <algorithm>
#include <utility>

#include <QComboBox>
#include <QCompleter>
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLineEdit>
#include <QLocale>
#include <QSpinBox>

#include "base/file.h"
#include "config/recipe/recipe.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/shell/ui.h"
#include "desktop/wizard/hub_download.h"
#include "desktop/wizard/recipe_draft.h"
#include "sweep/suggest.h"
#include "sweep/sweep_file.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/inline_message.h"
#include "widgets/number_box.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"
#include "widgets/tab_order.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

const int &kSweepDialogWidth = live_px(780), &kSweepDialogHeight = live_px(640);
constexpr int kSweepCheckDelay = 250;  // ms after the last key
constexpr int kUsualTrials = 16;
constexpr double kAround = 10;  // factor below and above the learning rate of the draft

/// A text of YAML, which takes all of JSON's.
QString yaml_quoted(const QString& text) {
    const QByteArray list = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(list.mid(1, list.size() - 2));
}

QString yaml_quoted(const QStringList& texts) {
    return QString::fromUtf8(QJsonDocument(QJsonArray::fromStringList(texts)).toJson(QJsonDocument::Compact));
}

QStringList sweep_hosts_of(const QString& text) {
    QStringList hosts;
    for (const QString& host : text.split(QLatin1Char(',')))
        if (!host.trimmed().isEmpty())
            hosts << host.trimmed();
    return hosts;
}

struct SweepCheck {
    std::vector<Problem> problems;
    qint64 trials = 0, steps = 0;
    QStringList first;  ///< values of the first trial
};

QSpinBox* sweep_number_box(const QString& name, int least, int most, int value) {
    auto* box = named(new widgets::NumberBox, name);
    box->setRange(least, most);
    box->setValue(value);
    return box;
}

QComboBox* sweep_choice_box(const QString& name, const QList<std::pair<QString, QString>>& choices) {
    auto* box = named(new QComboBox, name);
    for (const auto& [text, value] : choices)
        box->addItem(text, value);
    return box;
}

}  // namespace

SweepParameterRow::SweepParameterRow(const QStringList& keys, bool of_recipe, QWidget* parent)
    : QWidget(parent),
      key_(named(new QComboBox, tr("Parameter"))),
      kind_(named(new QComboBox, tr("Values or range"))),
      values_(named(new QLineEdit, tr("Values"))),
      from_(named(new QLineEdit, tr("From"))),
      to_(named(new QLineEdit, tr("To"))),
      step_(named(new QLineEdit, tr("Step"))),
      hub_(named(new QPushButton(tr("Hub…")), tr("Add a name of the hub to the values"))),
      problem_(wrapped(make_note({}, Tone::Error))) {
    key_->setEditable(true);
    key_->addItems(keys);
    key_->setInsertPolicy(QComboBox::NoInsert);
    key_->completer()->setFilterMode(Qt::MatchContains);
    key_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    key_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    key_->setMinimumContentsLength(12);
    key_->setCurrentText({});
    key_->lineEdit()->setPlaceholderText(of_recipe ? tr("Key of the recipe") : tr("Name, for {name} in the arguments"));
    kind_->addItems({tr("Values"), tr("Range"), tr("Logarithmic range")});
    values_->setPlaceholderText(tr("8, 16, 32"));
    from_->setPlaceholderText(tr("From"));
    to_->setPlaceholderText(tr("To"));
    step_->setPlaceholderText(tr("Step"));
    for (QLineEdit* edit : {from_, to_, step_})
        edit->setMinimumWidth(92_px);
    auto* remove = with_look(new QPushButton, {.kind = "ghost", .icon = "x", .name = tr("Remove the parameter")});
    setLayout(make_column(
        {0, 0, 0, 0}, 2,
        {make_row(6, {{key_, 3}, kind_, {values_, 3}, hub_, {from_, 1}, {to_, 1}, {step_, 1}, remove}), problem_}));
    problem_->hide();
    connect(remove, &QPushButton::clicked, this, &SweepParameterRow::removeRequested);
    connect(hub_, &QPushButton::clicked, this, [this] {
        ask_hub(this, HubDownload::itemOf(key_->currentText().trimmed()), [this](const QString& name, const QString&) {
            const QString before = values_->text().trimmed();
            values_->setText(before.isEmpty() ? name : before + QStringLiteral(", ") + name);
        });
    });
    connect(key_, &QComboBox::editTextChanged, this, [this] {
        showKind();
        emit changed();
    });
    connect(kind_, &QComboBox::currentIndexChanged, this, [this] {
        showKind();
        emit changed();
    });
    for (QLineEdit* edit : {values_, from_, to_, step_})
        connect(edit, &QLineEdit::textChanged, this, &SweepParameterRow::changed);
    showKind();
}

void SweepParameterRow::showKind() {
    const bool values = kind_->currentIndex() == Values;
    values_->setVisible(values);
    hub_->setVisible(values && HubDownload::isFor(key_->currentText().trimmed()));
    from_->setVisible(!values);
    to_->setVisible(!values);
    step_->setVisible(!values);
    step_->setPlaceholderText(kind_->currentIndex() == LogRange ? tr("Count") : tr("Step"));
    step_->setToolTip(kind_->currentIndex() == LogRange ? tr("Number of values of a grid") : tr("Between two values"));
}

QString SweepParameterRow::problem() const {
    return problem_->isHidden() ? QString() : problem_->text();
}

void SweepParameterRow::setProblem(const QString& sentence) {
    problem_->setText(sentence);
    problem_->setVisible(!sentence.isEmpty());
    widgets::set_invalid(key_, !sentence.isEmpty());
}

QString SweepParameterRow::line(bool grid) const {
    const QString key = yaml_quoted(key_->currentText().trimmed());
    if (kind_->currentIndex() == Values)
        return QStringLiteral("  %1: [%2]\n").arg(key, values_->text());
    QStringList parts;
    for (const auto& [name, edit] : {std::pair("min", from_), {"max", to_}})
        if (!edit->text().trimmed().isEmpty())
            parts << QStringLiteral("%1: %2").arg(QLatin1String(name), edit->text().trimmed());
    const QString step = step_->text().trimmed();
    if (kind_->currentIndex() == LogRange)
        parts << QStringLiteral("scale: log");
    if (!step.isEmpty() && kind_->currentIndex() == Range)
        parts << QStringLiteral("step: %1").arg(step);
    else if (!step.isEmpty() && grid)
        parts << QStringLiteral("count: %1").arg(step);
    return QStringLiteral("  %1: {%2}\n").arg(key, parts.join(QStringLiteral(", ")));
}

SweepDialog::SweepDialog(const SweepBase& base, QWidget* parent)
    : QDialog(parent),
      base_(base),
      place_(std::make_shared<QTemporaryDir>()),
      parameters_(make_column({0, 0, 0, 0}, 6, {})),
      form_(make_column({0, 0, 8, 0}, 10, {})),
      name_(named(new QLineEdit(base.name), tr("Name"))),
      hosts_(named(new QLineEdit(base.hosts.join(QStringLiteral(", "))), tr("Hosts"))),
      method_(sweep_choice_box(tr("Method"), {{tr("TPE: where earlier results promise most"), QStringLiteral("tpe")},
                                              {tr("Random"), QStringLiteral("random")},
                                              {tr("Grid: every combination"), QStringLiteral("grid")}})),
      metric_(named(new QComboBox, tr("Metric"))),
      direction_(sweep_choice_box(tr("Direction"), {{tr("Lower is better"), QStringLiteral("minimize")},
                                                    {tr("Higher is better"), QStringLiteral("maximize")}})),
      early_(sweep_choice_box(tr("Early stopping"), {{tr("None"), QStringLiteral("none")},
                                                     {tr("Median of earlier trials"), QStringLiteral("median")}})),
      trials_(sweep_number_box(tr("Trials"), 1, static_cast<int>(sweep::kMostTrials), kUsualTrials)),
      at_once_(sweep_number_box(tr("At once"), 1, 1000, 1)),
      devices_(sweep_number_box(tr("Accelerators of a trial"), 0, 1000, 0)),
      warmup_(sweep_number_box(tr("Not before step"), 0, 1'000'000'000, 0)),
      seed_(sweep_number_box(tr("Seed"), 0, 1'000'000'000, 0)),
      message_(new InlineMessage),
      note_(wrapped(make_note({}))) {
    setWindowTitle(tr("New sweep"));
    resize(kSweepDialogWidth, kSweepDialogHeight);
    metric_->setEditable(true);
    metric_->addItems({QStringLiteral("eval/loss"), QStringLiteral("train/loss"), QStringLiteral("eval/accuracy"),
                       QStringLiteral("train/tokens_per_s")});
    if (base_.recipe.empty())
        metric_->setCurrentText(QStringLiteral("loss"));
    devices_->setSpecialValueText(tr("as launched"));
    hosts_->setPlaceholderText(tr("This machine"));
    auto* more = with_look(new QPushButton(tr("Add a parameter")), {.icon = "plus"});
    connect(more, &QPushButton::clicked, this, [this] { addParameter()->key()->setFocus(); });
    add_items(form_, {message_, make_title(tr("Parameters"), 14), parameters_, make_row({more, stretch()})});
    add(tr("Name"), QStringLiteral("name"), name_);
    add(tr("Method"), QStringLiteral("method"), method_);
    add(tr("Metric"), QStringLiteral("metric"), metric_, tr("Trials are ranked by the best value of this curve"));
    add(tr("Direction"), QStringLiteral("direction"), direction_);
    add(tr("Trials"), QStringLiteral("trials"), trials_);
    add(tr("At once"), QStringLiteral("at_once"), at_once_);
    add(tr("Accelerators of a trial"), QStringLiteral("devices"), devices_,
        tr("Each accelerator is used by one trial at a time"));
    add(tr("Hosts"), QStringLiteral("hosts"), hosts_, tr("Each trial runs on one of them: gpu-a, gpu-b:2"));
    add(tr("Early stopping"), QStringLiteral("early_stopping"), early_,
        tr("Ends a trial that is worse than the median at the same step"));
    add(tr("Not before step"), QStringLiteral("early_stopping.warmup_steps"), warmup_);
    add(tr("Seed"), QStringLiteral("seed"), seed_, tr("The same seed tries the same values"));
    auto* inside = new QWidget;
    inside->setProperty("surface", QStringLiteral("clear"));
    form_->addStretch();
    inside->setLayout(form_);
    setLayout(make_column(12, {make_title(base.name, 16), {widgets::make_scroll_area(inside), 1}, note_}));
    start_ = widgets::add_dialog_buttons(this, tr("Start the sweep"), [this] { check(true); });
    for (QLineEdit* edit : {name_, hosts_})
        connect(edit, &QLineEdit::textChanged, &typed_, qOverload<>(&QTimer::start));
    for (QComboBox* box : {method_, direction_, early_})
        connect(box, &QComboBox::currentIndexChanged, &typed_, qOverload<>(&QTimer::start));
    connect(metric_, &QComboBox::editTextChanged, &typed_, qOverload<>(&QTimer::start));
    for (QSpinBox* box : {trials_, at_once_, devices_, warmup_, seed_})
        connect(box, &QSpinBox::valueChanged, &typed_, qOverload<>(&QTimer::start));
    act_after(typed_, kSweepCheckDelay, this, [this] { check(false); });
    const auto show_fields = [this] {
        fields_.value(QStringLiteral("trials"))->setVisible(method_->currentIndex() != 2);
        fields_.value(QStringLiteral("seed"))->setVisible(method_->currentIndex() != 2);
        fields_.value(QStringLiteral("early_stopping.warmup_steps"))->setVisible(early_->currentIndex() == 1);
    };
    connect(method_, &QComboBox::currentIndexChanged, this, show_fields);
    connect(early_, &QComboBox::currentIndexChanged, this, show_fields);
    show_fields();
    SweepParameterRow* first = addParameter(base_.recipe.empty() ? QString() : QStringLiteral("optimizer.lr"));
    if (base_.learning_rate > 0) {
        first->kind()->setCurrentIndex(SweepParameterRow::LogRange);
        first->from()->setText(QString::number(base_.learning_rate / kAround, 'g', 3));
        first->to()->setText(QString::number(base_.learning_rate * kAround, 'g', 3));
    }
}

bool SweepDialog::focusNextPrevChild(bool next) {
    return widgets::focus_by_reading(this, next);
}

template <class Editor>
Editor* SweepDialog::add(const QString& label, const QString& key, Editor* editor, const QString& hint) {
    auto* row = new widgets::FieldRow(label, key, editor, hint);
    fields_.insert(key, row);
    form_->addWidget(row);
    return editor;
}

SweepParameterRow* SweepDialog::addParameter(const QString& key) {
    QStringList keys;
    if (!base_.recipe.empty())
        for (const config::RecipeKey& one : config::recipe_keys())
            keys << qt(one.key);
    auto* row = new SweepParameterRow(keys, !base_.recipe.empty());
    row->key()->setCurrentText(key);
    rows_ << row;
    parameters_->addWidget(row);
    connect(row, &SweepParameterRow::changed, &typed_, qOverload<>(&QTimer::start));
    connect(row, &SweepParameterRow::removeRequested, this, [this, row] {
        rows_.removeOne(row);
        row->deleteLater();
        typed_.start();
    });
    typed_.start();
    return row;
}

std::string SweepDialog::yaml() const {
    const bool grid = method_->currentIndex() == 2;
    QString text = QStringLiteral("name: %1\n").arg(yaml_quoted(name_->text().trimmed()));
    if (!base_.recipe.empty()) {
        text += QStringLiteral("recipe: recipe.yaml\n");
    } else {
        text += QStringLiteral("program: %1\ndirectory: %2\n")
                    .arg(yaml_quoted(base_.program),
                         yaml_quoted(base_.directory.isEmpty() ? QDir::homePath() : base_.directory));
        if (!base_.environment.isEmpty())
            text += QStringLiteral("environment:\n");
        for (auto one = base_.environment.begin(); one != base_.environment.end(); ++one)
            text += QStringLiteral("  %1: %2\n").arg(yaml_quoted(one.key()), yaml_quoted(one.value()));
    }
    text += QStringLiteral("method: %1\nmetric: %2\ndirection: %3\nat_once: %4\n")
                .arg(method_->currentData().toString(), yaml_quoted(metric_->currentText().trimmed()),
                     direction_->currentData().toString(), QString::number(at_once_->value()));
    if (!grid)
        text += QStringLiteral("trials: %1\nseed: %2\n").arg(trials_->value()).arg(seed_->value());
    if (devices_->value() > 0)
        text += QStringLiteral("devices: %1\n").arg(devices_->value());
    if (const QStringList hosts = sweep_hosts_of(hosts_->text()); !hosts.isEmpty())
        text += QStringLiteral("hosts: %1\n").arg(yaml_quoted(hosts));
    QStringList launch = base_.launch;
    if (!base_.settings.empty())
        launch << QStringLiteral("--config_file") << place_->filePath(QStringLiteral("settings.yaml"));
    if (!launch.isEmpty())
        text += QStringLiteral("launch: %1\n").arg(yaml_quoted(launch));
    if (early_->currentIndex() == 1)
        text += QStringLiteral("early_stopping: {method: median, warmup_steps: %1}\n").arg(warmup_->value());
    text += QStringLiteral("parameters:\n");
    for (const SweepParameterRow* row : rows_)
        text += row->line(grid);
    return text.toStdString();
}

void SweepDialog::check(bool start) {
    typed_.stop();
    checking_.submit(
        [place = place_, yaml = yaml(), base = base_] {
            const std::filesystem::path folder = place->path().toStdString();
            if (!base.recipe.empty())
                write_file_atomically(folder / "recipe.yaml", base.recipe, false);
            write_file_atomically(folder / "settings.yaml", base.settings, false);
            write_file_atomically(folder / "sweep.yaml", yaml, false);
            SweepCheck check;
            try {
                const sweep::SweepFile file = sweep::parse_sweep(yaml, folder / "sweep.yaml");
                check.trials = file.trials;
                for (const std::string& one : sweep::assignments(file, sweep::suggest(file, 0, {})))
                    check.first << qt(one);
                if (!base.recipe.empty())
                    check.steps = config::load_recipe(folder / "recipe.yaml").training.steps;
            } catch (const InvalidInput& error) {
                check.problems = error.problems();
            }
            return check;
        },
        [this, start](const SweepCheck& check) {
            showProblems(check.problems);
            if (!check.problems.empty())
                return;
            note_->setForegroundRole(tone_role(Tone::Secondary));
            const QString trials = QLocale().toString(check.trials);
            note_->setText(
                (check.steps > 0
                     ? tr("%1 trials of %2 steps; the first: %3").arg(trials, QLocale().toString(check.steps))
                     : tr("%1 trials; the first: %2").arg(trials))
                    .arg(check.first.join(QStringLiteral("  "))));
            if (start)
                started();
        },
        [this](const QString& sentence) {
            note_->setForegroundRole(tone_role(Tone::Error));
            note_->setText(sentence);
        });
}

void SweepDialog::started() {
    start_->setEnabled(false);
    message_->dismiss();
    checking_.submit(
        [place = place_, yaml = yaml(), settings = base_.settings, name = base_.name] {
            // The trials of a sweep need the settings longer than this dialog.
            QString text = qt(yaml);
            if (!settings.empty())
                text.replace(yaml_quoted(place->filePath(QStringLiteral("settings.yaml"))),
                             yaml_quoted(writeRecipe(settings, name + QStringLiteral("-settings"))));
            const QString file = place->filePath(QStringLiteral("sweep.yaml"));
            write_file_atomically(file.toStdString(), text.toStdString());
            return file;
        },
        [this](const QString& file) { emit startRequested(file); },
        [this](const QString& sentence) { showFailure(sentence); });
}

void SweepDialog::showFailure(const QString& words) {
    start_->setEnabled(true);
    message_->showMessage(InlineMessage::Kind::Error, tr("The sweep was not started"), words);
}

void SweepDialog::showProblems(const std::vector<Problem>& problems) {
    for (widgets::FieldRow* row : std::as_const(fields_))
        row->setProblem({});
    for (SweepParameterRow* row : std::as_const(rows_))
        row->setProblem({});
    message_->dismiss();
    QStringList others;
    for (const Problem& problem : problems) {
        const QString key = qt(problem.key), words = qtSentence(problem.message);
        const auto row = std::ranges::find_if(rows_, [&](const SweepParameterRow* one) {
            const QString own = QStringLiteral("parameters.") + one->key()->currentText().trimmed();
            return key == own || key.startsWith(own + QLatin1Char('.'));
        });
        if (row != rows_.end())
            (*row)->setProblem((*row)->problem().isEmpty() ? words : (*row)->problem() + QLatin1Char('\n') + words);
        else if (widgets::FieldRow* field = fields_.value(key))
            field->setProblem(words);
        else
            others << (key.isEmpty() ? words : QStringLiteral("%1: %2").arg(key, words));
    }
    if (!others.isEmpty())
        message_->showMessage(InlineMessage::Kind::Error, tr("The sweep cannot be started"),
                              others.join(QLatin1Char('\n')));
    if (!problems.empty()) {
        note_->setForegroundRole(tone_role(Tone::Error));
        note_->setText(tr("%Ln problems to fix", nullptr, static_cast<int>(problems.size())));
    }
}

}  // namespace trainyard::desktop
