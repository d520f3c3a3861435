#include "desktop/runs/run_summary.h"

#include <algorithm>

#include "desktop/qt_text.h"
#include "desktop/translate.h"

namespace trainyard::desktop {

using widgets::Token;

std::optional<double> RunSummary::duration(double now) const {
    if (started <= 0)
        return std::nullopt;
    return std::max(0.0, ended.value_or(isLive() ? now : std::max(heartbeat, started)) - started);
}

bool RunSummary::isOfProgram() const {
    return config && std::any_of(config->entries().begin(), config->entries().end(), [](const ConfigEntry& entry) {
               return entry.key.startsWith(QLatin1String("program"));
           });
}

run::Labels RunSummary::labels() const {
    run::Labels labels;
    labels.name = name == ownName ? std::string() : name.toStdString();
    for (const QString& tag : tags)
        labels.tags.push_back(tag.toStdString());
    labels.note = note.toStdString();
    labels.archived = archived;
    labels.baseline = baseline;
    labels.color = color;
    return labels;
}

void RunSummary::setLabels(const run::Labels& labels) {
    name = labels.name.empty() ? ownName : qt(labels.name);
    tags.clear();
    for (const std::string& tag : labels.tags)
        tags << qt(tag);
    note = qt(labels.note);
    archived = labels.archived;
    baseline = labels.baseline;
    color = labels.color;
    number = color > 0 ? color : order;
}

QString phaseWord(RunPhase phase) {
    switch (phase) {
        case RunPhase::Queued:
            return tr("Queued");
        case RunPhase::Preparing:
            return tr("Preparing");
        case RunPhase::Starting:
            return tr("Launching");
        case RunPhase::Running:
            return tr("Running");
        case RunPhase::Paused:
            return tr("Paused");
        case RunPhase::Stalled:
            return tr("Stalled");
        case RunPhase::Unreachable:
            return tr("Unreachable");
        case RunPhase::Stopping:
            return tr("Stopping");
        case RunPhase::Finished:
            return tr("Finished");
        case RunPhase::Stopped:
            return tr("Stopped");
        case RunPhase::Abandoned:
            return tr("Queued, no process waits");
        case RunPhase::Imported:
            return tr("Imported");
        case RunPhase::Missing:
            return tr("Missing");
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
    static constexpr const char* keys[] = {
        "queued",   "preparing", "launching", "running",  "paused",  "stalled", "unreachable", "stopping",
        "finished", "stopped",   "abandoned", "imported", "missing", "failed",  "lost",        "unreadable"};
    return QLatin1String(keys[static_cast<int>(phase)]);
}

widgets::Chip phaseChip(RunPhase phase) {
    const QString word = phaseWord(phase);
    switch (phase) {
        case RunPhase::Queued:
            return {word, QStringLiteral("pause"), Token::Info};
        case RunPhase::Preparing:
        case RunPhase::Starting:
            return {word, QStringLiteral("clock"), Token::Info};
        case RunPhase::Running:
            return {word, QStringLiteral("play"), Token::Ok};
        case RunPhase::Paused:
            return {word, QStringLiteral("pause"), Token::Warn};
        case RunPhase::Stalled:
        case RunPhase::Unreachable:
            return {word, QStringLiteral("warn"), Token::Warn};
        case RunPhase::Stopping:
        case RunPhase::Stopped:
            return {word, QStringLiteral("stop"), Token::Warn};
        case RunPhase::Abandoned:
            return {word, QStringLiteral("warn"), Token::Warn};
        case RunPhase::Finished:
            return {word, QStringLiteral("check"), Token::TextSecondary};
        case RunPhase::Imported:
            return {word, QStringLiteral("file"), Token::TextSecondary};
        case RunPhase::Missing:
            return {word, QStringLiteral("folder"), Token::TextMuted};
        case RunPhase::Failed:
            return {word, QStringLiteral("error"), Token::Error};
        case RunPhase::Lost:
        case RunPhase::Unreadable:
            return {word, QStringLiteral("warn"), Token::Error};
    }
    return {};
}

}  // namespace trainyard::desktop
