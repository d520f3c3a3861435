#pragma once
// The pieces of a product x^T dy of bfloat16 matrices in fp32, compiled for AVX512_BF16 alone, hence nothing here but pointers. All strides
// are in elements.

#include <cstdint>

namespace trainyard::models {

struct GradientProducts {
    std::int64_t rows;     ///< of x and dy that are taken together
    std::int64_t columns;  ///< of a panel of dy

    /// Columns [first, last) of x [count, ...], count <= rows, as the rows of `to`, each `rows` long. `first` and `last` are even.
    void (*pack_x)(const std::uint16_t* x, std::int64_t stride, std::int64_t count, std::int64_t first,
                   std::int64_t last, std::uint16_t* to);
    /// `width` (<= columns, whole registers of 16) columns of dy [count, ...] as pairs of rows, each `columns` long.
    void (*pack_dy)(const std::uint16_t* dy, std::int64_t stride, std::int64_t count, std::int64_t width,
                    std::uint32_t* panel);
    /// out[columns of x, width] (+)= packed x^T times a panel.
    void (*multiply)(std::int64_t x_columns, std::int64_t width, std::int64_t count, const std::uint16_t* x,
                     const std::uint32_t* panel, float* out, std::int64_t stride, bool add);
};

/// Null where they cannot run, or should not.
const GradientProducts* gradient_products();

}  // namespace trainyard::models
