#include "desktop/history.h"

#include <algorithm>

#include <QJsonArray>

namespace trainyard::desktop {

namespace {
const QStringList kPlaces{QStringLiteral("runs"),     QStringLiteral("hosts"),       QStringLiteral("estimator"),
                          QStringLiteral("traces"),   QStringLiteral("checkpoints"), QStringLiteral("notifications"),
                          QStringLiteral("settings"), QStringLiteral("new")};
}

QJsonObject Location::toJson() const {
    QJsonObject json{{QStringLiteral("place"), kPlaces.value(static_cast<int>(place))}};
    if (!runId.isEmpty())
        json.insert(QStringLiteral("run"), runId);
    if (!logs.isEmpty())
        json.insert(QStringLiteral("logs"), logs);
    return json;
}

Location Location::fromJson(const QJsonObject& json) {
    Location location;
    const qsizetype at = kPlaces.indexOf(json.value(QLatin1String("place")).toString());
    location.place = static_cast<Place>(std::max<qsizetype>(0, at));
    location.runId = json.value(QLatin1String("run")).toString();
    location.logs = json.value(QLatin1String("logs")).toString();
    return location;
}

void History::push(const Location& location) {
    if (at_ >= 0 && list_[at_] == location)
        return;
    list_.resize(at_ + 1);
    list_ << location;
    if (list_.size() > kMost)
        list_.removeFirst();
    at_ = static_cast<int>(list_.size()) - 1;
}

const Location* History::step(int by) {
    const int to = at_ + by;
    if (to < 0 || to >= list_.size())
        return nullptr;
    at_ = to;
    return &list_[at_];
}

QJsonObject History::toJson() const {
    // A launch that was on the screen is over when the program starts again.
    QJsonArray list;
    int at = -1;
    for (int i = 0; i < list_.size(); ++i) {
        if (!list_[i].launch)
            list << list_[i].toJson();
        if (i == at_)
            at = static_cast<int>(list.size()) - 1;
    }
    return {{QStringLiteral("list"), list}, {QStringLiteral("at"), at}};
}

void History::restore(const QJsonObject& json) {
    list_.clear();
    for (const QJsonValue value : json.value(QLatin1String("list")).toArray())
        if (list_.size() < kMost)
            list_ << Location::fromJson(value.toObject());
    at_ = std::clamp(json.value(QLatin1String("at")).toInt(-1), -1, static_cast<int>(list_.size()) - 1);
}

}  // namespace trainyard::desktop
