// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/alarm_rules.h"

#include <QLocale>

#include "base/error.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

struct Known {
    const char* title;
    const char* unit;  ///< empty: none
    Loudness loudness;
};

constexpr std::array<Known, kNoticeKinds> kKnown{{
    {QT_TRANSLATE_NOOP("trainyard::desktop", "A run finished or was stopped"), "", Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "A run failed"), "", Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "A run or its host was lost"), "", Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Loss or gradient is not a number"), "", Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Loss spike"), "", Loudness::InApp},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "A checkpoint was not saved"), "", Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "No step for"), QT_TRANSLATE_NOOP("trainyard::desktop", "s"),
     Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Loss above"), "", Loudness::Off},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Smoothed loss rises for"),
     QT_TRANSLATE_NOOP("trainyard::desktop", "steps"), Loudness::InApp},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Throughput below"), QT_TRANSLATE_NOOP("trainyard::desktop", "% of usual"),
     Loudness::InApp},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Free disk below"), QT_TRANSLATE_NOOP("trainyard::desktop", "GB"),
     Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Memory above"), QT_TRANSLATE_NOOP("trainyard::desktop", "%"),
     Loudness::Desktop},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Metrics"), "", Loudness::Desktop},
}};

const Known& known(NoticeKind kind) {
    return kKnown[static_cast<std::size_t>(kind)];
}

QString key_of(std::size_t kind) {
    return QLatin1String(alarms::kind_key(static_cast<NoticeKind>(kind)));
}

const QString kMetrics = QStringLiteral("metrics");
constexpr std::array<const char*, 3> kLoudness{"off", "app", "desktop"};

}  // namespace

QString notice_title(NoticeKind kind) {
    return tr(known(kind).title);
}

QString limit_unit(NoticeKind kind) {
    return *known(kind).unit != '\0' ? tr(known(kind).unit) : QString();
}

AlarmRules::AlarmRules() {
    const alarms::Rules sent;
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        rules_[i] = {kKnown[i].loudness, alarms::default_limit(static_cast<NoticeKind>(i)), sent.limits[i].has_value()};
}

alarms::Rules AlarmRules::shown() const {
    alarms::Rules rules;
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        rules.limits[i] = rules_[i].loudness != Loudness::Off ? std::optional(rules_[i].limit) : std::nullopt;
    rules.metrics = metrics_;
    return rules;
}

alarms::Rules AlarmRules::sent() const {
    alarms::Rules rules;
    for (std::size_t i = 0; i < kNoticeKinds; ++i)
        rules.limits[i] = rules_[i].send ? std::optional(rules_[i].limit) : std::nullopt;
    rules.metrics = metrics_;
    return rules;
}

QJsonObject AlarmRules::toJson(const AlarmRules& base) const {
    QJsonObject all;
    for (std::size_t i = 0; i < kNoticeKinds; ++i) {
        QJsonObject one;
        if (rules_[i].loudness != base.rules_[i].loudness)
            one[QStringLiteral("tell")] = QLatin1String(kLoudness[static_cast<std::size_t>(rules_[i].loudness)]);
        if (rules_[i].limit != base.rules_[i].limit)
            one[QStringLiteral("limit")] = rules_[i].limit;
        if (rules_[i].send != base.rules_[i].send)
            one[QStringLiteral("send")] = rules_[i].send;
        if (!one.isEmpty())
            all[key_of(i)] = one;
    }
    if (metrics_ != base.metrics_)
        all[kMetrics] = qt(alarms::to_text(metrics_));
    return all;
}

AlarmRules AlarmRules::with(const QJsonObject& json) const {
    AlarmRules rules = *this;
    for (std::size_t i = 0; i < kNoticeKinds; ++i) {
        const QJsonObject one = json[key_of(i)].toObject();
        const QString word = one[QStringLiteral("tell")].toString();
        for (std::size_t level = 0; level < kLoudness.size(); ++level)
            if (word == QLatin1String(kLoudness[level]))
                rules.rules_[i].loudness = static_cast<Loudness>(level);
        if (const double limit = one[QStringLiteral("limit")].toDouble();
            limit > 0 && limit <= alarms::highest_limit(static_cast<NoticeKind>(i)))
            rules.rules_[i].limit = limit;
        if (const QJsonValue send = one[QStringLiteral("send")]; send.isBool())
            rules.rules_[i].send = send.toBool();
    }
    if (json.contains(kMetrics))
        try {
            rules.metrics_ = alarms::parse_metric_rules(json[kMetrics].toString().toStdString());
        } catch (const UserError&) {
            // of a newer version, or edited: the rules as they were
        }
    return rules;
}

double read_limit(NoticeKind kind, const QString& text, QString& problem) {
    const std::optional<double> limit = widgets::typed_number(text);
    if (limit && *limit > 0 && *limit <= alarms::highest_limit(kind))
        return *limit;
    problem = tr("“%1” takes a number greater than 0 and at most %2.")
                  .arg(notice_title(kind), QLocale().toString(alarms::highest_limit(kind), 'f', 0));
    return 0;
}

}  // namespace trainyard::desktop
