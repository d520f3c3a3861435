#pragma once
// What people want to be told of, and how loudly: the kinds of notices, rules with their limits, and both as JSON. Without widgets.

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
/// Of the limit: "s", "GB", ...; empty: the kind has none.
QString limit_unit(NoticeKind kind);
bool has_limit(NoticeKind kind);

struct AlarmRule {
    Loudness loudness = Loudness::Desktop;
    double limit = 0;
    bool operator==(const AlarmRule&) const = default;
};

class AlarmRules {
  public:
    AlarmRules();  ///< what is usual
    const AlarmRule& of(NoticeKind kind) const { return rules_[static_cast<std::size_t>(kind)]; }
    AlarmRule& of(NoticeKind kind) { return rules_[static_cast<std::size_t>(kind)]; }
    /// Only what is unlike `base`.
    QJsonObject toJson(const AlarmRules& base = {}) const;
    /// `json` over these. Words and numbers that mean nothing are passed over.
    AlarmRules with(const QJsonObject& json) const;
    bool operator==(const AlarmRules&) const = default;

  private:
    std::array<AlarmRule, kNoticeKinds> rules_;
};

/// "5" -> 5; a sentence in `problem` otherwise.
double read_limit(NoticeKind kind, const QString& text, QString& problem);

}  // namespace trainyard::desktop
