#pragma once
// What the list, the rail and the notifications need to know of a run: a value, made by the scanner's thread out of
// state.json and the metrics, handed to the GUI thread.

#include <cstdint>
#include <optional>

#include <QMetaType>
#include <QPolygonF>
#include <QString>
#include <QStringList>
#include <QVector>

#include "widgets/chip.h"

namespace trainyard::desktop {

enum class RunPhase { Preparing, Starting, Running, Stopping, Finished, Stopped, Failed, Lost, Unreadable };

struct RunSummary {
    QString id;
    QString path;
    QString name;
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
    double heartbeat = 0;
    int ranks = 0;
    QStringList hosts;  ///< "this machine" for this one
    QString message;    ///< the supervisor's sentence
    QString failure;    ///< first failure, or why the run cannot be read
    QPolygonF spark;    ///< train loss, x 0..1 of all steps
    int number = 1;     ///< of its colour, from 1 in the order in which the runs were made

    bool isLive() const { return phase <= RunPhase::Stopping; }
    bool hasFailed() const { return phase >= RunPhase::Failed; }
    double share() const { return of > 0 ? static_cast<double>(step) / static_cast<double>(of) : 0; }
    bool operator==(const RunSummary&) const = default;
};

using RunSummaries = QVector<RunSummary>;

QString phaseWord(RunPhase phase);
/// The word that `state:` of the filter compares with, not translated.
QString phaseKey(RunPhase phase);
widgets::Chip phaseChip(RunPhase phase);

}  // namespace trainyard::desktop

Q_DECLARE_METATYPE(trainyard::desktop::RunSummary)
