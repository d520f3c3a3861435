// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What changed between two checkpoints: tensors by name, those that are left by content. Both are read once, in pieces.

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/message.h"
#include "base/progress.h"
#include "observe/inspect/reader.h"

namespace trainyard::inspect {

struct TensorChange {
    enum class Kind {
        same,      ///< every element
        changed,   ///< the same name and shape, other elements (and maybe another type)
        renamed,   ///< the same content under another name (and maybe in another shape)
        reshaped,  ///< the same name, another shape
        added,     ///< only in the second
        removed,   ///< only in the first
    };
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    Kind kind = Kind::same;
    std::uint32_t before = kNone, after = kNone;  ///< indices of Contents::tensors
    bool compared = false;  ///< the figures below are known: both are numeric, with equally many elements
    double relative = 0;    ///< |b - a| / |a|, L2 norms; infinite where a is zero and b is not
    double largest = 0;     ///< |b - a| of any element
    std::uint64_t changed_elements = 0;
    double squares = 0, base = 0;                       ///< |b - a|^2 and |a|^2, to add up modules
    double norm() const { return std::sqrt(squares); }  ///< |b - a|
};
/// "same", "changed", ...
std::string_view name_of(TensorChange::Kind kind);

struct Comparison {
    std::vector<TensorChange> rows;  ///< in the order of the second's tensors, then those removed
    std::vector<Message> problems;
    /// Of all rows that were compared: |b - a| / |a|.
    double relative() const;
    std::size_t count(TensorChange::Kind kind) const;
    /// Indices of the rows: what only one side has, then the largest relative change first.
    std::vector<std::size_t> by_change() const;
};

/// Throws Cancelled. What cannot be read is a problem: tensors that only the other one has are then no rows.
Comparison compare(const Reader& before, const Reader& after, Progress& progress);

}  // namespace trainyard::inspect
