// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/weight_source.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/files/mapped_file.h"
#include "formats/weights/dcp_folder.h"
#include "formats/weights/elements.h"
#include "formats/weights/gguf_file.h"
#include "formats/weights/megatron_folder.h"
#include "formats/weights/model_level.h"
#include "formats/weights/module_wrappers.h"
#include "formats/weights/offload_folder.h"
#include "formats/weights/packed_blocks.h"
#include "formats/weights/safetensors.h"
#include "formats/weights/torch_file.h"
#include "formats/weights/torch_leaves.h"
#include "formats/weights/weight_index.h"
#include "formats/weights/zero_folder.h"

namespace trainyard::weights {

namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const std::byte>;
using Sink = std::function<void(Bytes)>;

/// The tensors of the model in a nested state, or an error that says what is there instead.
ModelLevel model_level_of(std::span<const StateLeaf> leaves, const std::string& where) {
    ModelLevel level = find_model_level(leaves);
    if (!level.tensors.empty())
        return level;
    if (std::ranges::find(level.parts, StatePart::optimizer) != level.parts.end())
        throw UserError(
            "{} contains the state of an optimizer and no weights of a model ({}): give the folder "
            "or file of the model",
            where, level.left_behind());
    throw UserError(level.others.empty()
                        ? Message("{} contains no tensors", where)
                        : Message("{} contains no weights of a model: it has {}", where, level.left_behind()));
}

Message note_of_others(const ModelLevel& level, const std::string& where) {
    if (level.others.empty())
        return "";
    return level.path.empty() ? Message("{}: only the weights are read, not {}", where, level.left_behind())
                              : Message("{}: only the weights in '{}' are read, not {}", where,
                                        fmt::join(level.path, "."), level.left_behind());
}

class DcpSource final : public WeightSource {
  public:
    explicit DcpSource(const fs::path& path) : folder_(path) {
        const ModelLevel level = model_level_of(folder_.leaves(), path.string());
        if (Message note = note_of_others(level, path.string()); !note.empty())
            add_note(std::move(note));
        std::set<std::string> names;
        for (std::size_t i = 0; i < level.tensors.size(); ++i) {
            const DcpTensor& tensor = folder_.tensors()[level.tensors[i]];
            if (!names.insert(level.names[i]).second)
                throw UserError("{} has two tensors that would be called '{}'", path.string(), level.names[i]);
            add(path.string(), level.names[i], safetensors_dtype(tensor.dtype), tensor.shape);
            places_.push_back(level.tensors[i]);
        }
    }
    void stream(std::size_t tensor, const Sink& sink) const override {
        folder_.stream(folder_.tensors()[places_[tensor]], sink);
    }
    std::string kind() const override { return "distributed checkpoint"; }

  private:
    DcpFolder folder_;
    std::vector<std::size_t> places_;
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
    /// As transformers, an index says which files belong to the model, and their own headers what is in them. Of a
    /// tensor in several files the named one counts. Without an index every tensor is added.
    void add_all(const fs::path& folder, const WeightIndex* index) {
        std::unordered_map<std::string_view, std::string_view> found;
        std::size_t elsewhere = 0, unlisted = 0;
        std::string example;
        for (const auto& [file_name, file] : files_)
            for (const weights::TensorInfo& tensor : file.tensors()) {
                const std::string* listed = index == nullptr ? nullptr : index->file_of(tensor.name);
                if (listed != nullptr && *listed != file_name && files_.at(*listed).find(tensor.name) != nullptr)
                    continue;
                if (const auto [at, fresh] = found.emplace(tensor.name, file_name); !fresh)
                    throw UserError("{} and {} both have a tensor '{}'", (folder / std::string(at->second)).string(),
                                    file_name, tensor.name);
                if (index != nullptr && (listed == nullptr || *listed != file_name)) {
                    ++(listed == nullptr ? unlisted : elsewhere);
                    example = tensor.name;
                }
                add((folder / file_name).string(), tensor.name, tensor.dtype, tensor.shape);
                places_.emplace_back(&file, &tensor);
            }
        if (index != nullptr)
            for (const WeightIndex::Entry& entry : index->entries())
                if (!found.contains(entry.tensor))
                    throw UserError("{} has no tensor '{}', though the index says so",
                                    (folder / index->files()[entry.file]).string(), entry.tensor);
        if (elsewhere + unlisted > 0)
            add_note(
                Message("{}: the index does not fit, {} tensors are in another file than it says and {} are "
                        "not in it, such as '{}'; they are read from where they are",
                        folder.string(), elsewhere, unlisted, example));
        leave_optimizer_behind(
            (index != nullptr || files_.size() > 1 ? folder : folder / files_.begin()->first).string());
    }

    /// A state that was flattened: {"model.w": ..., "optimizer.state.w.exp_avg": ..., "step": ...}.
    void leave_optimizer_behind(const std::string& where) {
        const auto is_of_optimizer = [](const SourceTensor& tensor) { return tensor.name.starts_with("opt"); };
        if (std::ranges::none_of(tensors_, is_of_optimizer))
            return;
        std::vector<StateLeaf> leaves;
        for (const SourceTensor& tensor : tensors_)
            leaves.push_back({{tensor.name}, true, static_cast<std::uint64_t>(*element_count(tensor.shape))});
        const ModelLevel level = model_level_of(leaves, where);
        if (level.tensors.size() == tensors_.size())
            return;
        add_note(note_of_others(level, where));
        std::vector<SourceTensor> tensors;
        std::vector<std::pair<const weights::SafetensorsFile*, const weights::TensorInfo*>> places;
        for (std::size_t i = 0; i < level.tensors.size(); ++i) {
            tensors.push_back(std::move(tensors_[level.tensors[i]]));
            tensors.back().name = level.names[i];
            places.push_back(places_[level.tensors[i]]);
        }
        tensors_ = std::move(tensors);
        places_ = std::move(places);
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
                throw UserError("{} has no tensor '{}', though the index says so",
                                (folder / index.files()[entry.file]).string(), entry.tensor);
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
            throw UserError("{} contains no dictionary of tensors", where);
        const TorchLeaves all = leaves_of(file);
        const ModelLevel level = model_level_of(all.leaves, where);
        if (Message note = note_of_others(level, where); !note.empty())
            add_note(std::move(note));
        for (std::size_t i = 0; i < level.tensors.size(); ++i) {
            if (!names_.insert(level.names[i]).second)
                throw UserError("{} has the tensor '{}', which was there before", where, level.names[i]);
            const TensorPart& tensor = *all.tensors[level.tensors[i]];
            add(where, level.names[i], safetensors_dtype(tensor.dtype), tensor.shape);
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
        return Message("ZeRO stage {} of {}", folder_.stage(), text::ranks(folder_.ranks()));
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
                "{} has {} tensors packed in a way that cannot be read, such as {}: convert a file "
                "of another type, such as Q8_0 or F16",
                path.string(), unknown.size(), unknown.front());
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

/// Files of a folder that may be weights under a name of their own: "consolidated.safetensors", "lit_model.ckpt".
std::vector<fs::path> weights_of_other_names(const fs::path& folder) {
    static constexpr std::string_view kEndings[] = {".safetensors", ".gguf", ".bin", ".pt", ".pth", ".ckpt"};
    static constexpr std::string_view kOfTraining[] = {
        "optim",   "sched",        "scaler",   "random_states",     "rng",
        "sampler", "training_arg", "dl_state", "custom_checkpoint", "average"};
    std::vector<fs::path> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        std::error_code ignored;
        if (std::ranges::any_of(kEndings, [&](std::string_view ending) { return name.ends_with(ending); }) &&
            std::ranges::none_of(kOfTraining, [&](std::string_view part) { return name.starts_with(part); }) &&
            !name.ends_with("_optim_states.pt") && !name.ends_with("_model_states.pt") &&
            entry.is_regular_file(ignored))
            found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
}

[[noreturn]] void throw_no_weights(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error))
        throw UserError("{} does not exist: name the folder of a checkpoint, or a file of weights", folder.string());
    std::vector<std::string> inner;
    bool shards = false;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        std::string name = entry.path().filename().string();
        shards = shards || name.ends_with(".distcp");
        if (name.starts_with("pytorch_model_") && entry.is_directory(error))
            inner.push_back(entry.path().string());
    }
    if (shards)
        throw UserError(
            "{} has shards, but its list '.metadata' is missing: the checkpoint was not saved to its "
            "end, or was copied without hidden files",
            folder.string());
    if (!inner.empty())
        throw UserError("{} holds no weights itself: did you mean {}?", folder.string(), fmt::join(inner, " or "));
    std::vector<std::string> files;
    for (const fs::path& file : weights_of_other_names(folder))
        files.push_back(file.filename().string());
    if (files.size() > 1) {
        constexpr std::size_t kMostFiles = 5;
        files.resize(std::min(files.size(), kMostFiles));
        throw UserError("{} has several files that may be the weights: give the path of one of them, such as {}",
                        folder.string(), fmt::join(files, ", "));
    }
    throw UserError(
        "{} holds no weights: expected .metadata with *.distcp, model.safetensors or "
        "pytorch_model.bin, or an index of these",
        folder.string());
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
        throw UserError("{} names no tensors", index_file.string());
    return std::make_unique<Source>(index_file.parent_path(), index);
}

/// Opens safetensors shards whose index is missing; their names show whether all are there. Each tensor must be in one
/// shard only.
std::unique_ptr<WeightSource> open_shards_without_index(const fs::path& folder) {
    const std::vector<std::string> shards = shards_without_index(folder);
    std::map<std::string, std::string> places;
    for (const std::string& name : shards)
        for (const TensorInfo& tensor : read_safetensors_header(folder / name).tensors)
            if (auto [at, fresh] = places.emplace(tensor.name, name); !fresh)
                throw UserError("{} and {} both have a tensor '{}'", (folder / at->second).string(), name, tensor.name);
    return places.empty() ? nullptr : std::make_unique<SafetensorsSource>(folder, shards);
}

std::unique_ptr<WeightSource> open_index(const fs::path& index_file) {
    const WeightIndex index(index_file);
    const std::vector<std::string>& files = index.files();
    if (!files.empty() &&
        std::ranges::none_of(files, [](const std::string& file) { return file.ends_with(".safetensors"); }))
        return open_shards<TorchSource>(index_file);
    return open_shards<SafetensorsSource>(index_file);
}

/// The only index of a folder that has a name of its own: `index.json` or `<name>.index.json`. Empty: there is none.
/// Throws UserError naming them if it has several.
fs::path index_of_other_name(const fs::path& folder) {
    std::vector<std::string> found;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        std::error_code ignored;
        // Those of TensorFlow and Flax name files that are not read.
        if (name.ends_with(".index.json") && !name.ends_with(".h5.index.json") &&
            !name.ends_with(".msgpack.index.json") && entry.is_regular_file(ignored))
            found.push_back(name);
    }
    if (fs::is_regular_file(folder / "index.json", error) && !is_offload_folder(folder))
        try {
            (void)WeightIndex(folder / "index.json");
            found.emplace_back("index.json");
        } catch (const UserError&) {  // a file of another program
        }
    std::ranges::sort(found);
    if (found.size() > 1)
        throw UserError("{} has several weight indexes: give the path of one of them, {}", folder.string(),
                        fmt::join(found, " or "));
    return found.empty() ? fs::path() : folder / found.front();
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
    if (const fs::path other = index_of_other_name(folder); !other.empty())
        return open_index(other);
    return open_shards_without_index(folder);
}

}  // namespace

void WeightSource::add(const std::string& where, std::string name, std::string safetensors_dtype,
                       std::vector<std::int64_t> shape) {
    std::uint64_t element = weights::dtype_size(safetensors_dtype), bytes = 0;
    auto count = element_count(shape);
    if (element == 0)
        throw UserError("{}: safetensors has no type for the elements of '{}'", where, name);
    if (!count || __builtin_mul_overflow(static_cast<std::uint64_t>(*count), element, &bytes))
        throw UserError("{}: the shape of '{}' is too large", where, name);
    tensors_.push_back({std::move(name), std::move(safetensors_dtype), std::move(shape), bytes});
}

void WeightSource::unwrap_names(const std::string& where) {
    std::vector<std::string> stored;
    stored.reserve(tensors_.size());
    for (const SourceTensor& tensor : tensors_)
        stored.push_back(tensor.name);
    UnwrappedNames unwrapped = unwrapped_names(stored);
    if (unwrapped.wrappers.empty())
        return;
    for (std::size_t i = 0; i < tensors_.size(); ++i)
        tensors_[i].name = std::move(unwrapped.names[i]);
    add_note(Message("{} has names of wrapped modules, whose part {} was left out", where,
                     fmt::join(unwrapped.wrappers, " ")));
}

namespace {

std::unique_ptr<WeightSource> open_as_stored(const fs::path& path) {
    std::error_code error;
    if (fs::is_regular_file(path, error))
        return path.extension() == ".json" ? open_index(path) : open_file(path);
    if (DcpFolder::is_one(path))
        return std::make_unique<DcpSource>(path);
    if (auto source = open_files(path, 0))
        return source;
    if (ZeroPlace zero = ZeroFolder::locate(path); !zero.folder.empty()) {
        auto source = std::make_unique<ZeroSource>(zero.folder);
        if (!zero.note.empty())
            source->add_note(std::move(zero.note));
        return source;
    }
    if (const fs::path states = ZeroFolder::states_without_optimizer(path); !states.empty()) {
        auto source = open_file(states);
        source->add_note(
            Message("{} has no files of DeepSpeed's optimizer, so the weights are those of the module, in "
                    "its type",
                    states.parent_path().string()));
        return source;
    }
    if (!megatron_folder(path).empty())
        return open_megatron(path);
    if (is_offload_folder(path))
        return open_offload_folder(path);
    if (const std::vector<fs::path> files = weights_of_other_names(path); files.size() == 1) {
        auto source = open_file(files.front());
        source->add_note(Message("{} is read, the only file of weights in its folder", files.front().string()));
        return source;
    }
    throw_no_weights(path);
}

std::unique_ptr<WeightSource> open_saved_as_stored(const fs::path& folder, std::size_t index) {
    if (auto source = open_files(folder, index))
        return source;
    // FSDP's folder, or that of DeepSpeed, which has a file `latest` beside it.
    std::error_code error;
    if (const fs::path whole = folder / numbered("pytorch_model_fsdp", index, ".bin"); fs::exists(whole, error))
        return open_file(whole);
    for (const char* name : {"pytorch_model_fsdp_", "pytorch_model_"})  // the second: of Accelerate's first releases
        if (const fs::path distributed = folder / (name + std::to_string(index)); fs::is_directory(distributed, error))
            return open_as_stored(distributed);
    if (const fs::path zero = folder / numbered("pytorch_model", index, ""); fs::is_directory(zero, error))
        return open_as_stored(zero);
    return nullptr;
}

std::unique_ptr<WeightSource> named(std::unique_ptr<WeightSource> source, const fs::path& path, TensorNames names) {
    if (source && names == TensorNames::of_model)
        source->unwrap_names(path.string());
    return source;
}

}  // namespace

std::unique_ptr<WeightSource> open_weights(const fs::path& path, TensorNames names) {
    return named(open_as_stored(path), path, names);
}

std::unique_ptr<WeightSource> open_saved_model(const fs::path& folder, std::size_t index) {
    return named(open_saved_as_stored(folder, index), folder, TensorNames::of_model);
}

std::string main_dtype(const WeightSource& source) {
    std::map<std::string, std::uint64_t> bytes;
    for (const SourceTensor& tensor : source.tensors())
        if (is_floating(tensor.dtype))
            bytes[tensor.dtype] += tensor.bytes;
    const auto most = std::ranges::max_element(bytes, {}, [](const auto& each) { return each.second; });
    return most == bytes.end() ? std::string() : most->first;
}

std::unique_ptr<WeightSource> open_first_model(const fs::path& path, TensorNames names) {
    std::error_code error;
    if (fs::is_directory(path, error) && !DcpFolder::is_one(path))
        if (auto source = open_saved_as_stored(path, 0))
            return named(std::move(source), path, names);
    return open_weights(path, names);
}

std::string numbered(const std::string& name, std::size_t index, const std::string& ending) {
    return name + (index == 0 ? "" : "_" + std::to_string(index)) + ending;
}

}  // namespace trainyard::weights
