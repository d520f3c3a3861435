// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads elements of tensors of a checkpoint, by ranges of its files. Of a folder whose files are only partly here
// (app/remote), `need` brings a range before it is
// read.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "base/file_descriptor.h"
#include "observe/inspect/contents.h"

namespace trainyard::inspect {

class QuantizedValues;

/// Called before bytes are read, by any thread. Throws UserError when they cannot be had.
using Need = std::function<void(const ByteRange&)>;

/// Thread-safe. The contents must outlive it.
class Reader {
  public:
    explicit Reader(const Contents& contents, Need need = {});
    ~Reader();

    const Contents& contents() const { return contents_; }
    /// Where the elements are, archives opened. Of views with strides: their storage. Throws UserError.
    std::vector<ByteRange> ranges(const Tensor& tensor) const;
    /// Exactly `out.size()` bytes. Throws UserError naming the file.
    void read(const ByteRange& range, std::span<std::byte> out) const;
    /// All elements in row-major order, in pieces of whole elements (of blocks, where the type is packed). `sink`
    /// returning false ends it. Throws UserError.
    void stream(const Tensor& tensor, std::size_t piece,
                const std::function<bool(std::span<const std::byte>)>& sink) const;
    /// Elements [first, first + count) in row-major order. Throws UserError.
    std::vector<std::byte> elements(const Tensor& tensor, std::uint64_t first, std::uint64_t count) const;

    /// The same as numbers, of packed types and of weights that bitsandbytes quantized, too: then elements are those of
    /// quantized().shape(). Throws UserError, also for types that are not numbers.
    std::vector<float> values(const Tensor& tensor, std::uint64_t first, std::uint64_t count) const;

    /// Of the weights that bitsandbytes quantized; their states are read when it is called first.
    const QuantizedValues& quantized() const;
    /// The index of one of the tensors of the contents.
    std::size_t number_of(const Tensor& tensor) const {
        return static_cast<std::size_t>(&tensor - contents_.tensors.data());
    }

  private:
    std::vector<std::byte> units(const Tensor& tensor, std::size_t unit, std::uint64_t first,
                                 std::uint64_t count) const;
    int descriptor(std::uint32_t file) const;
    std::vector<std::byte> gathered(const Tensor& tensor) const;

    const Contents& contents_;
    Need need_;
    mutable std::mutex mutex_;
    mutable std::map<std::uint32_t, FileDescriptor> open_;
    mutable std::once_flag quantized_once_;
    mutable std::unique_ptr<const QuantizedValues> quantized_;
};

/// Bytes of an element; 0 of packed types.
std::size_t element_bytes(const Tensor& tensor);
/// What the bytes of a tensor are made of: an element, or a block of packed ones.
struct StoredUnit {
    std::size_t bytes = 0;  ///< 0: nobody knows
    std::size_t elements = 1;
};
StoredUnit stored_unit(const Tensor& tensor);
/// Its elements are real numbers that can be had: numeric (formats/weights/elements.h), or packed in a known way.
bool is_readable(const Tensor& tensor);
/// Whole units as numbers. The tensor is readable.
void decode_units(const Tensor& tensor, std::span<const std::byte> bytes, std::vector<float>& out);
/// Number of elements.
std::uint64_t element_count(const Tensor& tensor);

}  // namespace trainyard::inspect
