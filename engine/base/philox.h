// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Philox4x32-10: random numbers as a pure function of (key, counter), so any rank can compute the numbers of any
// position.
// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

namespace trainyard {

/// The purpose of a stream. It is part of the key, so that streams are independent.
enum class RandomStream : std::uint32_t { initialisation = 1, dropout = 2, masking = 3, generation = 4, rounding = 5 };

/// FNV-1a, 64 bits: the part of the key of random numbers that a name gives. It must never change, or the same seed
/// starts another model. Fowler, Noll and Vo, RFC 9923.
inline std::uint64_t hash_of_name(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
    return hash;
}

inline constexpr int kPhiloxRounds = 10;
inline constexpr std::uint32_t kPhiloxFactor0 = 0xD2511F53u, kPhiloxFactor1 = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxStep0 = 0x9E3779B9u, kPhiloxStep1 = 0xBB67AE85u;

/// The second word of the key; the first word is the lower half of the seed.
inline std::uint32_t philox_second_key(std::uint64_t seed, RandomStream purpose) {
    return static_cast<std::uint32_t>(seed >> 32) ^ (static_cast<std::uint32_t>(purpose) * 0x85ebca6bu);
}

/// Four 32-bit numbers for the counter `position` of the stream (seed, purpose, a, b).
inline std::array<std::uint32_t, 4> philox(std::uint64_t seed, RandomStream purpose, std::uint32_t a, std::uint32_t b,
                                           std::uint64_t position) {
    std::uint32_t k0 = static_cast<std::uint32_t>(seed);
    std::uint32_t k1 = philox_second_key(seed, purpose);
    std::array<std::uint32_t, 4> c{static_cast<std::uint32_t>(position), static_cast<std::uint32_t>(position >> 32), a,
                                   b};
    for (int round = 0; round < kPhiloxRounds; ++round) {
        std::uint64_t p0 = std::uint64_t{kPhiloxFactor0} * c[0];
        std::uint64_t p1 = std::uint64_t{kPhiloxFactor1} * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
        k0 += kPhiloxStep0;
        k1 += kPhiloxStep1;
    }
    return c;
}

/// Uniform in (0, 1), never 0 or 1.
inline float uniform(std::uint32_t bits) {
    return (static_cast<float>(bits >> 9) + 0.5f) * 0x1p-23f;
}

/// Two standard normal numbers from two uniform ones (Box-Muller).
inline std::array<float, 2> normal_pair(std::uint32_t first, std::uint32_t second) {
    float radius = std::sqrt(-2.0f * std::log(uniform(first)));
    float angle = 2.0f * std::numbers::pi_v<float> * uniform(second);
    return {radius * std::cos(angle), radius * std::sin(angle)};
}

}  // namespace trainyard
