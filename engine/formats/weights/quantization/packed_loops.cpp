// SPDX-License-Identifier: GPL-3.0-or-later
// Loops for one instruction set: the build defines TRAINYARD_ISA (generic, avx2, avx512) and sets the matching -m
// flags. Tables of 16 values are looked up by permutations of registers.

#include "formats/weights/quantization/packed_loops.h"

#include <cmath>

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

#ifdef __AVX512F__

using Lanes = __m512;
constexpr std::size_t kLanes = 16;

inline Lanes load(const float* values) {
    return _mm512_loadu_ps(values);
}

inline Lanes filled(float value) {
    return _mm512_set1_ps(value);
}

/// a * b + c, rounded once.
inline Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
    return _mm512_fmadd_ps(a, b, c);
}

inline Lanes widen(const std::int8_t* codes) {
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes))));
}

inline float sum_of(Lanes lanes) {
    return _mm512_reduce_add_ps(lanes);
}

/// The values of the upper and the lower codes of kLanes bytes.
struct PairTable {
    explicit PairTable(const float* values) : table(load(values)) {}
    void look_up(const std::uint8_t* packed, Lanes& even, Lanes& odd) const {
        const __m512i bytes = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(packed)));
        // Only the lowest four bits of a lane select.
        even = _mm512_permutexvar_ps(_mm512_srli_epi32(bytes, 4), table);
        odd = _mm512_permutexvar_ps(bytes, table);
    }
    Lanes table;
};

#else

using Lanes = __m256;
constexpr std::size_t kLanes = 8;

inline Lanes load(const float* values) {
    return _mm256_loadu_ps(values);
}

inline Lanes filled(float value) {
    return _mm256_set1_ps(value);
}

/// a * b + c, rounded once.
inline Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
    return _mm256_fmadd_ps(a, b, c);
}

inline Lanes widen(const std::int8_t* codes) {
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(codes))));
}

inline float sum_of(Lanes lanes) {
    const __m128 four = _mm_add_ps(_mm256_castps256_ps128(lanes), _mm256_extractf128_ps(lanes, 1));
    const __m128 two = _mm_add_ps(four, _mm_movehl_ps(four, four));
    return _mm_cvtss_f32(_mm_add_ss(two, _mm_shuffle_ps(two, two, 1)));
}

/// The values of the upper and the lower codes of kLanes bytes.
struct PairTable {
    explicit PairTable(const float* values) : table(values) {}
    void look_up(const std::uint8_t* packed, Lanes& even, Lanes& odd) const {
        const __m256i bytes = load_bytes(packed);
        even = table(_mm256_srli_epi32(bytes, 4));
        odd = table(bytes);
    }
    Table table;
};

#endif

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

/// The product with one row of codes.
struct FourBitRow {
    const std::uint8_t* packed;
    std::size_t pairs, block_pairs;
    const float* values;
    const float* magnitudes;
};

/// Sums of as many vectors: codes are looked up once for all of them. x has the elements of a vector at even places,
/// then those at odd places, then those of the next vector.
template <std::size_t vectors>
void dot_with(const FourBitRow& row, const float* x, float* sums) {
    const std::size_t pairs = row.pairs, block_pairs = row.block_pairs;
    std::size_t block = 0;
    for (std::size_t n = 0; n < vectors; ++n)
        sums[n] = 0;
#ifdef __AVX2__
    const PairTable table(row.values);
    Lanes totals[vectors];
    for (Lanes& total : totals)
        total = filled(0);
    if (block_pairs % kLanes == 0)
        for (; (block + 1) * block_pairs <= pairs; ++block) {
            Lanes of_block[vectors];
            for (Lanes& sum : of_block)
                sum = filled(0);
            for (std::size_t i = block * block_pairs; i < (block + 1) * block_pairs; i += kLanes) {
                Lanes even, odd;
                table.look_up(row.packed + i, even, odd);
                for (std::size_t n = 0; n < vectors; ++n) {
                    const float* from = x + 2 * n * pairs + i;
                    of_block[n] = multiply_add(even, load(from), of_block[n]);
                    of_block[n] = multiply_add(odd, load(from + pairs), of_block[n]);
                }
            }
            const Lanes magnitude = filled(row.magnitudes[block]);
            for (std::size_t n = 0; n < vectors; ++n)
                totals[n] = multiply_add(of_block[n], magnitude, totals[n]);
        }
    for (std::size_t n = 0; n < vectors; ++n)
        sums[n] = sum_of(totals[n]);
#endif
    for (; block * block_pairs < pairs; ++block) {
        const std::size_t first = block * block_pairs, left = pairs - first;
        for (std::size_t n = 0; n < vectors; ++n)
            sums[n] += row.magnitudes[block] * dot_of_block(row.packed + first, left < block_pairs ? left : block_pairs,
                                                            row.values, x + 2 * n * pairs + first,
                                                            x + (2 * n + 1) * pairs + first);
    }
}

void dot_four_bit(const std::uint8_t* packed, std::size_t count, std::size_t blocksize, const float* values,
                  const float* magnitudes, const float* x, std::size_t vectors, float* sums) {
    const FourBitRow row{packed, count / 2, blocksize / 2, values, magnitudes};
    std::size_t n = 0;
    for (; n + 4 <= vectors; n += 4)
        dot_with<4>(row, x + n * count, sums + n);
    for (; n < vectors; ++n)
        dot_with<1>(row, x + n * count, sums + n);
}

#ifdef __AVX512BW__

/// Two alternating sums for each vector, so that an addition does not wait for the previous one.
template <std::size_t vectors>
__attribute__((target("avx512bf16"))) void dot_bfloat16_with(const FourBitRow& row, __m512i table,
                                                             const std::uint16_t* x, float* sums) {
    const std::size_t pairs = row.pairs, blocks = pairs / row.block_pairs;
    __m512 totals[2][vectors];
    for (auto& half : totals)
        for (__m512& total : half)
            total = _mm512_setzero_ps();
    for (std::size_t block = 0; block < blocks; ++block) {
        __m512 of_block[vectors];
        for (__m512& sum : of_block)
            sum = _mm512_setzero_ps();
        for (std::size_t i = block * row.block_pairs; i < (block + 1) * row.block_pairs; i += 32) {
            const __m512i bytes =
                _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(row.packed + i)));
            // The lowest five bits of a lane select, and the table has its 16 values twice.
            const auto even = (__m512bh)_mm512_permutexvar_epi16(_mm512_srli_epi16(bytes, 4), table),
                       odd = (__m512bh)_mm512_permutexvar_epi16(bytes, table);
            for (std::size_t n = 0; n < vectors; ++n) {
                const std::uint16_t* from = x + 2 * n * pairs + i;
                of_block[n] = _mm512_dpbf16_ps(of_block[n], even, (__m512bh)_mm512_loadu_si512(from));
                of_block[n] = _mm512_dpbf16_ps(of_block[n], odd, (__m512bh)_mm512_loadu_si512(from + pairs));
            }
        }
        const __m512 magnitude = _mm512_set1_ps(row.magnitudes[block]);
        for (std::size_t n = 0; n < vectors; ++n)
            totals[block % 2][n] = _mm512_fmadd_ps(of_block[n], magnitude, totals[block % 2][n]);
    }
    for (std::size_t n = 0; n < vectors; ++n)
        sums[n] = _mm512_reduce_add_ps(_mm512_add_ps(totals[0][n], totals[1][n]));
}

__attribute__((target("avx512bf16"))) void dot_four_bit_bfloat16(const std::uint8_t* packed, std::size_t count,
                                                                 std::size_t blocksize, const float* values,
                                                                 const float* magnitudes, const std::uint16_t* x,
                                                                 std::size_t vectors, float* sums) {
    const FourBitRow row{packed, count / 2, blocksize / 2, values, magnitudes};
    const __m256i rounded = (__m256i)_mm512_cvtneps_pbh(_mm512_loadu_ps(values));
    const __m512i table = _mm512_broadcast_i64x4(rounded);
    std::size_t n = 0;
    for (; n + 4 <= vectors; n += 4)
        dot_bfloat16_with<4>(row, table, x + n * count, sums + n);
    for (; n < vectors; ++n)
        dot_bfloat16_with<1>(row, table, x + n * count, sums + n);
}

#endif

/// Keeps the compiler from fusing a multiplication with the addition of its result.
template <class T>
inline T rounded_product(T product) {
#ifdef __FMA__
    asm("" : "+x"(product));
#endif
    return product;
}

void decode_bytes(const std::uint8_t* codes, std::size_t count, const float* values, float factor, float offset,
                  float* out) {
    std::size_t i = 0;
#if defined(__AVX512F__)
    __m512 table[16];
    for (std::size_t part = 0; part < 16; ++part)
        table[part] = _mm512_loadu_ps(values + 16 * part);
    for (; i + 16 <= count; i += 16) {
        const __m512i code = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(codes + i)));
        const auto of = [&](std::size_t part) {  // by the lowest five bits
            return _mm512_permutex2var_ps(table[2 * part], code, table[2 * part + 1]);
        };
        const __mmask16 bit5 = _mm512_test_epi32_mask(code, _mm512_set1_epi32(32)),
                        bit6 = _mm512_test_epi32_mask(code, _mm512_set1_epi32(64)),
                        bit7 = _mm512_test_epi32_mask(code, _mm512_set1_epi32(128));
        const auto of_two = [&](std::size_t part) { return _mm512_mask_blend_ps(bit5, of(part), of(part + 1)); };
        const auto of_four = [&](std::size_t part) {
            return _mm512_mask_blend_ps(bit6, of_two(part), of_two(part + 2));
        };
        const __m512 value = _mm512_mask_blend_ps(bit7, of_four(0), of_four(4));
        _mm512_storeu_ps(out + i, _mm512_add_ps(rounded_product(_mm512_mul_ps(value, _mm512_set1_ps(factor))),
                                                _mm512_set1_ps(offset)));
    }
#endif
    for (; i < count; ++i)
        out[i] = rounded_product(values[codes[i]] * factor) + offset;
}

void decode_int8(const std::int8_t* codes, std::size_t count, float factor, float* out) {
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<float>(codes[i]) * factor;
}

float dot_int8(const std::int8_t* codes, std::size_t count, const float* x) {
    float sum = 0;
    std::size_t i = 0;
#ifdef __AVX2__
    Lanes sums[4] = {filled(0), filled(0), filled(0), filled(0)};
    for (; i + 4 * kLanes <= count; i += 4 * kLanes)
        for (std::size_t part = 0; part < 4; ++part)
            sums[part] = multiply_add(widen(codes + i + kLanes * part), load(x + i + kLanes * part), sums[part]);
    sum = sum_of((sums[0] + sums[1]) + (sums[2] + sums[3]));
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

#ifdef __F16C__

float round_to_half(const float* x, std::size_t count, float* out) {
    float largest = 0;
    std::size_t i = 0;
#ifdef __AVX512F__
    __m512 most = _mm512_setzero_ps();
    for (; i + 16 <= count; i += 16) {
        const __m512 half = _mm512_cvtph_ps(_mm512_cvtps_ph(_mm512_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
        most = _mm512_max_ps(_mm512_abs_ps(half), most);  // its second operand if the first is NaN
        _mm512_storeu_ps(out + i, half);
    }
    largest = _mm512_reduce_max_ps(most);
#endif
    for (; i < count; ++i) {
        out[i] = _cvtsh_ss(_cvtss_sh(x[i], _MM_FROUND_TO_NEAREST_INT));
        const float magnitude = std::abs(out[i]);
        largest = magnitude > largest ? magnitude : largest;
    }
    return largest;
}

#endif

void encode_int8(const float* x, std::size_t count, float factor, std::int8_t* codes) {
    std::size_t i = 0;
#ifdef __AVX512F__
    for (; i + 16 <= count; i += 16) {
        // The code of NaN is that of the lowest byte of 0x80000000.
        const __m512i code = _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(x + i), _mm512_set1_ps(factor)));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(codes + i), _mm512_cvtepi32_epi8(code));
    }
#endif
    for (; i < count; ++i) {
        const float code = std::nearbyint(x[i] * factor);
        codes[i] = static_cast<std::int8_t>(std::isnan(code) ? 0 : code);
    }
}

}  // namespace

extern const PackedLoops TRAINYARD_FOR_ISA(packed_loops);
const PackedLoops TRAINYARD_FOR_ISA(packed_loops){.decode_four_bit = decode_four_bit,
                                                  .dot_four_bit = dot_four_bit,
#ifdef __AVX512BW__
                                                  .dot_four_bit_bfloat16 = dot_four_bit_bfloat16,
#else
                                                  .dot_four_bit_bfloat16 = nullptr,
#endif
                                                  .decode_bytes = decode_bytes,
                                                  .decode_int8 = decode_int8,
                                                  .dot_int8 = dot_int8,
                                                  .dot_codes = dot_codes,
#ifdef __F16C__
                                                  .round_to_half = round_to_half,
#else
                                                  .round_to_half = nullptr,
#endif
                                                  .encode_int8 = encode_int8};

}  // namespace trainyard::quantization
