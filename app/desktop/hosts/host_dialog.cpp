// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_dialog.h"

#include <algorithm>

#include <QCheckBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollArea>

#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using widgets::FieldRow;

namespace {

constexpr int kTyping = 300;  // ms
const int& kHostDialogWidth = live_px(560);
const int& kMostHostDialogHeight = live_px(620);

/// `KEY=VALUE`, a line each; a line without `=` becomes a key that check_host complains of.
std::map<std::string, std::string> environmentOf(const QString& typed) {
    std::map<std::string, std::string> environment;
    for (const QString& line : typed.split(QLatin1Char('\n'))) {
        if (line.trimmed().isEmpty())
            continue;
        const qsizetype equals = line.indexOf(QLatin1Char('='));
        if (equals < 0)
            environment[line.trimmed().toStdString()] = "";
        else
            environment[line.left(equals).trimmed().toStdString()] = line.mid(equals + 1).toStdString();
    }
    return environment;
}

}  // namespace

HostDialog::HostDialog(HostSource* source, const remote::KnownHost& known, const QStringList& taken, QWidget* parent)
    : QDialog(parent),
      source_(source),
      before_(known.stored),
      is_new_(known.name.empty()),
      in_config_(!known.config_place.empty()),
      taken_(taken),
      environment_(named(new QPlainTextEdit, tr("Environment"))),
      use_(new QCheckBox(tr("Use this host for runs"))),
      lines_(make_mono_label({}, 12, Tone::Secondary)),
      copy_lines_(new QPushButton(tr("Copy lines for ~/.ssh/config"))) {
    before_.name = known.name;
    const QString title = is_new_ ? tr("Add host") : tr("Settings of %1").arg(qt(known.name));
    setWindowTitle(title);
    auto* words = wrapped(make_note(
        in_config_ ? tr("Its connection settings are in %1, which Trainyard only reads.").arg(qt(known.config_place))
                   : tr("Saved in Trainyard's own list; ~/.ssh/config is not changed.")));
    auto* form = make_column({0, 0, 10, 0}, 8, {});
    QScrollArea* scroll = widgets::make_upright_scroll(form);

    if (!in_config_) {
        addText(form, QStringLiteral("name"), tr("Name"), &remote::StoredHost::name, tr("what you call it, e.g. gpu-b"))
            ->setReadOnly(!is_new_);
        addText(form, QStringLiteral("address"), tr("Address"), &remote::StoredHost::address,
                tr("name or IP address; empty: the name itself"));
        addText(form, QStringLiteral("user"), tr("User"), &remote::StoredHost::user, tr("empty: your own"));
        addField(form, QStringLiteral("port"), tr("Port"),
                 before_.port == 0 ? QString() : QString::number(before_.port), tr("empty: 22"), true, 120);
        addText(form, QStringLiteral("identity_file"), tr("Key file"), &remote::StoredHost::identity_file,
                tr("empty: agent and the usual keys"));
        addText(form, QStringLiteral("jump"), tr("Jump host"), &remote::StoredHost::jump,
                tr("reached through it, e.g. me@bastion"));
        add_items(form, {lines_, {copy_lines_, 0, Qt::AlignLeft}});
        copy_lines_->setAutoDefault(false);
        form->addSpacing(8);
    }
    addText(form, QStringLiteral("label"), tr("Label"), &remote::StoredHost::label, tr("shown in place of the name"),
            false);
    addText(form, QStringLiteral("runs_folder"), tr("Folder for runs"), &remote::StoredHost::runs_folder,
            tr("empty: its own default"));
    addText(form, QStringLiteral("engine"), tr("Engine"), &remote::StoredHost::engine,
            tr("path of trainyard there; empty: copied when needed"));
    addText(form, QStringLiteral("interpreter"), tr("Python for scripts"), &remote::StoredHost::interpreter,
            tr("empty: python3"));
    addField(form, QStringLiteral("max_gpus"), tr("Maximum number of GPUs"),
             before_.max_gpus ? QString::number(*before_.max_gpus) : QString(), tr("empty: all"), true, 120);
    QStringList variables;
    for (const auto& [key, value] : before_.environment)
        variables << qt(key + "=" + value);
    environment_->setPlainText(variables.join(QLatin1Char('\n')));
    environment_->setFont(Theme::instance().mono(12));
    environment_->setFixedHeight(64_px);
    environment_->setTabChangesFocus(true);
    rows_[QStringLiteral("environment")] = new FieldRow(
        tr("Environment"), {}, environment_, tr("NAME=value, a line each; no secrets: ranks and logs show it"));
    form->addWidget(rows_[QStringLiteral("environment")]);
    use_->setChecked(before_.use);
    add_items(form, {use_, stretch()});

    setLayout(make_column(10, {make_title(title, 16), words, {scroll, 1}}));
    save_ = widgets::add_dialog_buttons(this, is_new_ ? tr("Add host") : tr("Save"), [this] { save(); });
    scroll->widget()->adjustSize();
    resize(kHostDialogWidth, std::min(kMostHostDialogHeight, scroll->widget()->sizeHint().height() + 150_px));

    act_after(typing_, kTyping, this, [this] {
        if (touched_)
            check();
    });
    connect(environment_, &QPlainTextEdit::textChanged, this, [this] {
        touched_ = true;
        typing_.start();
    });
    connect(copy_lines_, &QPushButton::clicked, this, [this] { copy_text(lines_->text()); });
    showLines();
}

void HostDialog::save() {
    if (check())
        return accept();
    const auto wrong = std::ranges::find_if(rows_, [](const FieldRow* row) { return !row->problem().isEmpty(); });
    if (wrong != rows_.end())
        (*wrong)->editor()->setFocus();
}

QLineEdit* HostDialog::addField(QVBoxLayout* to, const QString& key, const QString& label, const QString& value,
                                const QString& hint, bool mono, int width) {
    auto* edit = new QLineEdit(value);
    if (mono)
        edit->setFont(Theme::instance().mono(12));
    edit->setAccessibleName(label);
    auto* line = new FieldRow(label, {}, edit, hint);
    if (width > 0)
        line->setEditorWidth(width);
    to->addWidget(line);
    rows_.insert(key, line);
    connect(edit, &QLineEdit::textEdited, this, [this, line] {
        touched_ = true;
        line->setProblem({});
        set_invalid(line->editor(), false);
        showLines();
        typing_.start();
    });
    return edit;
}

QLineEdit* HostDialog::addText(QVBoxLayout* to, const QString& key, const QString& label, Text text,
                               const QString& hint, bool mono) {
    QLineEdit* edit = addField(to, key, label, qt(before_.*text), hint, mono);
    texts_.insert(edit, text);
    return edit;
}

QLineEdit* HostDialog::field(const QString& key) const {
    return rows_.contains(key) ? qobject_cast<QLineEdit*>(rows_.value(key)->editor()) : nullptr;
}

remote::StoredHost HostDialog::host() const {
    remote::StoredHost host = before_;
    for (auto it = texts_.begin(); it != texts_.end(); ++it)
        host.*it.value() = it.key()->text().trimmed().toStdString();
    // Text that is not a number becomes -1, which is out of range, so that check() reports it.
    auto number = [this](const char* key, int none) {
        const QLineEdit* edit = field(QLatin1String(key));
        const QString typed = edit == nullptr ? QString() : edit->text().trimmed();
        bool good = false;
        const int value = typed.toInt(&good);
        return typed.isEmpty() ? none : good ? value : -1;
    };
    if (field(QStringLiteral("port")) != nullptr)
        host.port = number("port", 0);
    const int gpus = number("max_gpus", -2);
    host.max_gpus = gpus == -2 ? std::nullopt : std::optional<int>(gpus);
    host.environment = environmentOf(environment_->toPlainText());
    host.use = use_->isChecked();
    return host;
}

bool HostDialog::check() {
    const remote::StoredHost typed = host();
    QMap<QString, QString> problems;
    for (const Problem& problem : source_->check(typed)) {
        QString key = qt(problem.key).section(QLatin1Char('.'), 0, 0);
        if (!rows_.contains(key))
            key = QStringLiteral("name");
        if (!problems.contains(key))
            problems[key] = qtSentence(problem.message);
    }
    // Without an address, the name itself is resolved, so it must be a valid host name.
    if (!in_config_ && typed.address.empty() && !problems.contains(QStringLiteral("name")))
        if (const Message problem = remote::host_name_problem(typed.name); !problem.empty())
            problems[QStringLiteral("name")] = qtSentence(problem);
    if (is_new_ && taken_.contains(qt(typed.name)))
        problems[QStringLiteral("name")] = tr("There is a host %1 already: choose another name.").arg(qt(typed.name));
    for (auto it = rows_.constBegin(); it != rows_.constEnd(); ++it) {
        const QString problem = problems.value(it.key());
        // An empty name is not reported before the user saves.
        (*it)->setProblem(problem);
        set_invalid((*it)->editor(), !problem.isEmpty());
    }
    return problems.isEmpty();
}

void HostDialog::showLines() {
    if (in_config_)
        return;
    const remote::StoredHost typed = host();
    QStringList lines{QStringLiteral("Host ") + qt(typed.name)};
    auto add = [&lines](const char* key, const QString& value) {
        if (!value.isEmpty())
            lines << QStringLiteral("    ") + QLatin1String(key) + QLatin1Char(' ') + value;
    };
    add("HostName", qt(typed.address));
    add("User", qt(typed.user));
    add("Port", typed.port > 0 ? QString::number(typed.port) : QString());
    add("IdentityFile", qt(typed.identity_file));
    add("ProxyJump", qt(typed.jump));
    lines_->setText(lines.join(QLatin1Char('\n')));
    const bool any = !typed.name.empty();
    lines_->setVisible(any);
    copy_lines_->setVisible(any);
}

}  // namespace trainyard::desktop
