// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/panel_layout.h"

#include <algorithm>

#include <QJsonArray>
#include <QJsonDocument>

#include "base/error.h"
#include "desktop/shell/view_state.h"

namespace trainyard::desktop {

using widgets::XUnit;

namespace {
constexpr int kMostNames = 2000;  // stars, pins and folded groups that are kept
const QStringList kUnits{QStringLiteral("step"), QStringLiteral("time"), QStringLiteral("tokens"),
                         QStringLiteral("epoch"), QStringLiteral("wall")};
const QStringList kSizes{QStringLiteral("small"), QStringLiteral("medium"), QStringLiteral("large")};
const QString kPinPrefix = QStringLiteral("pin:");

QJsonObject json_of(const report::Panel& panel) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(report::panel_to_json(panel))).object();
}

std::optional<report::Panel> panel_of(const QJsonValue& value) {
    if (!value.isObject())
        return std::nullopt;
    try {
        return report::panel_from_json(QJsonDocument(value.toObject()).toJson(QJsonDocument::Compact).toStdString(),
                                       "panel");
    } catch (const UserError&) {
        return std::nullopt;  // as every invalid value of a layout
    }
}
}  // namespace

QJsonObject PanelLayout::toJson() const {
    QJsonArray pinned;
    for (const PinnedCard& pin : pins)
        pinned << QJsonObject{{QStringLiteral("id"), pin.id},
                              {QStringLiteral("tags"), QJsonArray::fromStringList(pin.tags)},
                              {QStringLiteral("panel"), pin.panel ? json_of(*pin.panel) : QJsonValue()}};
    return {{QStringLiteral("unit"), kUnits.value(static_cast<int>(unit))},
            {QStringLiteral("smoothing"), smoothing},
            {QStringLiteral("log_x"), log_x},
            {QStringLiteral("log_y"), log_y},
            {QStringLiteral("clip"), clip},
            {QStringLiteral("size"), kSizes.value(static_cast<int>(size))},
            {QStringLiteral("tree"), tree},
            {QStringLiteral("tree_width"), tree_width},
            {QStringLiteral("stars"), QJsonArray::fromStringList(stars)},
            {QStringLiteral("pins"), pinned},
            {QStringLiteral("folded"), QJsonArray::fromStringList(folded)}};
}

PanelLayout PanelLayout::fromJson(const QJsonObject& json) {
    PanelLayout layout;
    if (const qsizetype at = kUnits.indexOf(json.value(QLatin1String("unit")).toString()); at >= 0)
        layout.unit = static_cast<XUnit>(at);
    if (const qsizetype at = kSizes.indexOf(json.value(QLatin1String("size")).toString()); at >= 0)
        layout.size = static_cast<CardSize>(at);
    layout.smoothing = std::clamp(json.value(QLatin1String("smoothing")).toDouble(layout.smoothing), 0.0, 0.999);
    layout.log_x = json.value(QLatin1String("log_x")).toBool();
    layout.log_y = json.value(QLatin1String("log_y")).toBool();
    layout.clip = json.value(QLatin1String("clip")).toBool();
    layout.tree = json.value(QLatin1String("tree")).toBool(true);
    layout.tree_width = std::clamp(json.value(QLatin1String("tree_width")).toInt(layout.tree_width), 120, 800);
    layout.stars = stringsOf(json.value(QLatin1String("stars"))).mid(0, kMostNames);
    layout.folded = stringsOf(json.value(QLatin1String("folded"))).mid(0, kMostNames);
    for (const QJsonValue value : json.value(QLatin1String("pins")).toArray()) {
        const QJsonObject pin = value.toObject();
        const QString id = pin.value(QLatin1String("id")).toString();
        const QStringList tags = stringsOf(pin.value(QLatin1String("tags"))).mid(0, kMostNames);
        const std::optional<report::Panel> panel = panel_of(pin.value(QLatin1String("panel")));
        if (id.startsWith(kPinPrefix) && (panel || !tags.isEmpty()) && layout.pinOf(id) < 0 &&
            layout.pins.size() < kMostNames)
            layout.pins.append({id, panel ? QStringList() : tags, panel});
    }
    return layout;
}

QString PanelLayout::freshPinId() const {
    int number = 1;
    while (pinOf(kPinPrefix + QString::number(number)) >= 0)
        ++number;
    return kPinPrefix + QString::number(number);
}

int PanelLayout::pinOf(const QString& id) const {
    const QString pin = id.section(QLatin1Char('|'), 0, 0);
    for (int i = 0; i < pins.size(); ++i)
        if (pins[i].id == pin)
            return i;
    return -1;
}

}  // namespace trainyard::desktop
