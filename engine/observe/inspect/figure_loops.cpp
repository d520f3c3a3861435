// SPDX-License-Identifier: GPL-3.0-or-later
// Loops for one instruction set: the build defines TRAINYARD_ISA (generic, avx2, avx512, avx512bf16) and sets the matching -m flags.

#include "observe/inspect/figure_loops.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/isa_names.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace trainyard::inspect {

namespace {

// A vector of floats, and what the loops do with it. min() and max() leave the first value as it is where the second one is NaN.
#if defined(__AVX512F__)
constexpr std::size_t kWidth = 16, kChains = 4;
typedef float Floats __attribute__((vector_size(64)));
typedef std::int32_t Whole __attribute__((vector_size(64)));
inline Floats smaller(Floats known, Floats value) {
    return _mm512_min_ps(value, known);
}
inline Floats larger(Floats known, Floats value) {
    return _mm512_max_ps(value, known);
}
inline Whole count_zeros(Whole known, Floats value) {
    const __mmask16 zero = _mm512_cmp_ps_mask(value, _mm512_setzero_ps(), _CMP_EQ_OQ);
    return reinterpret_cast<Whole>(_mm512_mask_sub_epi32(reinterpret_cast<__m512i>(known), zero,
                                                         reinterpret_cast<__m512i>(known), _mm512_set1_epi32(-1)));
}
inline Floats from_f16(const std::byte* at) {
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at)));
}
#elif defined(__AVX2__)
constexpr std::size_t kWidth = 8, kChains = 2;
typedef float Floats __attribute__((vector_size(32)));
typedef std::int32_t Whole __attribute__((vector_size(32)));
inline Floats smaller(Floats known, Floats value) {
    return _mm256_min_ps(value, known);
}
inline Floats larger(Floats known, Floats value) {
    return _mm256_max_ps(value, known);
}
inline Whole count_zeros(Whole known, Floats value) {
    return known - (value == 0.0f);
}
inline Floats from_f16(const std::byte* at) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at)));
}
#else
constexpr std::size_t kWidth = 4, kChains = 2;
typedef float Floats __attribute__((vector_size(16)));
typedef std::int32_t Whole __attribute__((vector_size(16)));
typedef std::uint16_t Halves __attribute__((vector_size(8)));
inline Floats smaller(Floats known, Floats value) {
    return value < known ? value : known;
}
inline Floats larger(Floats known, Floats value) {
    return value > known ? value : known;
}
inline Whole count_zeros(Whole known, Floats value) {
    return known - (value == 0.0f);
}
/// weights::from_float16 for a vector.
inline Floats from_f16(const std::byte* at) {
    Halves bits;
    std::memcpy(&bits, at, sizeof bits);
    const Whole wide = __builtin_convertvector(bits, Whole), rest = wide & 0x7fff;
    const Floats scaled = reinterpret_cast<Floats>(rest << 13) * 0x1p112f;
    return reinterpret_cast<Floats>(reinterpret_cast<Whole>(scaled) | ((rest >= 0x7c00) & 0x7f800000) |
                                    ((wide & 0x8000) << 16));
}
#endif

constexpr std::size_t kLanes = kWidth * kChains, kDepth = 128;
constexpr std::int32_t kMagnitude = 0x7fffffff, kInfinity = 0x7f800000;

inline Floats load(const std::byte* at) {
    Floats value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

struct Chain {
    Floats min = Floats{} + std::numeric_limits<float>::infinity(), max = -min, sum = {}, squares = {};
    Whole zeros = {};

    void take(Floats value) {
        min = smaller(min, value);
        max = larger(max, value);
        sum += value;
        squares += value * value;
        zeros = count_zeros(zeros, value);
    }
};

#if defined(__AVX512F__)
double sum_of(Floats values) {
    const __m256 high = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(values), 1));
    return _mm512_reduce_add_pd(_mm512_cvtps_pd(_mm512_castps512_ps256(values))) +
           _mm512_reduce_add_pd(_mm512_cvtps_pd(high));
}
float smallest_of(Floats values) {
    return _mm512_reduce_min_ps(values);
}
float largest_of(Floats values) {
    return _mm512_reduce_max_ps(values);
}
std::size_t count_of(Whole counts) {
    return static_cast<std::size_t>(_mm512_reduce_add_epi32(reinterpret_cast<__m512i>(counts)));
}
#else
double sum_of(Floats values) {
    double sum = 0;
    for (std::size_t k = 0; k < kWidth; ++k)
        sum += static_cast<double>(values[k]);
    return sum;
}
float smallest_of(Floats values) {
    float found = values[0];
    for (std::size_t k = 1; k < kWidth; ++k)
        found = values[k] < found ? values[k] : found;
    return found;
}
float largest_of(Floats values) {
    float found = values[0];
    for (std::size_t k = 1; k < kWidth; ++k)
        found = values[k] > found ? values[k] : found;
    return found;
}
std::size_t count_of(Whole counts) {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < kWidth; ++k)
        sum += static_cast<std::size_t>(counts[k]);
    return sum;
}
#endif

void add_up(const Chain (&chains)[kChains], BlockFigures& out) {
    Chain all = chains[0];
    for (std::size_t i = 1; i < kChains; ++i) {
        all.min = smaller(all.min, chains[i].min);
        all.max = larger(all.max, chains[i].max);
        all.sum += chains[i].sum;
        all.squares += chains[i].squares;
        all.zeros += chains[i].zeros;
    }
    out = {smallest_of(all.min), largest_of(all.max), sum_of(all.sum), sum_of(all.squares), count_of(all.zeros)};
}

void f32_loop(const std::byte* elements, std::size_t count, BlockFigures& out) {
    Chain chains[kChains];
    for (std::size_t i = 0; i < count; i += kWidth * kChains)
        for (std::size_t c = 0; c < kChains; ++c)
            chains[c].take(load(elements + (i + c * kWidth) * 4));
    add_up(chains, out);
}

#if defined(__AVX512BW__)
/// Least and largest are found among the bits: those of a positive number are ordered as whole numbers are, those of a negative one
/// the other way round and above all positive ones. Sums are of pairs of elements, where the processor multiplies these itself.
void bf16_loop(const std::byte* elements, std::size_t count, BlockFigures& out) {
    constexpr std::size_t kPairs = 2;
    const __m512i magnitude = _mm512_set1_epi16(0x7fff), minus_one = _mm512_set1_epi16(-1);
    __m512i signed_max[kPairs], bits_max[kPairs], bits_min[kPairs], zeros[kPairs];
    Floats sum[2 * kPairs] = {}, squares[2 * kPairs] = {};
    for (std::size_t c = 0; c < kPairs; ++c) {
        signed_max[c] = _mm512_set1_epi16(-0x8000);
        bits_max[c] = zeros[c] = _mm512_setzero_si512();
        bits_min[c] = minus_one;
    }
    for (std::size_t i = 0; i < count; i += 32 * kPairs)
        for (std::size_t c = 0; c < kPairs; ++c) {
            const __m512i bits = _mm512_loadu_si512(elements + (i + 32 * c) * 2);
            signed_max[c] = _mm512_max_epi16(signed_max[c], bits);
            bits_max[c] = _mm512_max_epu16(bits_max[c], bits);
            bits_min[c] = _mm512_min_epu16(bits_min[c], bits);
            zeros[c] = _mm512_mask_sub_epi16(zeros[c], _mm512_testn_epi16_mask(bits, magnitude), zeros[c], minus_one);
#ifdef __AVX512BF16__
            const __m512i ones = _mm512_set1_epi16(0x3f80);
            sum[c] = _mm512_dpbf16_ps(sum[c], reinterpret_cast<__m512bh>(bits), reinterpret_cast<__m512bh>(ones));
            squares[c] =
                _mm512_dpbf16_ps(squares[c], reinterpret_cast<__m512bh>(bits), reinterpret_cast<__m512bh>(bits));
#else
            const Floats even = _mm512_castsi512_ps(_mm512_slli_epi32(bits, 16)),
                         odd = _mm512_castsi512_ps(
                             _mm512_and_si512(bits, _mm512_set1_epi32(static_cast<std::int32_t>(0xffff0000))));
            sum[c] += even;
            sum[c + kPairs] += odd;
            squares[c] += even * even;
            squares[c + kPairs] += odd * odd;
#endif
        }
    const __m512i largest = _mm512_max_epi16(signed_max[0], signed_max[1]),
                  high = _mm512_max_epu16(bits_max[0], bits_max[1]), low = _mm512_min_epu16(bits_min[0], bits_min[1]),
                  counts = _mm512_add_epi16(zeros[0], zeros[1]), halves = _mm512_set1_epi32(0xffff);
    const std::int32_t most = _mm512_reduce_max_epi32(
        _mm512_max_epi32(_mm512_srai_epi32(largest, 16), _mm512_srai_epi32(_mm512_slli_epi32(largest, 16), 16)));
    const std::uint32_t top = _mm512_reduce_max_epu32(
                            _mm512_max_epu32(_mm512_srli_epi32(high, 16), _mm512_and_si512(high, halves))),
                        bottom = _mm512_reduce_min_epu32(
                            _mm512_min_epu32(_mm512_srli_epi32(low, 16), _mm512_and_si512(low, halves)));
    const auto value_of = [](std::uint32_t bits) { return std::bit_cast<float>(bits << 16); };
    out.max = value_of(most >= 0 ? static_cast<std::uint32_t>(most) : bottom);
    out.min = value_of(top >= 0x8000 ? top : bottom);
    out.sum = sum_of((sum[0] + sum[1]) + (sum[2] + sum[3]));
    out.squares = sum_of((squares[0] + squares[1]) + (squares[2] + squares[3]));
    out.zeros = static_cast<std::size_t>(_mm512_reduce_add_epi32(_mm512_madd_epi16(counts, _mm512_set1_epi16(1))));
}
#elif defined(__AVX2__)
/// As above, for 16 elements: a third fewer instructions than with floats for all.
void bf16_loop(const std::byte* elements, std::size_t count, BlockFigures& out) {
    const __m256i magnitude = _mm256_set1_epi16(0x7fff), nothing = _mm256_setzero_si256(),
                  upper = _mm256_set1_epi32(static_cast<std::int32_t>(0xffff0000));
    __m256i signed_max = _mm256_set1_epi16(-0x8000), bits_max = nothing, bits_min = _mm256_set1_epi16(-1),
            zeros = nothing;
    Floats sum[2] = {}, squares[2] = {};
    for (std::size_t i = 0; i < count; i += 16) {
        const __m256i bits = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(elements + i * 2));
        signed_max = _mm256_max_epi16(signed_max, bits);
        bits_max = _mm256_max_epu16(bits_max, bits);
        bits_min = _mm256_min_epu16(bits_min, bits);
        zeros = _mm256_sub_epi16(zeros, _mm256_cmpeq_epi16(_mm256_and_si256(bits, magnitude), nothing));
        const Floats even = _mm256_castsi256_ps(_mm256_slli_epi32(bits, 16)),
                     odd = _mm256_castsi256_ps(_mm256_and_si256(bits, upper));
        sum[0] += even;
        sum[1] += odd;
        squares[0] += even * even;
        squares[1] += odd * odd;
    }
    std::int16_t most[16];
    std::uint16_t top[16], bottom[16], counts[16];
    std::memcpy(most, &signed_max, sizeof most);
    std::memcpy(top, &bits_max, sizeof top);
    std::memcpy(bottom, &bits_min, sizeof bottom);
    std::memcpy(counts, &zeros, sizeof counts);
    const std::int16_t largest = *std::ranges::max_element(most);
    const std::uint16_t high = *std::ranges::max_element(top), low = *std::ranges::min_element(bottom);
    const auto value_of = [](std::uint16_t pattern) {
        return std::bit_cast<float>(static_cast<std::uint32_t>(pattern) << 16);
    };
    out.max = value_of(largest >= 0 ? static_cast<std::uint16_t>(largest) : low);
    out.min = value_of(high >= 0x8000 ? high : low);
    out.sum = sum_of(sum[0] + sum[1]);
    out.squares = sum_of(squares[0] + squares[1]);
    out.zeros = 0;
    for (const std::uint16_t each : counts)
        out.zeros += each;
}
#else
/// Elements of even and odd places become floats by a shift and a mask: their order does not matter.
void bf16_loop(const std::byte* elements, std::size_t count, BlockFigures& out) {
    Chain chains[kChains];
    for (std::size_t i = 0; i < count; i += kWidth * kChains)
        for (std::size_t c = 0; c < kChains; c += 2) {
            const Whole pairs = reinterpret_cast<Whole>(load(elements + (i + c * kWidth) * 2));
            chains[c].take(reinterpret_cast<Floats>(pairs << 16));
            chains[c + 1].take(reinterpret_cast<Floats>(pairs & static_cast<std::int32_t>(0xffff0000)));
        }
    add_up(chains, out);
}
#endif

void f16_loop(const std::byte* elements, std::size_t count, BlockFigures& out) {
    Chain chains[kChains];
    for (std::size_t i = 0; i < count; i += kWidth * kChains)
        for (std::size_t c = 0; c < kChains; ++c)
            chains[c].take(from_f16(elements + (i + c * kWidth) * 2));
    add_up(chains, out);
}

void compare_loop(const float* a, const float* b, std::size_t count, BlockDifference& out) {
    Floats squares = {}, base = {}, largest = {};
    Whole changed = {}, not_finite = {};
    for (std::size_t i = 0; i < count; i += kWidth) {
        const Whole x = reinterpret_cast<Whole>(load(reinterpret_cast<const std::byte*>(a + i))),
                    y = reinterpret_cast<Whole>(load(reinterpret_cast<const std::byte*>(b + i)));
        const Whole finite = ((x & kMagnitude) < kInfinity) & ((y & kMagnitude) < kInfinity);
        const Whole both_nan = ((x & kMagnitude) > kInfinity) & ((y & kMagnitude) > kInfinity);
        const Floats from = reinterpret_cast<Floats>(x & finite), change = reinterpret_cast<Floats>(y & finite) - from;
        const Floats size = reinterpret_cast<Floats>(reinterpret_cast<Whole>(change) & kMagnitude);
        squares += change * change;
        base += from * from;
        largest = larger(largest, size);
        changed -= (finite & (size != 0.0f)) | (~finite & ~both_nan & (x != y));
        not_finite -= ~finite;
    }
    out = {};
    for (std::size_t k = 0; k < kWidth; ++k) {
        out.squares += static_cast<double>(squares[k]);
        out.base += static_cast<double>(base[k]);
        out.largest = largest[k] > out.largest ? largest[k] : out.largest;
        out.changed += static_cast<std::size_t>(changed[k]);
        out.not_finite += static_cast<std::size_t>(not_finite[k]);
    }
}

/// Places are computed for some values at once; equal neighbours would wait for each other in one table.
void bins_loop(const float* values, std::size_t count, double low, double scale, std::uint32_t* bins) {
    constexpr std::size_t kAtOnce = 256;
    constexpr auto kLast = static_cast<float>(kFigureBins - 1);
    std::uint32_t tables[4][kFigureBins + 1] = {};
    for (std::size_t at = 0; at < count; at += kAtOnce) {
        const std::size_t some = std::min(kAtOnce, count - at);
        std::int32_t places[kAtOnce];
        for (std::size_t i = 0; i < some; ++i) {
            const float value = values[at + i];
            const auto exact = static_cast<float>((static_cast<double>(value) - low) * scale);
            const float upper = exact > kLast ? kLast : exact;
            const auto place = static_cast<std::int32_t>(upper > 0 ? upper : 0.0f);
            // Values that are not finite go into an extra bin, which is discarded.
            places[i] = __builtin_fabsf(value) <= std::numeric_limits<float>::max()
                            ? place
                            : static_cast<std::int32_t>(kFigureBins);
        }
        for (std::size_t i = 0; i < some; ++i)
            ++tables[i % 4][places[i]];
    }
    for (std::size_t bin = 0; bin < kFigureBins; ++bin)
        bins[bin] = tables[0][bin] + tables[1][bin] + tables[2][bin] + tables[3][bin];
}

}  // namespace

extern const FigureLoops TRAINYARD_FOR_ISA(figure_loops);
const FigureLoops TRAINYARD_FOR_ISA(figure_loops){kLanes,   kLanes* kDepth, f32_loop, bf16_loop,
                                                  f16_loop, compare_loop,   bins_loop};

}  // namespace trainyard::inspect
