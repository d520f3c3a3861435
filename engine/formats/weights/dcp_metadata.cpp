// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/dcp_metadata.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "formats/weights/pickle.h"
#include "formats/weights/torch_file.h"

namespace trainyard::weights {

namespace {

struct Place {
    std::string file;
    std::uint64_t position = 0, length = 0;
};

constexpr std::size_t kMostDimensions = 64, kMostKeys = 64, kLongestName = 4096, kMostCells = 4'000'000;

/// Chunks are identified by the name of the tensor and their offset.
using ChunkKey = std::pair<std::string, std::vector<std::int64_t>>;

class MetadataReader {
  public:
    MetadataReader(std::span<const std::byte> bytes, const std::string& where) : where_(where), pickle_(bytes, where) {}

    DcpMetadata read() {
        const Value& root = pickle_.root();
        const Value* entries = field(root, "state_dict_metadata");
        const Value* places = field(root, "storage_data");
        if (entries == nullptr || places == nullptr || entries->kind != Kind::dict || places->kind != Kind::dict)
            fail("it lists no tensors or no places of them");
        read_places(places->items());
        read_paths(field(root, "planner_data"));
        std::span<const Value> items = entries->items();
        std::set<std::string> names;
        for (std::size_t i = 0; i < items.size(); i += 2) {
            std::string name = name_of(&items[i]);
            if (!names.insert(name).second)
                fail(Message("the name '{}' is there twice", name));
            read_entry(name, items[i + 1]);
        }
        return std::move(metadata_);
    }

  private:
    [[noreturn]] void fail(const Message& what) const {
        throw UserError("{} is not valid metadata of a distributed checkpoint: {}", where_, what);
    }

    std::optional<std::vector<std::int64_t>> numbers(const Value* value) const {
        if (value == nullptr ||
            (value->kind != Kind::size && value->kind != Kind::tuple && value->kind != Kind::list) ||
            value->items().size() > kMostDimensions)
            return std::nullopt;
        std::vector<std::int64_t> all;
        for (const Value& item : value->items()) {
            if (item.kind != Kind::integer || item.integer < 0)
                return std::nullopt;
            all.push_back(item.integer);
        }
        return all;
    }

    /// Long names are refused, because one memoised string may be used thousands of times.
    std::string name_of(const Value* value) const {
        if (value == nullptr || value->kind != Kind::text || value->text().size() > kLongestName)
            fail("a name is missing, too long, or no text");
        return std::string(value->text());
    }

    std::uint64_t whole(const Value* value, const std::string& name) const {
        if (value == nullptr || value->kind != Kind::integer || value->integer < 0)
            fail(Message("the place of '{}' is negative or no number", name));
        return static_cast<std::uint64_t>(value->integer);
    }

    void read_places(std::span<const Value> items) {
        for (std::size_t i = 0; i < items.size(); i += 2) {
            std::string name = name_of(field(items[i], "fqn"));
            Place place{name_of(field(items[i + 1], "relative_path")), whole(field(items[i + 1], "offset"), name),
                        whole(field(items[i + 1], "length"), name)};
            if (place.file.empty() || place.file == "." || place.file == ".." ||
                place.file.find('/') != std::string::npos || place.file.find('\0') != std::string::npos)
                fail(Message("the file '{}' of '{}' leaves the folder", place.file, name));
            if (const Value* changes = field(items[i + 1], "transform_descriptors");
                changes != nullptr && !changes->items().empty())
                fail(Message("'{}' is stored compressed, which is not read: save the checkpoint without it", name));
            auto offset = numbers(field(items[i], "offset"));
            if (!places_.emplace(ChunkKey{name, offset.value_or(std::vector<std::int64_t>{})}, place).second)
                fail(Message("a chunk of '{}' is there twice", name));
        }
    }

    void read_paths(const Value* planner) {
        if (planner == nullptr || planner->kind != Kind::dict)
            return;
        std::span<const Value> items = planner->items();
        for (std::size_t i = 0; i < items.size(); i += 2) {
            std::vector<std::string> path;
            if (items[i + 1].items().size() > kMostKeys)
                fail("the keys of an entry are nested too deeply");
            for (const Value& part : items[i + 1].items())
                path.push_back(part.kind == Kind::integer ? std::to_string(part.integer) : name_of(&part));
            paths_[name_of(&items[i])] = std::move(path);
        }
    }

    void read_entry(const std::string& name, const Value& entry) {
        if (entry.kind == Kind::record && entry.object->type == "BytesStorageMetadata") {
            DcpValue value{name, {}, {}, 0, 0};
            if (auto path = paths_.find(name); path != paths_.end())
                value.path = path->second;
            if (const auto place = places_.find({name, {}}); place != places_.end()) {
                value.file = place->second.file;
                value.position = place->second.position;
                value.length = place->second.length;
            }
            metadata_.values.push_back(std::move(value));
            return;
        }
        DcpTensor tensor;
        tensor.name = name;
        if (auto path = paths_.find(name); path != paths_.end())
            tensor.path = path->second;
        auto shape = numbers(field(entry, "size"));
        const Value* chunks = field(entry, "chunks");
        const Value* properties = field(entry, "properties");
        if (!shape || chunks == nullptr || chunks->kind != Kind::list || properties == nullptr)
            fail(Message("'{}' has no sound shape, chunks or properties", name));
        tensor.shape = *shape;
        tensor.dtype = dtype_of(*properties, name);
        for (const Value& value : chunks->items()) {
            DcpChunk chunk;
            auto offset = numbers(field(value, "offsets")), size = numbers(field(value, "sizes"));
            if (!offset || !size || offset->size() != shape->size() || size->size() != shape->size())
                fail(Message("a chunk of '{}' has no sound offset or size", name));
            auto place = places_.find({name, *offset});
            if (place == places_.end())
                fail(Message("the place of a chunk of '{}' is missing", name));
            chunk = {*offset, *size, place->second.file, place->second.position, place->second.length};
            tensor.chunks.push_back(std::move(chunk));
        }
        check_coverage(tensor);
        metadata_.tensors.push_back(std::move(tensor));
    }

    /// TensorProperties is pickled as a tuple that begins with the dtype; old versions use a dictionary.
    std::string dtype_of(const Value& properties, const std::string& name) const {
        const Value* dtype = field(properties, "dtype");
        if (dtype == nullptr && properties.kind == Kind::record && !properties.object->items.at(1).items().empty())
            dtype = properties.object->items.at(1).items().data();
        if (dtype == nullptr || dtype->kind != Kind::dtype)
            fail(Message("'{}' has no dtype", name));
        return std::string(dtype->object->type);
    }

    void check_coverage(DcpTensor& tensor) const {
        auto total = element_count(tensor.shape);
        if (!total)
            fail(Message("the shape of '{}' is too large", tensor.name));
        std::sort(tensor.chunks.begin(), tensor.chunks.end(),
                  [](const DcpChunk& a, const DcpChunk& b) { return a.offset < b.offset; });
        std::int64_t covered = 0;
        for (const DcpChunk& chunk : tensor.chunks) {
            for (std::size_t d = 0; d < tensor.shape.size(); ++d)
                if (chunk.size[d] > tensor.shape[d] || chunk.offset[d] > tensor.shape[d] - chunk.size[d])
                    fail(Message("a chunk of '{}' reaches beyond its shape", tensor.name));
            covered += *element_count(chunk.size);  // inside the shape, so the product fits
            if (covered > *total)
                fail(Message("the chunks of '{}' overlap", tensor.name));
        }
        check_overlap(tensor);
        if (covered != *total)
            fail(Message("the chunks of '{}' do not cover it", tensor.name));
    }

    /// The edges of all chunks divide the tensor into a grid of cells, and no cell may be in two chunks. The time is
    /// proportional to the number of cells; comparing all pairs of chunks would take minutes for a malicious list.
    void check_overlap(const DcpTensor& tensor) const {
        std::size_t dimensions = tensor.shape.size(), cells = 1;
        std::vector<std::vector<std::int64_t>> borders(dimensions);
        for (std::size_t d = 0; d < dimensions; ++d) {
            for (const DcpChunk& chunk : tensor.chunks)
                borders[d].insert(borders[d].end(), {chunk.offset[d], chunk.offset[d] + chunk.size[d]});
            std::sort(borders[d].begin(), borders[d].end());
            borders[d].erase(std::unique(borders[d].begin(), borders[d].end()), borders[d].end());
            cells *= std::max<std::size_t>(borders[d].size(), 1);
            if (cells > kMostCells)
                fail(Message("'{}' is cut in too irregular a way", tensor.name));
        }
        std::vector<bool> taken(cells, false);
        for (const DcpChunk& chunk : tensor.chunks) {
            if (*element_count(chunk.size) == 0)
                continue;
            std::vector<std::size_t> first(dimensions), last(dimensions);
            for (std::size_t d = 0; d < dimensions; ++d) {
                auto position = [&](std::int64_t border) {
                    return static_cast<std::size_t>(std::lower_bound(borders[d].begin(), borders[d].end(), border) -
                                                    borders[d].begin());
                };
                first[d] = position(chunk.offset[d]);
                last[d] = position(chunk.offset[d] + chunk.size[d]);
            }
            std::vector<std::size_t> at = first;
            for (bool more = true; more;) {
                std::size_t cell = 0;
                for (std::size_t d = 0; d < dimensions; ++d)
                    cell = cell * borders[d].size() + at[d];
                if (taken[cell])
                    fail(Message("the chunks of '{}' overlap", tensor.name));
                taken[cell] = true;
                more = false;
                for (std::size_t d = dimensions; d-- > 0 && !more;) {
                    more = ++at[d] < last[d];
                    if (!more)
                        at[d] = first[d];
                }
            }
        }
    }

    const std::string& where_;
    Pickle pickle_;
    std::map<ChunkKey, Place> places_;
    std::map<std::string, std::vector<std::string>> paths_;
    DcpMetadata metadata_;
};

}  // namespace

DcpMetadata read_dcp_metadata(std::span<const std::byte> bytes, const std::string& where) {
    return MetadataReader(bytes, where).read();
}

}  // namespace trainyard::weights
