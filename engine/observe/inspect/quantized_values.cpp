// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/quantized_values.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "formats/weights/elements.h"
#include "formats/weights/quantization/four_bit.h"
#include "formats/weights/quantization/fp8_blocks.h"
#include "formats/weights/quantization/packed_matrix.h"
#include "formats/weights/quantization/quantized_source.h"
#include "formats/weights/safetensors_header.h"
#include "formats/weights/torch_file.h"
#include "observe/inspect/reader.h"
#include "observe/inspect/reader_source.h"

namespace trainyard::inspect {

namespace {

constexpr std::string_view kWeightEnding = ".weight", kRowMagnitudes = ".SCB";

/// Rounded to a type as safetensors names it.
void round_to(std::string_view dtype, std::vector<float>& values) {
    if (dtype == "F32")
        return;
    std::vector<std::byte> narrow;
    weights::convert_elements("F32", std::as_bytes(std::span(values)), std::string(dtype), narrow);
    weights::decode_elements(std::string(dtype), narrow, values);
}

}  // namespace

QuantizedValues::QuantizedValues(const Reader& reader) : reader_(reader) {
    const std::vector<Tensor>& tensors = reader.contents().tensors;
    const auto is_of_quantized = [](const Tensor& tensor) {
        return quantization::may_be_quantized(tensor.name, tensor.dtype);
    };
    if (!std::ranges::any_of(tensors, is_of_quantized))
        return;
    try {
        values_ = quantization::dequantized(std::make_unique<WeightsOfReader>(reader));
    } catch (const UserError& error) {
        problem_ = error.message();
        return;
    }
    std::map<std::string_view, std::size_t> found;
    for (std::size_t i = 0; i < values_->tensors().size(); ++i)
        found.emplace(values_->tensors()[i].name, i);
    constexpr std::string_view kNf4 = ".quant_state.bitsandbytes__nf4";
    for (const Tensor& tensor : tensors)
        if (tensor.name.ends_with(kNf4))
            nf4_.insert(tensor.name.substr(0, tensor.name.size() - kNf4.size()));
    number_.assign(tensors.size(), kStored);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const Tensor& tensor = tensors[i];
        if (tensor.section != Section::weights || !weights::is_numeric(tensor.dtype))
            continue;
        const auto value = found.find(tensor.name);
        if (value == found.end())
            number_[i] = kPart;
        else if (values_->tensors()[value->second].dtype != tensor.dtype)
            number_[i] = value->second;
    }
}

QuantizedValues::~QuantizedValues() = default;

std::string QuantizedValues::method(std::size_t tensor) const {
    if (!is_quantized(tensor))
        return {};
    const Tensor& codes = reader_.contents().tensors[tensor];
    if (quantization::is_fp8(codes.dtype))
        return "fp8";
    return codes.dtype == "I8" ? "int8" : nf4_.contains(codes.name) ? "nf4" : "fp4";
}

const std::vector<std::int64_t>& QuantizedValues::shape(std::size_t tensor) const {
    return is_quantized(tensor) ? values_->tensors()[number_[tensor]].shape : reader_.contents().tensors[tensor].shape;
}

std::uint64_t QuantizedValues::elements(std::size_t tensor) const {
    return static_cast<std::uint64_t>(weights::element_count(shape(tensor)).value_or(0));
}

void QuantizedValues::stream(std::size_t tensor, const std::function<void(std::span<const float>)>& sink) const {
    const std::string& dtype = values_->tensors()[number_[tensor]].dtype;
    std::vector<float> values;
    values_->stream(number_[tensor], [&](std::span<const std::byte> piece) {
        values.resize(piece.size() / weights::dtype_size(dtype));
        weights::decode_elements(dtype, piece, values);
        sink(values);
    });
}

std::vector<float> QuantizedValues::values(std::size_t tensor, std::uint64_t first, std::uint64_t count) const {
    const std::uint64_t all = elements(tensor);
    first = std::min(first, all);
    count = std::min(count, all - first);
    if (count == 0)
        return {};
    const Tensor& codes = reader_.contents().tensors[tensor];
    if (quantization::is_fp8(codes.dtype)) {
        std::vector<float> decoded(count);
        fp8_scales(tensor)->decode(codes.dtype, first, reader_.elements(codes, first, count), decoded);
        return decoded;
    }
    std::shared_ptr<const quantization::PackedMatrix> packed;
    {
        const std::lock_guard lock(mutex_);
        if (packed_number_ != tensor) {
            packed_ = values_->packed(number_[tensor]);
            packed_number_ = tensor;
        }
        packed = packed_;
    }
    std::vector<float> decoded;
    if (packed == nullptr) {  // not a matrix
        stream(tensor,
               [&](std::span<const float> piece) { decoded.insert(decoded.end(), piece.begin(), piece.end()); });
    } else {
        const auto columns = static_cast<std::uint64_t>(packed->columns());
        const std::uint64_t row = first / columns, end = (first + count + columns - 1) / columns;
        decoded.resize((end - row) * columns);
        packed->decode_rows(static_cast<std::int64_t>(row), static_cast<std::int64_t>(end - row), decoded);
        round_to(values_->tensors()[number_[tensor]].dtype, decoded);
        first -= row * columns;
    }
    const auto from = decoded.begin() + static_cast<std::ptrdiff_t>(first);
    return {from, from + static_cast<std::ptrdiff_t>(count)};
}

std::optional<quantization::StoredTensor> QuantizedValues::stored(const std::string& name,
                                                                  const std::string& weight) const {
    const auto& tensors = reader_.contents().tensors;
    const auto found = std::ranges::find_if(
        tensors, [&](const Tensor& tensor) { return tensor.section == Section::weights && tensor.name == name; });
    if (found == tensors.end())
        return std::nullopt;
    quantization::StoredTensor part{name, found->dtype, found->shape, {}};
    if (name == weight)
        part.bytes.resize(found->bytes);  // the codes are not wanted
    else
        part.bytes = reader_.elements(*found, 0, element_count(*found));
    return part;
}

std::shared_ptr<const quantization::Fp8Scales> QuantizedValues::fp8_scales(std::size_t tensor) const {
    const std::lock_guard lock(mutex_);
    if (scales_number_ == tensor)
        return scales_;
    const Tensor& codes = reader_.contents().tensors[tensor];
    for (const std::string_view ending : quantization::kFp8ScaleEndings)
        if (const auto part = stored(codes.name + std::string(ending), codes.name)) {
            scales_ = std::make_shared<quantization::Fp8Scales>(codes.name, codes.shape, *part);
            scales_number_ = tensor;
            return scales_;
        }
    throw UserError("'{}' has no scales", codes.name);
}

std::vector<float> QuantizedValues::magnitudes(std::size_t tensor) const {
    if (method(tensor) == "fp8")
        return fp8_scales(tensor)->scales();
    const std::string& name = reader_.contents().tensors[tensor].name;
    if (method(tensor) == "int8") {
        const auto part =
            stored(name.substr(0, name.size() - kWeightEnding.size()) + std::string(kRowMagnitudes), name);
        std::vector<float> rows(static_cast<std::size_t>(shape(tensor).front()));
        weights::decode_elements("F32", part->bytes, rows);
        return rows;
    }
    return quantization::read_four_bit(name, [&](const std::string& part) { return stored(part, name); })->absmax;
}

}  // namespace trainyard::inspect
