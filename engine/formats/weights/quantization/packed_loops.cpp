// SPDX-License-Identifier: GPL-3.0-or-later
// Loops for one instruction set: the build defines TRAINYARD_ISA (generic, avx2, avx512) and sets the matching -m
// flags. Tables of 16 values are looked up by permutations of registers.

#include "formats/weights/quantization/packed_loops.h"

#include "base/isa_names.h"

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace trainyard::quantization {

namespace {

#ifdef __AVX2__

/// The values of codes in the lowest bits of each lane; bits above the lowest four are ignored.
struct Table {
    explicit Table(const float* values) : low(_mm256_loadu_ps(values)), high(_mm256_loadu_ps(values + 8)) {}
    __m256 operator()(__m256i codes) const {
        const __m256 upper = _mm256_castsi256_ps(_mm256_slli_epi32(codes, 28));  // bit 3 as the sign
        return _mm256_blendv_ps(_mm256_permutevar8x32_ps(low, codes), _mm256_permutevar8x32_ps(high, codes), upper);
    }
    __m256 low, high;
};

/// Eight bytes, each in a lane.
inline __m256i load_bytes(const std::uint8_t* packed) {
    return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(packed)));
}

inline __m256 widen(const std::int8_t* codes) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes))));
}

inline float sum_of(__m256 lanes) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

#endif

void decode_four_bit(const std::uint8_t* packed, std::size_t count, const float* values, float magnitude, float* out) {
    std::size_t i = 0;
#ifdef __AVX2__
    const Table table(values);
    const __m256 factor = _mm256_set1_ps(magnitude);
    for (; i + 16 <= count; i += 16) {
        const __m256i bytes = load_bytes(packed + i / 2);
        const __m256 even = _mm256_mul_ps(table(_mm256_srli_epi32(bytes, 4)), factor),
                     odd = _mm256_mul_ps(table(bytes), factor);
        const __m256 low = _mm256_unpacklo_ps(even, odd), high = _mm256_unpackhi_ps(even, odd);
        _mm256_storeu_ps(out + i, _mm256_permute2f128_ps(low, high, 0x20));
        _mm256_storeu_ps(out + i + 8, _mm256_permute2f128_ps(low, high, 0x31));
    }
#endif
    for (; i < count; i += 2) {
        out[i] = values[packed[i / 2] >> 4] * magnitude;
        out[i + 1] = values[packed[i / 2] & 15] * magnitude;
    }
}

/// Returns the dot product of one block.
inline float dot_of_block(const std::uint8_t* packed, std::size_t pairs, const float* values, const float* even,
                          const float* odd) {
    float sum = 0;
    std::size_t i = 0;
#if !defined(__AVX2__)
    float sums[8] = {};
    for (; i + 8 <= pairs; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane)
            sums[lane] +=
                values[packed[i + lane] >> 4] * even[i + lane] + values[packed[i + lane] & 15] * odd[i + lane];
    for (const float each : sums)
        sum += each;
#endif
    for (; i < pairs; ++i)
        sum += values[packed[i] >> 4] * even[i] + values[packed[i] & 15] * odd[i];
    return sum;
}

float dot_four_bit(const std::uint8_t* packed, std::size_t count, std::size_t blocksize, const float* values,
                   const float* magnitudes, const float* even, const float* odd) {
    const std::size_t pairs = count / 2, block_pairs = blocksize / 2;
    float sum = 0;
    std::size_t block = 0;
#if defined(__AVX512F__)
    const __m512 table = _mm512_loadu_ps(values);
    __m512 total = _mm512_setzero_ps();
    if (block_pairs % 16 == 0)
        for (; (block + 1) * block_pairs <= pairs; ++block) {
            __m512 of_even = _mm512_setzero_ps(), of_odd = _mm512_setzero_ps();
            for (std::size_t i = block * block_pairs; i < (block + 1) * block_pairs; i += 16) {
                const __m512i bytes =
                    _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(packed + i)));
                // Only the lowest four bits of a lane select.
                of_even = _mm512_fmadd_ps(_mm512_permutexvar_ps(_mm512_srli_epi32(bytes, 4), table),
                                          _mm512_loadu_ps(even + i), of_even);
                of_odd = _mm512_fmadd_ps(_mm512_permutexvar_ps(bytes, table), _mm512_loadu_ps(odd + i), of_odd);
            }
            total = _mm512_fmadd_ps(_mm512_add_ps(of_even, of_odd), _mm512_set1_ps(magnitudes[block]), total);
        }
    sum = _mm512_reduce_add_ps(total);
#elif defined(__AVX2__)
    const Table table(values);
    __m256 total = _mm256_setzero_ps();
    if (block_pairs % 8 == 0)
        for (; (block + 1) * block_pairs <= pairs; ++block) {
            __m256 of_even = _mm256_setzero_ps(), of_odd = _mm256_setzero_ps();
            for (std::size_t i = block * block_pairs; i < (block + 1) * block_pairs; i += 8) {
                const __m256i bytes = load_bytes(packed + i);
                of_even = _mm256_fmadd_ps(table(_mm256_srli_epi32(bytes, 4)), _mm256_loadu_ps(even + i), of_even);
                of_odd = _mm256_fmadd_ps(table(bytes), _mm256_loadu_ps(odd + i), of_odd);
            }
            total = _mm256_fmadd_ps(_mm256_add_ps(of_even, of_odd), _mm256_set1_ps(magnitudes[block]), total);
        }
    sum = sum_of(total);
#endif
    for (; block * block_pairs < pairs; ++block) {
        const std::size_t first = block * block_pairs, left = pairs - first;
        sum += magnitudes[block] *
               dot_of_block(packed + first, left < block_pairs ? left : block_pairs, values, even + first, odd + first);
    }
    return sum;
}

void decode_int8(const std::int8_t* codes, std::size_t count, float factor, float* out) {
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<float>(codes[i]) * factor;
}

float dot_int8(const std::int8_t* codes, std::size_t count, const float* x) {
    float sum = 0;
    std::size_t i = 0;
#if defined(__AVX512F__)
    __m512 sums[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps()};
    for (; i + 64 <= count; i += 64)
        for (std::size_t part = 0; part < 4; ++part) {
            const auto* sixteen = reinterpret_cast<const __m128i*>(codes + i + 16 * part);
            sums[part] = _mm512_fmadd_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(sixteen))),
                                         _mm512_loadu_ps(x + i + 16 * part), sums[part]);
        }
    sum = _mm512_reduce_add_ps(_mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3])));
#elif defined(__AVX2__)
    __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps()};
    for (; i + 32 <= count; i += 32)
        for (std::size_t part = 0; part < 4; ++part)
            sums[part] = _mm256_fmadd_ps(widen(codes + i + 8 * part), _mm256_loadu_ps(x + i + 8 * part), sums[part]);
    sum = sum_of(_mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
#else
    float sums[8] = {};
    for (; i + 8 <= count; i += 8)
        for (std::size_t lane = 0; lane < 8; ++lane)
            sums[lane] += static_cast<float>(codes[i + lane]) * x[i + lane];
    for (const float each : sums)
        sum += each;
#endif
    for (; i < count; ++i)
        sum += static_cast<float>(codes[i]) * x[i];
    return sum;
}

#ifdef __AVX512BW__

/// The instruction multiplies unsigned with signed bytes: a is moved to 0..255, and 128 times the sum of b subtracted.
__attribute__((target("avx512vnni"))) std::int32_t dot_codes_vnni(const std::int8_t* a, const std::int8_t* b,
                                                                  std::size_t count) {
    const __m512i moved = _mm512_set1_epi8(-128), ones = _mm512_set1_epi8(1);
    __m512i sums = _mm512_setzero_si512(), of_b = sums;
    std::size_t i = 0;
    for (; i + 64 <= count; i += 64) {
        const __m512i x = _mm512_xor_si512(_mm512_loadu_si512(a + i), moved), w = _mm512_loadu_si512(b + i);
        sums = _mm512_dpbusd_epi32(sums, x, w);
        of_b = _mm512_dpbusd_epi32(of_b, ones, w);
    }
    alignas(64) std::uint32_t lanes[16];  // sums modulo 2^32: the result fits
    _mm512_store_si512(lanes, _mm512_sub_epi32(sums, _mm512_slli_epi32(of_b, 7)));
    std::uint32_t sum = 0;
    for (const std::uint32_t lane : lanes)
        sum += lane;
    auto result = static_cast<std::int32_t>(sum);
    for (; i < count; ++i)
        result += static_cast<std::int32_t>(a[i]) * b[i];
    return result;
}

#endif

std::int32_t dot_codes(const std::int8_t* a, const std::int8_t* b, std::size_t count) {
#ifdef __AVX512BW__
    static const bool has_vnni = __builtin_cpu_supports("avx512vnni") != 0;
    if (has_vnni)
        return dot_codes_vnni(a, b, count);
#endif
    std::int32_t sum = 0;
    std::size_t i = 0;
#ifdef __AVX2__
    __m256i sums = _mm256_setzero_si256();
    for (; i + 16 <= count; i += 16)
        sums = _mm256_add_epi32(
            sums, _mm256_madd_epi16(_mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i))),
                                    _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i)))));
    const __m128i four = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    const __m128i two = _mm_add_epi32(four, _mm_unpackhi_epi64(four, four));
    sum = _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32(two, 1)));
#endif
    for (; i < count; ++i)
        sum += static_cast<std::int32_t>(a[i]) * b[i];
    return sum;
}

}  // namespace

extern const PackedLoops TRAINYARD_FOR_ISA(packed_loops);
const PackedLoops TRAINYARD_FOR_ISA(packed_loops){decode_four_bit, dot_four_bit, decode_int8, dot_int8, dot_codes};

}  // namespace trainyard::quantization
