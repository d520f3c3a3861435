// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/location.h"

#include <QJsonArray>

namespace trainyard::desktop {

namespace {

/// As earlier versions wrote it: {"place": "runs", "run": ID} or {"place": "runs", "logs": PATH}.
Location earlier(const QJsonObject& json) {
    for (const char* page : {"run", "logs"})
        if (const QString subject = json.value(QLatin1String(page)).toString(); !subject.isEmpty())
            return {QLatin1String(page), subject};
    return {json.value(QLatin1String("place")).toString(), {}};
}

}  // namespace

Location Location::parse(const QString& text) {
    const qsizetype colon = text.indexOf(QLatin1Char(':'));
    return colon < 0 ? Location{text, {}} : Location{text.left(colon), text.mid(colon + 1)};
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

void History::leave(const QStringList& pages) {
    while (at_ >= 0 && pages.contains(list_[at_].page))
        list_.resize(at_--);
}

QJsonObject History::toJson(const QStringList& transient) const {
    QJsonArray list;
    int at = -1;
    for (int i = 0; i < list_.size(); ++i) {
        if (!transient.contains(list_[i].page))
            list << list_[i].text();
        if (i == at_)
            at = static_cast<int>(list.size()) - 1;
    }
    return {{QStringLiteral("list"), list}, {QStringLiteral("at"), at}};
}

void History::restore(const QJsonObject& json, const QStringList& known) {
    list_.clear();
    const int wanted = json.value(QLatin1String("at")).toInt(-1);
    at_ = -1;
    int read = 0;
    for (const QJsonValue value : json.value(QLatin1String("list")).toArray()) {
        const Location location = value.isObject() ? earlier(value.toObject()) : Location::parse(value.toString());
        if (known.contains(location.page) && list_.size() < kMost)
            list_ << location;
        if (read++ == wanted)
            at_ = static_cast<int>(list_.size()) - 1;
    }
}

}  // namespace trainyard::desktop
