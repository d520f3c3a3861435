#pragma once
// What a person arranged in a panel of curves, as a value: compared, undone and written as JSON. Tags are named by their ids
// (tag_index.h), so what is not there now is kept for when it comes.

#include <QJsonObject>
#include <QStringList>
#include <QVector>

#include "widgets/plot/series.h"

namespace trainyard::desktop {

enum class CardSize { Small, Medium, Large };

/// A chart of one's own on top: one tag, or several laid over each other.
struct PinnedCard {
    QString id;
    QStringList tags;
    bool operator==(const PinnedCard&) const = default;
};

/// How all charts look.
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
    bool tree = true;      ///< the tags stand at the left
    int tree_width = 184;  ///< pixels
    QStringList stars;
    QVector<PinnedCard> pins;
    QStringList folded;  ///< ids of groups

    bool operator==(const PanelLayout&) const = default;
    QJsonObject toJson() const;
    /// What is missing or makes no sense is the default.
    static PanelLayout fromJson(const QJsonObject& json);
    /// Another id than those of the pins.
    QString freshPinId() const;
    int pinOf(const QString& id) const;  ///< -1: none
};

}  // namespace trainyard::desktop
