// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What traces are called on the page: families, colours, facts and remarks of what was read.

#include <QString>
#include <QStringList>

#include "observe/traces/rank_set.h"
#include "observe/traces/roles.h"

namespace trainyard::desktop {

QString familyWords(traces::Family family);
/// A run colour from 1; 0: neutral.
int familyColor(traces::Family family);
/// `rank 3`
QString rankWords(std::int64_t rank);
/// The name of a thread, which the profiled program gave, or its number; of a device's stream its number.
QString trackWords(const traces::Track& track);
/// The device or process whose memory a counter measures.
QString memoryWords(const traces::MemoryCounter& counter);
/// `steps 100-109 · 2 ranks · 12,345 slices, all placed · 612 MB read in 0.7 s`
QString traceFacts(const traces::RankSet& set);
/// Of one rank: slices, overlapping ones, what could not be placed, how its clock was moved.
QString rankFacts(const traces::RankTrace& rank);
/// Where files end early or are damaged, and what could not be placed; a sentence each. Empty: all is well.
QStringList traceProblems(const traces::RankSet& set);

}  // namespace trainyard::desktop
