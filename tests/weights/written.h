// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Writes torch's files for tests, valid or broken: archives, pickles of tensors, folders of distributed checkpoints.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/files/zip_archive.h"

namespace trainyard::test {

inline std::span<const std::byte> bytes_of(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

/// Little-endian.
template <class T>
std::string raw(T value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// An entry of an archive, and its defects.
struct ZipEntry {
    std::string name, content;
    std::uint16_t method = 0, flags = 0;
    std::int64_t moved = 0;  ///< added to the offset in the directory
    bool bad_crc = false;
    bool zip64 = false;  ///< sizes and offset in the 64-bit field
};

inline std::string zip(const std::vector<ZipEntry>& entries) {
    std::string out, directory;
    for (const ZipEntry& entry : entries) {
        auto size = static_cast<std::uint32_t>(entry.content.size());
        std::uint32_t crc = files::crc32(bytes_of(entry.content)) ^ (entry.bad_crc ? 1u : 0u);
        auto name_size = static_cast<std::uint16_t>(entry.name.size());
        std::uint64_t place = out.size();
        out += raw(0x04034b50u) + raw<std::uint16_t>(20) + raw(entry.flags) + raw(entry.method) + raw(0u) + raw(crc) +
               raw(size) + raw(size) + raw(name_size) + raw<std::uint16_t>(0) + entry.name + entry.content;
        place += static_cast<std::uint64_t>(entry.moved);
        std::string extra;
        if (entry.zip64)
            extra = raw<std::uint16_t>(1) + raw<std::uint16_t>(24) + raw<std::uint64_t>(size) +
                    raw<std::uint64_t>(size) + raw(place);
        std::uint32_t shown = entry.zip64 ? 0xffffffffu : size;
        directory += raw(0x02014b50u) + raw<std::uint16_t>(20) + raw<std::uint16_t>(20) + raw(entry.flags) +
                     raw(entry.method) + raw(0u) + raw(crc) + raw(shown) + raw(shown) + raw(name_size) +
                     raw(static_cast<std::uint16_t>(extra.size())) + raw<std::uint16_t>(0) + raw<std::uint16_t>(0) +
                     raw<std::uint16_t>(0) + raw(0u) +
                     raw(entry.zip64 ? 0xffffffffu : static_cast<std::uint32_t>(place)) + entry.name + extra;
    }
    auto count = static_cast<std::uint16_t>(entries.size());
    auto begin = static_cast<std::uint32_t>(out.size());
    return out + directory + raw(0x06054b50u) + raw<std::uint16_t>(0) + raw<std::uint16_t>(0) + raw(count) +
           raw(count) + raw(static_cast<std::uint32_t>(directory.size())) + raw(begin) + raw<std::uint16_t>(0);
}

// Parts of pickles, protocols 2 and 4.

inline std::string pickled(const std::string& text) {
    return "X" + raw(static_cast<std::uint32_t>(text.size())) + text;
}
inline std::string pickled(std::int64_t value) {
    return "\x8a\x08" + raw(value);
}
inline std::string pickled_tuple(const std::vector<std::int64_t>& values) {
    std::string out = "(";
    for (std::int64_t value : values)
        out += pickled(value);
    return out + "t";
}
inline std::string global(const std::string& module, const std::string& name) {
    return "c" + module + "\n" + name + "\n";
}
inline std::string whole(const std::string& body) {
    return "\x80\x02" + body + ".";
}

inline std::string pickled_tensor(const std::string& storage_class, const std::string& key, std::int64_t count,
                                  std::int64_t offset, const std::vector<std::int64_t>& shape,
                                  const std::vector<std::int64_t>& strides) {
    return global("torch._utils", "_rebuild_tensor_v2") + "((" + pickled("storage") + global("torch", storage_class) +
           pickled(key) + pickled("cpu") + pickled(count) + "tQ" + pickled(offset) + pickled_tuple(shape) +
           pickled_tuple(strides) + "\x89" + global("collections", "OrderedDict") + ")RtR";
}

/// A torch.save archive with one float tensor.
inline std::string saved_tensor(const std::vector<std::int64_t>& shape, const std::vector<float>& values) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = strides[d] * shape[d];
    std::string data(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    return zip({{"archive/data.pkl", whole(pickled_tensor("FloatStorage", "0", static_cast<std::int64_t>(values.size()),
                                                          0, shape, strides))},
                {"archive/byteorder", "little"},
                {"archive/data/0", data}});
}

struct WrittenChunk {
    std::vector<std::int64_t> offset, size;
    std::vector<float> values;
};

/// A folder of torch.distributed.checkpoint with one tensor, all chunks in one file.
inline void write_dcp(const std::filesystem::path& folder, const std::string& name,
                      const std::vector<std::int64_t>& shape, const std::vector<WrittenChunk>& chunks) {
    const std::string module = "torch.distributed.checkpoint.metadata";
    auto record = [](const std::string& from, const std::string& type, const std::string& fields) {
        return global(from, type) + ")\x81}(" + fields + "ub";
    };
    auto size = [](const std::vector<std::int64_t>& values) {
        return global("torch", "Size") + pickled_tuple(values) + "\x85R";
    };
    std::string file, list = "](", places = "}(";
    for (const WrittenChunk& chunk : chunks) {
        std::string saved = saved_tensor(chunk.size, chunk.values);
        list += record(module, "ChunkStorageMetadata",
                       pickled("offsets") + size(chunk.offset) + pickled("sizes") + size(chunk.size));
        places +=
            record(module, "MetadataIndex",
                   pickled("fqn") + pickled(name) + pickled("offset") + size(chunk.offset) + pickled("index") + "N") +
            record("torch.distributed.checkpoint.filesystem", "_StorageInfo",
                   pickled("relative_path") + pickled("__0_0.distcp") + pickled("offset") +
                       pickled(static_cast<std::int64_t>(file.size())) + pickled("length") +
                       pickled(static_cast<std::int64_t>(saved.size())));
        file += saved;
    }
    std::string properties =
        global(module, "TensorProperties") + ")\x81(" + global("torch", "float32") + "N\x89N\x89tb";
    std::string entry =
        record(module, "TensorStorageMetadata",
               pickled("properties") + properties + pickled("size") + size(shape) + pickled("chunks") + list + "e");
    std::string metadata = whole(record(module, "Metadata",
                                        pickled("state_dict_metadata") + "}(" + pickled(name) + entry + "u" +
                                            pickled("planner_data") + "}(" + pickled(name) + "(" + pickled("model") +
                                            pickled(name) + "tu" + pickled("storage_data") + places + "u"));
    std::filesystem::create_directories(folder);
    std::ofstream(folder / ".metadata", std::ios::binary) << metadata;
    std::ofstream(folder / "__0_0.distcp", std::ios::binary) << file;
}

}  // namespace trainyard::test
