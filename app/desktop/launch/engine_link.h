// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs the engine's command line for the desktop: `trainyard launch --detach --json RECIPE` starts a run that does not
// depend on this window. Nothing here blocks: processes are started and report by signals.

#include <functional>

#include <QObject>
#include <QProcess>
#include <QString>

namespace trainyard::desktop {

class EngineLink : public QObject {
    Q_OBJECT
  public:
    explicit EngineLink(QObject* parent = nullptr);
    /// Waits briefly for launches in progress, so that closing the window immediately does not cancel them.
    ~EngineLink() override;

    /// Looks for the program (given one, beside this program, in PATH) and asks its version; then changed().
    void locate(const QString& given = {});
    bool isReady() const { return !version_.isEmpty(); }
    QString program() const { return program_; }
    QString version() const { return version_; }
    /// Error message in the language of now, with the paths that were tried, if the program was not found.
    QString problem() const;

    /// The run's folder, or an empty path and the words of the engine.
    using Done = std::function<void(const QString& runPath, const QString& error)>;
    /// Runs `trainyard launch --detach --json` followed by these arguments: flags, then a recipe or a script with its
    /// arguments.
    void start(const QStringList& words, Done done);
    /// Runs `trainyard sweep` with these arguments, `--detach --json` and a file or folder, and returns the folder of
    /// the sweep likewise.
    void sweep(const QStringList& words, Done done);

    /// The recipe of the sample run, which comes with the engine: $TRAINYARD_SAMPLE, else in share/trainyard/samples
    /// beside the installed program, else in the source tree this program was built from. Empty: not found.
    static QString sampleRecipe();
    /// Returns the folder from `{"run_id": ..., "path": ...}`, the last line that is a JSON object; empty without such
    /// a line.
    static QString parseAnswer(const QByteArray& output);

  signals:
    void changed();

  private:
    void call(const QStringList& arguments, Done done);

    QString program_;
    QString version_;
    QStringList looked_;  ///< paths that were tried
    bool is_missing_ = false;
    bool is_silent_ = false;  ///< does not answer with its version
};

}  // namespace trainyard::desktop
