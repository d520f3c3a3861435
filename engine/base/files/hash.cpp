// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/hash.h"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace trainyard::files {

struct Xxh128::State {
    XXH3_state_t xxh;
};

Xxh128::Xxh128() : state_(std::make_unique<State>()) {
    XXH3_128bits_reset(&state_->xxh);
}

Xxh128::~Xxh128() = default;

void Xxh128::add(std::span<const std::byte> bytes) {
    XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

std::string Xxh128::digest() const {
    XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace trainyard::files
