// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/four_bit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "formats/weights/quantization/blocks.h"
#include "formats/weights/safetensors_header.h"

namespace trainyard::quantization {

namespace {

constexpr std::int64_t kLargestBlock = 1 << 20;
constexpr std::string_view kFourBitTypes[] = {"nf4", "fp4"};

const CodeTable& table_of(std::string_view type) {
    if (type != "nf4" && type != "fp4")
        throw std::invalid_argument("unknown 4-bit type " + std::string(type));
    return type == "nf4" ? nf4_table() : fp4_table();
}

template <class T>
std::vector<T> values_of(const StoredTensor& tensor) {
    std::vector<T> values(tensor.bytes.size() / sizeof(T));
    std::memcpy(values.data(), tensor.bytes.data(), values.size() * sizeof(T));
    return values;
}

std::int64_t product_of(const std::vector<std::int64_t>& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape)
        elements *= size;
    return elements;
}

void nest_magnitudes(FourBitWeight& weight) {
    NestedMagnitudes& nested = weight.nested.emplace();
    double sum = 0;
    for (const float magnitude : weight.absmax)
        sum += static_cast<double>(magnitude);
    nested.offset = static_cast<float>(sum / static_cast<double>(weight.absmax.size()));
    for (float& magnitude : weight.absmax)
        magnitude -= nested.offset;
    const auto blocksize = static_cast<std::size_t>(nested.blocksize);
    nested.codes.resize(weight.absmax.size());
    nested.absmax.resize(block_count(weight.absmax.size(), blocksize));
    nested.values = dynamic_table(true).values();
    encode_blocks(weight.absmax, blocksize, dynamic_table(true), nested.codes, nested.absmax);
}

void decode_magnitudes(FourBitWeight& weight) {
    const NestedMagnitudes& nested = *weight.nested;
    weight.absmax.resize(nested.codes.size());
    decode_blocks(nested.codes, static_cast<std::size_t>(nested.blocksize), nested.values, nested.absmax,
                  weight.absmax);
    for (float& magnitude : weight.absmax)
        magnitude += nested.offset;
}

/// Reads the tensors of one weight and checks their sizes.
class Reader {
  public:
    Reader(const std::string& name, const FindStored& find) : name_(name), find_(find) {}

    std::optional<FourBitWeight> read() {
        for (const std::string_view type : kFourBitTypes)
            if (const auto state = find_(name_ + ".quant_state.bitsandbytes__" + std::string(type))) {
                weight_.options.type = type;
                read_state({reinterpret_cast<const char*>(state->bytes.data()), state->bytes.size()});
                read_tensors();
                return std::move(weight_);
            }
        return std::nullopt;
    }

  private:
    [[noreturn]] void refuse_state() const {
        throw UserError("{}: the quant_state of a 4-bit weight is damaged", name_);
    }

    std::int64_t blocksize(const nlohmann::json& state, const char* key) const {
        const auto size = state.find(key);
        if (size == state.end() || !size->is_number_integer() || *size < 1 || *size > kLargestBlock)
            refuse_state();
        return size->get<std::int64_t>();
    }

    void read_state(std::string_view text) {
        const nlohmann::json state = read_json(text);
        if (!state.is_object() || !state.contains("shape") || !state.at("shape").is_array() ||
            !state.contains("dtype") || !state.at("dtype").is_string())
            refuse_state();
        constexpr std::int64_t kMost = std::int64_t{1} << 40;
        for (const nlohmann::json& size : state.at("shape")) {
            if (!size.is_number_integer() || size < 1 || size > kMost ||
                weight_.elements() > kMost / size.get<std::int64_t>())
                refuse_state();
            weight_.shape.push_back(size.get<std::int64_t>());
        }
        weight_.options.dtype = state.at("dtype").get<std::string>();
        weight_.options.blocksize = blocksize(state, "blocksize");
        if (!state.contains("nested_blocksize"))
            return;
        weight_.options.double_quant = true;
        NestedMagnitudes& nested = weight_.nested.emplace();
        nested.blocksize = blocksize(state, "nested_blocksize");
        if (!state.contains("nested_offset") || !state.at("nested_offset").is_number())
            refuse_state();
        nested.offset = state.at("nested_offset").get<float>();
    }

    /// A tensor of the weight with this dtype (empty: any) and this many bytes.
    StoredTensor tensor(const std::string& ending, std::string_view dtype, std::size_t bytes) const {
        std::optional<StoredTensor> found = find_(name_ + ending);
        if (!found)
            throw UserError("{}{} is missing, which the 4-bit weight needs", name_, ending);
        if ((!dtype.empty() && found->dtype != dtype) || found->bytes.size() != bytes)
            throw UserError("{}{} does not fit the quant_state of the 4-bit weight", name_, ending);
        return std::move(*found);
    }

    void read_tensors() {
        const auto elements = static_cast<std::size_t>(weight_.elements());
        weight_.packed = values_of<std::uint8_t>(tensor("", "", (elements + 1) / 2));
        weight_.values = values_of<float>(tensor(".quant_map", "F32", 16 * sizeof(float)));
        const std::size_t blocks = block_count(elements, static_cast<std::size_t>(weight_.options.blocksize));
        if (!weight_.nested) {
            weight_.absmax = values_of<float>(tensor(".absmax", "F32", blocks * sizeof(float)));
            return;
        }
        NestedMagnitudes& nested = *weight_.nested;
        const std::size_t outer = block_count(blocks, static_cast<std::size_t>(nested.blocksize));
        nested.codes = values_of<std::uint8_t>(tensor(".absmax", "U8", blocks));
        nested.absmax = values_of<float>(tensor(".nested_absmax", "F32", outer * sizeof(float)));
        nested.values = values_of<float>(tensor(".nested_quant_map", "F32", 256 * sizeof(float)));
        decode_magnitudes(weight_);
    }

    const std::string& name_;
    const FindStored& find_;
    FourBitWeight weight_;
};

}  // namespace

std::int64_t FourBitWeight::elements() const {
    return product_of(shape);
}

FourBitWeight blank_four_bit(std::vector<std::int64_t> shape, const FourBitOptions& options) {
    FourBitWeight weight{options, std::move(shape), {}, {}, table_of(options.type).values(), {}};
    const auto elements = static_cast<std::size_t>(weight.elements());
    weight.packed.resize((elements + 1) / 2);
    weight.absmax.resize(block_count(elements, static_cast<std::size_t>(options.blocksize)));
    return weight;
}

FourBitWeight encode_four_bit(std::span<const float> values, std::vector<std::int64_t> shape,
                              const FourBitOptions& options) {
    if (product_of(shape) != std::ssize(values))
        throw std::invalid_argument("encode_four_bit: the shape has another number of elements");
    const CodeTable& table = table_of(options.type);
    const auto blocksize = static_cast<std::size_t>(options.blocksize);
    FourBitWeight weight = blank_four_bit(std::move(shape), options);
    std::vector<std::uint8_t> codes(values.size());
    encode_blocks(values, blocksize, table, codes, weight.absmax);
    if (values.size() % blocksize != 0 && weight.absmax.back() < kSmallestMagnitude)
        weight.absmax.back() = kSmallestMagnitude;
    if (codes.size() % 2 != 0)
        codes.push_back(table.nearest(0));
    for (std::size_t i = 0; i < codes.size(); i += 2)
        weight.packed[i / 2] = static_cast<std::uint8_t>(codes[i] << 4 | codes[i + 1]);
    if (options.double_quant) {
        nest_magnitudes(weight);
        decode_magnitudes(weight);
    }
    return weight;
}

void decode_four_bit(const FourBitWeight& weight, std::int64_t begin, std::span<float> out) {
    const auto blocksize = static_cast<std::size_t>(weight.options.blocksize);
    std::array<float, 16> values;
    for (std::size_t i = 0; i < out.size();) {
        const std::size_t first = static_cast<std::size_t>(begin) + i, block = first / blocksize;
        const std::size_t end = std::min((block + 1) * blocksize, first + out.size() - i);
        for (std::size_t code = 0; code < values.size(); ++code)
            values[code] = weight.values[code] * weight.absmax[block];
        for (std::size_t at = first; at < end; ++at, ++i)
            out[i] = values[at % 2 == 0 ? weight.packed[at / 2] >> 4 : weight.packed[at / 2] & 15];
    }
}

std::string quant_state_text(const FourBitWeight& weight) {
    JsonWriter json({.characters = JsonText::ascii, .spaced = true});
    const auto number = [&](const char* key, std::int64_t value) {
        json.key(key);
        json.number(value);
    };
    const auto text = [&](const char* key, std::string_view value) {
        json.key(key);
        json.text(value);
    };
    json.begin_object();
    text("quant_type", weight.options.type);
    number("blocksize", weight.options.blocksize);
    text("dtype", weight.options.dtype);
    json.key("shape");
    json.begin_array();
    for (const std::int64_t size : weight.shape)
        json.number(size);
    json.end_array();
    if (weight.nested) {
        number("nested_blocksize", weight.nested->blocksize);
        text("nested_dtype", "float32");
        json.key("nested_offset");
        json.literal(python_float(static_cast<double>(weight.nested->offset)));
    }
    json.end_object();
    return json.take();
}

std::vector<StoredTensor> stored_four_bit(const std::string& name, const FourBitWeight& weight,
                                          std::string_view storage) {
    const auto count = [](const auto& values) { return std::vector<std::int64_t>{std::ssize(values)}; };
    const auto size = static_cast<std::size_t>(weights::dtype_size(std::string(storage)));
    std::vector<StoredTensor> all;
    all.push_back(
        stored(name, std::string(storage), {static_cast<std::int64_t>(weight.packed.size() / size), 1}, weight.packed));
    if (weight.nested) {
        const NestedMagnitudes& nested = *weight.nested;
        all.push_back(stored(name + ".absmax", "U8", count(nested.codes), nested.codes));
        all.push_back(stored(name + ".nested_absmax", "F32", count(nested.absmax), nested.absmax));
        all.push_back(stored(name + ".nested_quant_map", "F32", count(nested.values), nested.values));
    } else {
        all.push_back(stored(name + ".absmax", "F32", count(weight.absmax), weight.absmax));
    }
    all.push_back(stored(name + ".quant_map", "F32", count(weight.values), weight.values));
    const std::string text = quant_state_text(weight);
    const std::vector<char> state(text.begin(), text.end());
    all.push_back(stored(name + ".quant_state.bitsandbytes__" + weight.options.type, "U8", count(state), state));
    return all;
}

std::optional<FourBitWeight> read_four_bit(const std::string& name, const FindStored& find) {
    return Reader(name, find).read();
}

}  // namespace trainyard::quantization
