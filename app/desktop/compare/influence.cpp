// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/influence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include <QHash>

#include "desktop/compare/differences.h"

namespace trainyard::desktop {

namespace {

constexpr int kMostShuffles = 2000;
constexpr int kLeastShuffles = 200;
constexpr int kWork = 200'000;  // values shuffled a setting: a millisecond or so

/// Pearson's correlation; NaN when one of them does not vary.
double correlation(const QVector<double>& x, const QVector<double>& y) {
    const auto n = static_cast<double>(x.size());
    const double mean_x = std::accumulate(x.begin(), x.end(), 0.0) / n;
    const double mean_y = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double xy = 0, xx = 0, yy = 0;
    for (int i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : std::nan("");
}

/// Root of the share of the variance of `y` that lies between the groups; NaN for one group, or none with two members.
double correlationRatio(const QVector<int>& groups, int count, const QVector<double>& y) {
    const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
    QVector<double> sums(count, 0.0), sizes(count, 0.0);
    double whole = 0;
    for (int i = 0; i < y.size(); ++i) {
        sums[groups[i]] += y[i] - mean;
        sizes[groups[i]] += 1;
        whole += (y[i] - mean) * (y[i] - mean);
    }
    double between = 0;
    for (int group = 0; group < count; ++group)
        between += sums[group] * sums[group] / sizes[group];
    return whole > 0 && count > 1 && count < y.size() ? std::sqrt(std::min(1.0, between / whole)) : std::nan("");
}

}  // namespace

QVector<double> ranksOf(const QVector<double>& values) {
    QVector<int> order(values.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return values[a] < values[b]; });
    QVector<double> ranks(values.size());
    for (int begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]])
            ++end;
        for (int i = begin; i < end; ++i)
            ranks[order[i]] = (begin + 1 + end) / 2.0;
    }
    return ranks;
}

Influence influenceOf(const RunSummaries& runs, const QString& tag, MetricPart part) {
    RunSummaries counted;
    QVector<double> results;
    for (const RunSummary& run : runs) {
        const MetricEntry* metric = run.isLive() || !run.metrics ? nullptr : run.metrics->find(tag);
        const double result = metric == nullptr || metric->tag != tag ? std::nan("") : partOf(*metric, part);
        if (!std::isfinite(result))
            continue;
        counted << run;
        results << result;
    }
    Influence found;
    found.runs = static_cast<int>(counted.size());
    found.shuffles = std::clamp(kWork / std::max(1, found.runs), kLeastShuffles, kMostShuffles);
    for (const Differences::Row& setting : differencesOf(counted).rows) {
        Influence::Row row;
        row.key = setting.key;
        row.shown = setting.shown;
        row.strength = std::nan("");
        QVector<double> numbers, outcome;
        QStringList words;
        row.ofNumbers = true;
        for (int i = 0; i < counted.size(); ++i) {
            const ConfigEntry* entry = counted[i].config ? counted[i].config->find(setting.key) : nullptr;
            if (entry == nullptr || entry->key != setting.key)
                continue;
            row.ofNumbers = row.ofNumbers && std::isfinite(entry->number);
            numbers << entry->number;
            words << entry->text;
            outcome << results[i];
        }
        row.runs = static_cast<int>(outcome.size());
        if (row.runs >= Influence::kLeastRuns) {
            QVector<double> ranks = ranksOf(outcome);
            const QVector<double> places = row.ofNumbers ? ranksOf(numbers) : QVector<double>();
            QVector<int> groups;
            QHash<QString, int> known;
            for (const QString& word : std::as_const(words)) {
                if (!known.contains(word))
                    known.insert(word, static_cast<int>(known.size()));
                groups << known.value(word);
            }
            const auto strength = [&] {
                return row.ofNumbers ? correlation(places, ranks)
                                     : correlationRatio(groups, static_cast<int>(known.size()), ranks);
            };
            row.strength = strength();
            if (std::isfinite(row.strength)) {
                ++found.tested;
                std::mt19937 random(1);  // the same figure each time
                int as_strong = 0;
                for (int i = 0; i < found.shuffles; ++i) {
                    std::shuffle(ranks.begin(), ranks.end(), random);
                    as_strong += std::abs(strength()) >= std::abs(row.strength) - 1e-9 ? 1 : 0;
                }
                row.chance = (as_strong + 1.0) / (found.shuffles + 1.0);
            }
        }
        found.rows << row;
    }
    std::stable_sort(found.rows.begin(), found.rows.end(), [](const Influence::Row& a, const Influence::Row& b) {
        const double x = std::isfinite(a.strength) ? std::abs(a.strength) : -1;
        const double y = std::isfinite(b.strength) ? std::abs(b.strength) : -1;
        return x > y;
    });
    return found;
}

}  // namespace trainyard::desktop
