// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

namespace trainyard {

namespace {
double now(clockid_t clock) {
    timespec time{};
    clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}
}  // namespace

double wall_seconds() {
    // For tests: the clock is an hour ahead while this file exists, as if it had been set.
    static const char* const stepped = std::getenv("TRAINYARD_CLOCK_STEPPED_WHILE");
    double time = now(CLOCK_REALTIME);
    return stepped != nullptr && ::access(stepped, F_OK) == 0 ? time + 3600 : time;
}

double monotonic_seconds() {
    return now(CLOCK_MONOTONIC);
}

std::string iso_time(double wall) {
    // Years have four digits: 0001-01-01 to 9999-12-31. NaN becomes the earliest time.
    constexpr double kFirst = -62'135'596'800, kLast = 253'402'300'799;
    const double inside = wall >= kFirst ? std::min(wall, kLast) : kFirst;
    auto milliseconds = static_cast<long long>(std::floor(inside * 1000.0 + 0.5));
    time_t seconds = static_cast<time_t>(std::floor(static_cast<double>(milliseconds) / 1000));
    tm parts{};
    gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                       milliseconds - static_cast<long long>(seconds) * 1000);
}

double parse_iso_time(const std::string& text) {
    tm parts{};
    const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (rest == nullptr)
        throw std::invalid_argument("not an ISO time: " + text);
    double fraction = 0;
    if (*rest == '.')
        for (double place = 0.1; *++rest >= '0' && *rest <= '9'; place /= 10)  // digits only: exponents are not allowed
            fraction += place * (*rest - '0');
    return static_cast<double>(timegm(&parts)) + fraction;
}

std::string compact_time(double wall) {
    time_t seconds = static_cast<time_t>(wall);
    tm parts{};
    localtime_r(&seconds, &parts);
    char buffer[32];
    std::strftime(buffer, sizeof buffer, "%Y%m%d-%H%M%S", &parts);
    return buffer;
}

}  // namespace trainyard
