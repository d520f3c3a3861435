// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/load_checkpoint.h"

#include <algorithm>
#include <set>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <sys/mman.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/mapped_range.h"
#include "base/free_memory.h"
#include "checkpoint/weights.h"
#include "config/inputs/stored_head.h"
#include "distributed/parallel/tensor_part.h"
#include "distributed/tensors/dtype.h"
#include "formats/hub/fetch.h"
#include "formats/weights/expert_tensors.h"
#include "formats/weights/pickle.h"
#include "formats/weights/quantization/packed_matrix.h"
#include "formats/weights/safetensors_header.h"
#include "inference/dispatch/layerwise_casting.h"
#include "inference/dispatch/packed_weights.h"
#include "models/spec/stored_tensors.h"

namespace trainyard::dispatch {

namespace {

using Source = std::shared_ptr<const weights::WeightSource>;

/// A unit beside its own multiplies with it.
bool is_tied(const models::Model& model, const parallel::Parameter& parameter) {
    return std::ranges::any_of(model.units(), [&](const parallel::Unit* unit) {
        return std::ranges::find(unit->tied_parameters(), &parameter) != unit->tied_parameters().end();
    });
}

bool is_adapter_folder(const std::filesystem::path& checkpoint) {
    std::error_code error;
    return std::filesystem::exists(checkpoint / "adapter_config.json", error);
}

/// Quantized matrices are [out, in] in files, also those that the model has as [in, out] (Conv1D of transformers).
bool is_transposed(const weights::WeightSource& source, std::size_t stored, const ModelTensor& tensor) {
    return tensor.parameter != nullptr && tensor.parameter->product() == parallel::Parameter::Product::in_out &&
           source.is_packed(stored);
}

/// The tensors of a checkpoint that a model's are made of, by the number of the model's tensor.
std::vector<std::size_t> match(const models::Model& model, const std::vector<ModelTensor>& wanted,
                               const weights::WeightSource& source, const std::filesystem::path& checkpoint,
                               bool strict, std::vector<Message>& warnings) {
    std::vector<std::string> names;
    for (const weights::SourceTensor& tensor : source.tensors())
        names.push_back(tensor.name);
    std::set<std::string> of_model;
    for (const ModelTensor& tensor : wanted)
        of_model.insert(tensor.name);
    const families::StoredTensors stored(std::move(names), std::move(of_model));
    warnings.insert(warnings.end(), source.notes().begin(), source.notes().end());
    std::vector<std::size_t> found;
    std::vector<std::string> missing, left;
    std::vector<Message> misfits;
    std::set<std::size_t> used;
    for (const ModelTensor& tensor : wanted) {
        const std::optional<std::size_t> place = stored.find(tensor.name);
        found.push_back(place.value_or(0));
        if (!place) {
            missing.push_back(tensor.name);
            continue;
        }
        used.insert(*place);
        std::vector<std::int64_t> shape = source.tensors()[*place].shape;
        if (is_transposed(source, *place, tensor))
            std::ranges::reverse(shape);
        if (shape != tensor.whole_shape())
            misfits.push_back(shape_misfit(tensor.name, source.tensors()[*place].shape, tensor.shape()));
    }
    if (!missing.empty() && is_adapter_folder(checkpoint))
        throw UserError(
            "{} has an adapter and not the model that it was trained beside: name that "
            "model, and give this folder as its adapter (--adapter)",
            checkpoint.string());
    check_match(checkpoint, missing,
                missing.empty() ? Message() : stored.instead_of(missing, checkpoint.string(), !used.empty()),
                std::move(misfits));
    if (model.config().tie_word_embeddings) {
        const inputs::StoredHead head = inputs::stored_head(source, model.config());
        if (head.differs)
            throw UserError(
                "{} has a head of its own, {}, which differs from {}, and the model has one tensor "
                "for both: set tie_word_embeddings to false",
                checkpoint.string(), head.head, head.table);
        if (!head.head.empty())
            used.insert(head.tensor);
    }
    for (std::size_t i = 0; i < source.tensors().size(); ++i)
        if (!used.contains(i))
            left.push_back(source.tensors()[i].name);
    report_unused(checkpoint, left, strict, warnings);
    return found;
}

/// A copy in memory of its own, in large pages where the system gives them.
at::Tensor resident_copy(const at::Tensor& stored, at::ScalarType type, c10::Device device) {
    if (!device.is_cpu())
        return stored.to(device, type);
    at::Tensor copy = at::empty(stored.sizes(), stored.options().dtype(type));
    constexpr std::uintptr_t kLargePage = 2 << 20;
    const auto begin = reinterpret_cast<std::uintptr_t>(copy.data_ptr());
    const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage,
                         last = (begin + copy.nbytes()) / kLargePage * kLargePage;
    if (first < last)
        ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // advisory
    return copy.copy_(stored);
}

const std::string& planned_kernel(const parallel::Parameter& parameter, const models::Packing& packing) {
    return packing.plan.choice(parameter.name().substr(0, parameter.name().rfind('.'))).kernel;
}

/// The part of a whole matrix that this rank has.
std::shared_ptr<quantization::PackedMatrix> own_part(std::shared_ptr<quantization::PackedMatrix> whole,
                                                     const parallel::Parameter& parameter) {
    const parallel::TensorPart* part = parameter.part();
    if (whole == nullptr || part == nullptr || !part->is_divided())
        return whole;
    const bool in_first = parameter.product() == parallel::Parameter::Product::in_out;
    std::vector<quantization::PackedMatrix::Interval> intervals;
    for (const parallel::Range& range : part->ranges())
        intervals.push_back({range.begin, range.end});
    const bool of_outputs = (part->dimension == 1) == in_first;
    return std::make_shared<quantization::PackedMatrix>(whole->part(of_outputs ? 0 : 1, intervals));
}

/// The matrix of a parameter as the plan has it in memory, whole; nullptr: as other weights. `is_quantized`: some
/// matrices of the source are, and what is not was skipped on purpose. `type`: of the file.
std::shared_ptr<quantization::PackedMatrix> packed_matrix(const parallel::Parameter& parameter,
                                                          const models::Packing& packing,
                                                          const weights::WeightSource& source, bool is_quantized,
                                                          std::size_t tensor, at::ScalarType type) {
    const std::string& kernel = planned_kernel(parameter, packing);
    if (kernel == "dense" || (models::cast_type(kernel) && !source.is_packed(tensor)))
        return nullptr;
    if (kernel == "stored")
        return source.packed(tensor);
    return packed_weight({.name = parameter.name(),
                          .shape = parameter.whole_shape(),
                          .in_first = parameter.product() == parallel::Parameter::Product::in_out},
                         {.method = kernel, .double_quant = packing.double_quant}, packing.rounded, source,
                         is_quantized, tensor, type);
}

}  // namespace

at::ScalarType dtype_of_checkpoint(const std::filesystem::path& checkpoint) {
    const std::unique_ptr<weights::WeightSource> source = weights::open_model(hub::model_folder(checkpoint.string()));
    std::map<std::string, std::uint64_t> bytes;
    for (const weights::SourceTensor& tensor : source->tensors())
        bytes[tensor.dtype] += tensor.bytes;
    std::string most;
    for (const auto& [dtype, count] : bytes)
        if (most.empty() || count > bytes[most])
            most = dtype;
    const at::ScalarType type = checkpoint::stored_type(most, checkpoint.string());
    return type == at::kHalf || type == at::kBFloat16 ? type : at::kFloat;
}

LoadedCheckpoint load_checkpoint_in_model(const models::Model& model, const std::filesystem::path& checkpoint,
                                          const LoadOptions& options) {
    at::NoGradGuard no_grad;
    const Source source = weights::open_model(hub::model_folder(checkpoint.string()));
    const DeviceMap map = options.device_map.value_or(DeviceMap{{"", "cpu"}});
    LoadedCheckpoint loaded;
    loaded.warnings = check_device_map(model, map);
    DispatchOptions dispatch;
    dispatch.main_device = options.main_device;
    dispatch.accelerator = options.accelerator;
    const std::map<const parallel::Unit*, c10::Device> devices = execution_devices(model, map, dispatch);
    std::vector<ModelTensor> wanted = tensors_of(model);
    std::erase_if(wanted, [&](const ModelTensor& tensor) {
        return tensor.is_adapter() ||
               (options.keeps_trained && tensor.parameter != nullptr && tensor.parameter->trains());
    });
    const std::vector<std::size_t> found = match(model, wanted, *source, checkpoint, options.strict, loaded.warnings);
    const bool any_on_disk = std::ranges::any_of(map, [](const auto& entry) { return is_disk(entry.second); });
    const bool keeps_pages = options.offload_state_dict.value_or(any_on_disk);
    const at::ScalarType dtype = options.dtype ? *options.dtype : dtype_of_checkpoint(checkpoint);
    const bool is_quantized = options.packing && has_packed(*source);
    DiskTensors on_disk_tensors(options.offload_folder, checkpoint, source->kind());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const ModelTensor& tensor = wanted[i];
        if (options.elsewhere.contains(tensor.parameter))
            continue;
        const weights::SourceTensor& info = source->tensors()[found[i]];
        const at::ScalarType type = checkpoint::stored_type(info.dtype, checkpoint.string() + ": '" + info.name + "'");
        if (tensor.parameter != nullptr && !at::isFloatingType(type))
            throw UserError("{} has {} in elements of type {}: give weights as F32, F16 or BF16", checkpoint.string(),
                            info.name, info.dtype);
        const bool in_fp32 = std::ranges::any_of(options.keep_in_fp32_modules, [&](const std::string& part) {
            return tensor.name.find(part) != std::string::npos;
        });
        const bool looked_up = options.keeps_trained && tensor.parameter != nullptr && tensor.parameter->is_table();
        const bool can_pack =
            options.packing && tensor.parameter != nullptr && models::can_pack(*tensor.parameter, model);
        // The results of all matrices of a layer with quantized ones have one type; those of a head are logits.
        const bool is_beside_quantized = can_pack && tensor.parameter->product() != parallel::Parameter::Product::none;
        const at::ScalarType compute = (in_fp32 && !is_beside_quantized) || looked_up ? at::kFloat : dtype;
        const std::string place = place_of(tensor, map);
        const c10::Device device = devices.at(tensor.unit);
        StoredTensor stored{.type = type, .shape = tensor.shape(), .compute = compute};
        const bool transposes = is_transposed(*source, found[i], tensor);
        const auto read = [&] {
            const at::Tensor as_stored = map_tensor(*source, found[i], type),
                             whole = transposes ? as_stored.t().contiguous() : as_stored;
            const bool is_part = tensor.parameter != nullptr && tensor.parameter->part() != nullptr;
            return is_part ? tensor.parameter->part()->select(whole) : whole;
        };
        if (looked_up && !in_fp32)
            stored.product = dtype;
        const bool is_buffer = tensor.buffer != nullptr && !options.offload_buffers;
        const bool on_disk = is_disk(place);
        const bool packs = can_pack && device.is_cpu() && (on_disk || device_of(place, options.accelerator).is_cpu());
        if (packs && in_fp32 && is_beside_quantized && dtype != at::kFloat) {
            // Pages of the file are cast for each product.
            auto kernel = std::make_shared<models::CastKernel>(
                on_disk ? read() : resident_copy(read(), at::kFloat, device),
                tensor.parameter->product() == parallel::Parameter::Product::in_out, at::kFloat, dtype);
            (on_disk ? loaded.packed_on_disk : loaded.packed) += kernel->bytes();
            tensor.parameter->pack(std::move(kernel), dtype);
            continue;
        }
        if (packs && !in_fp32) {
            const models::PackedOptions& how = options.packing->options;
            if (auto matrix =
                    own_part(packed_matrix(*tensor.parameter, *options.packing, *source, is_quantized, found[i], type),
                             *tensor.parameter)) {
                if (on_disk)
                    loaded.packed_on_disk +=
                        leave_codes_on_disk(*matrix, *source, found[i], tensor.name, on_disk_tensors)->bytes().size();
                loaded.packed += matrix->bytes();
                tensor.parameter->pack(std::make_shared<models::PackedKernel>(std::move(matrix), how), how.result);
                continue;
            }
            // Tensors on disk keep the type of the file.
            if (const auto cast = models::cast_type(planned_kernel(*tensor.parameter, *options.packing));
                cast && !on_disk) {
                auto kernel = std::make_shared<models::CastKernel>(
                    resident_copy(read(), *cast, device),
                    tensor.parameter->product() == parallel::Parameter::Product::in_out, how.result, how.result);
                loaded.packed += kernel->bytes();
                tensor.parameter->pack(std::move(kernel), how.result);
                continue;
            }
        }
        if (on_disk && !is_buffer) {
            stored.piece = transposes ? std::nullopt : source->piece(found[i]);
            if (!stored.piece)
                stored.piece = on_disk_tensors.writer_for(tensor.name)
                                   .write(tensor.name, info.dtype, stored.shape, [&](const weights::ByteSink& sink) {
                                       if (!transposes)
                                           return source->stream(found[i], sink);
                                       const at::Tensor value = read();
                                       sink({static_cast<const std::byte*>(value.const_data_ptr()), value.nbytes()});
                                   });
        } else if (const c10::Device home = device_of(place, options.accelerator); home != device && !is_buffer) {
            stored.tensor = read();
            if (!keeps_pages || type != compute || !home.is_cpu()) {
                stored.tensor = resident_copy(stored.tensor, stored.shape.size() >= 2 ? compute : at::kFloat, home);
                stored.type = stored.tensor.scalar_type();
            } else {
                loaded.mapped += stored.tensor.nbytes();
            }
        } else {
            const at::Tensor on_file = read();
            const bool cast = options.storage_dtype && is_cast_layerwise(tensor);
            if (cast) {
                stored.tensor = resident_copy(on_file, *options.storage_dtype, device);
                stored.type = *options.storage_dtype;
            } else if (tensor.parameter != nullptr && info.shape.size() >= 2) {
                const bool pages = keeps_pages && device.is_cpu() && type == compute;
                const at::Tensor value = pages ? on_file : resident_copy(on_file, compute, device);
                loaded.mapped += pages ? value.nbytes() : 0;
                // A table's copy for products is that of a head, which shares it.
                const bool multiplied = looked_up && !in_fp32 && dtype != compute && is_tied(model, *tensor.parameter);
                tensor.place(value, multiplied ? value.to(dtype) : value);
                continue;
            } else {
                const auto [value, copy] = values_for(tensor, on_file, compute, device, true);
                tensor.place(value, copy);
                continue;
            }
        }
        tensor.place({}, {});
        loaded.offloaded.emplace(tensor.name, std::move(stored));
    }
    on_disk_tensors.finish();
    files::throw_if_pages_were_lost();
    return loaded;
}

DispatchedCheckpoint load_checkpoint_and_dispatch(const models::Model& model, const std::filesystem::path& checkpoint,
                                                  const LoadOptions& options) {
    LoadedCheckpoint loaded = load_checkpoint_in_model(model, checkpoint, options);
    DispatchOptions dispatch;
    dispatch.main_device = options.main_device;
    dispatch.offload_dir = options.offload_folder;
    dispatch.offload_buffers = options.offload_buffers;
    dispatch.accelerator = options.accelerator;
    // Pages of a file count as free, but those of weights that are to stay in memory are not.
    const std::uint64_t room = available_memory();
    dispatch.page_room = room - std::min(room, loaded.mapped);
    return {dispatch_model(model, options.device_map.value_or(DeviceMap{{"", "cpu"}}), std::move(loaded.offloaded),
                           dispatch),
            std::move(loaded.warnings)};
}

}  // namespace trainyard::dispatch
