// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Settings of a run (run.yaml, flat) and its metrics (five statistics per tag), for columns, filters and comparisons.
// Created by the scanner's thread, shared by pointer, immutable.

#include <cstdint>
#include <limits>
#include <optional>

#include <QString>
#include <QVector>

namespace trainyard::desktop {

struct ConfigEntry {
    QString key;  ///< `optimizer.lr`
    QString text;
    double number = std::numeric_limits<double>::quiet_NaN();  ///< NaN: not a number
};

/// Keys in ascending order.
class RunConfig {
  public:
    explicit RunConfig(QVector<ConfigEntry> entries);
    const QVector<ConfigEntry>& entries() const { return entries_; }
    /// Returns the entry of the key itself, else of the shortest key that ends with `.name`; null if none matches.
    const ConfigEntry* find(const QString& name) const;

  private:
    QVector<ConfigEntry> entries_;
};

struct MetricEntry {
    QString tag;                                               ///< `train/loss`
    double last = 0;                                           ///< at the highest step; may be NaN
    double lowest = std::numeric_limits<double>::quiet_NaN();  ///< of the finite ones; NaN: there is none
    double highest = std::numeric_limits<double>::quiet_NaN();
    double mean = std::numeric_limits<double>::quiet_NaN();
    std::int64_t count = 0;  ///< points
    std::int64_t step = 0;   ///< highest
};

enum class MetricPart { Last, Best, Mean, Lowest, Highest };

/// Direction in which a metric improves, judged by the words in its name: lower for a loss, an error or a time; higher
/// for an accuracy or a rate. Unknown for settings and properties of the machine (learning rate, loss scale, peak) and
/// for unknown names.
enum class Better { Less, More, Neither };
Better betterOf(const QString& tag);
inline bool isMoreBetter(const QString& tag) {
    return betterOf(tag) == Better::More;
}
double partOf(const MetricEntry& metric, MetricPart part);
/// The suffix after the dot in a filter or column: last, best, mean, min, max.
QString partKey(MetricPart part);
std::optional<MetricPart> partOfKey(const QString& word);

/// Tags in ascending order.
class RunMetrics {
  public:
    explicit RunMetrics(QVector<MetricEntry> entries);
    const QVector<MetricEntry>& entries() const { return entries_; }
    /// Returns the entry of the tag itself, else of the shortest tag that ends with `/name`; null if none matches.
    const MetricEntry* find(const QString& name) const;

  private:
    QVector<MetricEntry> entries_;
};

}  // namespace trainyard::desktop
