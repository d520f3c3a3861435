#pragma once
// What a run was asked for (run.yaml, flat) and what came out (each tag in five numbers): for columns, filters and comparisons. Made by
// the scanner's thread, shared by pointer, never changed afterwards.

#include <cstdint>
#include <limits>
#include <optional>

#include <QString>
#include <QVector>

namespace trainyard::desktop {

struct ConfigEntry {
    QString key;  ///< `optimizer.lr`
    QString text;
    double number = std::numeric_limits<double>::quiet_NaN();  ///< NaN: it is none
};

/// Keys in ascending order.
class RunConfig {
  public:
    explicit RunConfig(QVector<ConfigEntry> entries);
    const QVector<ConfigEntry>& entries() const { return entries_; }
    /// The key itself, else the shortest one that ends with `.name`; null: none.
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

/// Which values of a metric are good, by the words in its name: less of a loss, an error or a time, more of an accuracy or a rate. Neither of
/// what a run is given or what the machine is (learning rate, scale of the loss, peak), and of what is not known.
enum class Better { Less, More, Neither };
Better betterOf(const QString& tag);
inline bool isMoreBetter(const QString& tag) {
    return betterOf(tag) == Better::More;
}
double partOf(const MetricEntry& metric, MetricPart part);
/// The word behind the dot of a filter or column: last, best, mean, min, max.
QString partKey(MetricPart part);
std::optional<MetricPart> partOfKey(const QString& word);

/// Tags in ascending order.
class RunMetrics {
  public:
    explicit RunMetrics(QVector<MetricEntry> entries);
    const QVector<MetricEntry>& entries() const { return entries_; }
    /// The tag itself, else the shortest one that ends with `/name`; null: none.
    const MetricEntry* find(const QString& name) const;

  private:
    QVector<MetricEntry> entries_;
};

}  // namespace trainyard::desktop
