// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tokenizers/charsmap.h"

#include <cstring>

#include "base/error.h"

namespace trainyard::tokenizers {

namespace {
// A unit of darts-clone.
bool has_leaf(std::uint32_t unit) {
    return (unit >> 8 & 1) != 0;
}
std::uint32_t value(std::uint32_t unit) {
    return unit & 0x7fffffffu;
}
std::uint32_t label(std::uint32_t unit) {
    return unit & 0x800000ffu;
}
std::uint32_t offset(std::uint32_t unit) {
    return (unit >> 10) << ((unit & 0x200u) >> 6);
}
}  // namespace

Charsmap::Charsmap(std::string_view blob, const std::string& place) {
    std::uint32_t size = 0;
    if (blob.size() < sizeof size)
        throw UserError("{} is damaged: it is too short", place);
    std::memcpy(&size, blob.data(), sizeof size);  // little endian, as all that Trainyard runs on
    if (size % 4 != 0 || size == 0 || size > blob.size() - sizeof size)
        throw UserError("{} is damaged: its trie is said to be longer than it is", place);
    units_.resize(size / 4);
    std::memcpy(units_.data(), blob.data() + sizeof size, size);
    texts_ = blob.substr(sizeof size + size);
}

std::optional<std::string_view> Charsmap::replacement(std::string_view part) const {
    std::size_t node = offset(units_[0]);
    for (const char c : part) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte == 0)
            break;
        node ^= byte;
        if (node >= units_.size() || label(units_[node]) != byte)
            return std::nullopt;
        const std::uint32_t unit = units_[node];
        node ^= offset(unit);
        if (node >= units_.size())
            return std::nullopt;
        if (has_leaf(unit)) {
            const std::size_t begin = value(units_[node]);
            if (begin > texts_.size())
                return std::nullopt;
            return std::string_view(texts_).substr(begin, std::min(texts_.find('\0', begin), texts_.size()) - begin);
        }
    }
    return std::nullopt;
}

}  // namespace trainyard::tokenizers
