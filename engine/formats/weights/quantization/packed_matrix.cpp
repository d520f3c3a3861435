// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/quantization/packed_matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
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
                 outer = static_cast<double>(NestedMagnitudes().blocksize);
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

namespace {

/// The largest size of groups of which all members have one value, at most `most`.
std::int64_t size_of_equal_groups(const std::vector<std::size_t>& values, std::int64_t most) {
    const auto fits = [&](std::size_t size) {
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i] != values[i - i % size])
                return false;
        return true;
    };
    std::int64_t size = most;
    while (size > 1 && !fits(static_cast<std::size_t>(size)))
        size /= 2;
    return std::max<std::int64_t>(size, 1);
}

}  // namespace

PackedMatrix PackedMatrix::part(int dimension, std::span<const Interval> intervals) const {
    std::int64_t count = 0;
    for (const Interval& one : intervals)
        count += one.end - one.begin;
    const std::int64_t rows = dimension == 0 ? count : rows_, columns = dimension == 0 ? columns_ : count;
    // Elements that are consecutive in both matrices.
    const auto for_runs = [&](const auto& visit) {
        for (std::int64_t row = 0, to = 0; row < (dimension == 0 ? 1 : rows_); ++row)
            for (const Interval& one : intervals) {
                const std::int64_t width = dimension == 0 ? columns_ : 1, size = (one.end - one.begin) * width;
                visit(row * columns_ + one.begin * width, to, size);
                to += size;
            }
    };
    if (is_int8()) {
        std::vector<std::int8_t> codes(static_cast<std::size_t>(rows * columns));
        for_runs([&](std::int64_t from, std::int64_t to, std::int64_t size) {
            std::copy_n(this->codes().data() + from, size, codes.data() + to);
        });
        std::vector<float> magnitudes;
        if (dimension != 0)
            magnitudes = magnitudes_;
        else
            for (const Interval& one : intervals)
                magnitudes.insert(magnitudes.end(), magnitudes_.begin() + one.begin, magnitudes_.begin() + one.end);
        return {std::move(codes), std::move(magnitudes), columns};
    }
    FourBitWeight weight{four_bit_.options, {rows, columns}, {}, {}, four_bit_.values, {}};
    std::int64_t& blocksize = weight.options.blocksize;
    for_runs(
        [&](std::int64_t from, std::int64_t to, std::int64_t) { blocksize = std::gcd(blocksize, std::gcd(from, to)); });
    const auto elements = static_cast<std::size_t>(rows * columns), size = static_cast<std::size_t>(blocksize);
    weight.packed.resize((elements + 1) / 2);
    std::vector<std::size_t> blocks(block_count(elements, size));  // of this matrix
    const auto* packed = reinterpret_cast<const std::uint8_t*>(codes_.data());
    const auto nibble = [&](std::int64_t at) { return at % 2 == 0 ? packed[at / 2] >> 4 : packed[at / 2] & 15; };
    for_runs([&](std::int64_t from, std::int64_t to, std::int64_t count_of_run) {
        for (std::int64_t i = 0; i < count_of_run; i += blocksize)
            blocks[static_cast<std::size_t>((to + i) / blocksize)] =
                static_cast<std::size_t>((from + i) / four_bit_.options.blocksize);
        std::int64_t i = 0;
        if (from % 2 == 0 && to % 2 == 0) {
            i = count_of_run / 2 * 2;
            std::copy_n(packed + from / 2, i / 2, weight.packed.data() + to / 2);
        }
        for (; i < count_of_run; ++i)
            weight.packed[static_cast<std::size_t>((to + i) / 2)] |=
                static_cast<std::uint8_t>((to + i) % 2 == 0 ? nibble(from + i) << 4 : nibble(from + i));
    });
    if (!four_bit_.nested) {
        for (const std::size_t block : blocks)
            weight.absmax.push_back(four_bit_.absmax[block]);
        return PackedMatrix(std::move(weight));
    }
    const NestedMagnitudes& whole = *four_bit_.nested;
    NestedMagnitudes& nested = weight.nested.emplace();
    nested.values = whole.values;
    nested.offset = whole.offset;
    std::vector<std::size_t> groups;
    for (const std::size_t block : blocks) {
        nested.codes.push_back(whole.codes[block]);
        groups.push_back(block / static_cast<std::size_t>(whole.blocksize));
    }
    nested.blocksize = size_of_equal_groups(groups, whole.blocksize);
    for (std::size_t i = 0; i < groups.size(); i += static_cast<std::size_t>(nested.blocksize))
        nested.absmax.push_back(whole.absmax[groups[i]]);
    return PackedMatrix(std::move(weight));
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

const float* PackedMatrix::block_magnitudes(std::size_t first, std::size_t count, std::vector<float>& room) const {
    if (!four_bit_.nested)
        return four_bit_.absmax.data() + first;
    const NestedMagnitudes& nested = *four_bit_.nested;
    const auto blocksize = static_cast<std::size_t>(nested.blocksize);
    room.resize(count);
    for (std::size_t i = 0; i < count;) {
        const std::size_t block = (first + i) / blocksize,
                          size = std::min(count - i, (block + 1) * blocksize - first - i);
        packed_loops().decode_bytes(nested.codes.data() + first + i, size, nested.values.data(), nested.absmax[block],
                                    nested.offset, room.data() + i);
        i += size;
    }
    return room.data();
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
    std::vector<float> room;
    const float* magnitudes = block_magnitudes(first_block, (end - 1) / blocksize + 1 - first_block, room);
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

PackedMatrix::Input PackedMatrix::prepare(std::span<const float> x, bool is_bfloat16) const {
    const auto width = static_cast<std::size_t>(columns_), pairs = width / 2;
    const auto blocksize = static_cast<std::size_t>(four_bit_.options.blocksize);
    Input input{.vectors = width == 0 ? 0 : std::ssize(x) / columns_, .values = x, .halves = {}, .bfloat16 = {}};
    if (is_int8() || width % blocksize != 0 || blocksize % 2 != 0)
        return input;
    const auto fill = [&](auto& halves, auto convert) {
        halves.resize(x.size());
        for (std::size_t begin = 0; begin < x.size(); begin += width)
            for (std::size_t i = 0; i < pairs; ++i) {
                halves[begin + i] = convert(x[begin + 2 * i]);
                halves[begin + pairs + i] = convert(x[begin + 2 * i + 1]);
            }
    };
    constexpr std::size_t kBfloat16Block = 64;
    if (is_bfloat16 && instruction_set() == InstructionSet::avx512bf16 && blocksize % kBfloat16Block == 0)
        fill(input.bfloat16,
             [](float value) { return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16); });
    else
        fill(input.halves, [](float value) { return value; });
    return input;
}

void PackedMatrix::multiply(const Input& x, std::int64_t first, std::int64_t count, float* out,
                            std::int64_t stride) const {
    const PackedLoops& loops = packed_loops();
    const auto width = static_cast<std::size_t>(columns_), vectors = static_cast<std::size_t>(x.vectors);
    if (x.halves.empty() && x.bfloat16.empty()) {  // 8 bits, or rows begin within blocks
        std::vector<float> row(is_int8() ? 0 : width);
        for (std::int64_t i = 0; i < count; ++i) {
            if (!is_int8())
                decode_rows(first + i, 1, row);
            for (std::int64_t n = 0; n < x.vectors; ++n) {
                const float* vector = x.values.data() + n * columns_;
                float sum = 0;
                if (is_int8())
                    sum = loops.dot_int8(codes().data() + (first + i) * columns_, width, vector) *
                          (magnitudes_[static_cast<std::size_t>(first + i)] / 127);
                else
                    for (std::size_t k = 0; k < width; ++k)
                        sum += row[k] * vector[k];
                out[n * stride + i] = sum;
            }
        }
        return;
    }
    const auto blocksize = static_cast<std::size_t>(four_bit_.options.blocksize), blocks = width / blocksize;
    const auto* packed = reinterpret_cast<const std::uint8_t*>(codes_.data());
    constexpr std::int64_t kRows = 16;  // whose magnitudes are decoded together
    std::vector<float> room, sums(vectors);
    const float* magnitudes = nullptr;
    for (std::int64_t i = 0; i < count; ++i) {
        const auto row = static_cast<std::size_t>(first + i), in_group = static_cast<std::size_t>(i % kRows);
        if (in_group == 0)
            magnitudes =
                block_magnitudes(row * blocks, static_cast<std::size_t>(std::min(kRows, count - i)) * blocks, room);
        const std::uint8_t* codes = packed + row * width / 2;
        if (x.bfloat16.empty())
            loops.dot_four_bit(codes, width, blocksize, four_bit_.values.data(), magnitudes + in_group * blocks,
                               x.halves.data(), vectors, sums.data());
        else
            loops.dot_four_bit_bfloat16(codes, width, blocksize, four_bit_.values.data(),
                                        magnitudes + in_group * blocks, x.bfloat16.data(), vectors, sums.data());
        for (std::size_t n = 0; n < vectors; ++n)
            out[static_cast<std::int64_t>(n) * stride + i] = sums[n];
    }
}

}  // namespace trainyard::quantization
