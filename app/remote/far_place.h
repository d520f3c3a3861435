// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `host:path`, as scp takes it: `gpu-a:runs/x`, `me@gpu-a:/data/x`, `[gpu-a:2222]:x`.

#include <optional>
#include <string>

namespace trainyard::remote {

struct FarPlace {
    std::string host;
    std::string path;  ///< absolute, or below the home folder; empty: nothing was named
};

/// Nothing: it has no colon, or a slash before it, and is a path of this machine.
inline std::optional<FarPlace> far_place(const std::string& text) {
    // A colon inside brackets belongs to the host.
    const std::size_t colon = text.find(':', text.starts_with('[') ? text.find(']') : 0);
    if (colon == std::string::npos || colon == 0 || text.find('/') < colon)
        return std::nullopt;
    std::string host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']'))
        host = host.substr(1, host.size() - 2);
    return FarPlace{std::move(host), text.substr(colon + 1)};
}

}  // namespace trainyard::remote
