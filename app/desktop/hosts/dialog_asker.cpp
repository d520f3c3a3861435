// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/dialog_asker.h"

#include <algorithm>
#include <utility>

#include <QCheckBox>
#include <QLineEdit>
#include <QThread>

#include "desktop/shell/ui.h"
#include "widgets/dialogs.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

SecretDialog::SecretDialog(const remote::SecretQuestion& question, QWidget* parent)
    : QDialog(parent), field_(new QLineEdit), remember_(new QCheckBox(tr("Save it in the key ring"))) {
    const QString host = qt(question.host);
    const QString subject = qt(question.subject);
    QString title, words;
    switch (question.kind) {
        case remote::SecretQuestion::Kind::passphrase:
            title = tr("Passphrase of a key");
            words = tr("%1 opens %2 and is locked by a passphrase.").arg(subject, host);
            break;
        case remote::SecretQuestion::Kind::password:
            title = tr("Password for %1").arg(host);
            words = tr("The account %1 on %2 asks for its password.").arg(qt(question.user), host);
            break;
        case remote::SecretQuestion::Kind::challenge:
            title = tr("%1 asks").arg(host);
            words = subject;
            break;
    }
    setWindowTitle(title);
    setMinimumWidth(420_px);
    auto* text = wrapped(make_note(words));
    // The text comes from a server: show it without formatting.
    text->setTextFormat(Qt::PlainText);
    auto* layout = make_column(10, {make_title(title, 16), text});
    setLayout(layout);
    if (!question.note.empty()) {
        auto* note = wrapped(make_mono_label(qt(question.note), 12, Tone::Secondary));
        note->setTextFormat(Qt::PlainText);
        layout->addWidget(note);
    }
    // Reserve memory for the whole secret: a text that is reallocated leaves a copy that is not overwritten.
    if (!question.echo) {
        QString room(512, QLatin1Char(' '));
        room.reserve(1024);
        field_->setText(room);
        room = QString();
        field_->clear();
    }
    field_->setEchoMode(question.echo ? QLineEdit::Normal : QLineEdit::Password);
    field_->setAccessibleName(title);
    layout->addWidget(field_);
    if (question.attempt > 1) {
        auto* wrong = make_note(tr("Wrong password. Try again."), Tone::Error);
        layout->addWidget(wrong);
        set_invalid(field_, true);
        connect(field_, &QLineEdit::textEdited, wrong, [this, wrong] {
            wrong->hide();
            set_invalid(field_, false);
        });
    }
    remember_->setVisible(question.can_remember);
    layout->addWidget(remember_);
    widgets::add_dialog_buttons(this, tr("Log in"));
    field_->setFocus();
}

SecretDialog::~SecretDialog() {
    // text() shares the field's own memory, which is overwritten before it is freed.
    const QString typed = field_->text();
    remote::wipe(const_cast<QChar*>(typed.constData()), static_cast<std::size_t>(typed.size()) * sizeof(QChar));
    field_->clear();
}

remote::SecretAnswer SecretDialog::answer() const {
    QByteArray bytes = field_->text().toUtf8();
    remote::SecretAnswer answer{
        remote::Secret(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))),
        remember_->isVisibleTo(this) && remember_->isChecked()};
    remote::wipe(bytes.data(), static_cast<std::size_t>(bytes.size()));
    return answer;
}

DialogAsker::DialogAsker(QWidget* window) : window_(window) {}

std::shared_ptr<DialogAsker> DialogAsker::make(QWidget* window) {
    return {new DialogAsker(window), [](DialogAsker* asker) {
                if (asker->thread() == QThread::currentThread())
                    delete asker;
                else
                    asker->deleteLater();
            }};
}

DialogAsker::~DialogAsker() {
    close();
}

std::optional<remote::SecretAnswer> DialogAsker::ask(const remote::SecretQuestion& question) {
    auto asked = std::make_shared<Asked>();
    asked->question = question;
    std::unique_lock lock(mutex_);
    if (closed_)
        return std::nullopt;
    waiting_.push_back(asked);
    QMetaObject::invokeMethod(this, &DialogAsker::showNext, Qt::QueuedConnection);
    answered_.wait(lock, [&] { return asked->done; });
    return std::move(asked->answer);
}

void DialogAsker::say(const std::string& host, const Message& line) {
    QMetaObject::invokeMethod(
        this, [this, host = qt(host), line = qtSentence(line)] { emit said(host, line); }, Qt::QueuedConnection);
}

void DialogAsker::finish(const std::shared_ptr<Asked>& asked, std::optional<remote::SecretAnswer> answer) {
    {
        const std::lock_guard lock(mutex_);
        if (asked->done)
            return;
        asked->answer = std::move(answer);
        asked->done = true;
    }
    answered_.notify_all();
}

void DialogAsker::showNext() {
    std::shared_ptr<Asked> next;
    {
        const std::lock_guard lock(mutex_);
        if (closed_ || shown_ || waiting_.empty())
            return;
        next = waiting_.front();
        waiting_.pop_front();
        shown_ = next;
    }
    dialog_ = new SecretDialog(next->question, window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog_, &QDialog::finished, this, [this, next, dialog = dialog_.data()](int result) {
        std::optional<remote::SecretAnswer> answer;
        if (result == QDialog::Accepted)
            answer = dialog->answer();
        finish(next, std::move(answer));
        {
            const std::lock_guard lock(mutex_);
            shown_.reset();
        }
        showNext();
    });
    dialog_->open();
}

void DialogAsker::dismiss(const QString& host) {
    std::vector<std::shared_ptr<Asked>> gone;
    bool open = false;
    {
        const std::lock_guard lock(mutex_);
        const std::string name = host.toStdString();
        const auto first =
            std::ranges::stable_partition(waiting_, [&](const auto& asked) { return asked->question.host != name; });
        gone.assign(first.begin(), first.end());
        waiting_.erase(first.begin(), first.end());
        open = shown_ && shown_->question.host == name;
    }
    for (const auto& asked : gone)
        finish(asked, std::nullopt);
    if (open && dialog_ != nullptr)
        dialog_->reject();
}

void DialogAsker::close() {
    std::deque<std::shared_ptr<Asked>> gone;
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        gone.swap(waiting_);
        if (shown_)
            gone.push_back(shown_);
    }
    for (const auto& asked : gone)
        finish(asked, std::nullopt);
    delete dialog_.data();
}

}  // namespace trainyard::desktop
