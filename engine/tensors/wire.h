#pragma once
// A Tree as bytes, to go from rank to rank: our own format, length-prefixed, without code or class names in it (never pickle).
//
//   "TYT1", then one value. value := kind byte, then
//     0 None | 1 false | 2 true | 3 int: 8 bytes | 4 float: 8 bytes (IEEE) | 5 str: u64 length, bytes
//     6 Tensor: u8 length + dtype name, u32 dimensions, each i64, u64 bytes, the numbers in row-major order
//     7 undefined Tensor | 8 list | 9 tuple: u64 count, values | 10 dict: u64 count, (key byte 0 int | 1 str, key, value) each
// All little-endian. Nothing follows the value.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tensors/tree.h"

namespace trainyard {

/// Tensors are copied to the CPU. A nest deeper than 200 is refused (UserError).
std::vector<std::uint8_t> to_bytes(const Tree& tree);

/// Throws UserError naming the place of what is wrong (cut off, a length beyond the end, an unknown kind, dtype or a nest deeper than
/// 200). Needs memory in proportion to the bytes given, whatever lengths they claim.
Tree from_bytes(std::span<const std::uint8_t> bytes);

}  // namespace trainyard
