// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rules for notifications: the kinds of notices, the limits of each rule, how a notice is shown, and their JSON form.

#include <array>
#include <cstddef>

#include <QJsonObject>
#include <QString>

namespace trainyard::desktop {

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
};
inline constexpr std::size_t kNoticeKinds = 12;

enum class Loudness { Off, InApp, Desktop };

QString notice_title(NoticeKind kind);
/// Unit of the limit: "s", "GB", ...; empty if the kind has no limit.
QString limit_unit(NoticeKind kind);
bool has_limit(NoticeKind kind);

struct AlarmRule {
    Loudness loudness = Loudness::Desktop;
    double limit = 0;
    bool operator==(const AlarmRule&) const = default;
};

class AlarmRules {
  public:
    AlarmRules();  ///< the default rules
    const AlarmRule& rule(NoticeKind kind) const { return rules_[static_cast<std::size_t>(kind)]; }
    AlarmRule& rule(NoticeKind kind) { return rules_[static_cast<std::size_t>(kind)]; }
    /// Returns only the settings that differ from `base`.
    QJsonObject toJson(const AlarmRules& base = {}) const;
    /// Applies the settings of `json` to these rules. Invalid values are ignored.
    AlarmRules with(const QJsonObject& json) const;
    bool operator==(const AlarmRules&) const = default;

  private:
    std::array<AlarmRule, kNoticeKinds> rules_;
};

/// Parses "5" to 5. Sets `problem` to an error message if the text is invalid.
double read_limit(NoticeKind kind, const QString& text, QString& problem);

}  // namespace trainyard::desktop
