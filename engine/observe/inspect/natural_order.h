// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to contents.h: sorts tensors in natural order, where runs of digits count as numbers. Several threads sort
// parts of the list, which are then merged.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "observe/inspect/contents.h"

namespace trainyard::inspect {

/// Keys that compare as bytes, in one piece of memory.
class SortedTensors {
  public:
    SortedTensors() = default;
    /// By section, then by natural_less() of the names.
    explicit SortedTensors(std::span<const Tensor> tensors);

    const std::vector<std::uint32_t>& order() const { return order_; }
    std::string_view key(std::uint32_t tensor) const {
        return std::string_view(keys_).substr(begins_[tensor], begins_[tensor + 1] - begins_[tensor]);
    }

  private:
    std::string keys_;
    std::vector<std::uint64_t> begins_;
    std::vector<std::uint32_t> order_;
};

struct PlaceInParts {
    std::string_view key;
    std::uint32_t part, tensor;
};
/// All tensors of all parts in order. The views are valid as long as the parts.
std::vector<PlaceInParts> joined_order(std::span<const SortedTensors* const> parts);

}  // namespace trainyard::inspect
