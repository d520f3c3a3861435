// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarms/rule_watch.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.h"

namespace trainyard::alarms {

namespace {

constexpr double kSmoothing = 0.95;      // of the loss, a look at a time
constexpr double kRise = 0.01;           // of the lowest: less is noise
constexpr std::size_t kUsualRates = 60;  // looks whose median is the usual throughput
constexpr std::size_t kFewestRates = 20;

double median(std::deque<double> values) {
    auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::string number(double value) {
    return fmt::format("{:.4g}", value);
}

}  // namespace

std::vector<Notice> RuleWatch::observe(const Sight& sight, const Rules& rules, double now) {
    std::vector<Notice> notices;
    const auto fire = [&](NoticeKind kind, const Message& message, std::int64_t step) {
        if (rules.limit(kind) && fired_.insert(kind).second)
            notices.push_back({kind, message, step});
    };
    const bool moved = sight.step != step_;
    if (moved || !sight.trains || step_ < 0) {
        step_ = sight.step;
        moved_ = now;
    }
    if (const auto& limit = rules.limit(NoticeKind::NoProgress); limit && sight.trains && now - moved_ >= *limit)
        fire(NoticeKind::NoProgress, Message("no step for {}, since step {}", text::duration(now - moved_), sight.step),
             sight.step);
    if (sight.loss && !std::isfinite(*sight.loss))
        fire(NoticeKind::NotANumber, Message("the loss is not a number at step {}", sight.step), sight.step);
    if (moved && sight.loss && std::isfinite(*sight.loss)) {
        if (const auto& limit = rules.limit(NoticeKind::LossAbove); limit && *sight.loss > *limit)
            fire(NoticeKind::LossAbove, Message("the loss is {}, above {}", number(*sight.loss), number(*limit)),
                 sight.step);
        sum_ = kSmoothing * sum_ + (1 - kSmoothing) * *sight.loss;
        weight_ = kSmoothing * weight_ + (1 - kSmoothing);
        const double smooth = sum_ / weight_;
        if (lowest_step_ < 0 || smooth < lowest_ || sight.step < lowest_step_) {
            lowest_ = smooth;
            lowest_step_ = sight.step;
        }
        const auto& limit = rules.limit(NoticeKind::Diverging);
        if (limit && static_cast<double>(sight.step - lowest_step_) >= *limit &&
            smooth - lowest_ > kRise * std::abs(lowest_))
            fire(NoticeKind::Diverging,
                 Message("the smoothed loss has risen from {} to {} since step {}", number(lowest_), number(smooth),
                         lowest_step_),
                 sight.step);
    }
    if (moved && sight.trains && sight.tokens_per_s && *sight.tokens_per_s > 0) {
        if (const auto& limit = rules.limit(NoticeKind::SlowerThan); limit && rates_.size() >= kFewestRates)
            if (const double usual = median(rates_); *sight.tokens_per_s < *limit / 100 * usual)
                fire(NoticeKind::SlowerThan,
                     Message("{:.0f} tokens per second, usually {:.0f}", *sight.tokens_per_s, usual), sight.step);
        rates_.push_back(*sight.tokens_per_s);
        if (rates_.size() > kUsualRates)
            rates_.pop_front();
    }
    if (const auto& limit = rules.limit(NoticeKind::DiskBelow);
        limit && sight.disk_free && *sight.disk_free < *limit * 1e9)
        fire(NoticeKind::DiskBelow,
             Message("{} free on the disk of the run folder",
                     text::file_size(static_cast<std::uint64_t>(std::max(0.0, *sight.disk_free)))),
             sight.step);
    if (const auto& limit = rules.limit(NoticeKind::MemoryAbove);
        limit && sight.memory_share && 100 * *sight.memory_share > *limit)
        fire(NoticeKind::MemoryAbove, Message("{:.1f} % of a machine's memory is in use", 100 * *sight.memory_share),
             sight.step);
    for (const MetricRule& rule : rules.metrics) {
        const auto found = sight.metrics.find(rule.metric);
        if (!rules.limit(NoticeKind::Metric) || found == sight.metrics.end() ||
            !(rule.above ? found->second > rule.limit : found->second < rule.limit))
            continue;
        if (!fired_metrics_.insert(to_text({rule})).second)
            continue;
        notices.push_back({NoticeKind::Metric,
                           rule.above
                               ? Message("{} is {}, above {}", rule.metric, number(found->second), number(rule.limit))
                               : Message("{} is {}, below {}", rule.metric, number(found->second), number(rule.limit)),
                           sight.step});
    }
    for (const run::Event& event : sight.events) {
        if (event.kind == "nan")
            fire(NoticeKind::NotANumber, event.text, event.step);
        else if (event.kind == "spike")
            fire(NoticeKind::Spike, event.text, event.step);
        else if (event.kind == "warning" && event.text.text().starts_with("checkpoint ") &&
                 event.text.text().find("was not saved") != std::string::npos)
            fire(NoticeKind::CheckpointFailed, event.text, event.step);
    }
    return notices;
}

}  // namespace trainyard::alarms
