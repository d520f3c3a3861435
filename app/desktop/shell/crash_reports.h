// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reports of crashes of this program: the signal handler of base/failure_trace.h writes one, and the next start offers
// it. They stay on this computer, in $XDG_STATE_HOME/trainyard/crashes, until the user saves or copies them.

#include <optional>

#include <QDateTime>
#include <QString>

namespace trainyard::desktop {

class EngineLink;

struct CrashReport {
    QString file;
    QDateTime time;  ///< of the crash
    QString text;    ///< without folders, so that it names neither the user nor projects
};

/// Versions, system and screens as English lines for developers. Without names of files, hosts or runs.
QString program_facts();
/// From now on a crash of this process leaves a report.
void record_crashes();
/// Returns the newest report that was not offered yet. Blocks.
std::optional<CrashReport> unseen_crash();
/// Saves this report as the last one, and removes the others. Blocks.
void mark_crash_seen(const CrashReport& report);
/// What *Report a problem* offers: the facts, the engine, and the last crash if there was one. Blocks.
QString problem_report(const QString& engine_version);

}  // namespace trainyard::desktop
