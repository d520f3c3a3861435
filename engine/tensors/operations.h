#pragma once
// What one does with a batch on one rank; nests keep their kinds. The names are those of accelerate.utils.operations.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include "tensors/tree.h"

namespace trainyard {

/// Size of dimension 0 of the first tensor, depth first. UserError when there is none, or it is 0-dimensional.
std::int64_t find_batch_size(const Tree& tree);
/// The same, nothing in place of an error.
std::optional<std::int64_t> batch_size_or_none(const Tree& tree);

/// Joins trees of one structure: tensors along `dim`, each list, tuple and dict item by item; other leaves come from the first.
/// UserError naming the path where the structures differ. An empty span is an error.
Tree concatenate(std::span<const Tree> trees, std::int64_t dim = 0);

/// Rows [begin, end) of every tensor; views. Bounds beyond the tensor are cut as Python's slices are.
Tree slice_tensors(const Tree& tree, std::int64_t begin, std::int64_t end);

/// Tensors as nested lists of numbers (a 0-dimensional one as a number).
Tree listify(const Tree& tree);

/// fp16 and bf16 tensors as fp32; others as they are.
Tree convert_to_fp32(const Tree& tree);

/// Every tensor on `device`, but for the values of dictionaries under `skip_keys` (at any depth).
Tree send_to_device(const Tree& tree, at::Device device, bool non_blocking = false,
                    std::span<const std::string> skip_keys = {});

/// Makes the rows of every tensor divisible by `processes` by appending copies of the last row (Accelerate appends zeros where it says
/// repeats). Only tensors whose `dim` has `batch_size` entries are padded; empty ones stay.
Tree pad_input(const Tree& tree, std::int64_t batch_size, int processes, std::int64_t dim = 0);

/// Pads one tensor along `dim` to `size` with `value`, behind or before; itself when it is as long.
at::Tensor pad_to(const at::Tensor& tensor, std::int64_t dim, std::int64_t size, double value, bool first = false);

}  // namespace trainyard
