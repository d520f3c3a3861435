#pragma once
// A model in a process of its own (trainyard-worker generate), which answers prompts. It is loaded by the first prompt and kept for the next ones;
// another model is another process. Nothing here blocks: what the process writes comes by signals, and a text can be ended at any time.

#include <QJsonObject>
#include <QObject>
#include <QProcess>

namespace trainyard::desktop {

class PromptProcess : public QObject {
    Q_OBJECT
  public:
    enum class State { Idle, Loading, Writing };

    struct Model {
        QString folder;
        qint64 parameters = 0;
        qint64 context = 0;  ///< tokens
    };
    struct Answer {
        qint64 tokens = 0;
        double seconds = 0;
        QString end;  ///< length, end_token, context, stopped
    };

    explicit PromptProcess(QObject* parent = nullptr);
    ~PromptProcess() override;

    State state() const { return state_; }
    /// `model`: a checkpoint, an adapter, a folder of transformers. `request`: prompt and options, with the names of inference/generate/sampling.h. Not while
    /// another prompt is answered.
    void ask(const QString& model, const QJsonObject& request, int threads = 0);
    /// Ends the text that is being written; what came so far stays. A model that is still being loaded is given up.
    void stop();
    /// Ends the process: the model's memory is free again.
    void release();

  signals:
    void stateChanged();
    void loaded(const PromptProcess::Model& model);
    void textAdded(const QString& text);
    void finished(const PromptProcess::Answer& answer);
    /// One sentence; the process has ended, or goes on with the next prompt.
    void failed(const QString& sentence);

  private:
    void start(const QString& model, int threads);
    void read();
    void take(const QJsonObject& event);
    void ended();
    void setState(State state);

    QProcess* process_ = nullptr;
    QString model_;
    QJsonObject waiting_;  ///< the prompt that waits for the model
    QByteArray line_;      ///< the beginning of one
    State state_ = State::Idle;
    bool told_ = false;  ///< failed() was said of this process already
};

}  // namespace trainyard::desktop
