// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/wizard_messages.h"

#include <utility>

#include <QPushButton>

namespace trainyard::desktop {

using widgets::InlineMessage;

WizardMessages::WizardMessages(QWidget* page)
    : QObject(page),
      message_(new InlineMessage(page)),
      question_(new InlineMessage(page)),
      answer_(question_->addAction({})) {
    connect(answer_, &QPushButton::clicked, this, [this] {
        question_->dismiss();
        if (const auto then = std::exchange(asked_, {}))
            then();
    });
}

void WizardMessages::say(InlineMessage::Kind kind, const QString& title, const QString& words, const QString& details) {
    message_->showMessage(kind, title, words, details);
}

void WizardMessages::ask(const QString& title, const QString& words, const QString& verb, std::function<void()> then) {
    asked_ = std::move(then);
    answer_->setText(verb);
    question_->showMessage(InlineMessage::Kind::Note, title, words);
}

}  // namespace trainyard::desktop
