// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Summary of a run for the list, the rail and the notifications: a value that the scanner's thread creates from
// state.json, labels.json, run.yaml and the metrics and passes to the GUI thread.

#include <cstdint>
#include <memory>
#include <optional>

#include <QMetaType>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include "desktop/runs/run_details.h"
#include "run/run_labels.h"
#include "widgets/cell.h"

namespace trainyard::desktop {

enum class RunPhase {
    Queued,
    Preparing,
    Starting,
    Running,
    Paused,
    Stalled,      ///< no step for five times as long as one takes
    Unreachable,  ///< copy of a run whose host is silent; shows the last known state
    Stopping,
    Finished,
    Stopped,
    Abandoned,  ///< queued, but the process that waited for its turn has ended
    Imported,   ///< logs of another program
    Missing,    ///< a folder that was opened or watched and is not there now
    Failed,
    Lost,
    Unreadable,
};

struct RunSummary {
    QString id;  ///< name of its folder; its path where two folders have the same name
    QString path;
    QString name;     ///< shown name: the user's, else the run's own
    QString ownName;  ///< the recipe's
    QStringList tags;
    QString note;
    bool archived = false;
    bool baseline = false;
    int color = 0;  ///< chosen by the user; 0: by its number
    RunPhase phase = RunPhase::Preparing;
    std::int64_t step = 0;
    std::int64_t of = 0;
    std::optional<double> loss;
    std::optional<double> validationLoss;
    std::optional<double> tokensPerSecond;
    std::optional<double> eta;  ///< seconds left
    double created = 0;         ///< wall seconds
    double started = 0;
    std::optional<double> ended;
    double idle = 0;       ///< seconds of pauses and restarts, without the current one
    double idleSince = 0;  ///< wall seconds; 0: not paused or restarting
    double heartbeat = 0;
    int ranks = 0;
    int gpus = 0;
    int queuePlace = 0;                         ///< from 1; 0: not in a machine's queue
    QString queue;                              ///< whose queue that is: runs move within it
    int ranksLeft = 0;                          ///< that have not ended
    QStringList hosts;                          ///< "this machine" for this one
    QString message;                            ///< the supervisor's sentence
    QString failure;                            ///< first failure, or why the run cannot be read
    QString failureDetails;                     ///< who failed first, and the last line it printed
    QString metricsProblem;                     ///< what of the curves of a run that is over cannot be read
    QVector<QPointF> spark;                     ///< train loss, x 0..1 of all steps
    int order = 1;                              ///< from 1, as runs were made; stays with a run
    int number = 1;                             ///< of its colour: the chosen one, else `order`
    std::shared_ptr<const RunConfig> config;    ///< null: not read, or not readable
    std::shared_ptr<const RunMetrics> metrics;  ///< null: not read yet

    /// Whether labels may be written and the run can be started again.
    bool isOurs() const { return phase != RunPhase::Imported && phase != RunPhase::Missing; }
    /// Whether the run is another program, which has no recipe.
    bool isOfProgram() const;
    bool isLive() const { return phase <= RunPhase::Stopping; }
    bool hasFailed() const { return phase >= RunPhase::Failed; }
    double share() const { return of > 0 ? static_cast<double>(step) / static_cast<double>(of) : 0; }
    /// Seconds from the start of the ranks to the end, or to now, without pauses and restarts (run::active_seconds());
    /// nothing before they started.
    std::optional<double> duration(double now) const;
    run::Labels labels() const;
    void setLabels(const run::Labels& labels);
    bool operator==(const RunSummary&) const = default;
};

using RunSummaries = QVector<RunSummary>;

QString phaseWord(RunPhase phase);
/// The word that `state:` of the filter compares with, not translated.
QString phaseKey(RunPhase phase);
widgets::Chip phaseChip(RunPhase phase);

}  // namespace trainyard::desktop

Q_DECLARE_METATYPE(trainyard::desktop::RunSummary)
