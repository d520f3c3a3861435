// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/metrics_columns.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>

namespace trainyard::formats {

namespace {

constexpr std::array<std::string_view, 7> kSteps{"step",      "_step", "global_step", "trainer/global_step",
                                                 "iteration", "iter",  "epoch"};
constexpr std::array<std::string_view, 5> kTimes{"wall_time", "time", "timestamp", "_timestamp", "Wall time"};

template <std::size_t Size>
int rank_in(const std::array<std::string_view, Size>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

}  // namespace

int step_rank(std::string_view name) {
    return name == "Step" ? 0 : rank_in(kSteps, name);
}

int time_rank(std::string_view name) {
    return rank_in(kTimes, name);
}

double seconds_of(double number) {
    return number > 1e11 ? number / 1000 : number;  // seconds reach that in the year 5138
}

std::optional<double> seconds_of(std::string_view date) {
    const std::string text(date.substr(0, 40));
    std::tm day{};
    double seconds = 0;
    int used = 0;
    if (std::sscanf(text.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d:%lf%n", &day.tm_year, &day.tm_mon, &day.tm_mday,
                    &day.tm_hour, &day.tm_min, &seconds, &used) != 6)
        return std::nullopt;
    day.tm_year -= 1900;
    --day.tm_mon;
    char sign[2] = "";
    int hours = 0, minutes = 0;
    const int parts = std::sscanf(text.c_str() + used, "%1[+-]%2d:%2d", sign, &hours, &minutes);
    const double offset = parts >= 2 ? (sign[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60) : 0;
    return static_cast<double>(::timegm(&day)) + seconds - offset;
}

std::optional<double> number_of(std::string_view text) {
    while (!text.empty() && text.front() == ' ')
        text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ')
        text.remove_suffix(1);
    if (!text.empty() && text.front() == '+')
        text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || end != text.data() + text.size())
        return std::nullopt;
    if (error == std::errc::result_out_of_range)
        return std::strtod(std::string(text).c_str(), nullptr);
    return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> step_of(double number) {
    constexpr double kLargest = 9.2e18;
    if (!(std::abs(number) < kLargest) || number != std::floor(number))
        return std::nullopt;
    return static_cast<std::int64_t>(number);
}

}  // namespace trainyard::formats
