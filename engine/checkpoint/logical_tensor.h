// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A checkpoint knows tensors by name, global shape and dtype; each rank says which box of them it holds. Saving writes boxes, loading
// intersects boxes, so any layout loads into any other.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/parallel/split.h"

namespace trainyard::checkpoint {

/// Elements [offset[d], offset[d] + size[d]) of every dimension d.
struct Box {
    std::vector<std::int64_t> offset;
    std::vector<std::int64_t> size;
    bool operator==(const Box&) const = default;
};

Box whole(const std::vector<std::int64_t>& shape);
/// Returns nullopt if the boxes do not intersect.
std::optional<Box> intersection(const Box& a, const Box& b);

struct LogicalTensor {
    std::string name;                 ///< Hugging Face name
    std::vector<std::int64_t> shape;  ///< global
    Box box;                          ///< what `local` holds
    at::Tensor local;                 ///< shape box.size

    static LogicalTensor of_whole(std::string name, at::Tensor tensor);
    /// Elements [begin, begin + flat.numel()) of a tensor, counted in its order, as boxes (1 to 2 * dims - 1, of one name); `local` are
    /// views of `flat`. No element makes one empty box.
    static std::vector<LogicalTensor> of_range(const std::string& name, const std::vector<std::int64_t>& shape,
                                               std::int64_t begin, const at::Tensor& flat);
    /// The same of a part of a tensor that has `ranges` of dimension `dimension`, one after the other: elements are
    /// counted in the part's order.
    static std::vector<LogicalTensor> of_part(const std::string& name, const std::vector<std::int64_t>& shape,
                                              std::size_t dimension, const std::vector<parallel::Range>& ranges,
                                              std::int64_t begin, const at::Tensor& flat);
};

/// Returns the offset of a box in the flattened tensor if its elements are contiguous there, else nullopt.
std::optional<std::int64_t> run_of(const Box& box, const std::vector<std::int64_t>& shape);

/// Copies the elements that both hold, converting the dtype; returns how many.
std::int64_t copy_overlap(const LogicalTensor& from, const LogicalTensor& to);

}  // namespace trainyard::checkpoint
