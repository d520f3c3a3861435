// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_summary.h"

#include <algorithm>

#include "base/printable.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"

namespace trainyard::desktop {

using widgets::Token;

std::optional<double> RunSummary::duration(double now) const {
    if (started <= 0)
        return std::nullopt;
    const double end = ended.value_or(idleSince > 0 ? idleSince : isLive() ? now : std::max(heartbeat, started));
    return std::max(0.0, end - started - idle);
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
    name = labels.name.empty() ? ownName : qt(text::printable(labels.name));
    tags.clear();
    for (const std::string& tag : labels.tags)
        tags << qt(text::printable(tag));
    note = qt(labels.note);
    archived = labels.archived;
    baseline = labels.baseline;
    color = labels.color;
    number = color > 0 ? color : order;
}

namespace {
struct PhaseLook {
    const char* word;
    const char* key;
    const char* icon;
    Token color;
};
/// In the order of RunPhase.
constexpr PhaseLook kPhases[] = {
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Queued"), "queued", "pause", Token::Info},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Preparing"), "preparing", "clock", Token::Info},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Launching"), "launching", "clock", Token::Info},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Running"), "running", "play", Token::Ok},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Paused"), "paused", "pause", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Stalled"), "stalled", "warn", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Unreachable"), "unreachable", "warn", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Stopping"), "stopping", "stop", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Finished"), "finished", "check", Token::TextSecondary},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Stopped"), "stopped", "stop", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Queued, but its process has ended"), "abandoned", "warn", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Imported"), "imported", "file", Token::TextSecondary},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Missing"), "missing", "folder", Token::TextMuted},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Failed"), "failed", "error", Token::Error},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Lost"), "lost", "warn", Token::Error},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Unreadable"), "unreadable", "warn", Token::Error},
};
const PhaseLook& phase_look(RunPhase phase) {
    return kPhases[static_cast<std::size_t>(phase)];
}
}  // namespace

QString phaseWord(RunPhase phase) {
    return tr(phase_look(phase).word);
}

QString phaseKey(RunPhase phase) {
    return QLatin1String(phase_look(phase).key);
}

widgets::Chip phaseChip(RunPhase phase) {
    return {phaseWord(phase), QLatin1String(phase_look(phase).icon), phase_look(phase).color};
}

}  // namespace trainyard::desktop
