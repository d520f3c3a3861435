#include "checkpoint/weights.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include "base/error.h"
#include "checkpoint/accelerate_folder.h"
#include "checkpoint/torch_archive.h"
#include "io/safetensors.h"
#include "legacy/pickle.h"
#include "legacy/weight_index.h"
#include "legacy/weight_source.h"
#include "tensors/dtype.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

namespace {

NamedTensors read_safetensors(const fs::path& path) {
    auto file = std::make_shared<io::SafetensorsFile>(path);
    NamedTensors tensors;
    for (const io::TensorInfo& info : file->tensors()) {
        auto options = at::TensorOptions().dtype(stored_type(info.dtype, path.string() + ": '" + info.name + "'"));
        std::span<const std::byte> bytes = file->bytes(info);
        at::Tensor tensor;
        if (bytes.empty() || reinterpret_cast<std::uintptr_t>(bytes.data()) % io::dtype_size(info.dtype) != 0) {
            tensor = at::empty(info.shape, options);  // a header that leaves its tensors at odd addresses is legal
            if (!bytes.empty())
                std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
        } else {
            tensor = at::from_blob(
                const_cast<std::byte*>(bytes.data()), info.shape, [file](void*) {}, options);
        }
        tensors.emplace_back(info.name, std::move(tensor));
    }
    return tensors;
}

NamedTensors read_shards(const fs::path& index, bool trusted) {
    std::map<std::string, std::string> file_of = legacy::read_weight_index(index);
    std::set<std::string> files;
    for (const auto& [name, file] : file_of)
        files.insert(file);
    NamedTensors tensors;
    std::string problems;
    for (const std::string& file : files)
        for (auto& [name, tensor] : read_weights_file(index.parent_path() / file, trusted)) {
            auto entry = file_of.find(name);
            if (entry == file_of.end() || entry->second != file)
                continue;  // of another model, or a copy that the index does not mean
            tensors.emplace_back(name, tensor);
            file_of.erase(entry);
        }
    for (const auto& [name, file] : file_of)
        problems += (problems.empty() ? "" : "; ") + file + " has no tensor '" + name + "'";
    if (!problems.empty())
        throw UserError(index.string() + " is not true: " + problems);
    return tensors;
}

NamedTensors read_distributed(const fs::path& folder) {
    auto source = legacy::open_weights(folder);
    NamedTensors tensors;
    for (std::size_t i = 0; i < source->tensors().size(); ++i) {
        const legacy::SourceTensor& info = source->tensors()[i];
        at::Tensor tensor = at::empty(
            info.shape, at::TensorOptions().dtype(stored_type(info.dtype, folder.string() + ": '" + info.name + "'")));
        auto* to = static_cast<std::byte*>(tensor.data_ptr());
        source->stream(i, [&](std::span<const std::byte> piece) {
            std::copy(piece.begin(), piece.end(), to);
            to += piece.size();
        });
        tensors.emplace_back(info.name, std::move(tensor));
    }
    return tensors;
}

}  // namespace

at::ScalarType stored_type(const std::string& safetensors_dtype, const std::string& where) {
    auto type = dtype_of_name(legacy::torch_dtype(safetensors_dtype));
    if (!type)
        throw UserError(where + " has elements of type " + safetensors_dtype + ", which torch does not know");
    return *type;
}

std::string numbered(const std::string& name, std::size_t index, const std::string& ending) {
    return name + (index == 0 ? "" : "_" + std::to_string(index)) + ending;
}

NamedTensors read_weights_file(const fs::path& file, bool trusted) {
    if (file.extension() == ".safetensors")
        return read_safetensors(file);
    Tree tree = read_torch_file(file, trusted);
    if (!tree.is_dict())
        throw UserError(file.string() + " holds no dictionary of weights, but a " + tree.kind());
    NamedTensors tensors;
    for (const Tree::Entry& entry : tree.entries()) {
        if (!entry.value.is_tensor())
            throw UserError(file.string() + " holds more than weights: '" + to_string(entry.key) + "' is a " +
                            entry.value.kind());
        tensors.emplace_back(to_string(entry.key), entry.value.as_tensor());
    }
    return tensors;
}

std::optional<NamedTensors> read_model(const fs::path& folder, std::size_t index, bool trusted) {
    for (const char* ending : {".safetensors", ".bin"}) {
        fs::path file = folder / numbered(ending == std::string(".bin") ? "pytorch_model" : "model", index, ending);
        if (fs::exists(file))
            return read_weights_file(file, trusted);
        file += ".index.json";
        if (fs::exists(file))
            return read_shards(file, trusted);
    }
    fs::path distributed = folder / ("pytorch_model_fsdp_" + std::to_string(index));
    if (fs::is_directory(distributed))
        return read_distributed(distributed);
    return std::nullopt;
}

NamedTensors read_weights(const fs::path& folder_or_file) {
    if (!fs::is_directory(folder_or_file))
        return read_weights_file(folder_or_file);
    if (auto tensors = read_model(folder_or_file, 0))
        return *tensors;
    return read_distributed(folder_or_file);  // or an error that tells what the folder holds
}

}  // namespace trainyard::checkpoint
