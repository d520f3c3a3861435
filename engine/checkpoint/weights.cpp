// SPDX-License-Identifier: GPL-3.0-or-later
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
#include "checkpoint/checkpoint.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/pickle.h"
#include "models/spec/stored_tensors.h"

namespace trainyard::checkpoint {

namespace fs = std::filesystem;

namespace {

NamedTensors tensors_of(const std::shared_ptr<const weights::WeightSource>& source, const std::string& where,
                        bool trusted) {
    NamedTensors tensors;
    for (std::size_t i = 0; i < source->tensors().size(); ++i)
        tensors.emplace_back(source->tensors()[i].name, read_tensor(source, i, where, trusted));
    return tensors;
}

/// Fills `tensors`; files of a model without a head have shorter names (families::stored_names).
void fill(const NamedTensors& stored, const std::string& where, const std::vector<LogicalTensor>& tensors,
          const std::set<std::string>& may_lack, std::vector<std::string>& lacks) {
    std::vector<std::string> names;
    for (const auto& [name, tensor] : stored)
        names.push_back(name);
    std::set<std::string> of_model;
    for (const LogicalTensor& tensor : tensors)
        of_model.insert(tensor.name);
    const families::StoredTensors places(std::move(names), std::move(of_model));
    auto find = [&](const std::string& name) -> const at::Tensor* {
        const std::optional<std::size_t> place = places.find(name);
        return place ? &stored[*place].second : nullptr;
    };
    std::vector<Message> problems;
    std::vector<std::string> missing;
    std::size_t found = 0;
    auto complain = [&](Message text) { problems.push_back(std::move(text)); };
    const std::string* last = nullptr;
    for (const LogicalTensor& tensor : tensors) {
        if (last != nullptr && *last == tensor.name)  // another box of it
            continue;
        last = &tensor.name;
        const at::Tensor* source = find(tensor.name);
        found += source != nullptr ? 1 : 0;
        if (source == nullptr && may_lack.contains(tensor.name))
            lacks.push_back(tensor.name);
        else if (source == nullptr) {
            complain(Message("tensor {} is missing", tensor.name));
            missing.push_back(tensor.name);
        } else if (source->sizes() != at::IntArrayRef(tensor.shape))
            complain(Message("tensor {} has shape {} instead of {}", tensor.name, c10::str(source->sizes()),
                             c10::str(at::IntArrayRef(tensor.shape))));
    }
    if (const Message advice = places.instead_of(missing, where, found > 0); !advice.empty())
        complain(advice);
    if (!problems.empty())
        throw UserError("{} does not fit this model: {}", where, Message::joined(problems));
    for (const LogicalTensor& tensor : tensors)
        if (const at::Tensor* source = find(tensor.name))
            copy_overlap(LogicalTensor::of_whole(tensor.name, *source), tensor);
}

}  // namespace

at::Tensor read_tensor(const std::shared_ptr<const weights::WeightSource>& source, std::size_t number,
                       const std::string& where, bool trusted) {
    const weights::SourceTensor& info = source->tensors()[number];
    const auto options = at::TensorOptions().dtype(stored_type(info.dtype, where + ": '" + info.name + "'"));
    const std::span<const std::byte> bytes = source->mapped(number, trusted);
    // A header that leaves its tensors at odd addresses is legal.
    if (!bytes.empty() && reinterpret_cast<std::uintptr_t>(bytes.data()) % options.dtype().itemsize() == 0)
        return at::from_blob(
            const_cast<std::byte*>(bytes.data()), info.shape, [source](void*) {}, options);
    at::Tensor tensor = at::empty(info.shape, options);
    auto* to = static_cast<std::byte*>(tensor.data_ptr());
    source->stream(number, [&](std::span<const std::byte> piece) { to = std::ranges::copy(piece, to).out; });
    return tensor;
}

at::ScalarType stored_type(const std::string& safetensors_dtype, const std::string& where) {
    auto type = dtype_of_name(weights::torch_dtype(safetensors_dtype));
    if (!type)
        throw UserError("{} has elements of type {}, which torch does not know", where, safetensors_dtype);
    return *type;
}

std::optional<NamedTensors> read_model(const fs::path& folder, std::size_t index, bool trusted) {
    auto source = weights::open_saved_model(folder, index);
    if (!source)
        return std::nullopt;
    return tensors_of(std::move(source), folder.string(), trusted);
}

NamedTensors read_weights(const fs::path& path) {
    return tensors_of(weights::open_model(path), path.string(), false);
}

std::vector<std::string> load_weights(const fs::path& path, const std::vector<LogicalTensor>& weights,
                                      const std::set<std::string>& may_lack, std::vector<Message>* notes) {
    std::vector<std::string> lacks;
    std::shared_ptr<const weights::WeightSource> source = weights::open_model(path);
    if (notes != nullptr)
        notes->insert(notes->end(), source->notes().begin(), source->notes().end());
    fill(tensors_of(std::move(source), path.string(), false), path.string(), weights, may_lack, lacks);
    return lacks;
}

}  // namespace trainyard::checkpoint
