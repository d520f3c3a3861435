// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/dispatch/packed_weights.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "distributed/tensors/dtype.h"
#include "formats/weights/elements.h"
#include "formats/weights/pickle.h"
#include "formats/weights/write_weights.h"

namespace trainyard::dispatch {

namespace {

std::vector<float> read_values(const weights::WeightSource& source, std::size_t tensor) {
    const weights::SourceTensor& info = source.tensors()[tensor];
    std::vector<std::byte> bytes;
    bytes.reserve(info.bytes);
    source.stream(tensor,
                  [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    std::vector<float> values(bytes.size() / weights::dtype_size(info.dtype));
    weights::decode_elements(info.dtype, bytes, values);
    return values;
}

}  // namespace

bool has_packed(const weights::WeightSource& source) {
    for (std::size_t i = 0; i < source.tensors().size(); ++i)
        if (source.is_packed(i))
            return true;
    return false;
}

std::shared_ptr<quantization::PackedMatrix> packed_weight(const LinearWeight& weight,
                                                          const quantization::WeightQuantization& how,
                                                          const std::optional<at::ScalarType>& rounded,
                                                          const weights::WeightSource& source, bool is_quantized,
                                                          std::size_t tensor, at::ScalarType type) {
    std::shared_ptr<quantization::PackedMatrix> stored = source.packed(tensor);
    if (stored != nullptr && stored->method() != how.method)
        throw UserError("{} is stored in {}, and quantization.method is {}: leave it out, or set it to {}", weight.name,
                        stored->method(), how.method, stored->method());
    if (stored != nullptr || is_quantized)
        return stored;
    std::vector<float> values = read_values(source, tensor);
    if (rounded && *rounded != type) {
        type = *rounded;
        std::vector<std::byte> narrow;
        const std::string stored_as = weights::safetensors_dtype(dtype_name(type));
        weights::convert_elements("F32", std::as_bytes(std::span(values)), stored_as, narrow);
        weights::decode_elements(stored_as, narrow, values);
    }
    if (weight.in_first)
        values = quantization::transposed(values, weight.shape[1]);
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        throw UserError("{} has numbers that are not finite, and cannot be quantized", weight.name);
    return std::make_shared<quantization::PackedMatrix>(
        quantization::PackedMatrix::encode(values, weight.shape[weight.in_first ? 0 : 1],
                                           {.method = how.method, .double_quant = how.double_quant}, dtype_name(type)));
}

std::shared_ptr<files::MappedRange> leave_codes_on_disk(quantization::PackedMatrix& matrix,
                                                        const weights::WeightSource& source, std::size_t tensor,
                                                        const std::string& name, DiskTensors& files) {
    std::optional<weights::FilePiece> codes = source.codes_piece(tensor);
    if (!codes)
        for (const quantization::StoredTensor& part : matrix.stored(name)) {
            if (part.name.ends_with(".weight_format"))
                continue;  // Accelerate's folders have none
            const weights::FilePiece written = files.writer_for(name).write(
                part.name, part.dtype, part.shape, [&](const weights::ByteSink& sink) { sink(part.bytes); });
            codes = codes.value_or(written);
        }
    std::shared_ptr<files::MappedRange> mapped = map_piece(*codes);
    matrix.place_codes(mapped->bytes(), mapped);
    return mapped;
}

void check_places_of_packed(const DeviceMap& map, const std::string& accelerator) {
    for (const auto& [module, place] : map)
        if (!is_disk(place) && !device_of(place, accelerator).is_cpu())
            throw UserError(
                "'{}' is on {}, and weights stay in 4 and 8 bits on processors alone in this version: map it to cpu or "
                "disk",
                module, place);
}

void HeldTensors::take(const std::string& name, const quantization::PackedMatrix& matrix) {
    for (quantization::StoredTensor& part : matrix.stored(name))
        add_part(std::move(part));
}

void HeldTensors::take(const std::string& name, const at::Tensor& tensor) {
    if (!tensor.defined() || tensor.is_meta())
        throw UserError("{} is on disk, and a model is saved from memory: load it with another device map", name);
    const at::Tensor value = tensor.detach().to(at::kCPU).contiguous();
    const auto* bytes = static_cast<const std::byte*>(value.const_data_ptr());
    add_part({name,
              weights::safetensors_dtype(dtype_name(value.scalar_type())),
              value.sizes().vec(),
              {bytes, bytes + value.nbytes()}});
}

void HeldTensors::add_part(quantization::StoredTensor part) {
    add(kind(), part.name, part.dtype, part.shape);
    parts_.push_back(std::move(part));
}

void HeldTensors::write(const std::filesystem::path& folder, std::uint64_t max_shard_bytes) const {
    Progress progress;
    weights::write_weights(*this, {.output = folder, .max_shard_bytes = max_shard_bytes}, progress);
}

}  // namespace trainyard::dispatch
