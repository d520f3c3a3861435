#include "checkpoint/write_files.h"

#include <algorithm>
#include <map>
#include <tuple>

#include <ATen/ops/full.h>

#include "base/error.h"
#include "base/files/file_writer.h"
#include "base/files/hash.h"
#include "checkpoint/torch_archive.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/pickle.h"

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
    constexpr std::size_t kPiece = 64 << 10;
    files::Xxh128 hash;
    for (std::size_t begin = 0; begin < tensor.bytes.size(); begin += kPiece) {
        const auto bytes = tensor.bytes.subspan(begin, std::min(kPiece, tensor.bytes.size() - begin));
        hash.add(bytes);
        if (found != nullptr)
            add_not_finite({tensor.name, tensor.dtype, {}, bytes}, *found);
    }
    return hash.digest();
}

/// {"state": {0: {"step", "exp_avg", ...}}, "param_groups": [{..., "params", "param_names"}]}
Tree optimizer_tree(const WeightsFile& file) {
    Tree state = Tree::dict(), groups = Tree::list();
    std::map<std::string, std::vector<Tree::Entry>> states;
    for (const auto& [name, tensor] : file.tensors) {
        const std::size_t dot = name.find('.');
        states[name.substr(dot + 1)].push_back({TreeKey(name.substr(0, dot)), Tree(tensor)});
    }
    std::int64_t number = 0;
    for (const OptimizerGroup& group : file.groups) {
        Tree settings = group.settings.is_none() ? Tree::dict() : group.settings;
        Tree numbers = Tree::list(), names = Tree::list();
        for (const std::string& name : group.parameters) {
            if (auto own = states.find(name); own != states.end()) {
                Tree values = group.state.is_none() ? Tree::dict({{"step", at::full({}, file.updates, at::kFloat)}})
                                                    : group.state;
                for (Tree::Entry& entry : own->second)
                    values.set(entry.key, std::move(entry.value));
                state.set(TreeKey(number), std::move(values));
            }
            numbers.append(number++);
            names.append(name);
        }
        settings.set("params", std::move(numbers));
        settings.set("param_names", std::move(names));
        groups.append(std::move(settings));
    }
    return Tree::dict({{"state", std::move(state)}, {"param_groups", std::move(groups)}});
}

}  // namespace

FileRecord write_file(const std::filesystem::path& folder, const FileToSave& file, NotFinite* found) {
    std::filesystem::path path = folder / file.name;
    files::WrittenFile written;
    std::map<std::string, std::string> hashes;
    if (const auto* weights = std::get_if<WeightsFile>(&file.content)) {
        std::vector<at::Tensor> keep;
        const std::vector<weights::TensorToWrite> tensors = to_write(weights->tensors, keep);
        if (found != nullptr)
            *found = {};
        for (const weights::TensorToWrite& tensor : tensors)
            hashes[tensor.name] = look_at(tensor, found);
        written = weights->groups.empty() ? weights::write_safetensors(path, tensors, weights->metadata)
                                          : write_torch_file(path, optimizer_tree(*weights), false);
    } else if (const auto* tree = std::get_if<Tree>(&file.content)) {
        written = write_torch_file(path, *tree, false);
    } else {
        const auto& text = std::get<std::string>(file.content);
        files::FileWriter writer(path, text.size());
        writer.write(text);
        written = writer.finish(false);
    }
    return {written.bytes, written.xxh128, {}, std::move(hashes)};
}

}  // namespace trainyard::checkpoint
