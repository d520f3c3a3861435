// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/log.h"

#include <cmath>
#include <cstdio>
#include <ctime>

#include <fmt/format.h>

#include "base/clock.h"

namespace trainyard::worker {

namespace {

void write_line(const char* level, std::string_view text) {
    double now = wall_seconds();
    time_t seconds = static_cast<time_t>(now);
    tm parts{};
    localtime_r(&seconds, &parts);
    int milliseconds = static_cast<int>((now - std::floor(now)) * 1000);
    std::string line = fmt::format("{:02}:{:02}:{:02}.{:03} {:<5} {}\n", parts.tm_hour, parts.tm_min, parts.tm_sec,
                                   milliseconds, level, text);
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
}

}  // namespace

void log_info(std::string_view text) {
    write_line("INFO", text);
}

void log_warning(std::string_view text) {
    write_line("WARN", text);
}

void log_error(std::string_view text) {
    write_line("ERROR", text);
}

}  // namespace trainyard::worker
