// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of 8-bit whole numbers with one magnitude each. Dettmers et al., "LLM.int8(): 8-bit matrix multiplication for
// transformers at scale", NeurIPS 2022. Values are rounded to fp16 first, as bitsandbytes does.

#include <cstdint>
#include <span>
#include <vector>

namespace trainyard::quantization {

struct Int8Rows {
    std::vector<std::int8_t> codes;      ///< round(x * 127 / magnitude), ties to even
    std::vector<float> magnitudes;       ///< of rows; "SCB" in files
    std::vector<std::int64_t> outliers;  ///< ascending columns that are left out of the codes
};

/// `values` are rows of `columns` elements. With a threshold above 0, columns with an element of at least that
/// magnitude are outliers: their codes are 0, and such elements do not count for the magnitudes of rows.
Int8Rows encode_int8_rows(std::span<const float> values, std::int64_t columns, float threshold = 0);

}  // namespace trainyard::quantization
