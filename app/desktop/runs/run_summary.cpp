#include "desktop/runs/run_summary.h"

#include <QCoreApplication>

namespace trainyard::desktop {

using widgets::Token;

QString phaseWord(RunPhase phase) {
    auto tr = [](const char* text) { return QCoreApplication::translate("trainyard::desktop::RunPhase", text); };
    switch (phase) {
        case RunPhase::Preparing:
            return tr("Preparing");
        case RunPhase::Starting:
            return tr("Launching");
        case RunPhase::Running:
            return tr("Running");
        case RunPhase::Stopping:
            return tr("Stopping");
        case RunPhase::Finished:
            return tr("Finished");
        case RunPhase::Stopped:
            return tr("Stopped");
        case RunPhase::Failed:
            return tr("Failed");
        case RunPhase::Lost:
            return tr("Lost");
        case RunPhase::Unreadable:
            return tr("Unreadable");
    }
    return {};
}

QString phaseKey(RunPhase phase) {
    static constexpr const char* keys[] = {"preparing", "launching", "running", "stopping",  "finished",
                                           "stopped",   "failed",    "lost",    "unreadable"};
    return QLatin1String(keys[static_cast<int>(phase)]);
}

widgets::Chip phaseChip(RunPhase phase) {
    const QString word = phaseWord(phase);
    switch (phase) {
        case RunPhase::Preparing:
        case RunPhase::Starting:
            return {word, QStringLiteral("clock"), Token::Info};
        case RunPhase::Running:
            return {word, QStringLiteral("play"), Token::Ok};
        case RunPhase::Stopping:
        case RunPhase::Stopped:
            return {word, QStringLiteral("stop"), Token::Warn};
        case RunPhase::Finished:
            return {word, QStringLiteral("check"), Token::TextSecondary};
        case RunPhase::Failed:
            return {word, QStringLiteral("error"), Token::Error};
        case RunPhase::Lost:
        case RunPhase::Unreadable:
            return {word, QStringLiteral("warn"), Token::Error};
    }
    return {};
}

}  // namespace trainyard::desktop
