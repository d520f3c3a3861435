#pragma once
// The engine's command line as the desktop uses it: `trainyard launch --detach --json RECIPE` starts a run that belongs to
// its folder, not to this window. Nothing here blocks: processes are started and answer by signals.

#include <functional>

#include <QObject>
#include <QProcess>
#include <QString>

namespace trainyard::desktop {

class EngineLink : public QObject {
    Q_OBJECT
  public:
    explicit EngineLink(QObject* parent = nullptr);
    /// Waits a moment for launches in progress, so that closing the window at once does not undo the click.
    ~EngineLink() override;

    /// Looks for the program (given one, beside this program, in PATH) and asks its version; then changed().
    void locate(const QString& given = {});
    bool isReady() const { return !version_.isEmpty(); }
    QString program() const { return program_; }
    QString version() const { return version_; }
    /// When it is not ready: one sentence with the files looked for.
    QString problem() const { return problem_; }

    /// The run's folder, or an empty path and the words of the engine.
    using Done = std::function<void(const QString& runPath, const QString& error)>;
    /// `trainyard launch --detach --json` with these words behind it: flags, then recipe or script with its arguments.
    void start(const QStringList& words, Done done);

    /// The folder out of `{"run_id": ..., "path": ...}` on the last line that is an object; empty when there is none.
    static QString parseAnswer(const QByteArray& output);

  signals:
    void changed();

  private:
    QString program_;
    QString version_;
    QString problem_;
};

}  // namespace trainyard::desktop
