// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/write_files.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "base/file.h"
#include "base/files/file_writer.h"
#include "base/files/hash.h"
#include "checkpoint/torch_archive.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/pickle.h"
#include "optim/state_dict.h"

namespace trainyard::checkpoint {

std::vector<weights::TensorToWrite> to_write(const NamedTensors& tensors, std::vector<at::Tensor>& keep,
                                             std::vector<std::string>* dropped) {
    std::vector<weights::TensorToWrite> result;
    std::map<std::tuple<const void*, std::vector<std::int64_t>, std::vector<std::int64_t>>, std::string> names;
    keep.reserve(keep.size() + tensors.size());
    for (const auto& [name, tensor] : tensors) {
        if (tensor.numel() > 0) {
            auto [known, is_new] =
                names.emplace(std::tuple(tensor.const_data_ptr(), tensor.sizes().vec(), tensor.strides().vec()), name);
            if (!is_new) {
                if (dropped != nullptr)
                    dropped->push_back(name);
                continue;
            }
        }
        std::string dtype = weights::safetensors_dtype(dtype_name(tensor.scalar_type()));
        if (dtype.empty())
            throw UserError(
                "'{}' has elements of type {}, which safetensors files cannot hold: save "
                "with safe_serialization off",
                name, dtype_name(tensor.scalar_type()));
        keep.push_back(tensor.detach().cpu().contiguous());
        const at::Tensor& bytes = keep.back();
        result.push_back({name,
                          dtype,
                          tensor.sizes().vec(),
                          {static_cast<const std::byte*>(bytes.const_data_ptr()), bytes.nbytes()}});
    }
    return result;
}

namespace {

/// The tensor's hash, and what of it is not finite: of a piece while it is in the cache, for memory is what takes the time.
std::string look_at(const weights::TensorToWrite& tensor, NotFinite* found) {
    constexpr std::size_t kHashedPiece = 64 << 10;
    files::Xxh128 hash;
    for (std::size_t begin = 0; begin < tensor.bytes.size(); begin += kHashedPiece) {
        const auto bytes = tensor.bytes.subspan(begin, std::min(kHashedPiece, tensor.bytes.size() - begin));
        hash.add(bytes);
        if (found != nullptr)
            add_not_finite({tensor.name, tensor.dtype, {}, bytes}, *found);
    }
    return hash.digest();
}

}  // namespace

FileRecord write_file(const std::filesystem::path& folder, const FileToSave& file, NotFinite* found) {
    const std::filesystem::path path = folder / file.name;
    const bool has_folder = std::filesystem::path(file.name).has_parent_path();
    if (has_folder)
        make_private_folder(path.parent_path());
    const auto* weights = std::get_if<WeightsFile>(&file.content);
    const auto* tree = std::get_if<Tree>(&file.content);
    std::vector<at::Tensor> keep;
    std::vector<weights::TensorToWrite> tensors;
    if (weights != nullptr || tree != nullptr)
        tensors = to_write(weights != nullptr ? weights->tensors : optim::named_states(*tree), keep);
    if (found != nullptr)
        *found = {};
    std::map<std::string, std::string> hashes;
    for (const weights::TensorToWrite& tensor : tensors)
        hashes[tensor.name] = look_at(tensor, found);
    files::WrittenFile written;
    if (weights != nullptr) {
        written = weights::write_safetensors(path, tensors, weights->metadata);
    } else if (tree != nullptr) {
        written = write_torch_file(path, *tree, false);
    } else {
        const auto& text = std::get<std::string>(file.content);
        files::FileWriter writer(path, text.size());
        writer.write(text);
        written = writer.finish(has_folder);
    }
    return {written.bytes, written.xxh128, {}, std::move(hashes)};
}

}  // namespace trainyard::checkpoint
