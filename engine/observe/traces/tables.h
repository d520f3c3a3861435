// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tables of a trace or of a range of its time: by name with self times, by family, collectives, call tree.

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "observe/traces/intervals.h"
#include "observe/traces/roles.h"
#include "observe/traces/trace.h"

namespace trainyard::traces {

/// All of a trace.
inline constexpr Span kWhole{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};

struct NameRow {
    std::string category, name;
    Family family = Family::other;
    std::uint64_t count = 0;           ///< slices that have a part in the range
    std::int64_t total = 0, self = 0;  ///< ns within the range; self: less the direct children of the table's kinds
    std::int64_t longest = 0;          ///< ns
};

struct TableFilter {
    Span range = kWhole;
    std::function<bool(Role)> roles;                          ///< which slices; empty: all
    std::function<bool(const Slice&, std::uint32_t)> slices;  ///< further choice, with the slice's number; empty: all
};

/// By category and name, the largest total first. A slice's parent is the innermost slice of the table's kinds on the same track that
/// contains it whole; with equal begin the longer, then the earlier in the file, is outside. Instants are left out.
std::vector<NameRow> name_table(const Trace& trace, const TableFilter& filter = {});

struct CallRow {
    std::string name;
    std::size_t parent = 0;  ///< row; the root is its own parent
    std::size_t depth = 0;
    std::uint64_t count = 0;
    std::int64_t total = 0, self = 0;
};
/// Returns the call tree of a range over all matching tracks: equal names under equal parents are one row. Row 0 is the
/// root; a parent precedes its children. At most `most` rows; what is below is part of its parent's self time.
std::vector<CallRow> call_tree(const Trace& trace, const TableFilter& filter = {}, std::size_t most = 20'000);

/// Adds a tree to another one: equal names under equal parents are one row. At most `most` rows; what is below is part of its parent's self time.
void add_calls(std::vector<CallRow>& into, const std::vector<CallRow>& tree, std::size_t most = 20'000);

/// Spans of slices that fit, as one set of time.
Spans busy(const Trace& trace, const TableFilter& filter);

/// The runtime call of a slice on a device and the other way round, by correlation.
class Correlations {
  public:
    explicit Correlations(const Trace& trace);
    std::optional<std::uint32_t> launch_of(std::uint32_t slice) const;
    std::vector<std::uint32_t> work_of(std::uint32_t slice) const;

  private:
    const Trace* trace_;
    std::vector<Role> roles_;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> launches_, work_;  ///< sorted
};

}  // namespace trainyard::traces
