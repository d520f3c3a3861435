#pragma once
// Pieces of loops that the compiler turns into vector instructions. A function that loops over them is compiled once per instruction
// set (TRAINYARD_VECTOR_CLONES) and the right one is taken when the program starts.

#include <bit>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define TRAINYARD_VECTOR_CLONES __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define TRAINYARD_VECTOR_CLONES
#endif

namespace trainyard::models {

/// exp(x) with a relative error below 2e-7 for x in [-87, 88]; beyond, the value at the end of the range.
/// Method: Cody and Waite's reduction by ln 2, polynomial of Cephes' expf.
[[gnu::always_inline]] inline float fast_exp(float x) {
    x = x < -87.0f ? -87.0f : x;
    x = x > 88.0f ? 88.0f : x;
    // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits.
    constexpr float kRound = 12582912.0f;
    float shifted = x * 1.44269504088896341f + kRound;
    std::int32_t power = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
    float n = shifted - kRound;
    float r = x - n * 0.693359375f - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * r * r + r + 1.0f;
    return p * std::bit_cast<float>((power + 127) << 23);
}

}  // namespace trainyard::models
