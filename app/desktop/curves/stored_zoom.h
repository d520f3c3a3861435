// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The zoom of charts as it is kept in a view (view_state.h): a range means something only in the unit in which it was chosen.

#include <optional>

#include <QJsonArray>
#include <QJsonObject>

#include "widgets/plot/reduction.h"

namespace trainyard::desktop {

inline void keep_zoom(QJsonObject& view, const std::optional<widgets::XRange>& range, widgets::XUnit unit) {
    view.remove(QStringLiteral("range"));
    view.insert(QStringLiteral("unit"), static_cast<int>(unit));
    if (range)
        view.insert(QStringLiteral("range"), QJsonArray{range->lower, range->upper});
}

/// Nothing: none was kept, or in another unit.
inline std::optional<widgets::XRange> stored_zoom(const QJsonObject& view, widgets::XUnit unit) {
    const QJsonArray range = view.value(QStringLiteral("range")).toArray();
    if (range.size() != 2 || view.value(QStringLiteral("unit")).toInt() != static_cast<int>(unit))
        return std::nullopt;
    const widgets::XRange zoom{range[0].toDouble(), range[1].toDouble()};
    return zoom.upper > zoom.lower ? std::optional(zoom) : std::nullopt;
}

}  // namespace trainyard::desktop
