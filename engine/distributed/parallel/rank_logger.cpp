// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <trainyard/rank_logger.h>

#include "base/environment_names.h"
#include "base/error.h"
#include "base/letter_case.h"

namespace trainyard::parallel {

namespace {

constexpr std::array kLevelNames{"debug", "info", "warning", "error", "critical"};

std::string asked_level(const std::string& given) {
    if (!given.empty())
        return given;
    const char* variable = std::getenv(kEnvLogLevel);
    return variable == nullptr || *variable == '\0' ? "warning" : variable;
}

void to_standard_error(LogLevel level, const std::string& text) {
    std::string line = std::string(to_string(level)) + " " + text + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

LogLevel log_level_of(const std::string& text) {
    auto found = std::find(kLevelNames.begin(), kLevelNames.end(), text::lower(text));
    if (found == kLevelNames.end())
        throw UserError("unknown log level '{}': choose debug, info, warning, error or critical", text);
    return static_cast<LogLevel>(found - kLevelNames.begin());
}

const char* to_string(LogLevel level) {
    return kLevelNames[static_cast<std::size_t>(level)];
}

RankLogger::RankLogger(ProcessState& state, std::string name, const std::string& level, Sink sink)
    : state_(state),
      name_(std::move(name)),
      level_(log_level_of(asked_level(level))),
      sink_(sink ? std::move(sink) : Sink(to_standard_error)) {}

void RankLogger::log(LogLevel level, const std::string& text, LogOptions options) {
    auto print = [&] {
        if (level >= level_)
            sink_(level, "[RANK " + std::to_string(state_.rank()) + "] " + name_ + ": " + text);
    };
    if (!options.in_order) {
        if (!options.main_process_only || state_.is_main_process())
            print();
        return;
    }
    // Turns are taken by all ranks, also by those whose level leaves the message out: a rank that did not come would
    // hold up the others.
    for (int turn = 0; turn < state_.world_size(); ++turn) {
        if (turn == state_.rank())
            print();
        state_.wait_for_everyone(fmt::format("turns of the logger {}", name_));
    }
}

void RankLogger::warning_once(const std::string& text, LogOptions options) {
    {
        std::lock_guard lock(mutex_);
        if (!warned_.insert(text).second)
            return;
    }
    warning(text, options);
}

}  // namespace trainyard::parallel
