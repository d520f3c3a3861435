#pragma once
// Rows of a batch: dimension 0 of its tensors, and the entries of its lists of texts (which collate() makes of texts).

#include <cstdint>
#include <optional>
#include <span>

#include "tensors/tree.h"

namespace trainyard::data {

/// Rows of the first tensor or list of texts, depth first; nothing when there is none.
std::optional<std::int64_t> row_count(const Tree& batch);
/// Rows [begin, end) of everything; tensors are views. Bounds beyond the end are cut.
Tree rows_of(const Tree& batch, std::int64_t begin, std::int64_t end);
/// The rows of batches one behind the other; nothing when they do not fit (kinds, keys, dtypes or the sizes of other dimensions differ).
std::optional<Tree> join_rows(std::span<const Tree> batches);

}  // namespace trainyard::data
