// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/mirror.h"

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/regular_file.h"
#include "base/untrusted.h"

namespace trainyard::run {

namespace {
constexpr double kContactLimit = 10;  // seconds; the host says something every 2
}

std::optional<MirrorState> read_mirror(const RunPaths& run) {
    fs::path file = mirror_file(run);
    std::error_code error;
    if (!fs::exists(file, error))
        return std::nullopt;
    try {
        auto mirror = fields::from_text<MirrorState>(read_regular_file(file, 1 << 20), file.string());
        mirror.source = mirror_source(run);
        mirror.host = HostText(mirror.source ? mirror.source->host : mirror.host);
        mirror.path = HostText(mirror.source ? mirror.source->path : mirror.path, HostText::kMessage);
        return mirror;
    } catch (const UserError&) {
        return std::nullopt;
    }
}

void write_mirror(const RunPaths& run, const MirrorState& mirror) {
    write_file_atomically(mirror_file(run), fields::to_text(mirror), false);
}

bool is_unreachable(const MirrorState& mirror, double now) {
    return !mirror.complete && (!mirror.connected || now - mirror.contact > kContactLimit);
}

}  // namespace trainyard::run
