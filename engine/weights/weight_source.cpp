#include "weights/weight_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "files/mapped_file.h"
#include "weights/dcp_folder.h"
#include "weights/elements.h"
#include "weights/gguf_file.h"
#include "weights/offload_folder.h"
#include "weights/packed_blocks.h"
#include "weights/safetensors.h"
#include "weights/torch_file.h"
#include "weights/weight_index.h"
#include "weights/zero_folder.h"

namespace trainyard::weights {

namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;
using Sink = std::function<void(Bytes)>;

class DcpSource final : public WeightSource {
  public:
    explicit DcpSource(const fs::path& path) : folder_(path) {
        if (!folder_.others().empty())
            throw UserError(
                fmt::format("{} holds the state of an optimizer ('{}' is not a tensor): give the folder of the model, "
                            "pytorch_model_fsdp_0",
                            path.string(), folder_.others().front()));
        bool unwrap = single_outer_key();
        std::set<std::string> names;
        for (const DcpTensor& tensor : folder_.tensors()) {
            std::string name =
                unwrap ? fmt::format("{}", fmt::join(tensor.path.begin() + 1, tensor.path.end(), ".")) : tensor.name;
            if (!names.insert(name).second)
                throw UserError(fmt::format("{} has two tensors that would be called '{}'", path.string(), name));
            add(path.string(), std::move(name), safetensors_dtype(tensor.dtype), tensor.shape);
        }
    }
    void stream(std::size_t tensor, const Sink& sink) const override {
        folder_.stream(folder_.tensors()[tensor], sink);
    }
    std::string kind() const override { return "distributed checkpoint"; }

  private:
    /// FSDP saves {"model": {...}}. As in Accelerate, a dictionary with a single key is treated as such a wrapper.
    bool single_outer_key() const {
        for (const DcpTensor& tensor : folder_.tensors())
            if (tensor.path.size() < 2 || tensor.path.front() != folder_.tensors().front().path.front())
                return false;
        return !folder_.tensors().empty();
    }

    DcpFolder folder_;
};

class SafetensorsSource final : public WeightSource {
  public:
    explicit SafetensorsSource(const fs::path& file) {
        files_.emplace(file.filename().string(), weights::SafetensorsFile(file));
        add_all(file.parent_path(), nullptr);
    }
    SafetensorsSource(const fs::path& folder, const WeightIndex& index) {
        for (const std::string& file : index.files())
            files_.emplace(file, weights::SafetensorsFile(folder / file));
        for (const WeightIndex::Entry& entry : index.entries())
            if (const std::string& file = index.files()[entry.file];
                files_.at(file).find(std::string(entry.tensor)) == nullptr)
                throw UserError(fmt::format("{} has no tensor '{}', though the index says so", (folder / file).string(),
                                            entry.tensor));
        add_all(folder, &index);
    }
    SafetensorsSource(const fs::path& folder, const std::vector<std::string>& shards) {
        for (const std::string& file : shards)
            files_.emplace(file, weights::SafetensorsFile(folder / file));
        add_all(folder, nullptr);
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool /*trusted*/) const override {
        return places_[tensor].first->bytes(*places_[tensor].second);
    }
    void stream(std::size_t tensor, const Sink& sink) const override {
        auto [file, info] = places_[tensor];
        sink(file->bytes(*info));
        files::release_pages(file->bytes(*info));
    }
    std::optional<FilePiece> piece(std::size_t tensor) const override {
        auto [file, info] = places_[tensor];
        return FilePiece{file->path(), file->data_offset() + info->begin, info->end - info->begin};
    }
    std::string kind() const override { return "safetensors"; }

  private:
    /// Without an index every tensor is added.
    void add_all(const fs::path& folder, const WeightIndex* index) {
        for (const auto& [file_name, file] : files_)
            for (const weights::TensorInfo& tensor : file.tensors()) {
                const std::string* listed = index == nullptr ? nullptr : index->file_of(tensor.name);
                if (index != nullptr && (listed == nullptr || *listed != file_name))
                    throw UserError(fmt::format("{} has a tensor '{}' that the index does not look for there",
                                                (folder / file_name).string(), tensor.name));
                add((folder / file_name).string(), tensor.name, tensor.dtype, tensor.shape);
                places_.emplace_back(&file, &tensor);
            }
    }

    std::map<std::string, weights::SafetensorsFile> files_;
    std::vector<std::pair<const weights::SafetensorsFile*, const weights::TensorInfo*>> places_;
};

class TorchSource final : public WeightSource {
  public:
    explicit TorchSource(const fs::path& file) { open(file.parent_path(), file.filename().string()); }
    TorchSource(const fs::path& folder, const WeightIndex& index) {
        for (const std::string& file : index.files())
            open(folder, file);
        for (const WeightIndex::Entry& entry : index.entries())
            if (!names_.contains(std::string(entry.tensor)))
                throw UserError(fmt::format("{} has no tensor '{}', though the index says so",
                                            (folder / index.files()[entry.file]).string(), entry.tensor));
    }
    void stream(std::size_t tensor, const Sink& sink) const override {
        places_[tensor].first->stream(*places_[tensor].second, sink);
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool trusted) const override {
        return places_[tensor].first->contiguous_bytes(*places_[tensor].second, trusted);
    }
    std::string kind() const override { return "torch.save file"; }

  private:
    void open(const fs::path& folder, const std::string& name) {
        std::string where = (folder / name).string();
        const TorchFile& file = files_.try_emplace(name, folder / name).first->second;
        if (file.root().kind != Kind::dict)
            throw UserError(fmt::format("{} contains no dictionary of tensors", where));
        std::span<const Value> items = file.root().items();
        for (std::size_t i = 0; i < items.size(); i += 2) {
            std::string key(items[i].text());
            if (items[i].kind != Kind::text || items[i + 1].kind != Kind::tensor)
                throw UserError(fmt::format("{} holds more than a table of tensors ('{}')", where, key));
            if (!names_.insert(key).second)
                throw UserError(fmt::format("{} has the tensor '{}', which was there before", where, key));
            const TensorPart& tensor = *items[i + 1].object->tensor;
            add(where, key, safetensors_dtype(tensor.dtype), tensor.shape);
            places_.emplace_back(&file, &tensor);
        }
    }

    std::map<std::string, TorchFile> files_;
    std::set<std::string> names_;
    std::vector<std::pair<const TorchFile*, const TensorPart*>> places_;
};

/// The fp32 weights of DeepSpeed's optimizer and the buffers, as fp32, too: what zero_to_fp32.py gives.
class ZeroSource final : public WeightSource {
  public:
    explicit ZeroSource(const fs::path& path) : folder_(path) {
        for (const ZeroTensor& tensor : folder_.tensors()) {
            std::string dtype = safetensors_dtype(tensor.dtype);
            add(path.string(), tensor.name, is_floating(dtype) ? "F32" : dtype, tensor.shape);
        }
    }
    void stream(std::size_t tensor, const Sink& sink) const override {
        const ZeroTensor& info = folder_.tensors()[tensor];
        const std::string from = safetensors_dtype(info.dtype);
        std::vector<std::byte> converted;
        for (const ZeroPiece& piece : info.pieces) {
            Bytes bytes = folder_.bytes(piece);
            if (from == tensors_[tensor].dtype) {
                sink(bytes);
            } else {
                convert_elements(from, bytes, tensors_[tensor].dtype, converted);
                sink(converted);
            }
            files::release_pages(bytes);
        }
    }
    std::string kind() const override {
        return fmt::format("ZeRO stage {} of {} ranks", folder_.stage(), folder_.ranks());
    }

  private:
    ZeroFolder folder_;
};

/// Packed tensors become fp32.
class GgufSource final : public WeightSource {
  public:
    explicit GgufSource(const fs::path& path)
        : file_(path), header_(read_gguf_header(file_.bytes(), file_.bytes().size(), path.string())) {
        std::vector<std::string> unknown;
        for (const GgufTensor& tensor : header_.tensors) {
            if (tensor.dtype.empty() && packed_type(tensor.type) == nullptr)
                unknown.push_back(fmt::format("'{}' ({})", tensor.name, tensor.type));
            else
                add(path.string(), tensor.name, tensor.dtype.empty() ? "F32" : tensor.dtype, tensor.shape);
        }
        if (!unknown.empty())
            throw UserError(
                fmt::format("{} has {} tensors packed in a way that cannot be read, such as {}: convert a file "
                            "of another type, such as Q8_0 or F16",
                            path.string(), unknown.size(), unknown.front()));
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool /*trusted*/) const override {
        return header_.tensors[tensor].dtype.empty() ? Bytes() : stored(tensor);
    }
    void stream(std::size_t tensor, const Sink& sink) const override {
        if (const PackedType* type = packed_type(header_.tensors[tensor].type)) {
            constexpr std::size_t kBlocksAtOnce = 1024;
            const Bytes blocks = stored(tensor);
            const std::size_t piece = kBlocksAtOnce * type->bytes;
            std::vector<float> values;
            for (std::size_t at = 0; at < blocks.size(); at += piece) {
                const Bytes some = blocks.subspan(at, std::min(piece, blocks.size() - at));
                values.resize(some.size() / type->bytes * type->elements);
                unpack_blocks(*type, some, values);
                sink(std::as_bytes(std::span(values)));
            }
        } else {
            sink(stored(tensor));
        }
        files::release_pages(stored(tensor));
    }
    std::optional<FilePiece> piece(std::size_t tensor) const override {
        if (header_.tensors[tensor].dtype.empty())
            return std::nullopt;
        return FilePiece{file_.path(), header_.tensors[tensor].begin, header_.tensors[tensor].bytes};
    }
    std::string kind() const override { return "GGUF"; }

  private:
    Bytes stored(std::size_t tensor) const {
        return file_.bytes().subspan(header_.tensors[tensor].begin, header_.tensors[tensor].bytes);
    }

    files::MappedFile file_;
    GgufHeader header_;
};

[[noreturn]] void throw_no_weights(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error))
        throw UserError(
            fmt::format("{} does not exist: name the folder of a checkpoint, or a file of weights", folder.string()));
    std::vector<std::string> inner;
    bool shards = false;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        std::string name = entry.path().filename().string();
        shards = shards || name.ends_with(".distcp");
        if (name.starts_with("pytorch_model_fsdp_") && entry.is_directory(error))
            inner.push_back(entry.path().string());
    }
    if (shards)
        throw UserError(
            fmt::format("{} has shards, but its list '.metadata' is missing: the checkpoint was not saved to its end, "
                        "or was copied without hidden files",
                        folder.string()));
    if (!inner.empty())
        throw UserError(
            fmt::format("{} holds no weights itself: did you mean {}?", folder.string(), fmt::join(inner, " or ")));
    throw UserError(
        fmt::format("{} holds no weights: expected .metadata with *.distcp, model.safetensors or pytorch_model.bin, "
                    "or an index of these",
                    folder.string()));
}

std::unique_ptr<WeightSource> open_file(const fs::path& file) {
    if (file.extension() == ".safetensors")
        return std::make_unique<SafetensorsSource>(file);
    if (file.extension() == ".gguf")
        return std::make_unique<GgufSource>(file);
    return std::make_unique<TorchSource>(file);
}

template <class Source>
std::unique_ptr<WeightSource> open_shards(const fs::path& index_file) {
    const WeightIndex index(index_file);
    if (index.empty())
        throw UserError(fmt::format("{} names no tensors", index_file.string()));
    return std::make_unique<Source>(index_file.parent_path(), index);
}

/// Shards of safetensors whose index is missing: their names tell whether all are there. Each must be in its place.
std::unique_ptr<WeightSource> open_shards_without_index(const fs::path& folder) {
    const std::vector<std::string> shards = shards_without_index(folder);
    std::map<std::string, std::string> places;
    for (const std::string& name : shards)
        for (const TensorInfo& tensor : read_safetensors_header(folder / name).tensors)
            if (auto [at, fresh] = places.emplace(tensor.name, name); !fresh)
                throw UserError(fmt::format("{} and {} both have a tensor '{}'", (folder / at->second).string(), name,
                                            tensor.name));
    return places.empty() ? nullptr : std::make_unique<SafetensorsSource>(folder, shards);
}

/// In the order in which transformers looks for them.
std::unique_ptr<WeightSource> open_files(const fs::path& folder, std::size_t index) {
    std::error_code error;
    const fs::path safe = folder / numbered("model", index, ".safetensors"),
                   torch = folder / numbered("pytorch_model", index, ".bin");
    if (fs::exists(safe, error))
        return open_file(safe);
    if (fs::path shards = safe.string() + ".index.json"; fs::exists(shards, error))
        return open_shards<SafetensorsSource>(shards);
    if (fs::exists(torch, error))
        return open_file(torch);
    if (fs::path shards = torch.string() + ".index.json"; fs::exists(shards, error))
        return open_shards<TorchSource>(shards);
    if (index > 0)
        return nullptr;
    for (const char* adapter : {"adapter_model.safetensors", "adapter_model.bin"})
        if (fs::exists(folder / adapter, error))
            return open_file(folder / adapter);
    return open_shards_without_index(folder);
}

}  // namespace

void WeightSource::add(const std::string& where, std::string name, std::string safetensors_dtype,
                       std::vector<std::int64_t> shape) {
    std::uint64_t element = weights::dtype_size(safetensors_dtype), bytes = 0;
    auto count = element_count(shape);
    if (element == 0)
        throw UserError(fmt::format("{}: safetensors has no type for the elements of '{}'", where, name));
    if (!count || __builtin_mul_overflow(static_cast<std::uint64_t>(*count), element, &bytes))
        throw UserError(fmt::format("{}: the shape of '{}' is too large", where, name));
    tensors_.push_back({std::move(name), std::move(safetensors_dtype), std::move(shape), bytes});
}

std::unique_ptr<WeightSource> open_weights(const fs::path& path) {
    std::error_code error;
    if (fs::is_regular_file(path, error))
        return open_file(path);
    if (DcpFolder::is_one(path))
        return std::make_unique<DcpSource>(path);
    if (auto source = open_files(path, 0))
        return source;
    if (fs::path zero = ZeroFolder::locate(path); !zero.empty())
        return std::make_unique<ZeroSource>(zero);
    if (is_offload_folder(path))
        return open_offload_folder(path);
    throw_no_weights(path);
}

std::unique_ptr<WeightSource> open_saved_model(const fs::path& folder, std::size_t index) {
    if (auto source = open_files(folder, index))
        return source;
    // FSDP's folder, or that of DeepSpeed, which has a file `latest` beside it.
    std::error_code error;
    if (const fs::path distributed = folder / ("pytorch_model_fsdp_" + std::to_string(index));
        fs::is_directory(distributed, error))
        return open_weights(distributed);
    if (const fs::path zero = folder / numbered("pytorch_model", index, ""); fs::is_directory(zero, error))
        return open_weights(zero);
    return nullptr;
}

std::unique_ptr<WeightSource> open_first_model(const fs::path& path) {
    std::error_code error;
    if (fs::is_directory(path, error) && !DcpFolder::is_one(path))
        if (auto source = open_saved_model(path, 0))
            return source;
    return open_weights(path);
}

std::string numbered(const std::string& name, std::size_t index, const std::string& ending) {
    return name + (index == 0 ? "" : "_" + std::to_string(index)) + ending;
}

}  // namespace trainyard::weights
