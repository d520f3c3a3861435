// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/differences.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <QHash>
#include <QSet>

#include "widgets/csv_text.h"

namespace trainyard::desktop {

namespace {
const QString kNone = QStringLiteral("–");
}  // namespace

int baseOf(const RunSummaries& runs) {
    const auto found = std::ranges::find(runs, true, &RunSummary::baseline);
    return found == runs.end() ? 0 : static_cast<int>(found - runs.begin());
}

namespace {
/// Losses and what was evaluated are what runs are compared for; the machine's figures are not.
int rankOf(const QString& tag) {
    if (tag == QLatin1String("train/loss"))
        return 0;
    if (tag.startsWith(QLatin1String("eval")) || tag.startsWith(QLatin1String("val")))
        return 1;
    if (tag.contains(QLatin1String("loss")))
        return 2;
    if (tag.startsWith(QLatin1String("system/")) || tag.startsWith(QLatin1String("phase/")) ||
        tag.startsWith(QLatin1String("machine/")))
        return 4;
    return 3;
}
}  // namespace

Differences differencesOf(const RunSummaries& runs) {
    static const QSet<QString> names{QStringLiteral("name"), QStringLiteral("created"), QStringLiteral("command"),
                                     QStringLiteral("recipe_file")};
    Differences result;
    result.base = baseOf(runs);
    std::map<QString, QStringList> table;
    for (int i = 0; i < runs.size(); ++i) {
        if (!runs[i].config) {
            ++result.unread;
            continue;
        }
        for (const ConfigEntry& entry : runs[i].config->entries()) {
            if (names.contains(entry.key))
                continue;
            QStringList& values = table[entry.key];
            while (values.size() < runs.size())
                values << kNone;
            values[i] = entry.text;
        }
    }
    QHash<QString, int> endings;
    for (const auto& [key, values] : table) {
        bool same = true;
        QString first;
        for (int i = 0; i < runs.size(); ++i)
            if (runs[i].config) {
                if (first.isNull())
                    first = values[i];
                same = same && values[i] == first;
            }
        if (same) {
            ++result.equal;
            continue;
        }
        Differences::Row row;
        row.key = key;
        row.shown = key.section(QLatin1Char('.'), -1);
        row.values = values;
        for (int i = 0; i < runs.size(); ++i)
            row.differs << (runs[i].config && values[i] != values[result.base]);
        ++endings[row.shown];
        result.rows << row;
    }
    for (Differences::Row& row : result.rows)
        if (endings.value(row.shown) > 1)
            row.shown = row.key;
    return result;
}

bool look_alike(const RunSummaries& a, const RunSummaries& b) {
    return std::ranges::equal(a, b, [](const RunSummary& one, const RunSummary& other) {
        return one.path == other.path && one.name == other.name && one.number == other.number &&
               one.baseline == other.baseline && one.config == other.config;
    });
}

MetricRows metricRowsOf(const RunSummaries& runs, MetricPart part) {
    QSet<QString> tags;
    for (const RunSummary& run : runs)
        if (run.metrics)
            for (const MetricEntry& metric : run.metrics->entries())
                tags.insert(metric.tag);
    QStringList sorted = tags.values();
    std::sort(sorted.begin(), sorted.end(), [](const QString& a, const QString& b) {
        const int x = rankOf(a);
        const int y = rankOf(b);
        return x != y ? x < y : a < b;
    });
    MetricRows result;
    for (const QString& tag : std::as_const(sorted)) {
        MetricRows::Row row;
        row.tag = tag;
        const Better better = betterOf(tag);
        if (better == Better::Neither && part == MetricPart::Best) {
            ++result.unjudged;
            continue;
        }
        int finite = 0;
        bool differ = false;
        for (int i = 0; i < runs.size(); ++i) {
            const MetricEntry* metric = nullptr;
            if (runs[i].metrics)
                if (const MetricEntry* found = runs[i].metrics->find(tag); found != nullptr && found->tag == tag)
                    metric = found;
            row.present << (metric != nullptr);
            row.values << (metric == nullptr ? std::nan("") : partOf(*metric, part));
            const double value = row.values.last();
            if (!std::isfinite(value))
                continue;
            differ = differ || (finite++ > 0 && value != row.values[row.best]);
            if (row.best < 0 || (better == Better::More ? value > row.values[row.best] : value < row.values[row.best]))
                row.best = i;
        }
        if (!differ || better == Better::Neither)
            row.best = -1;
        result.rows << row;
    }
    return result;
}

QString comparisonCsv(const RunSummaries& runs, MetricPart part) {
    QStringList head{QStringLiteral("key")};
    for (const RunSummary& run : runs)
        head << run.name;
    QString text = widgets::csv_line(head);
    for (const Differences::Row& row : differencesOf(runs).rows) {
        QStringList line{row.key};
        for (const QString& value : row.values)
            line << (value == kNone ? QString() : value);
        text += widgets::csv_line(line);
    }
    for (const MetricRows::Row& row : metricRowsOf(runs, part).rows) {
        QStringList line{row.tag + QLatin1Char('.') + partKey(part)};
        for (int i = 0; i < row.values.size(); ++i)
            line << (row.present[i] ? QString::number(row.values[i], 'g', 17) : QString());
        text += widgets::csv_line(line);
    }
    return text;
}

}  // namespace trainyard::desktop
