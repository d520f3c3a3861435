// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One checkpoint and its answer: a text, shown while it is generated, or the classes that it finds in a sample.

#include <QFrame>
#include <QJsonArray>
#include <QTemporaryDir>

#include "desktop/try_it/prompt_process.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class PredictionView;

class AnswerPanel : public QFrame {
    Q_OBJECT
  public:
    explicit AnswerPanel(const QString& accessibleName, QWidget* parent = nullptr);

    /// Sets the checkpoints as pairs of display name and folder. The selection is kept if its checkpoint still exists.
    void setCheckpoints(const QList<std::pair<QString, QString>>& checkpoints);
    void choose(const QString& folder);
    /// The same with the name that the list shows for it.
    void chooseNamed(const QString& name, const QString& folder);
    QString chosen() const;
    QComboBox* box() const { return box_; }

    void ask(const QString& prompt, const QJsonObject& options, int threads);
    /// Sends the next message of a conversation; the first one also sends `system`, if it is not empty. The tokenizer's
    /// chat template writes what the model sees.
    void chat(const QString& message, const QString& system, const QJsonObject& options, int threads);
    /// Finds the classes of a sample (worker/answer_samples.h).
    void classify(const QJsonObject& sample, int threads);
    /// Begins a new conversation.
    void forget();
    /// Messages so far, as the model's process takes them.
    const QJsonArray& conversation() const { return conversation_; }
    PromptProcess* process() const { return process_; }
    bool isBusy() const { return process_->state() != PromptProcess::State::Idle; }
    QString answer() const;  ///< the prompt followed by the generated text, or the conversation
    QString facts() const;
    /// Task of the chosen model, by its config.json; empty: not read yet, or it cannot be read.
    const std::string& task() const { return task_; }
    /// Whether config.json is being read.
    bool isLooking() const;
    const PredictionView* prediction() const { return prediction_; }

  signals:
    void stateChanged();
    void taskChanged();

  private:
    void say(const QString& words, bool error = false);
    void tellState();
    void look();
    /// Before the first answer: where it will appear.
    void showWhatComes();
    void showPrediction(const QJsonObject& prediction);
    QString maskFile() const;

    QComboBox* box_;
    QPushButton *folder_, *hub_;
    QPlainTextEdit* text_;
    PredictionView* prediction_;
    QStackedWidget* answers_;
    widgets::ElidedLabel* facts_;
    PromptProcess* process_;
    widgets::Job *looking_, *painting_;
    std::string task_;
    QStringList classes_;
    QString image_, passage_;  ///< of the sample
    QTemporaryDir folder_of_mask_;
    qint64 context_ = 0;
    QJsonArray conversation_;
    QString reply_;          ///< that is being written
    bool chatting_ = false;  ///< the last request was a message of a conversation
};

}  // namespace trainyard::desktop
