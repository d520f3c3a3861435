// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/mapped_file.h"
#include "base/regular_file.h"
#include "base/system_call.h"
#include "formats/weights/dcp_folder.h"
#include "formats/weights/elements.h"
#include "formats/weights/packed_blocks.h"
#include "formats/weights/pickle.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/torch_file.h"
#include "observe/inspect/quantized_values.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kMostOpen = 200;
constexpr std::uint64_t kMostGathered = 8ull << 30;  ///< bytes of a tensor that must be put together in memory

/// Chunks of a distributed checkpoint put into their places: the folder is opened again, since the chunks' boxes are
/// in its metadata.
std::vector<std::byte> gathered_chunks(const Contents& contents, const Tensor& tensor) {
    const fs::path folder = contents.path_of(tensor.ranges.front()).parent_path();
    const weights::DcpFolder dcp(folder);
    for (const weights::DcpTensor& info : dcp.tensors()) {
        if (info.shape != tensor.shape || info.chunks.size() != tensor.ranges.size() ||
            info.chunks.front().position != tensor.ranges.front().offset ||
            folder / info.chunks.front().file != contents.path_of(tensor.ranges.front()))
            continue;
        std::vector<std::byte> all;
        dcp.stream(info, [&](std::span<const std::byte> piece) { all.insert(all.end(), piece.begin(), piece.end()); });
        return all;
    }
    throw UserError("{} has changed: open the checkpoint again", (folder / ".metadata").string());
}

}  // namespace

std::size_t element_bytes(const Tensor& tensor) {
    return weights::dtype_size(tensor.dtype) != 0 ? weights::dtype_size(tensor.dtype)
                                                  : weights::element_size(tensor.dtype);
}

StoredUnit stored_unit(const Tensor& tensor) {
    const weights::PackedType* packed = weights::packed_type(tensor.dtype);
    return packed == nullptr ? StoredUnit{element_bytes(tensor), 1} : StoredUnit{packed->bytes, packed->elements};
}

bool is_readable(const Tensor& tensor) {
    return weights::is_numeric(tensor.dtype) || weights::packed_type(tensor.dtype) != nullptr;
}

void decode_units(const Tensor& tensor, std::span<const std::byte> bytes, std::vector<float>& out) {
    const StoredUnit unit = stored_unit(tensor);
    out.resize(bytes.size() / unit.bytes * unit.elements);
    if (const weights::PackedType* packed = weights::packed_type(tensor.dtype))
        weights::unpack_blocks(*packed, bytes, out);
    else
        weights::decode_elements(tensor.dtype, bytes, out);
}

std::uint64_t element_count(const Tensor& tensor) {
    return static_cast<std::uint64_t>(weights::element_count(tensor.shape).value_or(0));
}

Reader::Reader(const Contents& contents, Need need) : contents_(contents), need_(std::move(need)) {}
Reader::~Reader() = default;

const QuantizedValues& Reader::quantized() const {
    std::call_once(quantized_once_, [this] { quantized_ = std::make_unique<const QuantizedValues>(*this); });
    return *quantized_;
}

int Reader::descriptor(std::uint32_t file) const {
    std::lock_guard lock(mutex_);
    if (auto found = open_.find(file); found != open_.end())
        return found->second.get();
    if (open_.size() >= kMostOpen)
        throw UserError("{} has more than {} files to read at once", contents_.root.string(), kMostOpen);
    FileDescriptor opened = open_regular_file(contents_.root / contents_.files[file].name);
    return open_.emplace(file, std::move(opened)).first->second.get();
}

std::vector<ByteRange> Reader::ranges(const Tensor& tensor) const {
    if (!tensor.archived)
        return tensor.ranges;
    std::vector<ByteRange> found;
    for (const ByteRange& range : tensor.ranges) {
        if (need_)
            need_(range);
        const files::MappedFile file(contents_.path_of(range));
        const std::string where = fmt::format("{} ('{}' at byte {})", file.path().string(), tensor.name, range.offset);
        if (range.offset > file.bytes().size() || range.bytes > file.bytes().size() - range.offset)
            throw UserError("{} is cut", where);
        const weights::TorchFile torch(file.bytes().subspan(range.offset, range.bytes), where);
        if (torch.root().kind != weights::Kind::tensor)
            throw UserError("{} is damaged: there is no tensor", where);
        const auto bytes = torch.contiguous_bytes(*torch.root().object->tensor, true);
        if (bytes.size() % std::max<std::size_t>(element_bytes(tensor), 1) != 0)
            throw UserError("{} is damaged: its elements are of another type", where);
        found.push_back({range.file, static_cast<std::uint64_t>(bytes.data() - file.bytes().data()), bytes.size()});
    }
    return found;
}

void Reader::read(const ByteRange& range, std::span<std::byte> out) const {
    if (need_)
        need_(range);
    const int file = descriptor(range.file);
    const ssize_t got = read_all_at(file, out, range.offset);
    if (got < 0)
        throw_file_error("cannot read", contents_.path_of(range), errno);
    if (static_cast<std::size_t>(got) < out.size())
        throw UserError("{} became shorter while it was read: it ends at byte {}", contents_.path_of(range).string(),
                        range.offset + static_cast<std::uint64_t>(got));
}

std::vector<std::byte> Reader::gathered(const Tensor& tensor) const {
    if (tensor.bytes > kMostGathered)
        throw UserError("'{}' is stored in blocks and is too large to be assembled in memory", tensor.name);
    if (tensor.scattered) {
        if (need_)
            for (const ByteRange& range : tensor.ranges)
                need_(range);
        return gathered_chunks(contents_, tensor);
    }
    // A view with strides: its storage is at most as large as the file, its elements were counted when the header was
    // read.
    const std::size_t element = element_bytes(tensor);
    std::vector<std::byte> storage(tensor.ranges.front().bytes), out(tensor.bytes);
    read(tensor.ranges.front(), storage);
    std::vector<std::int64_t> index(tensor.shape.size(), 0);
    for (std::size_t at = 0; at < out.size(); at += element) {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < index.size(); ++d)
            place += index[d] * tensor.strides[d];
        std::memcpy(out.data() + at, storage.data() + static_cast<std::size_t>(place) * element, element);
        for (std::size_t d = index.size(); d-- > 0 && ++index[d] == tensor.shape[d];)
            index[d] = 0;
    }
    return out;
}

void Reader::stream(const Tensor& tensor, std::size_t piece,
                    const std::function<bool(std::span<const std::byte>)>& sink) const {
    if (tensor.bytes == 0)
        return;
    if (tensor.scattered || !tensor.strides.empty()) {
        const std::vector<std::byte> all = gathered(tensor);
        for (std::size_t at = 0; at < all.size(); at += piece)
            if (!sink(std::span(all).subspan(at, std::min(piece, all.size() - at))))
                return;
        return;
    }
    std::vector<std::byte> buffer(std::min<std::uint64_t>(piece, tensor.bytes));
    for (const ByteRange& range : ranges(tensor))
        for (std::uint64_t at = 0; at < range.bytes; at += buffer.size()) {
            const std::size_t size = std::min<std::uint64_t>(buffer.size(), range.bytes - at);
            read({range.file, range.offset + at, size}, std::span(buffer).first(size));
            if (!sink(std::span(buffer).first(size)))
                return;
        }
}

std::vector<std::byte> Reader::elements(const Tensor& tensor, std::uint64_t first, std::uint64_t count) const {
    const std::size_t element = element_bytes(tensor);
    const std::uint64_t all = element_count(tensor);
    if (element == 0)
        throw UserError("'{}' is packed ({}): its elements have no bytes of their own", tensor.name, tensor.dtype);
    first = std::min(first, all);
    return units(tensor, element, first, std::min(count, all - first));
}

std::vector<float> Reader::values(const Tensor& tensor, std::uint64_t first, std::uint64_t count) const {
    if (!is_readable(tensor))
        throw UserError("'{}' is of the type {}, of which elements cannot be read as numbers", tensor.name,
                        tensor.dtype);
    if (quantized().is_quantized(number_of(tensor)))
        return quantized().values(number_of(tensor), first, count);
    const StoredUnit unit = stored_unit(tensor);
    const std::uint64_t all = element_count(tensor);
    first = std::min(first, all);
    count = std::min(count, all - first);
    if (count == 0)
        return {};
    const std::uint64_t begin = first / unit.elements, end = (first + count + unit.elements - 1) / unit.elements;
    std::vector<float> out;
    decode_units(tensor, units(tensor, unit.bytes, begin, end - begin), out);
    const auto from = out.begin() + static_cast<std::ptrdiff_t>(first - begin * unit.elements);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
}

std::vector<std::byte> Reader::units(const Tensor& tensor, std::size_t unit, std::uint64_t first,
                                     std::uint64_t count) const {
    std::vector<std::byte> out;
    if (tensor.scattered || !tensor.strides.empty()) {
        const std::vector<std::byte> whole = gathered(tensor);
        out.assign(whole.begin() + static_cast<std::ptrdiff_t>(first * unit),
                   whole.begin() + static_cast<std::ptrdiff_t>((first + count) * unit));
        return out;
    }
    std::uint64_t skip = first * unit, left = count * unit;
    for (const ByteRange& range : ranges(tensor)) {
        if (skip >= range.bytes) {
            skip -= range.bytes;
            continue;
        }
        const std::uint64_t taken = std::min(left, range.bytes - skip);
        out.resize(out.size() + taken);
        read({range.file, range.offset + skip, taken}, std::span(out).last(taken));
        skip = 0;
        left -= taken;
        if (left == 0)
            break;
    }
    return out;
}

}  // namespace trainyard::inspect
