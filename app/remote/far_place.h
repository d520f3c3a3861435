// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The one grammar of addresses of a file or folder on a host: as scp takes it (`gpu-a:runs/x`, `me@gpu-a:/data/x`,
// `[gpu-a:2222]:x`), or as an address (`ssh://me@gpu-a:22/data/x`, `sftp://gpu-a/~/x`).

#include <optional>
#include <string>
#include <string_view>

namespace trainyard::remote {

struct FarPlace {
    std::string host;  ///< a name of ~/.ssh/config, `user@name`, `name:2222`, ...
    std::string path;  ///< absolute, or below the home folder; empty: nothing was named
    /// `host:path`, with a port `[host:2222]:path`; reads back the same.
    std::string text() const;
    bool operator==(const FarPlace&) const = default;
};

/// Returns std::nullopt if the text is a path of this machine.
std::optional<FarPlace> far_place(std::string_view text);

}  // namespace trainyard::remote
