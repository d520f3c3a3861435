#pragma once
// Starting of runs from the window: the sample, a run again, a run that goes on. Says what became of it.

#include <QObject>
#include <QStringList>

namespace trainyard::desktop {

class EngineLink;

class RunStarter : public QObject {
    Q_OBJECT
  public:
    explicit RunStarter(EngineLink* engine, QObject* parent = nullptr);
    void startSample();
    void startFile(const QString& recipe);
    /// On from a checkpoint.
    void resume(const QString& recipe, const QString& checkpoint);
    /// A run whose place in the queue was lost with whoever waited for it: it waits again, in its own folder.
    void queueAgain(const QString& runPath);
    /// Why the last start of the sample failed; empty when it did not.
    QString sampleError() const { return sample_error_; }

  signals:
    void sampleStarting();
    void sampleFailed(const QString& words);
    void starting();
    void failed(const QString& words);  ///< of others than the sample
    void started(const QString& runPath);

  private:
    void start(const QStringList& words);
    EngineLink* engine_;
    QString sample_error_;
};

}  // namespace trainyard::desktop
