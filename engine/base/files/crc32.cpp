// CRC-32 of ZIP archives. With carry-less multiplication, 64 bytes are folded at a time: Gopal et al., "Fast CRC
// computation for generic polynomials using PCLMULQDQ instruction", Intel, 2009. The constants are those of the
// reflected polynomial 0xedb88320.

#include <array>
#include <cstring>

#include "base/files/zip_archive.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace trainyard::files {

namespace {

using CrcTables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr CrcTables crc_tables() {
    CrcTables tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t crc = byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
        tables[0][byte] = crc;
    }
    for (std::size_t i = 1; i < 8; ++i)
        for (std::size_t byte = 0; byte < 256; ++byte)
            tables[i][byte] = (tables[i - 1][byte] >> 8) ^ tables[0][tables[i - 1][byte] & 0xff];
    return tables;
}

std::uint32_t add_by_table(const unsigned char* at, std::size_t left, std::uint32_t crc) {
    static constexpr CrcTables tables = crc_tables();
    for (; left >= 8; at += 8, left -= 8) {
        std::uint32_t low, high;
        std::memcpy(&low, at, 4);
        std::memcpy(&high, at + 4, 4);
        low ^= crc;
        crc = tables[7][low & 0xff] ^ tables[6][(low >> 8) & 0xff] ^ tables[5][(low >> 16) & 0xff] ^
              tables[4][low >> 24] ^ tables[3][high & 0xff] ^ tables[2][(high >> 8) & 0xff] ^
              tables[1][(high >> 16) & 0xff] ^ tables[0][high >> 24];
    }
    for (; left > 0; ++at, --left)
        crc = (crc >> 8) ^ tables[0][(crc ^ *at) & 0xff];
    return crc;
}

#if defined(__x86_64__)
#define TRAINYARD_FOLDS __attribute__((target("sse4.1,pclmul")))

TRAINYARD_FOLDS inline __m128i load_block(const unsigned char* at) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
}

TRAINYARD_FOLDS inline __m128i fold(__m128i state, __m128i factors, __m128i next) {
    return _mm_xor_si128(
        _mm_xor_si128(_mm_clmulepi64_si128(state, factors, 0x00), _mm_clmulepi64_si128(state, factors, 0x11)), next);
}

/// `size` is a multiple of 16, at least 64.
TRAINYARD_FOLDS std::uint32_t add_by_folding(const unsigned char* at, std::size_t size, std::uint32_t crc) {
    const __m128i by_64 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4),
                  by_16 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0), by_8 = _mm_set_epi64x(0, 0x0163cd6124),
                  reduction = _mm_set_epi64x(0x01f7011641, 0x01db710641), low_words = _mm_setr_epi32(~0, 0, ~0, 0);
    __m128i state[] = {load_block(at), load_block(at + 16), load_block(at + 32), load_block(at + 48)};
    state[0] = _mm_xor_si128(state[0], _mm_cvtsi32_si128(static_cast<int>(crc)));
    for (at += 64, size -= 64; size >= 64; at += 64, size -= 64)
        for (std::size_t i = 0; i < 4; ++i)
            state[i] = fold(state[i], by_64, load_block(at + 16 * i));
    __m128i sum = state[0];
    for (std::size_t i = 1; i < 4; ++i)
        sum = fold(sum, by_16, state[i]);
    for (; size >= 16; at += 16, size -= 16)
        sum = fold(sum, by_16, load_block(at));
    // Reduces 128 bits to 64, then to 32 (Barrett).
    sum = _mm_xor_si128(_mm_srli_si128(sum, 8), _mm_clmulepi64_si128(sum, by_16, 0x10));
    sum = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(sum, low_words), by_8, 0x00), _mm_srli_si128(sum, 4));
    __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(sum, low_words), reduction, 0x10);
    quotient = _mm_clmulepi64_si128(_mm_and_si128(quotient, low_words), reduction, 0x00);
    return static_cast<std::uint32_t>(_mm_extract_epi32(_mm_xor_si128(sum, quotient), 1));
}
#endif

}  // namespace

std::uint32_t crc32_by_table(std::span<const std::byte> bytes) {
    return ~add_by_table(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), 0xffffffffu);
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
#if defined(__x86_64__)
    static const bool folds = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
    if (folds && bytes.size() >= 64) {
        const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
        const std::size_t whole = bytes.size() / 16 * 16;
        return ~add_by_table(at + whole, bytes.size() - whole, add_by_folding(at, whole, 0xffffffffu));
    }
#endif
    return crc32_by_table(bytes);
}

}  // namespace trainyard::files
