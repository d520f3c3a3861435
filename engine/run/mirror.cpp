#include "run/mirror.h"

#include "base/file.h"
#include "base/regular_file.h"
#include "base/untrusted.h"
#include "run/json_fields.h"

namespace trainyard::run {

using json::Json;

namespace {
constexpr double kContactLimit = 10;  // seconds; the host says something every 2
}

std::optional<MirrorState> read_mirror(const RunPaths& run) {
    fs::path file = mirror_file(run);
    std::error_code error;
    if (!fs::exists(file, error))
        return std::nullopt;
    try {
        std::string origin = file.string();
        Json object = json::parse_object(read_regular_file(file, 1 << 20), origin);
        MirrorState mirror;
        std::string message;
        json::read(object, "host", mirror.host, origin);
        json::read(object, "path", mirror.path, origin);
        json::read_time(object, "contact", mirror.contact, origin);
        json::read(object, "connected", mirror.connected, origin);
        json::read(object, "lost", mirror.lost, origin);
        json::read(object, "complete", mirror.complete, origin);
        json::read(object, "message", message, origin);
        mirror.message = HostText::lines(message);
        json::read(object, "clock_offset", mirror.clock_offset, origin);
        json::read(object, "pid", mirror.process.pid, origin);
        json::read(object, "start_time", mirror.process.start_time, origin);
        mirror.source = mirror_source(run);
        mirror.host = HostText(mirror.source ? mirror.source->host : mirror.host);
        mirror.path = HostText(mirror.source ? mirror.source->path : mirror.path, HostText::kMessage);
        return mirror;
    } catch (const UserError&) {
        return std::nullopt;
    }
}

void write_mirror(const RunPaths& run, const MirrorState& mirror) {
    Json object{{"host", mirror.host},
                {"path", mirror.path},
                {"contact", mirror.contact > 0 ? Json(iso_time(mirror.contact)) : Json(nullptr)},
                {"connected", mirror.connected},
                {"lost", mirror.lost},
                {"complete", mirror.complete},
                {"message", mirror.message},
                {"clock_offset", mirror.clock_offset},
                {"pid", mirror.process.pid},
                {"start_time", mirror.process.start_time}};
    write_file_atomically(mirror_file(run), json::dump(object), false);
}

bool is_unreachable(const MirrorState& mirror, double now) {
    return !mirror.complete && (!mirror.connected || now - mirror.contact > kContactLimit);
}

}  // namespace trainyard::run
