// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/crc32c.h"

#include <array>
#include <cstring>

namespace trainyard::files {

namespace {

constexpr std::array<std::uint32_t, 256> make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t value = i;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ (value & 1 ? 0x82f63b78u : 0u);
        table[i] = value;
    }
    return table;
}
constexpr std::array<std::uint32_t, 256> kTable = make_table();

std::uint32_t update_by_table(std::uint32_t crc, const char* data, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i)
        crc = (crc >> 8) ^ kTable[(crc ^ static_cast<unsigned char>(data[i])) & 0xffu];
    return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t update_by_instruction(std::uint32_t crc, const char* data,
                                                                      std::size_t size) {
    std::uint64_t wide = crc;
    for (; size >= 8; size -= 8, data += 8) {
        std::uint64_t word;
        std::memcpy(&word, data, 8);
        wide = __builtin_ia32_crc32di(wide, word);
    }
    crc = static_cast<std::uint32_t>(wide);
    for (; size > 0; --size, ++data)
        crc = __builtin_ia32_crc32qi(crc, static_cast<unsigned char>(*data));
    return crc;
}
#endif

using Update = std::uint32_t (*)(std::uint32_t, const char*, std::size_t);

Update fastest() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2"))
        return update_by_instruction;
#endif
    return update_by_table;
}

}  // namespace

std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t seed) {
    return ~update_by_table(~seed, bytes.data(), bytes.size());
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t seed) {
    static const Update update = fastest();
    return ~update(~seed, bytes.data(), bytes.size());
}

std::uint32_t masked_crc32c(std::string_view bytes) {
    std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

}  // namespace trainyard::files
