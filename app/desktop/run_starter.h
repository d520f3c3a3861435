#pragma once
// Starting of runs from the window: the sample, a run again, a run that goes on. Says what became of it.

#include <functional>

#include <QObject>
#include <QStringList>

namespace trainyard::desktop {

class EngineLink;

class RunStarter : public QObject {
    Q_OBJECT
  public:
    explicit RunStarter(EngineLink* engine, QObject* parent = nullptr);
    void startSample();
    /// Gives a name like this one that no run has yet; empty: names stay.
    void setNamer(std::function<QString(const QString& name)> namer) { namer_ = std::move(namer); }
    /// `name`: of the run that is started again; empty: the file is a program's.
    void startFile(const QString& recipe, const QString& name = {});
    /// On from a checkpoint.
    void resume(const QString& recipe, const QString& checkpoint, const QString& name = {});
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
    /// `--set name=...` where the name is another than that of the file.
    QStringList newName(const QString& name) const;

    std::function<QString(const QString&)> namer_;
    EngineLink* engine_;
    QString sample_error_;
};

}  // namespace trainyard::desktop
