// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/int8_rows.h"

#include <algorithm>
#include <cmath>

#include "formats/weights/elements.h"

namespace trainyard::quantization {

Int8Rows encode_int8_rows(std::span<const float> values, std::int64_t columns, float threshold) {
    const auto width = static_cast<std::size_t>(columns);
    Int8Rows rows;
    rows.codes.resize(values.size());
    std::vector<bool> is_outlier(width);
    std::vector<float> row(width);
    const float limit = weights::from_float16(weights::to_float16(threshold));
    for (std::size_t begin = 0; begin < values.size(); begin += width) {
        float magnitude = 0;
        for (std::size_t i = 0; i < width; ++i) {
            row[i] = weights::from_float16(weights::to_float16(values[begin + i]));
            if (threshold > 0 && std::abs(row[i]) >= limit) {
                is_outlier[i] = true;
                row[i] = 0;
            }
            magnitude = std::max(magnitude, std::abs(row[i]));
        }
        rows.magnitudes.push_back(magnitude);
        const float factor = magnitude == 0 ? 0 : 1 / magnitude * 127;  // as torch computes 127 / tensor
        for (std::size_t i = 0; i < width; ++i) {
            const float code = std::nearbyint(row[i] * factor);
            rows.codes[begin + i] = static_cast<std::int8_t>(std::isnan(code) ? 0 : code);
        }
    }
    for (std::size_t column = 0; column < width; ++column)
        if (is_outlier[column]) {
            rows.outliers.push_back(static_cast<std::int64_t>(column));
            for (std::size_t i = column; i < rows.codes.size(); i += width)
                rows.codes[i] = 0;
        }
    return rows;
}

}  // namespace trainyard::quantization
