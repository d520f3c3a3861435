// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers of things as parts of messages: "1 rank", "1,024 ranks".

#include <cstdint>
#include <string>
#include <string_view>

#include "base/message.h"
#include "base/text.h"

namespace trainyard::text {

inline Message ranks(std::int64_t count) {
    return count == 1 ? Message("1 rank") : Message("{} ranks", grouped(count));
}

inline Message processes(std::int64_t count) {
    return count == 1 ? Message("1 process") : Message("{} processes", grouped(count));
}

inline Message samples(std::int64_t count) {
    return count == 1 ? Message("1 sample") : Message("{} samples", grouped(count));
}

inline Message steps(std::int64_t count) {
    return count == 1 ? Message("1 step") : Message("{} steps", grouped(count));
}

inline Message blocks(std::int64_t count) {
    return count == 1 ? Message("1 block") : Message("{} blocks", grouped(count));
}

/// English alone, for terminals: "1 host", "2 hosts".
inline std::string counted(std::int64_t count, std::string_view what) {
    return grouped(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

}  // namespace trainyard::text
