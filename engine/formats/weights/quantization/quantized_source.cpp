// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/quantized_source.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "base/error.h"
#include "formats/weights/elements.h"
#include "formats/weights/quantization/four_bit.h"
#include "formats/weights/quantization/fp8_blocks.h"
#include "formats/weights/quantization/int8_rows.h"
#include "formats/weights/quantization/packed_matrix.h"
#include "formats/weights/safetensors_header.h"

namespace trainyard::quantization {

namespace {

using weights::SourceTensor;
using weights::WeightSource;
using TakePiece = std::function<void(std::span<const std::byte>)>;

constexpr std::string_view kWeight = ".weight", kMagnitudes = ".SCB", kFormat = ".weight_format",
                           kState = ".quant_state.bitsandbytes__";
constexpr std::size_t kAtOnce = std::size_t{1} << 20;  ///< elements decoded at a time

/// Types of weights: safetensors' names and torch's.
constexpr std::pair<std::string_view, std::string_view> kWeightTypes[] = {
    {"F32", "float32"}, {"BF16", "bfloat16"}, {"F16", "float16"}};

std::vector<std::byte> bytes_of(const WeightSource& source, std::size_t tensor) {
    std::vector<std::byte> bytes;
    bytes.reserve(source.tensors()[tensor].bytes);
    source.stream(tensor,
                  [&](std::span<const std::byte> piece) { bytes.insert(bytes.end(), piece.begin(), piece.end()); });
    return bytes;
}

/// "x.weight" -> "x"
std::string module_of(const std::string& weight) {
    return weight.substr(0, weight.size() - kWeight.size());
}

class Quantized final : public WeightSource {
  public:
    Quantized(std::unique_ptr<WeightSource> source, const std::vector<std::string>& names,
              const WeightQuantization& quantization)
        : source_(std::move(source)), quantization_(quantization) {
        notes_ = source_->notes();
        const std::set<std::string> chosen(names.begin(), names.end());
        for (std::size_t i = 0; i < source_->tensors().size(); ++i) {
            const SourceTensor& tensor = source_->tensors()[i];
            if (!chosen.contains(tensor.name)) {
                tensors_.push_back(tensor);
                parts_.push_back({i, std::nullopt});
                continue;
            }
            if (tensor.shape.size() != 2 || torch_type(tensor.dtype).empty())
                throw UserError("{} is not a matrix of fp32, bf16 or fp16 numbers, and cannot be quantized",
                                tensor.name);
            add_parts(i);
        }
    }

    void stream(std::size_t tensor, const TakePiece& sink) const override {
        const Part& part = parts_[tensor];
        if (!part.number)
            return source_->stream(part.from, sink);
        const std::lock_guard lock(mutex_);
        if (encoded_from_ != part.from) {
            encoded_ = encode(part.from);
            encoded_from_ = part.from;
        }
        sink(encoded_[*part.number].bytes);
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool trusted) const override {
        return parts_[tensor].number ? std::span<const std::byte>() : source_->mapped(parts_[tensor].from, trusted);
    }
    std::string kind() const override { return source_->kind(); }

  private:
    struct Part {
        std::size_t from;                   ///< tensor of the source
        std::optional<std::size_t> number;  ///< of the tensors that it becomes; empty: it stays
    };

    static std::string torch_type(std::string_view dtype) {
        for (const auto& [stored_name, torch_name] : kWeightTypes)
            if (stored_name == dtype)
                return std::string(torch_name);
        return {};
    }

    /// Sizes follow from the shape, but for the text with the mean of the magnitudes of double quantisation.
    void add_parts(std::size_t from) {
        const std::vector<StoredTensor> all =
            quantization_.double_quant && !is_int8() ? encode(from) : blank(source_->tensors()[from]);
        for (std::size_t i = 0; i < all.size(); ++i) {
            add(source_->kind(), all[i].name, all[i].dtype, all[i].shape);
            parts_.push_back({from, i});
        }
    }

    bool is_int8() const { return quantization_.method == "int8"; }

    FourBitOptions four_bit_options(const SourceTensor& tensor) const {
        return {.type = quantization_.method,
                .double_quant = quantization_.double_quant,
                .dtype = torch_type(tensor.dtype)};
    }

    std::vector<StoredTensor> stored_rows(const SourceTensor& tensor, const Int8Rows& rows) const {
        const std::string module = module_of(tensor.name);
        return {stored(tensor.name, "I8", written_shape(tensor), rows.codes),
                stored(module + std::string(kMagnitudes), "F32", {written_shape(tensor)[0]}, rows.magnitudes),
                stored(module + std::string(kFormat), "U8", {}, std::vector<std::uint8_t>{0})};
    }

    /// [out, in]
    std::vector<std::int64_t> written_shape(const SourceTensor& tensor) const {
        return quantization_.transposes ? std::vector{tensor.shape[1], tensor.shape[0]} : tensor.shape;
    }

    std::vector<StoredTensor> blank(const SourceTensor& tensor) const {
        const std::vector<std::int64_t> shape = written_shape(tensor);
        const auto rows = static_cast<std::size_t>(shape[0]), columns = static_cast<std::size_t>(shape[1]);
        return is_int8() ? stored_rows(tensor, {std::vector<std::int8_t>(rows * columns), std::vector<float>(rows), {}})
                         : stored_four_bit(tensor.name, blank_four_bit(shape, four_bit_options(tensor)));
    }

    std::vector<StoredTensor> encode(std::size_t from) const {
        const SourceTensor& tensor = source_->tensors()[from];
        const std::vector<std::byte> bytes = bytes_of(*source_, from);
        std::vector<float> values(bytes.size() / weights::dtype_size(tensor.dtype));
        weights::decode_elements(tensor.dtype, bytes, values);
        if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
            throw UserError("{} has numbers that are not finite, and cannot be quantized", tensor.name);
        if (quantization_.transposes)
            values = transposed(values, tensor.shape[1]);
        const std::vector<std::int64_t> shape = written_shape(tensor);
        return is_int8() ? stored_rows(tensor, encode_int8_rows(values, shape[1]))
                         : stored_four_bit(tensor.name, encode_four_bit(values, shape, four_bit_options(tensor)));
    }

    std::unique_ptr<WeightSource> source_;
    WeightQuantization quantization_;
    std::vector<Part> parts_;
    mutable std::mutex mutex_;
    mutable std::vector<StoredTensor> encoded_;  ///< of the last one, whose tensors are asked for one after the other
    mutable std::optional<std::size_t> encoded_from_;
};

class Dequantized final : public WeightSource {
  public:
    explicit Dequantized(std::unique_ptr<WeightSource> source) : source_(std::move(source)) {
        notes_ = source_->notes();
        for (std::size_t i = 0; i < source_->tensors().size(); ++i)
            numbers_.emplace(source_->tensors()[i].name, i);
        for (std::size_t i = 0; i < source_->tensors().size(); ++i)
            take(i);
    }

    void stream(std::size_t tensor, const TakePiece& sink) const override {
        const auto& [from, form] = parts_[tensor];
        if (form == Form::plain)
            return source_->stream(from, sink);
        if (form == Form::int8)
            return stream_int8(tensor, sink);
        if (form == Form::fp8)
            return stream_fp8(tensor, sink);
        const FourBitWeight weight = *read_four_bit(tensors_[tensor].name, finder(true));
        std::vector<float> values;
        std::vector<std::byte> narrow;
        for (std::int64_t begin = 0; begin < weight.elements(); begin += std::ssize(values)) {
            values.resize(std::min(kAtOnce, static_cast<std::size_t>(weight.elements() - begin)));
            decode_four_bit(weight, begin, values);
            weights::convert_elements("F32", std::as_bytes(std::span(values)), tensors_[tensor].dtype, narrow);
            sink(narrow);
        }
    }
    std::span<const std::byte> mapped(std::size_t tensor, bool trusted) const override {
        return parts_[tensor].form == Form::plain ? source_->mapped(parts_[tensor].from, trusted)
                                                  : std::span<const std::byte>();
    }
    std::optional<weights::FilePiece> piece(std::size_t tensor) const override {
        return parts_[tensor].form == Form::plain ? source_->piece(parts_[tensor].from) : std::nullopt;
    }
    bool is_packed(std::size_t tensor) const override {
        const Form form = parts_[tensor].form;
        return (form == Form::four_bit || form == Form::int8) && tensors_[tensor].shape.size() == 2;
    }
    std::optional<weights::FilePiece> codes_piece(std::size_t tensor) const override {
        return is_packed(tensor) ? source_->piece(parts_[tensor].from) : std::nullopt;
    }
    std::shared_ptr<PackedMatrix> packed(std::size_t tensor) const override {
        const auto& [from, form] = parts_[tensor];
        const SourceTensor& info = tensors_[tensor];
        if (!is_packed(tensor))
            return nullptr;
        if (form == Form::four_bit)
            return std::make_shared<PackedMatrix>(*read_four_bit(info.name, finder(true)));
        const std::vector<std::byte> codes = bytes_of(*source_, from);
        const auto* begin = reinterpret_cast<const std::int8_t*>(codes.data());
        return std::make_shared<PackedMatrix>(std::vector<std::int8_t>(begin, begin + codes.size()),
                                              int8_magnitudes(info), info.shape[1]);
    }
    std::string kind() const override { return source_->kind(); }

  private:
    enum class Form { plain, four_bit, int8, fp8 };
    struct Part {
        std::size_t from;
        Form form;
    };

    std::optional<std::size_t> number(const std::string& name) const {
        const auto found = numbers_.find(name);
        return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }

    /// Without `whole`, tensors of codes have no bytes: their sizes alone are looked at.
    FindStored finder(bool whole) const {
        return [this, whole](const std::string& name) -> std::optional<StoredTensor> {
            const auto found = number(name);
            if (!found)
                return std::nullopt;
            const SourceTensor& tensor = source_->tensors()[*found];
            const bool is_state = name.find(kState) != std::string::npos;
            return StoredTensor{name, tensor.dtype, tensor.shape,
                                whole || is_state ? bytes_of(*source_, *found) : std::vector<std::byte>(tensor.bytes)};
        };
    }

    /// The weight that a tensor belongs to as a part; empty: it is not such a part.
    std::string owner_of(const std::string& name) const {
        for (const std::string_view ending : {".absmax", ".quant_map", ".nested_absmax", ".nested_quant_map"})
            if (name.ends_with(ending))
                if (const std::string weight = name.substr(0, name.size() - ending.size()); is_four_bit(weight))
                    return weight;
        if (const std::size_t at = name.find(kState); at != std::string::npos)
            return name.substr(0, at);
        for (const std::string_view ending : {kMagnitudes, kFormat})
            if (name.ends_with(ending))
                if (const std::string weight = name.substr(0, name.size() - ending.size()) + std::string(kWeight);
                    is_int8(weight))
                    return weight;
        for (const std::string_view ending : kFp8ScaleEndings)
            if (name.ends_with(ending))
                if (const std::string weight = name.substr(0, name.size() - ending.size()); scales_of(weight) == name)
                    return weight;
        return {};
    }

    /// The tensor with the scales of a weight in fp8; empty: there is none.
    std::string scales_of(const std::string& weight) const {
        const auto found = number(weight);
        if (found && is_fp8(source_->tensors()[*found].dtype))
            for (const std::string_view ending : kFp8ScaleEndings)
                if (std::string scales = weight + std::string(ending); number(scales))
                    return scales;
        return {};
    }

    Fp8Scales fp8_scales(std::size_t from) const {
        const SourceTensor& tensor = source_->tensors()[from];
        return {tensor.name, tensor.shape, *finder(true)(scales_of(tensor.name))};
    }

    bool is_four_bit(const std::string& weight) const {
        return number(weight + std::string(kState) + "nf4") || number(weight + std::string(kState) + "fp4");
    }

    bool is_int8(const std::string& weight) const {
        const auto found = number(weight);
        return found && source_->tensors()[*found].dtype == "I8" && weight.ends_with(kWeight) &&
               number(module_of(weight) + std::string(kMagnitudes));
    }

    void take(std::size_t from) {
        const SourceTensor& tensor = source_->tensors()[from];
        if (!owner_of(tensor.name).empty())
            return;
        if (is_four_bit(tensor.name)) {
            const FourBitWeight weight = *read_four_bit(tensor.name, finder(false));
            const auto* type = std::ranges::find(kWeightTypes, weight.options.dtype,
                                                 &std::pair<std::string_view, std::string_view>::second);
            if (type == std::end(kWeightTypes))
                throw UserError(
                    "{}: the quant_state names the type {}, and 4-bit weights have float32, bfloat16 or "
                    "float16",
                    tensor.name, weight.options.dtype);
            add(source_->kind(), tensor.name, std::string(type->first), weight.shape);
            parts_.push_back({from, Form::four_bit});
        } else if (is_int8(tensor.name)) {
            const SourceTensor& magnitudes =
                source_->tensors()[*number(module_of(tensor.name) + std::string(kMagnitudes))];
            if (tensor.shape.size() != 2 || magnitudes.dtype != "F32" ||
                magnitudes.bytes != static_cast<std::uint64_t>(tensor.shape[0]) * sizeof(float))
                throw UserError("{} does not fit the 8-bit weight {}", magnitudes.name, tensor.name);
            add(source_->kind(), tensor.name, "F32", tensor.shape);
            parts_.push_back({from, Form::int8});
        } else if (!scales_of(tensor.name).empty()) {
            fp8_scales(from);  // which fit
            add(source_->kind(), tensor.name, "F32", tensor.shape);
            parts_.push_back({from, Form::fp8});
        } else {
            tensors_.push_back(tensor);
            parts_.push_back({from, Form::plain});
        }
    }

    std::vector<float> int8_magnitudes(const SourceTensor& weight) const {
        const std::vector<std::byte> stored_magnitudes =
            bytes_of(*source_, *number(module_of(weight.name) + std::string(kMagnitudes)));
        std::vector<float> magnitudes(static_cast<std::size_t>(weight.shape[0]));
        weights::decode_elements("F32", stored_magnitudes, magnitudes);
        return magnitudes;
    }

    void stream_int8(std::size_t tensor, const TakePiece& sink) const {
        const SourceTensor& weight = tensors_[tensor];
        const std::vector<float> magnitudes = int8_magnitudes(weight);
        const auto columns = static_cast<std::uint64_t>(weight.shape[1]);
        std::uint64_t at = 0;
        std::vector<float> values;
        source_->stream(parts_[tensor].from, [&](std::span<const std::byte> piece) {
            values.resize(piece.size());
            for (std::size_t i = 0; i < piece.size(); ++i, ++at)
                values[i] = static_cast<float>(static_cast<std::int8_t>(piece[i])) * (magnitudes[at / columns] / 127);
            sink(std::as_bytes(std::span(values)));
        });
    }

    void stream_fp8(std::size_t tensor, const TakePiece& sink) const {
        const std::size_t from = parts_[tensor].from;
        const Fp8Scales scales = fp8_scales(from);
        std::uint64_t first = 0;
        std::vector<float> values;
        source_->stream(from, [&](std::span<const std::byte> piece) {
            for (std::size_t at = 0; at < piece.size(); at += values.size()) {
                values.resize(std::min(kAtOnce, piece.size() - at));
                scales.decode(source_->tensors()[from].dtype, first, piece.subspan(at, values.size()), values);
                first += values.size();
                sink(std::as_bytes(std::span(values)));
            }
        });
    }

    std::unique_ptr<WeightSource> source_;
    std::map<std::string, std::size_t> numbers_;
    std::vector<Part> parts_;
};

}  // namespace

std::unique_ptr<WeightSource> quantized(std::unique_ptr<WeightSource> source, const std::vector<std::string>& names,
                                        const WeightQuantization& quantization) {
    return std::make_unique<Quantized>(std::move(source), names, quantization);
}

std::unique_ptr<WeightSource> dequantized(std::unique_ptr<WeightSource> source) {
    const bool any = std::ranges::any_of(
        source->tensors(), [](const SourceTensor& tensor) { return may_be_quantized(tensor.name, tensor.dtype); });
    return any ? std::make_unique<Dequantized>(std::move(source)) : std::move(source);
}

bool may_be_quantized(std::string_view name, std::string_view dtype) {
    return name.find(kState) != std::string_view::npos || name.ends_with(kMagnitudes) || is_fp8(dtype);
}

}  // namespace trainyard::quantization
