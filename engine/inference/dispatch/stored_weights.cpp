// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/stored_weights.h"

#include <algorithm>
#include <cerrno>
#include <span>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "config/recipe/recipe.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/pickle.h"
#include "models/spec/family.h"

namespace trainyard::dispatch {

namespace {

constexpr std::size_t kMostNamedTensors = 5;

}  // namespace

std::vector<std::int64_t> ModelTensor::shape() const {
    return parameter != nullptr ? parameter->shape() : buffer->value.sizes().vec();
}

std::vector<std::int64_t> ModelTensor::whole_shape() const {
    return parameter != nullptr ? parameter->whole_shape() : shape();
}

std::string ModelTensor::module_name() const {
    return families::module_name(name);
}

bool ModelTensor::is_adapter() const {
    return config::is_adapter(name);
}

void ModelTensor::place(const at::Tensor& value, const at::Tensor& compute) const {
    if (parameter != nullptr)
        parameter->place(value, compute);
    else
        buffer->value =
            value.defined() ? value : at::empty(buffer->value.sizes(), buffer->value.options().device(at::kMeta));
}

std::shared_ptr<files::MappedRange> map_piece(const weights::FilePiece& piece) {
    const FileDescriptor file(::open(piece.file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        throw_file_error("cannot read", piece.file, errno);
    return std::make_shared<files::MappedRange>(file.get(), piece.offset, static_cast<std::size_t>(piece.bytes),
                                                piece.file);
}

at::Tensor map_tensor(const StoredTensor& stored) {
    const auto options = at::TensorOptions().dtype(stored.type);
    if (stored.piece->bytes == 0)
        return at::empty(stored.shape, options);
    const std::shared_ptr<files::MappedRange> mapped = map_piece(*stored.piece);
    mapped->populate(mapped->bytes(), stored.piece->file);
    auto* data = const_cast<std::byte*>(mapped->bytes().data());
    if (reinterpret_cast<std::uintptr_t>(data) % c10::elementSize(stored.type) == 0)
        return at::from_blob(
            data, stored.shape, [mapped](void*) {}, options);
    const at::Tensor copy = at::empty(stored.shape, options);
    std::ranges::copy(mapped->bytes(), static_cast<std::byte*>(copy.data_ptr()));
    return copy;
}

at::Tensor map_tensor(const weights::WeightSource& source, std::size_t tensor, at::ScalarType type) {
    const weights::SourceTensor& info = source.tensors()[tensor];
    if (const std::optional<weights::FilePiece> piece = source.piece(tensor))
        return map_tensor({.piece = piece, .type = type, .shape = info.shape});
    at::Tensor copy = at::empty(info.shape, at::TensorOptions().dtype(type));
    auto* to = static_cast<std::byte*>(copy.data_ptr());
    source.stream(tensor, [&](std::span<const std::byte> part) { to = std::ranges::copy(part, to).out; });
    return copy;
}

weights::OffloadWriter& DiskTensors::writer_for(const std::string& name) {
    if (folder_.empty() && kind_.empty())
        throw UserError("the device map puts {} on disk: name a folder for it (offload_dir)", name);
    if (folder_.empty())
        throw UserError(
            "{} is to be read from disk, but {} is {}, whose tensors cannot be read in place: name a "
            "folder for them (offload_folder)",
            name, checkpoint_.string(), kind_);
    if (!writer_)
        writer_.emplace(folder_);
    return *writer_;
}

StoredTensor DiskTensors::write(const std::string& name, const at::Tensor& tensor) {
    const at::Tensor value = tensor.detach().to(at::kCPU).contiguous();
    StoredTensor stored{.type = value.scalar_type(), .shape = value.sizes().vec()};
    stored.piece =
        writer_for(name).write(name, weights::safetensors_dtype(dtype_name(value.scalar_type())), stored.shape,
                               [&](const weights::ByteSink& sink) {
                                   sink({static_cast<const std::byte*>(value.const_data_ptr()), value.nbytes()});
                               });
    return stored;
}

void DiskTensors::finish() {
    if (writer_)
        writer_->finish();
}

Message first_of(std::vector<Message> all) {
    const std::size_t count = all.size();
    all.resize(std::min(count, kMostNamedTensors));
    const Message named = Message::joined(all, ", ");
    return count > kMostNamedTensors ? Message("{} and {} more", named, count - kMostNamedTensors) : named;
}

Message first_of(const std::vector<std::string>& names) {
    std::vector<Message> all;
    for (const std::string& name : names)
        all.push_back(Message::verbatim(name));
    return first_of(std::move(all));
}

Message shape_misfit(const std::string& name, const std::vector<std::int64_t>& stored,
                     const std::vector<std::int64_t>& wanted) {
    return Message("{} has the shape [{}] instead of [{}]", name, fmt::join(stored, ", "), fmt::join(wanted, ", "));
}

void check_match(const std::filesystem::path& checkpoint, const std::vector<std::string>& missing,
                 const Message& advice, std::vector<Message> misfits) {
    if (!missing.empty())
        throw UserError("{} has no tensor {}: {}", checkpoint.string(), first_of(missing),
                        advice.empty() ? Message("it is of another model") : advice);
    if (!misfits.empty())
        throw UserError("{} does not fit this model: {}", checkpoint.string(), first_of(std::move(misfits)));
}

void report_unused(const std::filesystem::path& checkpoint, const std::vector<std::string>& unused, bool strict,
                   std::vector<Message>& warnings) {
    if (!unused.empty() && strict)
        throw UserError("{} has tensors that the model lacks: {}", checkpoint.string(), first_of(unused));
    if (!unused.empty())
        warnings.push_back(
            Message("{} has tensors that the model does not use: {}", checkpoint.string(), first_of(unused)));
}

void throw_no_value(const std::string& name) {
    throw UserError(
        "{} has no value yet: load a checkpoint into the model before it is "
        "dispatched",
        name);
}

std::vector<ModelTensor> tensors_of(const models::Model& model) {
    std::vector<ModelTensor> all;
    for (parallel::Unit* unit : model.units()) {
        for (parallel::Parameter* parameter : unit->parameters())
            all.push_back({parameter->name(), unit, parameter, nullptr});
        for (const auto& buffer : unit->buffers())
            all.push_back({buffer->name, unit, nullptr, buffer.get()});
    }
    return all;
}

std::pair<at::Tensor, at::Tensor> values_for(const ModelTensor& target, const at::Tensor& stored, at::ScalarType type,
                                             at::Device device, bool copy) {
    at::NoGradGuard no_grad;
    if (target.buffer != nullptr) {
        const at::Tensor value = stored.to(device, target.buffer->value.scalar_type(), false, copy);
        return {value, value};
    }
    if (stored.dim() >= 2) {
        const at::Tensor value = stored.to(device, type, false, copy);
        return {value, value};
    }
    const at::Tensor value = stored.to(device, at::kFloat, false, copy);
    return {value, value.to(type)};
}

bool is_empty(const models::Model& model) {
    return std::ranges::all_of(tensors_of(model), [](const ModelTensor& tensor) {
        return tensor.parameter != nullptr ? !tensor.parameter->value().defined() || tensor.parameter->value().is_meta()
                                           : tensor.buffer->value.is_meta();
    });
}

void init_empty_weights(const models::Model& model) {
    for (const ModelTensor& tensor : tensors_of(model))
        tensor.place({}, {});
}

}  // namespace trainyard::dispatch
