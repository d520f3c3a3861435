#include "weights/weight_source.h"

#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "files/mapped_file.h"
#include "weights/dcp_folder.h"
#include "weights/safetensors.h"
#include "weights/torch_file.h"
#include "weights/weight_index.h"

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

/// File by tensor name.
using WeightIndex = std::map<std::string, std::string>;

class SafetensorsSource final : public WeightSource {
  public:
    explicit SafetensorsSource(const fs::path& file) {
        files_.emplace(file.filename().string(), weights::SafetensorsFile(file));
        add_all(file.parent_path(), {});
    }
    SafetensorsSource(const fs::path& folder, const WeightIndex& index) {
        for (const auto& [name, file] : index)
            if (!files_.contains(file))
                files_.emplace(file, weights::SafetensorsFile(folder / file));
        for (const auto& [name, file] : index)
            if (files_.at(file).find(name) == nullptr)
                throw UserError(
                    fmt::format("{} has no tensor '{}', though the index says so", (folder / file).string(), name));
        add_all(folder, index);
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool /*trusted*/) const override {
        return places_[tensor].first->bytes(*places_[tensor].second);
    }
    void stream(std::size_t tensor, const Sink& sink) const override {
        auto [file, info] = places_[tensor];
        sink(file->bytes(*info));
        files::release_pages(file->bytes(*info));
    }
    std::string kind() const override { return "safetensors"; }

  private:
    /// An empty index lists nothing; then every tensor is added.
    void add_all(const fs::path& folder, const WeightIndex& index) {
        for (const auto& [file_name, file] : files_)
            for (const weights::TensorInfo& tensor : file.tensors()) {
                if (auto listed = index.find(tensor.name);
                    !index.empty() && (listed == index.end() || listed->second != file_name))
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
        for (const auto& [name, file] : index)
            if (!files_.contains(file))
                open(folder, file);
        for (const auto& [name, file] : index)
            if (!names_.contains(name))
                throw UserError(
                    fmt::format("{} has no tensor '{}', though the index says so", (folder / file).string(), name));
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
    return std::make_unique<TorchSource>(file);
}

template <class Source>
std::unique_ptr<WeightSource> open_shards(const fs::path& index_file) {
    WeightIndex index = read_weight_index(index_file);
    if (index.empty())
        throw UserError(fmt::format("{} names no tensors", index_file.string()));
    return std::make_unique<Source>(index_file.parent_path(), index);
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
    return nullptr;
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
    throw_no_weights(path);
}

std::unique_ptr<WeightSource> open_saved_model(const fs::path& folder, std::size_t index) {
    if (auto source = open_files(folder, index))
        return source;
    const fs::path distributed = folder / ("pytorch_model_fsdp_" + std::to_string(index));
    std::error_code error;
    return fs::is_directory(distributed, error) ? open_weights(distributed) : nullptr;
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
