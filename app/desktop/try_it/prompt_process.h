// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model in a separate process (trainyard-worker generate, or predict for one with classes) that answers prompts or
// samples. The first one loads it, and it stays loaded for the next ones; another model is another process. Nothing
// here blocks: output is reported by signals, and generation can be stopped at any time.

#include <QJsonObject>
#include <QObject>
#include <QProcess>

namespace trainyard::desktop {

class PromptProcess : public QObject {
    Q_OBJECT
  public:
    enum class State { Idle, Loading, Writing };
    enum class Use { Text, Classes };

    struct Model {
        QString folder;
        qint64 parameters = 0;
        qint64 context = 0;   ///< tokens
        QStringList classes;  ///< names in the order of their numbers
    };
    struct Answer {
        qint64 tokens = 0;
        double seconds = 0;
        QString end;  ///< length, end_token, context, stopped
    };

    explicit PromptProcess(QObject* parent = nullptr);
    ~PromptProcess() override;

    State state() const { return state_; }
    /// Sends a prompt. `model`: a checkpoint, an adapter or a transformers model folder. `request`: prompt and options,
    /// with the names of inference/generate/sampling.h, or a sample of worker/answer_samples.h. Must not be called
    /// while another prompt is being answered.
    void ask(const QString& model, const QJsonObject& request, int threads = 0, Use use = Use::Text);
    /// Stops generating; the text so far is kept. If the model is still being loaded, loading is cancelled.
    void stop();
    /// Ends the process to free the model's memory.
    void release();

  signals:
    void stateChanged();
    void loaded(const PromptProcess::Model& model);
    void textAdded(const QString& text);
    void finished(const PromptProcess::Answer& answer);
    /// Of a sample: the event of worker/answer_samples.h.
    void predicted(const QJsonObject& prediction);
    /// Reports an error in one sentence. The process has ended, or is ready for the next prompt.
    void failed(const QString& sentence);

  private:
    void start(int threads);
    void read();
    void take(const QJsonObject& event);
    void ended();
    void setState(State state);

    QProcess* process_ = nullptr;
    QString model_;
    Use use_ = Use::Text;
    QJsonObject waiting_;  ///< the prompt that waits for the model
    QByteArray line_;      ///< an incomplete line of output
    State state_ = State::Idle;
    bool failure_reported_ = false;  ///< failed() was already emitted for this process
};

}  // namespace trainyard::desktop
