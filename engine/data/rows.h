// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of a batch: dimension 0 of its tensors, and the entries of its lists of texts (collate() turns texts into
// lists).

#include <cstdint>
#include <optional>
#include <span>

#include "distributed/tensors/tree.h"

namespace trainyard::data {

/// Rows of the first tensor or list of texts, depth first; std::nullopt if there is none.
std::optional<std::int64_t> row_count(const Tree& batch);
/// Rows [begin, end) of everything; tensors are views. Out-of-range bounds are clamped.
Tree rows_of(const Tree& batch, std::int64_t begin, std::int64_t end);
/// Concatenates the rows of batches; std::nullopt if kinds, keys, dtypes or sizes of other dimensions differ.
std::optional<Tree> join_rows(std::span<const Tree> batches);

}  // namespace trainyard::data
