// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/dcp_writer.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/error.h"
#include "base/files/file_writer.h"
#include "base/files/zip_writer.h"
#include "base/number.h"
#include "formats/weights/pickle_writer.h"
#include "formats/weights/torch_file.h"

namespace trainyard::weights {

namespace {

constexpr int kFilesAtOnce = 16;  ///< each has a buffer of several megabytes
constexpr const char* kDcpModule = "torch.distributed.checkpoint.metadata";

struct Rows {
    std::int64_t first = 0, count = 0;
};

/// Rows of a rank as torch.chunk cuts them: equal parts, rounded up, of which the last ones may be short or empty.
/// Scalars are rank 0's.
Rows rows_of(const SourceTensor& tensor, int rank, int ranks) {
    if (tensor.shape.empty())
        return {0, rank == 0 ? 1 : 0};
    const std::int64_t all = tensor.shape.front(), part = (all + ranks - 1) / ranks, first = std::min(all, part * rank);
    return {first, std::min(part, all - first)};
}

struct StoredChunk {
    std::size_t tensor = 0;
    Rows rows;
    int rank = 0;
    std::uint64_t position = 0, length = 0;
};

std::vector<std::int64_t> shape_of(const SourceTensor& tensor, const Rows& rows) {
    std::vector<std::int64_t> shape = tensor.shape;
    if (!shape.empty())
        shape.front() = rows.count;
    return shape;
}

std::string name_of_rank(int rank) {
    return fmt::format("__{}_0.distcp", rank);
}

/// One chunk as torch.save writes a tensor.
void write_chunk(files::FileWriter& file, const std::string& dtype, const std::vector<std::int64_t>& shape,
                 std::span<const std::byte> bytes) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * std::max<std::int64_t>(shape[d], 1);
    PickleWriter pickle;
    pickle.tensor({.dtype = dtype,
                   .storage = "0",
                   .storage_elements = *element_count(shape),
                   .offset = 0,
                   .shape = shape,
                   .strides = strides});
    files::ZipWriter zip(file);
    zip.add("data.pkl", pickle.finish());
    zip.add("byteorder", "little");
    zip.add("data/0", bytes);
    zip.add("version", "3\n");
    zip.finish();
}

class MetadataPickle {
  public:
    std::string write(const std::vector<DcpTensor>& tensors, const std::vector<DcpValue>& values) {
        pickle_.instance(kDcpModule, "Metadata");
        pickle_.begin_dict();
        key("state_dict_metadata");
        pickle_.begin_dict();
        for (const DcpTensor& tensor : tensors)
            entry(tensor);
        for (const DcpValue& value : values) {
            key(value.name);
            pickle_.instance(kDcpModule, "BytesStorageMetadata");
        }
        pickle_.end_dict();
        key("planner_data");
        pickle_.begin_dict();
        for (const DcpTensor& tensor : tensors)
            path(tensor.name, tensor.path);
        for (const DcpValue& value : values)
            path(value.name, value.path);
        pickle_.end_dict();
        key("storage_data");
        pickle_.begin_dict();
        for (const DcpTensor& tensor : tensors)
            for (const DcpChunk& chunk : tensor.chunks)
                place(tensor.name, &chunk.offset, chunk.file, chunk.position, chunk.length);
        for (const DcpValue& value : values)
            place(value.name, nullptr, value.file, value.position, value.length);
        pickle_.end_dict();
        key("storage_meta");
        pickle_.none();
        pickle_.end_dict();
        pickle_.build();
        return pickle_.finish();
    }

  private:
    void key(const std::string& text) { pickle_.text(text); }
    void path(const std::string& name, const std::vector<std::string>& keys) {
        key(name);
        pickle_.begin_tuple();
        for (const std::string& one : keys)
            if (const auto number = parse_number<std::int64_t>(one, 0))  // the place in a list
                pickle_.integer(*number);
            else
                pickle_.text(one);
        pickle_.end_tuple();
    }
    void size(const std::vector<std::int64_t>& numbers) {
        pickle_.global("torch", "Size");
        pickle_.begin_tuple();
        pickle_.begin_tuple();
        for (std::int64_t number : numbers)
            pickle_.integer(number);
        pickle_.end_tuple();
        pickle_.end_tuple();
        pickle_.reduce();
    }

    void entry(const DcpTensor& tensor) {
        key(tensor.name);
        pickle_.instance(kDcpModule, "TensorStorageMetadata");
        pickle_.begin_dict();
        key("properties");
        pickle_.instance(kDcpModule, "TensorProperties");
        pickle_.begin_tuple();
        pickle_.global("torch", tensor.dtype);
        pickle_.global("torch.serialization", "_get_layout");
        pickle_.begin_tuple();
        pickle_.text("torch.strided");
        pickle_.end_tuple();
        pickle_.reduce();
        pickle_.boolean(false);  // requires_grad
        pickle_.global(kDcpModule, "_MEM_FORMAT_ENCODING");
        pickle_.begin_tuple();
        pickle_.integer(0);
        pickle_.end_tuple();
        pickle_.reduce();
        pickle_.boolean(false);  // pinned memory
        pickle_.end_tuple();
        pickle_.build();
        key("size");
        size(tensor.shape);
        key("chunks");
        pickle_.begin_list();
        for (const DcpChunk& chunk : tensor.chunks) {
            pickle_.instance(kDcpModule, "ChunkStorageMetadata");
            pickle_.begin_dict();
            key("offsets");
            size(chunk.offset);
            key("sizes");
            size(chunk.size);
            pickle_.end_dict();
            pickle_.build();
        }
        pickle_.end_list();
        pickle_.end_dict();
        pickle_.build();
    }

    void place(const std::string& name, const std::vector<std::int64_t>* offset, const std::string& file,
               std::uint64_t position, std::uint64_t length) {
        pickle_.instance(kDcpModule, "MetadataIndex");
        pickle_.begin_dict();
        key("fqn");
        pickle_.text(name);
        key("offset");
        if (offset != nullptr)
            size(*offset);
        else
            pickle_.none();
        key("index");
        pickle_.none();
        pickle_.end_dict();
        pickle_.build();
        pickle_.instance("torch.distributed.checkpoint.filesystem", "_StorageInfo");
        pickle_.begin_dict();
        key("relative_path");
        pickle_.text(file);
        key("offset");
        pickle_.integer(static_cast<std::int64_t>(position));
        key("length");
        pickle_.integer(static_cast<std::int64_t>(length));
        pickle_.end_dict();
        pickle_.build();
    }

    PickleWriter pickle_;
};

std::vector<std::int64_t> offset_of(const SourceTensor& tensor, const Rows& rows) {
    std::vector<std::int64_t> offset(tensor.shape.size(), 0);
    if (!offset.empty())
        offset.front() = rows.first;
    return offset;
}

}  // namespace

std::string dcp_metadata(const std::vector<DcpTensor>& tensors, const std::vector<DcpValue>& values) {
    return MetadataPickle().write(tensors, values);
}

std::vector<std::string> write_dcp_folder(const WeightSource& source, const std::filesystem::path& folder, int ranks,
                                          const std::function<void(std::size_t, std::span<const std::byte>)>& on_read) {
    std::vector<StoredChunk> chunks;
    std::vector<std::string> names;
    std::vector<std::byte> gathered;
    for (int first = 0; first < ranks; first += kFilesAtOnce) {
        const int last = std::min(ranks, first + kFilesAtOnce);
        std::vector<std::unique_ptr<files::FileWriter>> writers;
        for (int rank = first; rank < last; ++rank) {
            std::vector<std::uint64_t> sizes;
            for (const SourceTensor& tensor : source.tensors())
                sizes.push_back(tensor.bytes / static_cast<std::uint64_t>(ranks) + 4096 + 64 * tensor.shape.size() +
                                tensor.name.size());
            names.push_back(name_of_rank(rank));
            writers.push_back(
                std::make_unique<files::FileWriter>(folder / names.back(), files::ZipWriter::size_limit(sizes)));
        }
        for (std::size_t i = 0; i < source.tensors().size(); ++i) {
            const SourceTensor& tensor = source.tensors()[i];
            std::span<const std::byte> whole = source.mapped(i, false);
            if (whole.size() != tensor.bytes) {
                gathered.clear();
                source.stream(i, [&](std::span<const std::byte> piece) {
                    gathered.insert(gathered.end(), piece.begin(), piece.end());
                });
                whole = gathered;
            }
            if (first == 0)
                on_read(i, whole);
            const std::uint64_t row = tensor.shape.empty() || tensor.shape.front() == 0
                                          ? tensor.bytes
                                          : tensor.bytes / static_cast<std::uint64_t>(tensor.shape.front());
            for (int rank = first; rank < last; ++rank) {
                const Rows rows = rows_of(tensor, rank, ranks);
                // A tensor without elements is one empty chunk, or nothing would tell its type.
                if (rows.count == 0 && !(rank == 0 && tensor.bytes == 0))
                    continue;
                files::FileWriter& file = *writers[static_cast<std::size_t>(rank - first)];
                StoredChunk chunk{i, rows, rank, file.position(), 0};
                write_chunk(file, torch_dtype(tensor.dtype), shape_of(tensor, rows),
                            whole.subspan(static_cast<std::uint64_t>(rows.first) * row,
                                          static_cast<std::uint64_t>(rows.count) * row));
                chunk.length = file.position() - chunk.position;
                chunks.push_back(chunk);
            }
        }
        for (auto& writer : writers)
            writer->finish();
    }
    std::stable_sort(chunks.begin(), chunks.end(),
                     [](const StoredChunk& a, const StoredChunk& b) { return a.tensor < b.tensor; });
    std::vector<DcpTensor> tensors;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const SourceTensor& tensor = source.tensors()[chunks[i].tensor];
        if (i == 0 || chunks[i].tensor != chunks[i - 1].tensor)
            tensors.push_back(
                {"model." + tensor.name, {"model", tensor.name}, torch_dtype(tensor.dtype), tensor.shape, {}});
        tensors.back().chunks.push_back({offset_of(tensor, chunks[i].rows), shape_of(tensor, chunks[i].rows),
                                         name_of_rank(chunks[i].rank), chunks[i].position, chunks[i].length});
    }
    const std::string metadata = dcp_metadata(tensors, {});
    files::FileWriter file(folder / ".metadata", metadata.size());
    file.write(metadata);
    file.finish();
    names.emplace_back(".metadata");
    return names;
}

}  // namespace trainyard::weights
