// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One checkpoint and its answer, shown while it is generated.

#include <QFrame>

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
    PromptProcess* process() const { return process_; }
    bool isBusy() const { return process_->state() != PromptProcess::State::Idle; }
    QString answer() const;  ///< the prompt followed by the generated text
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
};

}  // namespace trainyard::desktop
