#pragma once
// Which lines of a log are wanted: of some ranks, from a level on, with words or an expression.

#include <string_view>
#include <vector>

#include "widgets/plot/log_pattern.h"
#include "widgets/plot/log_store.h"

namespace trainyard::widgets {

struct LogFilter {
    std::vector<int> ranks;           ///< ascending; empty: all, the supervisor too
    LogLevel least = LogLevel::None;  ///< this level only when `only`, else this and graver ones
    bool only = false;
    LogPattern pattern;

    bool passesAll() const { return ranks.empty() && least == LogLevel::None && pattern.empty(); }
    bool matches(const LogLine& line, std::string_view text) const;
};

/// `0, 3-5` as numbers below `ranks`; a sentence in `problem` when it is none.
std::vector<int> parse_ranks(const QString& words, int ranks, QString& problem);

}  // namespace trainyard::widgets
