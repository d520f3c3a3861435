// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/int8_rows.h"

#include <algorithm>
#include <cmath>

#include "formats/weights/elements.h"
#include "formats/weights/quantization/packed_loops.h"

namespace trainyard::quantization {

namespace {

/// Rounds a row to fp16. Returns the largest magnitude, without NaN.
float round_row(const PackedLoops& loops, std::span<const float> values, std::span<float> row) {
    if (loops.round_to_half != nullptr)
        return loops.round_to_half(values.data(), values.size(), row.data());
    float largest = 0;
    for (std::size_t i = 0; i < row.size(); ++i) {
        row[i] = weights::from_float16(weights::to_float16(values[i]));
        largest = std::max(largest, std::abs(row[i]));
    }
    return largest;
}

}  // namespace

Int8Rows encode_int8_rows(std::span<const float> values, std::int64_t columns, float threshold) {
    const PackedLoops& loops = packed_loops();
    const auto width = static_cast<std::size_t>(columns);
    Int8Rows rows;
    rows.codes.resize(values.size());
    std::vector<bool> is_outlier(width);
    std::vector<float> row(width);
    const float limit = weights::from_float16(weights::to_float16(threshold));
    bool any_outlier = false;
    for (std::size_t begin = 0; begin < values.size(); begin += width) {
        float magnitude = round_row(loops, values.subspan(begin, width), row);
        if (threshold > 0 && magnitude >= limit) {
            any_outlier = true;
            magnitude = 0;
            for (std::size_t i = 0; i < width; ++i) {
                if (std::abs(row[i]) >= limit) {
                    is_outlier[i] = true;
                    row[i] = 0;
                }
                magnitude = std::max(magnitude, std::abs(row[i]));
            }
        }
        rows.magnitudes.push_back(magnitude);
        const float factor = magnitude == 0 ? 0 : 1 / magnitude * 127;  // as torch computes 127 / tensor
        loops.encode_int8(row.data(), width, factor, rows.codes.data() + begin);
    }
    for (std::size_t column = 0; any_outlier && column < width; ++column)
        if (is_outlier[column]) {
            rows.outliers.push_back(static_cast<std::int64_t>(column));
            for (std::size_t i = column; i < rows.codes.size(); i += width)
                rows.codes[i] = 0;
        }
    return rows;
}

}  // namespace trainyard::quantization
