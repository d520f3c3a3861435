// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Starts runs from the window (the sample, a run again, a run from its checkpoint) and reports the outcome. Every
// run.yaml but the sample's is examined first (launch/start_look.h): it may come from elsewhere.

#include <functional>

#include <QObject>
#include <QStringList>

#include "widgets/job.h"

namespace trainyard::desktop {

class EngineLink;
struct StartLook;

class RunStarter : public QObject {
    Q_OBJECT
  public:
    explicit RunStarter(EngineLink* engine, QObject* parent = nullptr);
    void startSample();
    /// Gives a name like this one that no run has yet; empty: names stay.
    void setNamer(std::function<QString(const QString& name)> namer) { namer_ = std::move(namer); }
    /// Decides about the start of a run's folder and calls `go` if it may be: at once, after a question, or never.
    /// Without one, only what is trusted is started. `checkpoint`: of resume().
    using Gate = std::function<void(const StartLook& look, const QString& checkpoint, std::function<void()> go)>;
    void setGate(Gate gate) { gate_ = std::move(gate); }
    /// `name`: of the run that is started again; empty: the file is a program's.
    void startFile(const QString& recipe, const QString& name = {});
    /// Starts a run that continues from a checkpoint.
    void resume(const QString& recipe, const QString& checkpoint, const QString& name = {});
    /// Starts a run that continues from the last checkpoint of a run with other values of its recipe, `key=value` each.
    void continueRun(const QString& runPath, const QStringList& settings, const QString& name = {});
    /// Calls `open`, which shows a recipe in the wizard; for one whose start is refused, after the reason.
    void openAgain(const QString& recipe, std::function<void()> open);
    /// Queues a run again, in its own folder, after the process that held its place in the queue has ended.
    void queueAgain(const QString& runPath);
    /// Why the last start of the sample failed; empty when it did not.

  signals:
    void sampleStarting();
    void sampleFailed(const QString& words);
    void starting();
    void failed(const QString& words);  ///< of others than the sample
    void started(const QString& runPath);

  private:
    void startLooked(const QString& recipe, const QString& checkpoint, std::function<QStringList()> words);
    void start(const QStringList& words);
    /// `--set name=...` where the name is another than that of the file.
    QStringList newName(const QString& name) const;

    std::function<QString(const QString&)> namer_;
    Gate gate_;
    widgets::Job look_;
    EngineLink* engine_;
};

}  // namespace trainyard::desktop
