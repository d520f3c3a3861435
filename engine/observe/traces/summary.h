// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tables of a trace in one value: what `trainyard trace summary` prints and the desktop exports; and the comparison of two.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "observe/traces/rank_set.h"
#include "observe/traces/tables.h"

namespace trainyard::traces {

struct StepShare {
    std::int64_t step = 0, rank = 0;
    std::int64_t begin = 0, end = 0;  ///< ns on the common clock
    Share share;
    std::map<std::string, std::int64_t> phases;  ///< ns, of the engine
};

struct RankSummary {
    std::int64_t rank = 0, offset = 0, correction = 0;
    std::string path;
    Share share;  ///< of all steps in the range, or of the whole range if it has no steps
    std::uint64_t slices = 0, overlapping = 0;
    std::int64_t peak_bytes = 0;  ///< largest allocation that a memory event tells
    Reading reading;
};

struct TraceSummary {
    std::vector<RankSummary> ranks;
    std::vector<StepShare> steps;     ///< by step, then rank
    std::vector<NameRow> kernels;     ///< of all ranks: work on devices
    std::vector<NameRow> operations;  ///< operators and named ranges of the host, by self time; without the steps
    std::map<std::string, NameRow> families;  ///< of the kernels; without kernels, of the operators' self time
    std::vector<CollectiveRow> collectives;
    std::vector<Wait> waits;
    Message alignment;
    std::int64_t steps_counted = 0;  ///< different steps in the range
};

/// Of a range of the common clock, or of one step. Throws UserError naming the steps there are if the step is not among them.
TraceSummary summarise(const RankSet& set, const Span& range = kWhole);
TraceSummary summarise_step(const RankSet& set, std::int64_t step);
/// Keys as in the tables; times in ns.
std::string summary_json(const TraceSummary& summary);

struct CompareRow {
    std::string category, name;
    double before = 0, after = 0;  ///< ns per step (of the whole trace where it has no steps)
    double count_before = 0, count_after = 0;
    double difference() const { return after - before; }
};

struct TraceComparison {
    std::vector<CompareRow>
        rows;  ///< kernels, operators by self time, phases and collectives; the largest difference of time first
    Share before, after;                     ///< mean of a step and rank
    double step_before = 0, step_after = 0;  ///< ns
    std::int64_t steps_before = 0, steps_after = 0;
};
TraceComparison compare(const TraceSummary& before, const TraceSummary& after);
std::string comparison_json(const TraceComparison& comparison);

}  // namespace trainyard::traces
