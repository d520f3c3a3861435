// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A part of a trace as a trace of its own, which the reader here, Perfetto and chrome://tracing open.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "observe/traces/rank_set.h"
#include "observe/traces/tables.h"

namespace trainyard::traces {

struct Excerpt {
    std::filesystem::path file;
    std::uint64_t slices = 0, arrows = 0, samples = 0;  ///< samples: of counters
};

/// Writes every slice that has a part in `range` (of the common clock), whole and with its arguments; arrows between
/// two of them; samples of counters; names of processes and threads; what the trace says of its rank and its clock. A
/// slice of a begin and an end becomes one event with a duration. `rank`: index in the set; without it, all ranks, each
/// in a file of its own: `<name>-rank-<n>.json`. A file is written whole or not at all. `progress` gets the share that
/// is done, 0 to 1; false ends the writing, and no file is left of what was not complete. Throws UserError: nothing in
/// the range, a trace that has changed or gone since it was read (arguments are read from the file), a file that cannot
/// be written.
std::vector<Excerpt> write_excerpt(const RankSet& set, const Span& range, std::optional<std::size_t> rank,
                                   const std::filesystem::path& file,
                                   const std::function<bool(double share)>& progress = {});

}  // namespace trainyard::traces
