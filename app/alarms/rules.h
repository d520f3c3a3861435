// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is reported of a run: the kinds of notices, their limits, and rules for metrics.

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"

namespace trainyard::alarms {

enum class NoticeKind {
    Finished,
    Failed,
    Lost,
    NotANumber,
    Spike,
    CheckpointFailed,
    NoProgress,   ///< limit: seconds without a step
    LossAbove,    ///< limit: loss
    Diverging,    ///< limit: steps for which the smoothed loss has not been as low as before
    SlowerThan,   ///< limit: percent of the usual throughput
    DiskBelow,    ///< limit: gigabytes
    MemoryAbove,  ///< limit: percent of a machine's memory
    Metric,       ///< limits: Rules::metrics
};
inline constexpr std::size_t kNoticeKinds = 13;

/// In files: "no_progress".
const char* kind_key(NoticeKind kind);
/// A title in English for what is sent: "No step for a long time".
Message kind_title(NoticeKind kind);
bool has_limit(NoticeKind kind);
double default_limit(NoticeKind kind);  ///< 0: it has none
double highest_limit(NoticeKind kind);

struct MetricRule {
    std::string metric;  ///< tag, such as eval/accuracy
    bool above = true;
    double limit = 0;
    bool operator==(const MetricRule&) const = default;
};
/// Parses `eval/accuracy<0.5, train/grad_norm>10`. Throws UserError that names the part that is not a rule.
std::vector<MetricRule> parse_metric_rules(const std::string& text);
std::string to_text(const std::vector<MetricRule>& rules);

struct Rules {
    /// Rules that are off have no value; kinds without a limit have 0.
    std::array<std::optional<double>, kNoticeKinds> limits;
    std::vector<MetricRule> metrics;

    Rules();  ///< what is sent by default
    const std::optional<double>& limit(NoticeKind kind) const { return limits[static_cast<std::size_t>(kind)]; }
    std::optional<double>& limit(NoticeKind kind) { return limits[static_cast<std::size_t>(kind)]; }
    bool operator==(const Rules&) const = default;
};

struct Notice {
    NoticeKind kind = NoticeKind::Finished;
    Message message;
    std::int64_t step = -1;
};

}  // namespace trainyard::alarms
