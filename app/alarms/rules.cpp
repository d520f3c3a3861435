// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarms/rules.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"

namespace trainyard::alarms {

namespace {

struct KindFacts {
    const char* key;
    const char* title;
    double limit, most;  ///< 0: no limit
    bool sent;           ///< by default
};
constexpr std::array<KindFacts, kNoticeKinds> kKinds{{
    {"finished", "Run finished or was stopped", 0, 0, true},
    {"failed", "Run failed", 0, 0, true},
    {"lost", "Run or its host was lost", 0, 0, true},
    {"nan", "Loss or gradient is not a number", 0, 0, true},
    {"spike", "Loss spike", 0, 0, false},
    {"checkpoint_failed", "Checkpoint was not saved", 0, 0, true},
    {"no_progress", "No step for a long time", 300, 1e6, true},
    {"loss_above", "Loss above its limit", 100, 1e12, false},
    {"diverging", "Smoothed loss rises", 500, 1e9, true},
    {"slower_than", "Throughput fell", 50, 99, false},
    {"disk_below", "Little free disk space", 5, 1e6, true},
    {"memory_above", "Little free memory", 95, 100, false},
    {"metric", "Metric beyond its limit", 0, 0, true},
}};

const KindFacts& facts(NoticeKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

}  // namespace

const char* kind_key(NoticeKind kind) {
    return facts(kind).key;
}

Message kind_title(NoticeKind kind) {
    return Message::verbatim(facts(kind).title);
}

bool has_limit(NoticeKind kind) {
    return facts(kind).limit > 0;
}

double default_limit(NoticeKind kind) {
    return facts(kind).limit;
}

double highest_limit(NoticeKind kind) {
    return facts(kind).most;
}

Rules::Rules() {
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        if (kKinds[i].sent)
            limits[i] = kKinds[i].limit;
}

std::vector<MetricRule> parse_metric_rules(const std::string& text) {
    std::vector<MetricRule> rules;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part(text::trimmed(std::string_view(text).substr(begin, end - begin)));
        begin = end + 1;
        if (part.empty())
            continue;
        const std::size_t sign = part.find_first_of("<>");
        const std::string metric(text::trimmed(std::string_view(part).substr(0, sign)));
        const std::optional<double> limit =
            sign == std::string::npos ? std::nullopt
                                      : parse_number<double>(text::trimmed(std::string_view(part).substr(sign + 1)));
        if (metric.empty() || !limit)
            throw UserError("'{}' is not a rule for a metric: write eval/loss>3 or eval/accuracy<0.5", part);
        rules.push_back({metric, part[sign] == '>', *limit});
    }
    return rules;
}

std::string to_text(const std::vector<MetricRule>& rules) {
    std::string text;
    for (const MetricRule& rule : rules)
        text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", rule.metric, rule.above ? '>' : '<', rule.limit);
    return text;
}

}  // namespace trainyard::alarms
