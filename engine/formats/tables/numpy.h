// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// NumPy's .npy files and .npz archives. A parser for the header replaces Python's evaluation; objects, structures and
// text are refused. Formats: numpy/lib/format.py (versions 1.0, 2.0, 3.0), PKWARE APPNOTE 6.3.10 for archives (stored
// and deflated entries, ZIP64).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "formats/tables/table.h"

namespace trainyard::formats {

/// The validated header of an array.
struct ArrayHeader {
    ElementType type = ElementType::f64;
    bool fortran_order = false;
    bool big_endian = false;
    std::vector<std::int64_t> shape;
    std::uint64_t data_begin = 0;  ///< offset in the file

    std::uint64_t elements() const;
};

/// Parses a header from the first bytes of a file (headers up to 1 MB). `file_bytes` is the size of the file: a shape
/// that needs more is refused. Throws UserError naming `where`.
ArrayHeader parse_npy_header(std::span<const std::byte> begin, std::uint64_t file_bytes, const std::string& where);

}  // namespace trainyard::formats
