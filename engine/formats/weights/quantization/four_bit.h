// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights of 4 bits in blocks, as bitsandbytes' Linear4bit computes and stores them. Of a weight `x.weight` files have
//   x.weight                                        the codes, two in a byte, the first one in the high half
//   x.weight.absmax                                 a magnitude for each block, or with double quantization its code
//   x.weight.quant_map                              the 16 values
//   x.weight.nested_absmax, .nested_quant_map       double quantization: magnitudes of 256 magnitudes each, 256 values
//   x.weight.quant_state.bitsandbytes__nf4 (fp4)    JSON: format, block size, type and shape of the weight

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trainyard::quantization {

/// A tensor of a file. dtypes as in safetensors.
struct StoredTensor {
    std::string name, dtype;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;
};

template <class T>
StoredTensor stored(std::string name, std::string dtype, std::vector<std::int64_t> shape, const std::vector<T>& from) {
    const auto bytes = std::as_bytes(std::span(from));
    return {std::move(name), std::move(dtype), std::move(shape), {bytes.begin(), bytes.end()}};
}

struct FourBitOptions {
    std::string type = "nf4";  ///< nf4 | fp4
    std::int64_t blocksize = 64;
    bool double_quant = false;
    std::string dtype = "float32";  ///< of the weight, as torch names it
};

/// The magnitudes of the blocks of a weight, themselves as codes.
struct NestedMagnitudes {
    std::vector<std::uint8_t> codes;
    std::vector<float> absmax, values;
    float offset = 0;  ///< the mean of the magnitudes
    std::int64_t blocksize = 256;
};

struct FourBitWeight {
    FourBitOptions options;
    std::vector<std::int64_t> shape;
    std::vector<std::uint8_t> packed;
    std::vector<float> absmax;  ///< decoded
    std::vector<float> values;  ///< of codes

    std::optional<NestedMagnitudes> nested;

    std::int64_t elements() const;
};

/// All codes and magnitudes are 0, without double quantisation: for the sizes of its tensors.
FourBitWeight blank_four_bit(std::vector<std::int64_t> shape, const FourBitOptions& options);
/// `values` have the shape's elements.
FourBitWeight encode_four_bit(std::span<const float> values, std::vector<std::int64_t> shape,
                              const FourBitOptions& options);
/// Elements from `begin` on, as many as `out` has, in fp32: round them to the weight's type.
void decode_four_bit(const FourBitWeight& weight, std::int64_t begin, std::span<float> out);

/// The JSON of `quant_state`.
std::string quant_state_text(const FourBitWeight& weight);
/// The tensors of a file. `storage` is the dtype that the codes are stored as.
std::vector<StoredTensor> stored_four_bit(const std::string& name, const FourBitWeight& weight,
                                          std::string_view storage = "U8");

using FindStored = std::function<std::optional<StoredTensor>(const std::string& name)>;
/// The weight of these tensors; std::nullopt: `name` has no quant_state. Throws UserError naming a tensor that does not
/// fit.
std::optional<FourBitWeight> read_four_bit(const std::string& name, const FindStored& find);

}  // namespace trainyard::quantization
