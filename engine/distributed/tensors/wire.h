// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Serialises a Tree for messages between ranks. The format is our own: length-prefixed, without code or class names, so
// that reading it is safe (unlike pickle).
//
//   "TYT1", then one value. value := kind byte, then
//     0 None | 1 false | 2 true | 3 int: 8 bytes | 4 float: 8 bytes (IEEE 754) | 5 str: u64 length, bytes
//     6 Tensor: u8 length + dtype name, u32 dimensions, i64 for each, u64 bytes, elements in row-major order
//     7 undefined Tensor | 8 list | 9 tuple: u64 count, values | 10 dict: u64 count, (key byte 0 int | 1 str, key, value) each
// All numbers are little-endian. Nothing follows the value.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "distributed/tensors/tree.h"

namespace trainyard {

/// Copies tensors to the CPU. Throws UserError if the nesting is deeper than 200.
std::vector<std::uint8_t> to_bytes(const Tree& tree);

/// Throws UserError with the offset of the error (truncated, a length beyond the end, an unknown kind or dtype, nesting
/// deeper than 200). Uses memory proportional to the given bytes, whatever lengths they claim.
Tree from_bytes(std::span<const std::uint8_t> bytes);

}  // namespace trainyard
