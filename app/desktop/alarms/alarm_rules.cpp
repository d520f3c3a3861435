// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/alarm_rules.h"

#include "desktop/translate.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

struct Known {
    const char* key;
    const char* title;
    const char* unit;  ///< nullptr: no limit
    Loudness loudness;
    double limit, most;
};

constexpr std::array<Known, kNoticeKinds> kKnown{{
    {"finished", QT_TRANSLATE_NOOP("trainyard::desktop", "A run finished or was stopped"), nullptr, Loudness::Desktop,
     0, 0},
    {"failed", QT_TRANSLATE_NOOP("trainyard::desktop", "A run failed"), nullptr, Loudness::Desktop, 0, 0},
    {"lost", QT_TRANSLATE_NOOP("trainyard::desktop", "A run or its host was lost"), nullptr, Loudness::Desktop, 0, 0},
    {"nan", QT_TRANSLATE_NOOP("trainyard::desktop", "Loss or gradient is not a number"), nullptr, Loudness::Desktop, 0,
     0},
    {"spike", QT_TRANSLATE_NOOP("trainyard::desktop", "Loss spike"), nullptr, Loudness::InApp, 0, 0},
    {"checkpoint_failed", QT_TRANSLATE_NOOP("trainyard::desktop", "A checkpoint was not saved"), nullptr,
     Loudness::Desktop, 0, 0},
    {"no_progress", QT_TRANSLATE_NOOP("trainyard::desktop", "No step for"),
     QT_TRANSLATE_NOOP("trainyard::desktop", "s"), Loudness::Desktop, 300, 1e6},
    {"loss_above", QT_TRANSLATE_NOOP("trainyard::desktop", "Loss above"), "", Loudness::Off, 100, 1e12},
    {"diverging", QT_TRANSLATE_NOOP("trainyard::desktop", "Smoothed loss rises for"),
     QT_TRANSLATE_NOOP("trainyard::desktop", "steps"), Loudness::InApp, 500, 1e9},
    {"slower_than", QT_TRANSLATE_NOOP("trainyard::desktop", "Throughput below"),
     QT_TRANSLATE_NOOP("trainyard::desktop", "% of usual"), Loudness::InApp, 50, 99},
    {"disk_below", QT_TRANSLATE_NOOP("trainyard::desktop", "Free disk below"),
     QT_TRANSLATE_NOOP("trainyard::desktop", "GB"), Loudness::Desktop, 5, 1e6},
    {"memory_above", QT_TRANSLATE_NOOP("trainyard::desktop", "Memory above"),
     QT_TRANSLATE_NOOP("trainyard::desktop", "%"), Loudness::Desktop, 95, 100},
}};

const Known& known(NoticeKind kind) {
    return kKnown[static_cast<std::size_t>(kind)];
}

constexpr std::array<const char*, 3> kLoudness{"off", "app", "desktop"};

}  // namespace

QString notice_title(NoticeKind kind) {
    return tr(known(kind).title);
}

QString limit_unit(NoticeKind kind) {
    return has_limit(kind) && *known(kind).unit != '\0' ? tr(known(kind).unit) : QString();
}

bool has_limit(NoticeKind kind) {
    return known(kind).unit != nullptr;
}

AlarmRules::AlarmRules() {
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        rules_[i] = {kKnown[i].loudness, kKnown[i].limit};
}

QJsonObject AlarmRules::toJson(const AlarmRules& base) const {
    QJsonObject all;
    for (std::size_t i = 0; i < kNoticeKinds; ++i) {
        QJsonObject one;
        if (rules_[i].loudness != base.rules_[i].loudness)
            one[QStringLiteral("tell")] = QLatin1String(kLoudness[static_cast<std::size_t>(rules_[i].loudness)]);
        if (rules_[i].limit != base.rules_[i].limit)
            one[QStringLiteral("limit")] = rules_[i].limit;
        if (!one.isEmpty())
            all[QLatin1String(kKnown[i].key)] = one;
    }
    return all;
}

AlarmRules AlarmRules::with(const QJsonObject& json) const {
    AlarmRules rules = *this;
    for (std::size_t i = 0; i < kNoticeKinds; ++i) {
        const QJsonObject one = json[QLatin1String(kKnown[i].key)].toObject();
        const QString word = one[QStringLiteral("tell")].toString();
        for (std::size_t level = 0; level < kLoudness.size(); ++level)
            if (word == QLatin1String(kLoudness[level]))
                rules.rules_[i].loudness = static_cast<Loudness>(level);
        if (const double limit = one[QStringLiteral("limit")].toDouble(); limit > 0 && limit <= kKnown[i].most)
            rules.rules_[i].limit = limit;
    }
    return rules;
}

double read_limit(NoticeKind kind, const QString& text, QString& problem) {
    bool number = false;
    const double limit = text.trimmed().toDouble(&number);
    if (number && limit > 0 && limit <= known(kind).most)
        return limit;
    problem = tr("%1 takes a number greater than 0 and at most %2.")
                  .arg(notice_title(kind), widgets::short_text(known(kind).most, 7));
    return 0;
}

}  // namespace trainyard::desktop
