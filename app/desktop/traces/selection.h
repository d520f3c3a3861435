// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Summarizes a range of a trace as tables. Computed in another thread.

#include <array>

#include <QString>
#include <QVector>

#include "desktop/traces/opened_trace.h"
#include "observe/traces/summary.h"
#include "widgets/job.h"

namespace trainyard::desktop {

enum class TraceTable { Kernels, Operations, Calls, Slices, Flame, Compared };
inline constexpr int kSelectionTables = 4;  ///< the flame graph shows the calls

struct TraceRow {
    QString name, category, family, track;
    int color = 0;
    int depth = 0;  ///< nesting depth of a call
    std::uint64_t count = 0;
    std::int64_t total = 0, self = 0;  ///< ns; of a slice: its duration
    std::int64_t begin = 0;            ///< ns from the start of the trace, of a slice
    double share = 0;                  ///< of kernels: of the table; else of the steps in the range
    int group = -1;                    ///< of a slice
    std::uint32_t slice = 0;
    double before = 0, after = 0;  ///< ns per step, of two traces compared
    double count_before = 0, count_after = 0;
};

struct TraceSelection {
    widgets::TimeSpan range;
    int group = -1;  ///< -1: all ranks
    bool whole = false;
    std::array<QVector<TraceRow>, kSelectionTables> tables;
    std::uint64_t slices = 0;  ///< in the range; the table lists the longest
    traces::Share share;       ///< sum over the ranks
    traces::Share usual;       ///< of all steps of these ranks; total 0: the trace has no steps
    std::vector<traces::Wait> waits;
    /// Means over the pipeline steps within the range; -1: no such steps.
    double measured_bubble = -1, planned_bubble = -1;
};

inline constexpr std::size_t kMostSliceRows = 10'000;

TraceSelection selectionOf(const OpenedTrace& trace, const widgets::TimeSpan& range, int group,
                           const widgets::Cancelled& cancelled);
/// The slices in a range that have the name of a row, by time.
std::vector<traces::SearchHit> slicesOfRow(const OpenedTrace& trace, const TraceRow& row,
                                           const widgets::TimeSpan& range, int group);
/// Compares two ranks in a range of the common clock.
traces::TraceComparison compareRanks(const OpenedTrace& trace, int before, int after, const widgets::TimeSpan& range);
/// Rows of a comparison, the largest difference first.
QVector<TraceRow> comparedRows(const traces::TraceComparison& comparison);

}  // namespace trainyard::desktop
