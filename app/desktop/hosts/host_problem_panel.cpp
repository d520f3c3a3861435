// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_problem_panel.h"

#include <QDesktopServices>
#include <QGridLayout>
#include <QUrl>

#include "desktop/shell/ui.h"

namespace trainyard::desktop {

namespace {

QString keyText(const remote::HostKey& key) {
    return qt(key.short_type()) + QStringLiteral("  ") + qt(key.fingerprint());
}

}  // namespace

HostProblemPanel::HostProblemPanel(QWidget* parent)
    : QFrame(parent),
      picture_(new IconLabel(18)),
      title_(wrapped(make_title({}, 14))),
      text_(selectable(wrapped(make_note({})))),
      keys_(new QFrame),
      key_lines_(new QGridLayout(keys_)),
      after_(selectable(wrapped(make_note({})))),
      command_(new QFrame),
      command_text_(selectable(wrapped(make_mono_label({}, 12)))),
      more_(selectable(wrapped(make_note({})))),
      copy_(with_look(new QPushButton(tr("Copy for the admin")), {.icon = "copy"})),
      known_hosts_(with_look(new QPushButton(tr("Show known_hosts")), {.icon = "file"})),
      transcript_(new QPushButton(tr("Show transcript"))),
      primary_(with_look(new QPushButton, {.kind = "primary"})) {
    keys_->setProperty("surface", QStringLiteral("well"));
    key_lines_->setContentsMargins(12, 8, 12, 8);
    key_lines_->setVerticalSpacing(6);
    key_lines_->setColumnStretch(0, 1);
    command_->setProperty("surface", QStringLiteral("well"));
    auto* copyCommand = with_look(new QPushButton, {.kind = "ghost", .icon = "copy", .tip = tr("Copy the command")});
    command_->setLayout(make_row({12, 6, 6, 6}, {{command_text_, 1}, {copyCommand, 0, Qt::AlignTop}}));
    setLayout(make_column({18, 14, 18, 14}, 10,
                          {make_row(10, {picture_, {title_, 1}}), text_, keys_, after_, command_, more_,
                           make_row(8, {copy_, stretch(), transcript_, known_hosts_, primary_})}));

    connect(copyCommand, &QPushButton::clicked, this, [this] { copy_text(command_text_->text()); });
    connect(copy_, &QPushButton::clicked, this, [this] { copy_text(report()); });
    connect(known_hosts_, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(known_hosts_file_)); });
    connect(transcript_, &QPushButton::clicked, this, &HostProblemPanel::transcriptRequested);
    connect(primary_, &QPushButton::clicked, this, [this] {
        if (state_ == HostState::NewKey)
            emit keyRequested();
        else if (state_ == HostState::Blocked)
            hide();
        else if (error_ && primary_->text() == tr("Settings…"))
            emit settingsRequested();
        else
            emit probeRequested();
    });
    hide();
}

void HostProblemPanel::showKeys(const remote::HostKeyReport& report) {
    while (QLayoutItem* item = key_lines_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    int line = 0;
    auto add = [&](const QString& what, const QString& key, Tone tone) {
        key_lines_->addWidget(make_note(what), line, 0);
        QLabel* value = selectable(make_mono_label(key, 12, tone));
        key_lines_->addWidget(value, line++, 1, Qt::AlignRight);
    };
    for (const remote::KnownLine& known : report.recorded)
        add(state_ == HostState::Blocked
                ? tr("accepted, line %1 of %2").arg(known.line).arg(qt(known.file.filename().string()))
                : tr("of another type, line %1").arg(known.line),
            keyText(known.key), Tone::Text);
    add(tr("shown now"), keyText(report.offered), state_ == HostState::Blocked ? Tone::Error : Tone::Text);
}

void HostProblemPanel::setRow(const HostRow& row) {
    const QVector<Diagnosis> all = diagnose(row);
    setVisible(!all.isEmpty());
    if (all.isEmpty())
        return;
    const Diagnosis& first = all.first();
    error_ = first.error;
    state_ = row.state();
    const bool key = row.answer && row.answer->key.has_value();
    const bool blocked = state_ == HostState::Blocked;
    title_->setText(blocked ? tr("%1 shows a different host key").arg(row.title()) : first.title);
    text_->setText(blocked ? tr("Trainyard has not connected. Either %1 was reinstalled, or another machine intercepts "
                                "the connection.")
                                 .arg(row.title())
                           : first.text);
    const bool revoked = blocked && row.answer->result.cause == remote::name_of(remote::Cause::host_key_revoked);
    if (revoked) {
        title_->setText(tr("The host key of %1 is revoked").arg(row.title()));
        text_->setText(first.text);
    }
    keys_->setVisible(key);
    known_hosts_->setVisible(key && blocked);
    after_->setVisible(blocked && !revoked);
    if (key) {
        showKeys(*row.answer->key);
        const auto& recorded = row.answer->key->recorded;
        known_hosts_file_ = qt(recorded.empty() ? row.answer->key->file.string() : recorded.front().file.string());
        if (blocked)
            after_->setText(tr("Ask the administrator of %1 for its fingerprint. To continue, remove the old key from "
                               "line %2 of %3, then connect again.")
                                .arg(row.title())
                                .arg(recorded.empty() ? 0 : recorded.front().line)
                                .arg(known_hosts_file_));
    }
    command_->setVisible(!first.command.isEmpty());
    command_text_->setText(first.command);
    QStringList more;
    for (int i = 1; i < all.size(); ++i)
        more << tr("%1. %2").arg(all[i].title, all[i].text);
    more_->setText(more.join(QLatin1Char('\n')));
    more_->setVisible(!more.isEmpty());
    transcript_->setVisible(row.answer && !row.answer->result.transcript.empty());
    primary_->setText(state_ == HostState::NewKey ? tr("Show the key…")
                      : blocked                   ? tr("Keep blocked")
                      : !row.unusable.isEmpty()   ? tr("Settings…")
                                                  : tr("Try again"));
    picture_->setIcon(error_ ? QStringLiteral("error") : QStringLiteral("warn"), error_ ? Token::Error : Token::Warn);
    setAccessibleName(title_->text());
    setAccessibleDescription(text_->text());
    update();
}

QString HostProblemPanel::report() const {
    QStringList lines{title_->text(), text_->text()};
    if (keys_->isVisibleTo(this))
        for (int i = 0; i + 1 < key_lines_->count(); i += 2)
            lines << qobject_cast<QLabel*>(key_lines_->itemAt(i)->widget())->text() + QStringLiteral(": ") +
                         qobject_cast<QLabel*>(key_lines_->itemAt(i + 1)->widget())->text();
    for (const QLabel* label : {after_, command_text_, more_})
        if (label->isVisibleTo(this) && !label->text().isEmpty())
            lines << label->text();
    return lines.join(QLatin1Char('\n'));
}

void HostProblemPanel::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    draw_box(painter, rect(), 8, theme.color(Token::BgPanel), theme.color(error_ ? Token::Error : Token::Warn));
}

}  // namespace trainyard::desktop
