// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The messages at the top of New run: what happened, and a question with one answer.

#include <functional>

#include <QObject>

#include "widgets/forward.h"
#include "widgets/inline_message.h"

namespace trainyard::desktop {

class WizardMessages : public QObject {
    Q_OBJECT
  public:
    explicit WizardMessages(QWidget* page);
    void say(widgets::InlineMessage::Kind kind, const QString& title, const QString& words = {},
             const QString& details = {});
    /// Calls `then` once the user has pressed the button with the words `verb`.
    void ask(const QString& title, const QString& words, const QString& verb, std::function<void()> then);

    widgets::InlineMessage* message() const { return message_; }
    widgets::InlineMessage* question() const { return question_; }
    QPushButton* answerButton() const { return answer_; }

  private:
    widgets::InlineMessage *message_, *question_;
    QPushButton* answer_;
    std::function<void()> asked_;
};

}  // namespace trainyard::desktop
