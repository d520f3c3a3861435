// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The traces of several ranks on one clock, the collectives they took part in together, and which rank the others waited for.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "observe/traces/shares.h"
#include "observe/traces/trace.h"

namespace trainyard::traces {

struct CollectiveCall {
    std::string key;  ///< operation and group: equal on all ranks that take part
    std::string operation, group;
    std::uint64_t number = 0;  ///< of the call: written by the profiler, else counted within the trace
    std::uint32_t slice = 0;
    std::int64_t begin = 0, end = 0;  ///< ns, of the trace's own clock
    std::uint64_t bytes = 0;          ///< of this rank's input; 0: not known
    /// ns at the end of the call in which the rank waited; before that it did other work. The whole call if the trace
    /// does not say.
    std::int64_t waited = 0;
};

/// In the order of time. Reads arguments of the slices from the file.
std::vector<CollectiveCall> collective_calls(const Trace& trace);

struct CollectiveRow {
    std::string operation, group;
    std::uint64_t count = 0, bytes = 0;
    std::int64_t total = 0;  ///< ns
};
/// By operation and group, the longest first.
std::vector<CollectiveRow> collective_table(const std::vector<CollectiveCall>& calls);

struct RankTrace {
    std::shared_ptr<const Trace> trace;
    std::int64_t rank = 0;
    std::int64_t offset = 0;      ///< ns that are added to the trace's times: the common clock
    std::int64_t correction = 0;  ///< of it what the clocks of machines differed by, from collectives
    std::vector<CollectiveCall> collectives;
};

struct Wait {
    std::int64_t rank = 0;    ///< that the others waited for
    std::int64_t waited = 0;  ///< ns of the others together
    std::uint64_t collectives = 0;
    std::int64_t longest = 0;      ///< ns, of one rank in one collective
    std::uint32_t rank_index = 0;  ///< of the set
};

struct RankSet {
    std::vector<RankTrace> ranks;   ///< by rank
    std::int64_t base_time_ns = 0;  ///< wall time of 0 of the common clock; 0: not known
    Message alignment;              ///< a sentence

    /// Range of a step on the common clock, over all ranks; empty where no rank has it.
    Span step(std::int64_t number) const;
    std::vector<std::int64_t> step_numbers() const;
    Span whole() const;
    /// Ranks that others waited for within a range of the common clock, the longest first.
    std::vector<Wait> waits(const Span& range) const;
    /// The calls of other ranks that belong to a collective of one: index of the rank and of its call.
    std::vector<std::pair<std::size_t, std::size_t>> partners(std::size_t rank, std::size_t call) const;
    /// The rank that came last to this collective.
    std::size_t last_to_come(std::size_t rank, std::size_t call) const;
};

/// Joins traces of one training. Clocks: the wall time that each trace names; where the ends of shared collectives differ by more than
/// 5 ms in the median, that is corrected. Ranks: as the traces say, else from `rank-<n>` in their names, else in order.
RankSet join_ranks(std::vector<std::shared_ptr<const Trace>> traces);

/// One rank of a set, on the same clock.
RankSet only_rank(const RankSet& set, std::size_t index);

/// Files that belong together: the file itself; or, of a folder, all traces of the newest profile in it (`traces/` of a run is looked into).
/// Throws UserError if there is none.
std::vector<std::filesystem::path> rank_files(const std::filesystem::path& file_or_folder);
/// Returns the files of all ranks of the profile that this file belongs to, by their names; the file alone if there are
/// no others in its folder.
std::vector<std::filesystem::path> ranks_beside(const std::filesystem::path& file);
/// True for names that traces have: .json, .json.gz, .json.zst with "trace" or "rank" or "profile" in it, or .pt.trace.json.
bool looks_like_trace(const std::filesystem::path& name);
/// By its first bytes: JSON with a list of events, or, compressed, by its name. False where it cannot be read.
bool is_trace(const std::filesystem::path& file);
struct ListedTrace {
    std::filesystem::path path;
    double modified = 0;  ///< any clock
};
/// Files by the profile that they belong to, the newest profile first; in each by rank.
std::vector<std::vector<std::filesystem::path>> profiles_of(const std::vector<ListedTrace>& files);
/// All traces of a folder and of its `traces`, the newest profile first; ranks of one profile together.
std::vector<std::vector<std::filesystem::path>> profiles_in(const std::filesystem::path& folder);

}  // namespace trainyard::traces
