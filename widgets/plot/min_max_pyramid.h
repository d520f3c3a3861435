#pragma once
// Where the smallest and the largest value of any stretch of a column lie, in O(log n): blocks of 16 values, blocks of 16 blocks,
// and so on. Costs 0.54 bytes a value. Values that are not finite take no part. Only whole blocks are kept, so appending and
// cutting off are cheap.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainyard::widgets {

/// Indices of the extremes of a stretch; `found` is false when no value in it is finite.
struct Extremes {
    std::size_t lowest = 0;
    std::size_t highest = 0;
    bool found = false;
};

class MinMaxPyramid {
  public:
    static constexpr std::size_t kFan = 16;

    /// `values` has grown since the last call.
    void grow(const std::vector<double>& values);
    /// `values` was cut to `size` entries.
    void cut(std::size_t size);
    /// Extremes of values[first, last).
    Extremes extremes(const std::vector<double>& values, std::size_t first, std::size_t last) const;

  private:
    struct Block {
        std::uint32_t lowest = kNone;
        std::uint32_t highest = kNone;
    };
    static constexpr std::uint32_t kNone = 0xffffffffu;

    std::vector<std::vector<Block>> levels_;
};

}  // namespace trainyard::widgets
