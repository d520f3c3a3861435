// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/dcp_folder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "formats/weights/dcp_metadata.h"
#include "formats/weights/pickle.h"
#include "formats/weights/torch_file.h"

namespace trainyard::weights {

namespace {

using Bytes = std::span<const std::byte>;
using Sink = std::function<void(Bytes)>;

/// Whether the chunks are row ranges, so that their concatenation is the tensor.
bool is_cut_by_rows(const DcpTensor& tensor) {
    for (const DcpChunk& chunk : tensor.chunks)
        for (std::size_t d = 1; d < tensor.shape.size(); ++d)
            if (chunk.size[d] != tensor.shape[d])
                return false;
    return true;
}

/// Copies a chunk's rows (contiguous in the last dimension) to their positions.
void scatter(const DcpTensor& tensor, const DcpChunk& chunk, Bytes from, std::size_t element,
             std::vector<std::byte>& to) {
    std::size_t dimensions = tensor.shape.size();
    std::size_t run = static_cast<std::size_t>(chunk.size[dimensions - 1]) * element;
    std::vector<std::int64_t> index(dimensions, 0);
    for (std::size_t at = 0; at < from.size(); at += run) {
        std::int64_t place = 0;
        for (std::size_t d = 0; d < dimensions; ++d)
            place = place * tensor.shape[d] + chunk.offset[d] + index[d];
        std::memcpy(to.data() + static_cast<std::size_t>(place) * element, from.data() + at, run);
        for (std::size_t d = dimensions - 1; d-- > 0 && ++index[d] == chunk.size[d];)
            index[d] = 0;
    }
}

}  // namespace

bool DcpFolder::is_one(const std::filesystem::path& folder) {
    std::error_code error;
    return std::filesystem::exists(folder / ".metadata", error);
}

DcpFolder::DcpFolder(std::filesystem::path folder) : folder_(std::move(folder)) {
    files::MappedFile list(folder_ / ".metadata");
    DcpMetadata metadata = read_dcp_metadata(list.bytes(), list.path().string());
    tensors_ = std::move(metadata.tensors);
    values_ = std::move(metadata.values);
    check_files();
}

void DcpFolder::check_files() {
    for (const DcpTensor& tensor : tensors_)
        for (const DcpChunk& chunk : tensor.chunks) {
            auto& file = files_[chunk.file];
            if (!file)
                file = std::make_unique<files::MappedFile>(folder_ / chunk.file);
            std::uint64_t size = file->bytes().size();
            if (chunk.position > size || chunk.length > size - chunk.position)
                throw UserError("{} is truncated: a chunk of '{}' ends beyond the file (at byte {} of {})",
                                file->path().string(), tensor.name, chunk.position + chunk.length, size);
        }
    for (const DcpValue& value : values_) {
        std::error_code error;
        if (!value.file.empty() && !files_.contains(value.file) &&
            std::filesystem::is_regular_file(folder_ / value.file, error))
            files_.emplace(value.file, std::make_unique<files::MappedFile>(folder_ / value.file));
    }
}

std::vector<StateLeaf> DcpFolder::leaves() const {
    std::vector<StateLeaf> leaves;
    leaves.reserve(tensors_.size() + values_.size());
    const auto path_of = [](const auto& entry) { return entry.path.empty() ? std::vector{entry.name} : entry.path; };
    for (const DcpTensor& tensor : tensors_)
        leaves.push_back({path_of(tensor), true, static_cast<std::uint64_t>(*element_count(tensor.shape))});
    for (const DcpValue& value : values_)
        leaves.push_back({path_of(value), false, 0});
    return leaves;
}

Bytes DcpFolder::archive_of(const DcpValue& value) const {
    const auto file = files_.find(value.file);
    if (file == files_.end())
        return {};
    const std::uint64_t size = file->second->bytes().size();
    if (value.position > size || value.length > size - value.position)
        return {};
    return file->second->bytes().subspan(value.position, value.length);
}

Bytes DcpFolder::part(const DcpChunk& chunk) const {
    return files_.find(chunk.file)->second->bytes().subspan(chunk.position, chunk.length);
}

void DcpFolder::stream_chunk(const DcpTensor& tensor, const DcpChunk& chunk, const Sink& sink) const {
    std::string where =
        fmt::format("{} ('{}' at byte {})", (folder_ / chunk.file).string(), tensor.name, chunk.position);
    TorchFile file(part(chunk), where);
    if (file.root().kind != Kind::tensor)
        throw UserError("{} is damaged: there is no tensor", where);
    const TensorPart& stored = *file.root().object->tensor;
    if (stored.shape != chunk.size || stored.dtype != tensor.dtype)
        throw UserError("{} is damaged: the tensor there has another shape or dtype than the list says", where);
    file.stream(stored, sink);
    files::release_pages(part(chunk));
}

void DcpFolder::stream(const DcpTensor& tensor, const Sink& sink) const {
    if (is_cut_by_rows(tensor)) {
        for (const DcpChunk& chunk : tensor.chunks)
            stream_chunk(tensor, chunk, sink);
        return;
    }
    // The chunks cover the shape, and each is inside its file, so the allocation is not larger than the data on the
    // disk.
    std::size_t element = element_size(tensor.dtype);
    std::uint64_t stored = 0;
    for (const DcpChunk& chunk : tensor.chunks)
        stored += chunk.length;
    auto bytes = static_cast<std::uint64_t>(*element_count(tensor.shape)) * element;
    if (bytes > stored)
        throw UserError("{} is damaged: '{}' needs {} bytes and its chunks have {}", (folder_ / ".metadata").string(),
                        tensor.name, bytes, stored);
    std::vector<std::byte> whole(bytes), piece;
    for (const DcpChunk& chunk : tensor.chunks) {
        piece.clear();
        stream_chunk(tensor, chunk, [&](Bytes part) { piece.insert(piece.end(), part.begin(), part.end()); });
        scatter(tensor, chunk, piece, element, whole);
    }
    sink(whole);
}

}  // namespace trainyard::weights
