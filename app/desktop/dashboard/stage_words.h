// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The stage of a run in words, and times as the dashboard writes them.

#include <QCoreApplication>
#include <QString>

#include "desktop/dashboard/run_record.h"
#include "widgets/cell.h"

namespace trainyard::desktop {

/// `Running`; while stopping how far: `Stopping, 1 of 2 ranks ended`.
widgets::Chip stage_chip(const RunRecord& run);
/// `2 ranks · CPU · fp32 · 0.83 M parameters · started 5 min ago · resumed from checkpoint_300`
QString facts_line(const RunRecord& run, double now);
/// Texts for words of the engine; a word that is not in the table is returned unchanged.
using WordTable = std::initializer_list<std::pair<std::string_view, QString>>;
QString word_in(const WordTable& words, const std::string& key);
/// Returns the text for a rank's state in state.json; an unknown word is returned unchanged.
QString rank_state_word(const std::string& state);
/// Returns the text for the current phase of a rank; an unknown word is returned unchanged.
QString phase_word(const std::string& phase);
/// Returns a running time in whole seconds: `3 s`, `34 s`, `8 min 12 s`.
QString whole_seconds(double seconds);
/// `08:31`, with the day when it is another one.
QString clock_text(double wall, double now);
/// A stage of the start of a run, before its first step.
struct StartStage {
    QString words;
    bool done = false;
    bool current = false;
    double began = 0, ended = 0;  ///< wall seconds; 0: not known
    /// `build the model and open the data on 16 ranks  ·  12 of 16  ·  8 s`
    QString text(double now) const;
    int ranks = 0, of = 0;  ///< ranks that have reached the stage, of how many; `of` 0: not counted by rank
    Q_DECLARE_TR_FUNCTIONS(trainyard::desktop::StartStage)
};
QVector<StartStage> start_stages(const RunRecord& run);
/// Longest time a heartbeat may be old before the page says so, in seconds.
inline constexpr double kStaleHeartbeat = 6;

}  // namespace trainyard::desktop
