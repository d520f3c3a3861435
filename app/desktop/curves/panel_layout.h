// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The user's arrangement of a panel of curves, as a value that can be compared, undone and written as JSON. Tags are
// identified by their ids (tag_index.h), so settings of tags that do not exist yet are preserved.

#include <optional>

#include <QJsonObject>
#include <QStringList>
#include <QVector>

#include "report/panel.h"
#include "widgets/plot/series.h"

namespace trainyard::desktop {

enum class CardSize { Small, Medium, Large };

/// A pinned card at the top: one tag, several overlaid, or a panel that the user made.
struct PinnedCard {
    QString id;
    QStringList tags;
    std::optional<report::Panel> panel = {};  ///< instead of tags
    bool operator==(const PinnedCard&) const = default;
};

/// Appearance of all charts.
struct AxisLook {
    widgets::XUnit unit = widgets::XUnit::Step;
    double smoothing = 0.6;  ///< weight of the moving average, 0 .. 0.999
    bool log_x = false;
    bool log_y = false;
    bool clip = false;  ///< outliers lie outside of the vertical range
    bool operator==(const AxisLook&) const = default;
};

struct PanelLayout : AxisLook {
    CardSize size = CardSize::Medium;
    bool tree = true;      ///< the tree of tags is shown at the left
    int tree_width = 184;  ///< pixels
    QStringList stars;
    QVector<PinnedCard> pins;
    QStringList folded;  ///< ids of groups

    bool operator==(const PanelLayout&) const = default;
    QJsonObject toJson() const;
    /// Missing or invalid values are replaced by the defaults.
    static PanelLayout fromJson(const QJsonObject& json);
    /// Returns an id that no pin has.
    QString freshPinId() const;
    int pinOf(const QString& id) const;  ///< by the id of the pin or of its card; -1: none
};

}  // namespace trainyard::desktop
