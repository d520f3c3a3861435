#include "legacy/dcp_metadata.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "legacy/pickle.h"
#include "legacy/torch_file.h"

namespace trainyard::legacy {

namespace {

struct Place {
    std::string file;
    std::uint64_t position = 0, length = 0;
};

/// A chunk is known by its tensor's name and its offset.
using ChunkKey = std::pair<std::string, std::vector<std::int64_t>>;

class Reader {
  public:
    Reader(std::span<const std::byte> bytes, const std::string& where) : where_(where), pickle_(bytes, where) {}

    DcpMetadata read() {
        const Value& root = pickle_.root();
        const Value* entries = field(root, "state_dict_metadata");
        const Value* places = field(root, "storage_data");
        if (entries == nullptr || places == nullptr || entries->kind != Kind::dict || places->kind != Kind::dict)
            fail("it lists no tensors or no places of them");
        read_places(places->items());
        read_paths(field(root, "planner_data"));
        std::span<const Value> items = entries->items();
        std::set<std::string_view> names;
        for (std::size_t i = 0; i < items.size(); i += 2) {
            if (items[i].kind != Kind::text || !names.insert(items[i].text()).second)
                fail(fmt::format("the name '{}' is there twice or is no text", items[i].text()));
            read_entry(std::string(items[i].text()), items[i + 1]);
        }
        return std::move(metadata_);
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw UserError(fmt::format("{} is no sound list of a distributed checkpoint: {}", where_, what));
    }

    std::optional<std::vector<std::int64_t>> numbers(const Value* value) const {
        if (value == nullptr || (value->kind != Kind::size && value->kind != Kind::tuple && value->kind != Kind::list))
            return std::nullopt;
        std::vector<std::int64_t> all;
        for (const Value& item : value->items()) {
            if (item.kind != Kind::integer || item.integer < 0)
                return std::nullopt;
            all.push_back(item.integer);
        }
        return all;
    }

    std::uint64_t whole(const Value* value, const std::string& name) const {
        if (value == nullptr || value->kind != Kind::integer || value->integer < 0)
            fail(fmt::format("the place of '{}' is negative or no number", name));
        return static_cast<std::uint64_t>(value->integer);
    }

    void read_places(std::span<const Value> items) {
        for (std::size_t i = 0; i < items.size(); i += 2) {
            const Value* name_value = field(items[i], "fqn");
            const Value* file = field(items[i + 1], "relative_path");
            if (name_value == nullptr || name_value->kind != Kind::text || file == nullptr || file->kind != Kind::text)
                fail("the place of a chunk has no name or no file");
            std::string name(name_value->text());
            Place place{std::string(file->text()), whole(field(items[i + 1], "offset"), name),
                        whole(field(items[i + 1], "length"), name)};
            if (place.file.empty() || place.file == "." || place.file == ".." ||
                place.file.find('/') != std::string::npos || place.file.find('\0') != std::string::npos)
                fail(fmt::format("the file '{}' of '{}' leaves the folder", place.file, name));
            if (const Value* changes = field(items[i + 1], "transform_descriptors");
                changes != nullptr && !changes->items().empty())
                fail(fmt::format("'{}' is stored compressed, which is not read: save the checkpoint without it", name));
            auto offset = numbers(field(items[i], "offset"));
            if (!places_.emplace(ChunkKey{name, offset.value_or(std::vector<std::int64_t>{})}, place).second)
                fail(fmt::format("a chunk of '{}' is there twice", name));
        }
    }

    void read_paths(const Value* planner) {
        if (planner == nullptr || planner->kind != Kind::dict)
            return;
        std::span<const Value> items = planner->items();
        for (std::size_t i = 0; i < items.size(); i += 2) {
            std::vector<std::string> path;
            for (const Value& part : items[i + 1].items())
                path.push_back(part.kind == Kind::integer ? std::to_string(part.integer) : std::string(part.text()));
            paths_[std::string(items[i].text())] = std::move(path);
        }
    }

    void read_entry(const std::string& name, const Value& entry) {
        if (entry.kind == Kind::record && entry.object->type == "BytesStorageMetadata") {
            metadata_.others.push_back(name);
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
            fail(fmt::format("'{}' has no sound shape, chunks or properties", name));
        tensor.shape = *shape;
        tensor.dtype = dtype_of(*properties, name);
        for (const Value& value : chunks->items()) {
            DcpChunk chunk;
            auto offset = numbers(field(value, "offsets")), size = numbers(field(value, "sizes"));
            if (!offset || !size || offset->size() != shape->size() || size->size() != shape->size())
                fail(fmt::format("a chunk of '{}' has no sound offset or size", name));
            auto place = places_.find({name, *offset});
            if (place == places_.end())
                fail(fmt::format("the place of a chunk of '{}' is missing", name));
            chunk = {*offset, *size, place->second.file, place->second.position, place->second.length};
            tensor.chunks.push_back(std::move(chunk));
        }
        check_coverage(tensor);
        metadata_.tensors.push_back(std::move(tensor));
    }

    /// TensorProperties are pickled as a tuple that begins with the dtype, by old versions as a dictionary.
    std::string dtype_of(const Value& properties, const std::string& name) const {
        const Value* dtype = field(properties, "dtype");
        if (dtype == nullptr && properties.kind == Kind::record && !properties.object->items.at(1).items().empty())
            dtype = properties.object->items.at(1).items().data();
        if (dtype == nullptr || dtype->kind != Kind::dtype)
            fail(fmt::format("'{}' has no dtype", name));
        return std::string(dtype->object->type);
    }

    void check_coverage(DcpTensor& tensor) const {
        auto total = element_count(tensor.shape);
        if (!total)
            fail(fmt::format("the shape of '{}' is too large", tensor.name));
        std::sort(tensor.chunks.begin(), tensor.chunks.end(),
                  [](const DcpChunk& a, const DcpChunk& b) { return a.offset < b.offset; });
        std::int64_t covered = 0;
        for (std::size_t i = 0; i < tensor.chunks.size(); ++i) {
            const DcpChunk& chunk = tensor.chunks[i];
            for (std::size_t d = 0; d < tensor.shape.size(); ++d)
                if (chunk.size[d] > tensor.shape[d] || chunk.offset[d] > tensor.shape[d] - chunk.size[d])
                    fail(fmt::format("a chunk of '{}' reaches beyond its shape", tensor.name));
            covered += *element_count(chunk.size);  // inside the shape, so it fits
            if (covered > *total)
                fail(fmt::format("the chunks of '{}' overlap", tensor.name));
            for (std::size_t k = i; k-- > 0;)
                if (meet(tensor.chunks[k], chunk))
                    fail(fmt::format("the chunks of '{}' overlap", tensor.name));
        }
        if (covered != *total)
            fail(fmt::format("the chunks of '{}' do not cover it", tensor.name));
    }

    static bool meet(const DcpChunk& a, const DcpChunk& b) {
        for (std::size_t d = 0; d < a.size.size(); ++d)
            if (a.offset[d] >= b.offset[d] + b.size[d] || b.offset[d] >= a.offset[d] + a.size[d])
                return false;
        return true;
    }

    const std::string& where_;
    Pickle pickle_;
    std::map<ChunkKey, Place> places_;
    std::map<std::string, std::vector<std::string>> paths_;
    DcpMetadata metadata_;
};

}  // namespace

DcpMetadata read_dcp_metadata(std::span<const std::byte> bytes, const std::string& where) {
    return Reader(bytes, where).read();
}

}  // namespace trainyard::legacy
