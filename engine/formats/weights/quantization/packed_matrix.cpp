// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/packed_matrix.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/instruction_set.h"
#include "formats/weights/quantization/blocks.h"
#include "formats/weights/quantization/int8_rows.h"
#include "formats/weights/quantization/packed_loops.h"

namespace trainyard::quantization {

extern const PackedLoops packed_loops_generic;
#ifdef TRAINYARD_X86_KERNELS
extern const PackedLoops packed_loops_avx2, packed_loops_avx512;
#endif

const PackedLoops& packed_loops() {
#ifdef TRAINYARD_X86_KERNELS
    switch (instruction_set()) {
        case InstructionSet::avx512bf16:
        case InstructionSet::avx512:
            return packed_loops_avx512;
        case InstructionSet::avx2:
            return packed_loops_avx2;
        case InstructionSet::generic:
            break;
    }
#endif
    return packed_loops_generic;
}

double packed_element_bytes(const WeightQuantization& quantization) {
    if (quantization.method == "int8")
        return 1;
    const double blocksize = static_cast<double>(FourBitOptions().blocksize),
                 outer = static_cast<double>(FourBitWeight::Nested().blocksize);
    return 0.5 + (quantization.double_quant ? 1 + sizeof(float) / outer : sizeof(float)) / blocksize;
}

std::vector<float> transposed(std::span<const float> values, std::int64_t columns) {
    const auto width = static_cast<std::size_t>(columns), height = values.size() / std::max<std::size_t>(width, 1);
    constexpr std::size_t kTile = 64;
    std::vector<float> result(values.size());
    for (std::size_t row = 0; row < height; row += kTile)
        for (std::size_t column = 0; column < width; column += kTile)
            for (std::size_t j = column; j < std::min(column + kTile, width); ++j)
                for (std::size_t i = row; i < std::min(row + kTile, height); ++i)
                    result[j * height + i] = values[i * width + j];
    return result;
}

PackedMatrix::PackedMatrix(FourBitWeight weight) : four_bit_(std::move(weight)) {
    if (four_bit_.shape.size() != 2)
        throw UserError("a 4-bit weight of a Linear layer has {} dimensions, and must have 2", four_bit_.shape.size());
    rows_ = four_bit_.shape[0];
    columns_ = four_bit_.shape[1];
    if (four_bit_.nested)
        std::vector<float>().swap(four_bit_.absmax);
    codes_ = std::as_bytes(std::span(four_bit_.packed));
}

PackedMatrix::PackedMatrix(std::vector<std::int8_t> codes, std::vector<float> magnitudes, std::int64_t columns)
    : rows_(std::ssize(magnitudes)),
      columns_(columns),
      own_codes_(std::move(codes)),
      codes_(std::as_bytes(std::span(own_codes_))),
      magnitudes_(std::move(magnitudes)),
      is_int8_(true) {
    if (rows_ * columns_ != std::ssize(own_codes_))
        throw UserError("an 8-bit weight has {} magnitudes (SCB), and needs one for each of its rows", rows_);
}

PackedMatrix PackedMatrix::encode(std::span<const float> values, std::int64_t columns,
                                  const WeightQuantization& quantization, const std::string& dtype) {
    if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        throw UserError("a matrix with numbers that are not finite cannot be quantized");
    if (quantization.method == "int8") {
        Int8Rows rows = encode_int8_rows(values, columns);
        return {std::move(rows.codes), std::move(rows.magnitudes), columns};
    }
    return PackedMatrix(
        encode_four_bit(values, {std::ssize(values) / columns, columns},
                        {.type = quantization.method, .double_quant = quantization.double_quant, .dtype = dtype}));
}

std::span<const std::int8_t> PackedMatrix::codes() const {
    return {reinterpret_cast<const std::int8_t*>(codes_.data()), codes_.size()};
}

std::vector<StoredTensor> PackedMatrix::stored(const std::string& name) const {
    if (is_int8()) {
        const std::string module = name.substr(0, name.rfind('.'));
        return {{name, "I8", {rows_, columns_}, {codes_.begin(), codes_.end()}},
                quantization::stored(module + ".SCB", "F32", {rows_}, magnitudes_),
                quantization::stored(module + ".weight_format", "U8", {}, std::vector<std::uint8_t>{0})};
    }
    FourBitWeight whole = four_bit_;
    const auto* begin = reinterpret_cast<const std::uint8_t*>(codes_.data());
    whole.packed.assign(begin, begin + codes_.size());
    return stored_four_bit(name, whole);
}

void PackedMatrix::place_codes(std::span<const std::byte> bytes, std::shared_ptr<const void> keeper) {
    if (bytes.size() != codes_.size())
        throw UserError("the codes of a matrix of {} × {} take {} bytes, and its file has {}", rows_, columns_,
                        codes_.size(), bytes.size());
    codes_ = bytes;
    keeper_ = std::move(keeper);
    std::vector<std::int8_t>().swap(own_codes_);
    std::vector<std::uint8_t>().swap(four_bit_.packed);
}

std::uint64_t PackedMatrix::bytes() const {
    const auto size = [](const auto& values) { return std::as_bytes(std::span(values)).size(); };
    std::uint64_t bytes =
        size(own_codes_) + size(magnitudes_) + size(four_bit_.packed) + size(four_bit_.absmax) + size(four_bit_.values);
    if (const auto& nested = four_bit_.nested)
        bytes += size(nested->codes) + size(nested->absmax) + size(nested->values);
    return bytes;
}

std::vector<float> PackedMatrix::block_magnitudes(std::size_t first, std::size_t count) const {
    std::vector<float> magnitudes(count);
    if (!four_bit_.nested) {
        std::copy_n(four_bit_.absmax.begin() + static_cast<std::ptrdiff_t>(first), count, magnitudes.begin());
        return magnitudes;
    }
    const FourBitWeight::Nested& nested = *four_bit_.nested;
    const auto blocksize = static_cast<std::size_t>(nested.blocksize);
    for (std::size_t i = 0; i < count; ++i) {
        magnitudes[i] = nested.values[nested.codes[first + i]] * nested.absmax[(first + i) / blocksize];
        magnitudes[i] += nested.offset;
    }
    return magnitudes;
}

void PackedMatrix::decode_rows(std::int64_t first, std::int64_t count, std::span<float> out) const {
    const PackedLoops& loops = packed_loops();
    const auto width = static_cast<std::size_t>(columns_);
    if (is_int8()) {
        for (std::int64_t row = 0; row < count; ++row)
            loops.decode_int8(codes().data() + (first + row) * columns_, width,
                              magnitudes_[static_cast<std::size_t>(first + row)] / 127, out.data() + row * columns_);
        return;
    }
    const auto blocksize = static_cast<std::size_t>(four_bit_.options.blocksize);
    const std::size_t begin = static_cast<std::size_t>(first) * width,
                      end = begin + static_cast<std::size_t>(count) * width;
    if (begin == end)
        return;
    const std::size_t first_block = begin / blocksize;
    const std::vector<float> magnitudes = block_magnitudes(first_block, (end - 1) / blocksize + 1 - first_block);
    const auto* packed = reinterpret_cast<const std::uint8_t*>(codes_.data());
    const auto one = [&](std::size_t at, float magnitude) {
        const std::uint8_t pair = packed[at / 2];
        return four_bit_.values[at % 2 == 0 ? pair >> 4 : pair & 15] * magnitude;
    };
    float* to = out.data();
    for (std::size_t at = begin; at < end;) {
        const std::size_t block = at / blocksize, last = std::min(end, (block + 1) * blocksize);
        const float magnitude = magnitudes[block - first_block];
        if (at % 2 != 0)
            *to++ = one(at++, magnitude);
        const std::size_t pairs = (last - at) / 2 * 2;
        loops.decode_four_bit(packed + at / 2, pairs, four_bit_.values.data(), magnitude, to);
        to += pairs;
        at += pairs;
        if (at < last)
            *to++ = one(at++, magnitude);
    }
}

PackedMatrix::Input PackedMatrix::prepare(std::span<const float> x) const {
    Input input;
    input.values.assign(x.begin(), x.end());
    if (is_int8())
        return input;
    input.even.resize(x.size() / 2);
    input.odd.resize(x.size() / 2);
    for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
        input.even[i / 2] = x[i];
        input.odd[i / 2] = x[i + 1];
    }
    return input;
}

void PackedMatrix::multiply(const Input& x, std::int64_t first, std::span<float> out) const {
    const PackedLoops& loops = packed_loops();
    const auto width = static_cast<std::size_t>(columns_), from = static_cast<std::size_t>(first);
    if (is_int8()) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = loops.dot_int8(codes().data() + (from + i) * width, width, x.values.data()) *
                     (magnitudes_[from + i] / 127);
        return;
    }
    const auto blocksize = static_cast<std::size_t>(four_bit_.options.blocksize);
    if (width % blocksize != 0 || blocksize % 2 != 0) {  // rows begin within blocks
        std::vector<float> row(width);
        for (std::size_t i = 0; i < out.size(); ++i) {
            decode_rows(first + static_cast<std::int64_t>(i), 1, row);
            float sum = 0;
            for (std::size_t k = 0; k < width; ++k)
                sum += row[k] * x.values[k];
            out[i] = sum;
        }
        return;
    }
    const std::size_t blocks = width / blocksize;
    const auto* packed = reinterpret_cast<const std::uint8_t*>(codes_.data());
    constexpr std::size_t kRows = 16;  // whose magnitudes are decoded together
    for (std::size_t i = 0; i < out.size(); i += kRows) {
        const std::size_t count = std::min(kRows, out.size() - i);
        const std::vector<float> magnitudes = block_magnitudes((from + i) * blocks, count * blocks);
        for (std::size_t row = 0; row < count; ++row)
            out[i + row] =
                loops.dot_four_bit(packed + (from + i + row) * width / 2, width, blocksize, four_bit_.values.data(),
                                   magnitudes.data() + row * blocks, x.even.data(), x.odd.data());
    }
}

}  // namespace trainyard::quantization
