// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Operations on the batch of one rank; they keep the structure of the tree. Names as in accelerate.utils.operations.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "distributed/tensors/tree.h"

namespace trainyard {

/// Size of dimension 0 of the first tensor, depth first. Throws UserError if there is no tensor, or if it has no
/// dimensions.
std::int64_t find_batch_size(const Tree& tree);
/// The same, but std::nullopt instead of an error.
std::optional<std::int64_t> batch_size_or_none(const Tree& tree);

/// Concatenates trees of equal structure: tensors along `dim`, containers entry by entry; other leaves are taken from
/// the first tree. Throws UserError with the path where structures differ, and for an empty span.
Tree concatenate(std::span<const Tree> trees, std::int64_t dim = 0);

/// Rows [begin, end) of every tensor, as views. Out-of-range bounds are clamped, as in Python slices.
Tree slice_tensors(const Tree& tree, std::int64_t begin, std::int64_t end);

/// Replaces tensors with nested lists of numbers (a 0-dim tensor with a number).
Tree listify(const Tree& tree);

/// Converts fp16 and bf16 tensors to fp32; others are unchanged.
Tree convert_to_fp32(const Tree& tree);

/// Moves every tensor to `device`, except values of dictionaries under `skip_keys` (at any depth).
Tree send_to_device(const Tree& tree, at::Device device, bool non_blocking = false,
                    std::span<const std::string> skip_keys = {});

/// Makes the number of rows of every tensor divisible by `processes` by repeating the last row (Accelerate's
/// documentation says the same, but it appends zeros). Pads only tensors whose `dim` has `batch_size` entries; empty
/// ones are unchanged.
Tree pad_input(const Tree& tree, std::int64_t batch_size, int processes, std::int64_t dim = 0);

/// Pads one tensor along `dim` to `size` with `value`, at the end or (`first`) at the beginning. Returns it unchanged
/// if it is long enough.
at::Tensor pad_to(const at::Tensor& tensor, std::int64_t dim, std::int64_t size, double value, bool first = false);

}  // namespace trainyard
