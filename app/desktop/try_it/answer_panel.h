// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One checkpoint and its answer, shown while it is generated.

#include <QFrame>
#include <QJsonArray>

#include "desktop/try_it/prompt_process.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class AnswerPanel : public QFrame {
    Q_OBJECT
  public:
    explicit AnswerPanel(const QString& accessibleName, QWidget* parent = nullptr);

    /// Sets the checkpoints as pairs of display name and folder. The selection is kept if its checkpoint still exists.
    void setCheckpoints(const QList<std::pair<QString, QString>>& checkpoints);
    void choose(const QString& folder);
    QString chosen() const;
    QComboBox* box() const { return box_; }

    void ask(const QString& prompt, const QJsonObject& options, int threads);
    /// Sends the next message of a conversation; the first one also sends `system`, if it is not empty. The tokenizer's
    /// chat template writes what the model sees.
    void chat(const QString& message, const QString& system, const QJsonObject& options, int threads);
    /// Begins a new conversation.
    void forget();
    /// Messages so far, as the model's process takes them.
    const QJsonArray& conversation() const { return conversation_; }
    PromptProcess* process() const { return process_; }
    bool isBusy() const { return process_->state() != PromptProcess::State::Idle; }
    QString answer() const;  ///< the prompt followed by the generated text, or the conversation
    QString facts() const;

  signals:
    void stateChanged();

  private:
    void say(const QString& words, bool error = false);
    void tellState();

    QComboBox* box_;
    QPushButton* folder_;
    QPlainTextEdit* text_;
    widgets::ElidedLabel* facts_;
    PromptProcess* process_;
    qint64 context_ = 0;
    QJsonArray conversation_;
    QString reply_;          ///< that is being written
    bool chatting_ = false;  ///< the last request was a message of a conversation
};

}  // namespace trainyard::desktop
