// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/target_dialog.h"

#include <utility>

#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QRegularExpression>
#include <QSpinBox>

#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {

using alarms::TargetKind;
using alarms::WebhookFormat;
using widgets::FieldRow;

const int &kTargetWidth = live_px(560), &kLines = live_px(60);

QString command_line(const std::vector<std::string>& words) {
    QStringList quoted;
    for (const std::string& word : words) {
        QString text = qt(word);
        const bool plain = !text.isEmpty() && !text.contains(QRegularExpression(QStringLiteral("[\\s\"]")));
        // As QProcess::splitCommand() reads it: three quotes are one.
        quoted << (plain
                       ? text
                       : QLatin1Char('"') + text.replace(QLatin1Char('"'), QLatin1String("\"\"\"")) + QLatin1Char('"'));
    }
    return quoted.join(QLatin1Char(' '));
}

std::vector<std::string> words_of_list(const QStringList& list) {
    std::vector<std::string> words;
    for (const QString& word : list)
        if (const QString trimmed = word.trimmed(); !trimmed.isEmpty())
            words.push_back(trimmed.toStdString());
    return words;
}

QStringList list_of(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words)
        list << qt(word);
    return list;
}

QWidget* make_page(std::initializer_list<QWidget*> rows) {
    auto* page = new QWidget;
    auto* layout = make_column({0, 0, 0, 0}, 10, {});
    for (QWidget* row : rows)
        layout->addWidget(row);
    page->setLayout(layout);
    return page;
}

}  // namespace

TargetDialog::TargetDialog(const alarms::Target& target, const QStringList& taken, QWidget* parent)
    : QDialog(parent),
      given_(target),
      taken_(taken),
      name_(new QLineEdit(qt(target.name))),
      kind_(named(new widgets::SegmentedControl({tr("Command"), tr("Webhook"), tr("Mail")}), tr("Kind"))),
      command_(new QLineEdit(command_line(target.command))),
      format_(new QComboBox),
      address_(new QLineEdit(qt(target.address))),
      headers_(new QPlainTextEdit(list_of(target.headers).join(QLatin1Char('\n')))),
      body_(new QPlainTextEdit(qt(target.body))),
      server_(new QLineEdit(qt(target.server))),
      user_(new QLineEdit(qt(target.user))),
      from_(new QLineEdit(qt(target.from))),
      to_(new QLineEdit(list_of(target.to).join(QStringLiteral(", ")))),
      security_(new QComboBox),
      secret_(new QLineEdit),
      per_hour_(new QSpinBox),
      problem_(wrapped(make_note({}, Tone::Error))) {
    setWindowTitle(tr("Send alarms to"));
    setMinimumWidth(kTargetWidth);
    for (QLineEdit* field : {command_, address_, server_})
        field->setFont(Theme::instance().mono(12));
    for (QPlainTextEdit* field : {headers_, body_}) {
        field->setFont(Theme::instance().mono(12));
        field->setFixedHeight(kLines);
        field->setTabChangesFocus(true);
    }
    format_->addItems({tr("Trainyard's own JSON"), QStringLiteral("Slack, Mattermost"), QStringLiteral("Discord"),
                       QStringLiteral("ntfy"), QStringLiteral("Gotify"), tr("Own template")});
    format_->setCurrentIndex(static_cast<int>(target.format));
    security_->addItems({QStringLiteral("STARTTLS"), QStringLiteral("TLS"), tr("Not encrypted")});
    security_->setCurrentIndex(static_cast<int>(target.security));
    secret_->setEchoMode(QLineEdit::Password);
    per_hour_->setRange(1, 1000);
    per_hour_->setValue(target.per_hour);

    command_page_ = make_page(
        {new FieldRow(tr("Program and arguments"), QStringLiteral("command"), command_,
                      tr("Started without a shell, with the alarm as JSON on its standard input. {title}, {text}, "
                         "{name}, {run}, {kind}, {step} and {host} are replaced in its arguments."))});
    body_row_ = new FieldRow(tr("Body"), QStringLiteral("body"), body_,
                             tr("JSON with {title}, {text}, {name}, {run}, {kind}, {step} and {host}"));
    webhook_page_ =
        make_page({new FieldRow(tr("Format"), QStringLiteral("format"), format_),
                   new FieldRow(tr("Address"), QStringLiteral("address"), address_,
                                tr("{secret} stands for the secret, which is not written to the settings file")),
                   new FieldRow(tr("Headers"), QStringLiteral("headers"), headers_,
                                tr("One a line, such as Authorization: Bearer {secret}")),
                   body_row_});
    mail_page_ = make_page({new FieldRow(tr("To"), QStringLiteral("to"), to_),
                            new FieldRow(tr("From"), QStringLiteral("from"), from_),
                            new FieldRow(tr("Mail server"), QStringLiteral("server"), server_,
                                         tr("host or host:port; empty: the sendmail program of this machine")),
                            new FieldRow(tr("Encryption"), QStringLiteral("security"), security_),
                            new FieldRow(tr("User"), QStringLiteral("user"), user_, tr("Empty: without a login"))});
    secret_row_ = new FieldRow(tr("Secret"), {}, secret_);
    setLayout(make_column(10, {make_title(windowTitle(), 16), new FieldRow(tr("Name"), QStringLiteral("name"), name_),
                               kind_, command_page_, webhook_page_, mail_page_, secret_row_,
                               new FieldRow(tr("At most in an hour"), QStringLiteral("per_hour"), per_hour_,
                                            tr("Alarms above this number are counted in the next message")),
                               problem_}));
    problem_->hide();
    save_ = widgets::add_dialog_buttons(this, tr("Save"), [this] { save(); });
    kind_->setCurrent(static_cast<int>(target.kind));
    connect(kind_, &widgets::SegmentedControl::currentChanged, this, &TargetDialog::showKind);
    connect(format_, &QComboBox::currentIndexChanged, this, &TargetDialog::showKind);
    showKind();
}

void TargetDialog::showKind() {
    const auto kind = static_cast<TargetKind>(kind_->current());
    command_page_->setVisible(kind == TargetKind::command);
    webhook_page_->setVisible(kind == TargetKind::webhook);
    mail_page_->setVisible(kind == TargetKind::mail);
    body_row_->setVisible(static_cast<WebhookFormat>(format_->currentIndex()) == WebhookFormat::custom);
    secret_row_->setVisible(kind != TargetKind::command);  // other users could read it in the list of processes
    secret_row_->setLabel(kind == TargetKind::mail ? tr("Password") : tr("Secret"));
    secret_->setPlaceholderText(alarms::needs_secret(given_) ? tr("stored; enter another one to replace it")
                                                             : QString());
}

alarms::Target TargetDialog::target() const {
    alarms::Target target;
    target.name = name_->text().trimmed().toStdString();
    target.kind = static_cast<TargetKind>(kind_->current());
    target.enabled = given_.enabled;
    target.per_hour = per_hour_->value();
    if (target.kind == TargetKind::command) {
        for (const QString& word : QProcess::splitCommand(command_->text()))
            target.command.push_back(word.toStdString());
    } else if (target.kind == TargetKind::webhook) {
        target.address = address_->text().trimmed().toStdString();
        target.format = static_cast<WebhookFormat>(format_->currentIndex());
        target.headers = words_of_list(headers_->toPlainText().split(QLatin1Char('\n')));
        if (target.format == WebhookFormat::custom)
            target.body = body_->toPlainText().toStdString();
    } else {
        target.server = server_->text().trimmed().toStdString();
        target.security = static_cast<alarms::MailSecurity>(security_->currentIndex());
        target.user = user_->text().trimmed().toStdString();
        target.from = from_->text().trimmed().toStdString();
        target.to = words_of_list(to_->text().split(QLatin1Char(',')));
    }
    return target;
}

void TargetDialog::save() {
    alarms::Target wanted = target();
    QString secret = wanted.kind == TargetKind::command ? QString() : secret_->text();
    // The path of an address of these services is its secret.
    const bool of_service = wanted.format == WebhookFormat::slack || wanted.format == WebhookFormat::discord;
    static const QRegularExpression parts(QStringLiteral("^(https://[^/?#]+/)(.+)$"));
    if (wanted.kind == TargetKind::webhook && of_service && !alarms::needs_secret(wanted))
        if (const auto match = parts.match(qt(wanted.address)); match.hasMatch() && secret.isEmpty()) {
            wanted.address = match.captured(1).toStdString() + "{secret}";
            secret = match.captured(2);
        }
    QString problem = qtSentence(alarms::problem_of(wanted));
    if (problem.isEmpty() && taken_.contains(qt(wanted.name)))
        problem = tr("Another target is called %1: choose another name.").arg(qt(wanted.name));
    if (problem.isEmpty() && secret.isEmpty() && alarms::needs_secret(wanted) &&
        !(alarms::needs_secret(given_) && given_.name == wanted.name))
        problem = tr("Enter the secret that the address, a header or the login needs.");
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    if (!problem.isEmpty())
        return;
    emit saved(wanted, secret);
    accept();
}

}  // namespace trainyard::desktop
