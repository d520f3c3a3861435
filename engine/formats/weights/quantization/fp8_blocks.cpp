// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/fp8_blocks.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "base/error.h"
#include "formats/weights/elements.h"
#include "formats/weights/safetensors_header.h"
#include "formats/weights/torch_file.h"

namespace trainyard::quantization {

namespace {

/// Sizes of blocks, the usual one first.
constexpr std::int64_t kBlockSizes[] = {128, 64, 32, 16, 256, 512, 1024};

/// Elements of a block where `count` scales are for `size` elements; 0: they do not fit.
std::int64_t block_size(std::int64_t size, std::int64_t count) {
    if (count < 1 || size < count)
        return 0;
    if (count == size)
        return 1;
    if (count == 1)
        return size;
    for (const std::int64_t block : kBlockSizes)
        if ((size + block - 1) / block == count)
            return block;
    return size % count == 0 ? size / count : 0;
}

}  // namespace

Fp8Scales::Fp8Scales(const std::string& weight, std::span<const std::int64_t> shape, const StoredTensor& scales) {
    const auto misfit = [&]() -> UserError {
        return UserError("{} [{}] does not fit the fp8 weight {} [{}]", scales.name, fmt::join(scales.shape, ", "),
                         weight, fmt::join(shape, ", "));
    };
    const bool is_exponent = scales.dtype == "F8_E8M0" || scales.dtype == "U8";
    if (!is_exponent && (!weights::is_floating(scales.dtype) || is_fp8(scales.dtype)))
        throw UserError("{} has scales of the type {}: they must be F32, BF16, F16, F8_E8M0 or U8", scales.name,
                        scales.dtype);
    const auto count = static_cast<std::size_t>(weights::element_count(scales.shape).value_or(0));
    if (scales.bytes.size() != count * weights::dtype_size(scales.dtype) || count == 0)
        throw misfit();
    scales_.resize(count);
    if (is_exponent)
        std::ranges::transform(scales.bytes, scales_.begin(), weights::from_exponent8);
    else
        weights::decode_elements(scales.dtype, scales.bytes, scales_);
    if (count == 1) {
        is_one_ = true;
        return;
    }
    // One scale for each row may have one dimension fewer.
    std::vector<std::int64_t> of_scales = scales.shape;
    if (of_scales.size() + 1 == shape.size())
        of_scales.push_back(1);
    if (shape.size() < 2 || of_scales.size() != shape.size() ||
        !std::equal(shape.begin(), shape.end() - 2, of_scales.begin()))
        throw misfit();
    const std::size_t row = shape.size() - 2, column = shape.size() - 1;
    const std::int64_t rows = block_size(shape[row], of_scales[row]),
                       columns = block_size(shape[column], of_scales[column]);
    if (rows == 0 || columns == 0)
        throw misfit();
    rows_ = static_cast<std::uint64_t>(shape[row]);
    columns_ = static_cast<std::uint64_t>(shape[column]);
    block_rows_ = static_cast<std::uint64_t>(rows);
    block_columns_ = static_cast<std::uint64_t>(columns);
    scale_rows_ = static_cast<std::uint64_t>(of_scales[row]);
    scale_columns_ = static_cast<std::uint64_t>(of_scales[column]);
}

void Fp8Scales::decode(std::string_view dtype, std::uint64_t first, std::span<const std::byte> codes,
                       std::span<float> values) const {
    weights::decode_elements(std::string(dtype), codes, values);
    if (is_one_) {
        for (float& value : values)
            value *= scales_.front();
        return;
    }
    for (std::uint64_t at = first, end = first + values.size(); at < end;) {
        const std::uint64_t row = at / columns_, column = at % columns_;
        const std::uint64_t block = column / block_columns_;
        const std::uint64_t matrix = row / rows_, inside = row % rows_;
        const float scale = scales_[(matrix * scale_rows_ + inside / block_rows_) * scale_columns_ + block];
        const std::uint64_t stop = std::min(end, at - column + std::min(columns_, (block + 1) * block_columns_));
        for (; at < stop; ++at)
            values[at - first] *= scale;
    }
}

}  // namespace trainyard::quantization
