#pragma once
// NumPy's .npy files and .npz archives. The header is parsed by hand, nothing is evaluated; objects, structures and text are refused.
// Formats: numpy/lib/format.py (versions 1.0, 2.0, 3.0), PKWARE APPNOTE 6.3.10 for the archive (stored and deflated entries, ZIP64).

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "formats/table.h"

namespace trainyard::formats {

/// What the header of an array says; all of it checked.
struct ArrayHeader {
    ElementType type = ElementType::f64;
    bool fortran_order = false;
    bool big_endian = false;
    std::vector<std::int64_t> shape;
    std::uint64_t data_begin = 0;  ///< bytes from the start of the file

    std::uint64_t elements() const;
    std::uint64_t bytes() const;
};

/// An array in C order, little-endian.
struct Array {
    ElementType type = ElementType::f64;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> data;
};

/// Reads a header from the first bytes of a file (at most 1 MB of header are accepted). `file_bytes` is what the file really has: a
/// shape that needs more is refused. Throws UserError naming `where`.
ArrayHeader parse_npy_header(std::span<const std::byte> begin, std::uint64_t file_bytes, const std::string& where);
Array read_npy(const std::filesystem::path& path);
/// All arrays of an archive by name (without ".npy").
std::map<std::string, Array> read_npz(const std::filesystem::path& path);
/// Writes version 1.0 (2.0 for a header beyond 64 kB), C order. Atomic.
void write_npy(const std::filesystem::path& path, ElementType type, std::span<const std::int64_t> shape,
               std::span<const std::byte> data);

}  // namespace trainyard::formats
