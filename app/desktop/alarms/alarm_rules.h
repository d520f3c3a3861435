// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rules for notifications: how loudly each kind of notice is shown, whether it is sent, its limit, and their JSON form.

#include <array>
#include <vector>

#include <QJsonObject>
#include <QString>

#include "alarms/rules.h"

namespace trainyard::desktop {

using alarms::kNoticeKinds;
using alarms::NoticeKind;

enum class Loudness { Off, InApp, Desktop };

QString notice_title(NoticeKind kind);
/// Unit of the limit: "s", "GB", ...; empty if the kind has no limit.
QString limit_unit(NoticeKind kind);
using alarms::has_limit;

struct AlarmRule {
    Loudness loudness = Loudness::Desktop;
    double limit = 0;
    bool send = false;  ///< to the targets of alarms/targets.h
    bool operator==(const AlarmRule&) const = default;
};

class AlarmRules {
  public:
    AlarmRules();  ///< the default rules
    const AlarmRule& rule(NoticeKind kind) const { return rules_[static_cast<std::size_t>(kind)]; }
    AlarmRule& rule(NoticeKind kind) { return rules_[static_cast<std::size_t>(kind)]; }
    const std::vector<alarms::MetricRule>& metrics() const { return metrics_; }
    void setMetrics(std::vector<alarms::MetricRule> rules) { metrics_ = std::move(rules); }
    /// The rules of what is shown, and of what is sent.
    alarms::Rules shown() const;
    alarms::Rules sent() const;
    /// Returns only the settings that differ from `base`.
    QJsonObject toJson(const AlarmRules& base = {}) const;
    /// Applies the settings of `json` to these rules. Invalid values are ignored.
    AlarmRules with(const QJsonObject& json) const;
    bool operator==(const AlarmRules&) const = default;

  private:
    std::array<AlarmRule, kNoticeKinds> rules_;
    std::vector<alarms::MetricRule> metrics_;
};

/// Parses "5" to 5. Sets `problem` to an error message if the text is invalid.
double read_limit(NoticeKind kind, const QString& text, QString& problem);

}  // namespace trainyard::desktop
