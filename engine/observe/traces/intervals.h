// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sets of time as disjoint, sorted spans.

#include <cstdint>
#include <vector>

namespace trainyard::traces {

struct Span {
    std::int64_t begin = 0, end = 0;  ///< ns
    bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

/// The union of spans in any order; empty and negative ones are left out.
Spans union_of(Spans spans);
Spans common(const Spans& a, const Spans& b);
/// Returns the parts of `a` that are not in `b`.
Spans without(const Spans& a, const Spans& b);
std::int64_t length(const Spans& spans);

}  // namespace trainyard::traces
