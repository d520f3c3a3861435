// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Selects the lines of a log to show: of some ranks, from a level upwards, with words or an expression.

#include <string_view>
#include <vector>

#include "widgets/plot/log_pattern.h"
#include "widgets/plot/log_store.h"

namespace trainyard::widgets {

struct LogFilter {
    std::vector<int> ranks;           ///< ascending; empty: all ranks and the supervisor
    LogLevel least = LogLevel::None;  ///< if `only`, exactly this level, otherwise this and more severe ones
    bool only = false;
    LogPattern pattern;

    bool passesAll() const { return ranks.empty() && least == LogLevel::None && pattern.empty(); }
    bool matches(const LogLine& line, std::string_view text) const;
};

/// Parses ranks such as `0, 3-5`, below `ranks`. Sets `problem` to a sentence if the text is invalid.
std::vector<int> parse_ranks(const QString& words, int ranks, QString& problem);

}  // namespace trainyard::widgets
