// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tables of the values that codes of 4 or 8 bits stand for, and the search for the nearest one. The tables are those of
// bitsandbytes, bit for bit.
//
// NF4: Dettmers et al., "QLoRA", NeurIPS 2023. Dynamic tables: Dettmers et al., "8-bit optimizers via block-wise
// quantization", ICLR 2022.

#include <cstdint>
#include <vector>

namespace trainyard::quantization {

class CodeTable {
  public:
    /// The values of codes 0, 1, ...; 16 or 256 of them, in any order.
    explicit CodeTable(std::vector<float> values);

    const std::vector<float>& values() const { return values_; }
    /// Means of neighbours in ascending order.
    const std::vector<float>& bounds() const { return bounds_; }

    /// Returns the code of the nearest value, of two equally near ones the lower. NaN gives the code of the largest
    /// value.
    std::uint8_t nearest(float x) const {
        std::size_t index = 0;
        for (std::size_t step = values_.size() / 2; step > 0; step /= 2)
            index += !(bounds_[index + step - 1] >= x) ? step : 0;
        return codes_[index];
    }

  private:
    std::vector<float> values_, bounds_;
    std::vector<std::uint8_t> codes_;  ///< in ascending order of their values
};

const CodeTable& nf4_table();
/// Has two zeros, codes 0 and 8.
const CodeTable& fp4_table();
/// 256 values in [-1, 1], or without sign in [0, 1]: powers of ten with fractions, more of them for larger powers.
const CodeTable& dynamic_table(bool has_sign);

/// Values at equal distances; with sign, 0 occurs twice.
std::vector<float> linear_values(bool has_sign);
/// The values of a floating-point format of 8 bits without infinities, divided by the largest.
std::vector<float> small_float_values(bool has_sign, int exponent_bits, int precision_bits);

}  // namespace trainyard::quantization
