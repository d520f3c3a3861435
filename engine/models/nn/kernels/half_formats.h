// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Conversions between bfloat16 or fp16 and fp32. For files that are compiled once per instruction set, so everything is
// in their unnamed namespace.

#include <bit>
#include <cstdint>

#if defined(__AVX512BF16__) || defined(__F16C__)
#include <immintrin.h>
#endif

namespace trainyard::models {
namespace {

/// The upper half of a float's bits.
struct Bfloat16Format {
    static float widen_one(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

    static std::uint16_t narrow_one(float x) {
        auto bits = std::bit_cast<std::uint32_t>(x);
        std::uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
        return static_cast<std::uint16_t>((bits & 0x7fffffffu) > 0x7f800000u ? 0x7fc0u : rounded);
    }

    static void widen(const std::uint16_t* __restrict__ x, float* __restrict__ y, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            y[i] = widen_one(x[i]);
    }

    static void narrow(const float* __restrict__ x, std::uint16_t* __restrict__ y, std::int64_t count) {
        std::int64_t i = 0;
#ifdef __AVX512BF16__
        // The instruction flushes subnormal numbers to zero, which is negligible compared with any weight.
        for (; i + 32 <= count; i += 32)
            _mm512_storeu_si512(y + i,
                                (__m512i)_mm512_cvtne2ps_pbh(_mm512_loadu_ps(x + i + 16), _mm512_loadu_ps(x + i)));
#elif defined(__AVX2__)
        const __m256i one = _mm256_set1_epi32(1), half = _mm256_set1_epi32(0x7fff), quiet = _mm256_set1_epi32(0x7fc0);
        auto eight = [&](const float* at) {
            __m256 value = _mm256_loadu_ps(at);
            __m256i raw = _mm256_castps_si256(value), odd = _mm256_and_si256(_mm256_srli_epi32(raw, 16), one);
            __m256i rounded = _mm256_srli_epi32(_mm256_add_epi32(_mm256_add_epi32(raw, half), odd), 16);
            __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(value, value, _CMP_UNORD_Q));
            return _mm256_blendv_epi8(rounded, quiet, nan);
        };
        for (; i + 16 <= count; i += 16)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + i),
                                _mm256_permute4x64_epi64(_mm256_packus_epi32(eight(x + i), eight(x + i + 8)), 0xd8));
#endif
        for (; i < count; ++i)
            y[i] = narrow_one(x[i]);
    }
};

/// IEEE 754 binary16 without conversion instructions: Giesen, "Half-float conversions", 2012.
struct HalfFormat {
    static float widen_one(std::uint16_t bits) {
#ifdef __F16C__
        return _cvtsh_ss(bits);
#else
        float magnitude = std::bit_cast<float>((bits & 0x7fffu) << 13) * 0x1p112f;
        std::uint32_t special = (bits & 0x7c00u) == 0x7c00u ? 0x7f800000u : 0u;
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | special | (bits & 0x8000u) << 16);
#endif
    }

    static std::uint16_t narrow_one(float x) {
#ifdef __F16C__
        return _cvtss_sh(x, _MM_FROUND_TO_NEAREST_INT);
#else
        auto bits = std::bit_cast<std::uint32_t>(x);
        std::uint32_t sign = bits & 0x80000000u, magnitude = bits ^ sign, result = 0;
        constexpr std::uint32_t kSubnormal = (127 - 15 + 23 - 10 + 1)
                                             << 23;  // its last bit corresponds to that of a subnormal half
        if (magnitude >= 0x47800000u)                // 65536
            result = magnitude > 0x7f800000u ? 0x7e00u : 0x7c00u;
        else if (magnitude < 0x38800000u)  // 2^-14
            result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + std::bit_cast<float>(kSubnormal)) -
                     kSubnormal;
        else
            result = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
        return static_cast<std::uint16_t>(result | sign >> 16);
#endif
    }

    static void widen(const std::uint16_t* __restrict__ x, float* __restrict__ y, std::int64_t count) {
        std::int64_t i = 0;
#ifdef __AVX512F__
        for (; i + 16 <= count; i += 16)
            _mm512_storeu_ps(y + i, _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(x + i))));
#elif defined(__F16C__)
        for (; i + 8 <= count; i += 8)
            _mm256_storeu_ps(y + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i))));
#endif
        for (; i < count; ++i)
            y[i] = widen_one(x[i]);
    }

    static void narrow(const float* __restrict__ x, std::uint16_t* __restrict__ y, std::int64_t count) {
        std::int64_t i = 0;
#ifdef __AVX512F__
        for (; i + 16 <= count; i += 16)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(y + i),
                                _mm512_cvtps_ph(_mm512_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
#elif defined(__F16C__)
        for (; i + 8 <= count; i += 8)
            _mm_storeu_si128(reinterpret_cast<__m128i*>(y + i),
                             _mm256_cvtps_ph(_mm256_loadu_ps(x + i), _MM_FROUND_TO_NEAREST_INT));
#endif
        for (; i < count; ++i)
            y[i] = narrow_one(x[i]);
    }
};

}  // namespace
}  // namespace trainyard::models
