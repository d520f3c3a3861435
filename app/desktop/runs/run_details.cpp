// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_details.h"

#include <algorithm>

#include <QRegularExpression>

namespace trainyard::desktop {

namespace {
/// In the order of MetricPart.
constexpr const char* kPartKeys[] = {"last", "best", "mean", "min", "max"};

template <class Entry>
void sortBy(QVector<Entry>& entries, QString Entry::*name) {
    std::sort(entries.begin(), entries.end(), [name](const Entry& a, const Entry& b) { return a.*name < b.*name; });
}

template <class Entry>
const Entry* findIn(const QVector<Entry>& entries, QString Entry::*name, const QString& wanted, QChar separator) {
    const auto at = std::lower_bound(entries.begin(), entries.end(), wanted,
                                     [name](const Entry& entry, const QString& word) { return entry.*name < word; });
    if (at != entries.end() && (*at).*name == wanted)
        return &*at;
    const Entry* found = nullptr;
    for (const Entry& entry : entries) {
        const QString& key = entry.*name;
        const qsizetype rest = key.size() - wanted.size();
        if (rest > 0 && key.at(rest - 1) == separator && key.endsWith(wanted) &&
            (found == nullptr || key.size() < (found->*name).size()))
            found = &entry;
    }
    return found;
}
}  // namespace

RunConfig::RunConfig(QVector<ConfigEntry> entries) : entries_(std::move(entries)) {
    sortBy(entries_, &ConfigEntry::key);
}

const ConfigEntry* RunConfig::find(const QString& name) const {
    return findIn(entries_, &ConfigEntry::key, name, QLatin1Char('.'));
}

RunMetrics::RunMetrics(QVector<MetricEntry> entries) : entries_(std::move(entries)) {
    sortBy(entries_, &MetricEntry::tag);
}

const MetricEntry* RunMetrics::find(const QString& name) const {
    return findIn(entries_, &MetricEntry::tag, name, QLatin1Char('/'));
}

Better betterOf(const QString& tag) {
    // Whole words of the name; the rest of it does not count.
    const auto words = [](const char* list, const char* endings) {
        return QRegularExpression(
            QStringLiteral("(^|[/_.\\- ])(%1)([/_.\\- ]|$)|(%2)$").arg(QLatin1String(list), QLatin1String(endings)),
            QRegularExpression::CaseInsensitiveOption);
    };
    static const QRegularExpression given = words("loss_scale|peak|lr|learning_rate", "peak_flops_per_s");
    static const QRegularExpression more = words(
        "acc|accuracy|top[0-9]+|f1|auc|auroc|bleu|rouge[0-9l]*|meteor|precision|recall|map|iou|miou|dice|score|reward|"
        "return|"
        "mfu|throughput|exact_match|em|psnr|ssim|r2|mrr|ndcg|win_rate",
        "_per_s(ec(ond)?)?");
    static const QRegularExpression less = words(
        "loss|perplexity|ppl|error|errors|err|wer|cer|mse|rmse|mae|mape|nll|bpb|bpc|bits_per_byte|cross_entropy|kl|fid|"
        "time|"
        "latency|runtime|skipped_steps",
        "_s|_ms|_seconds");
    if (given.match(tag).hasMatch())
        return Better::Neither;
    if (more.match(tag).hasMatch())
        return Better::More;
    return less.match(tag).hasMatch() ? Better::Less : Better::Neither;
}

double partOf(const MetricEntry& metric, MetricPart part) {
    const double best = isMoreBetter(metric.tag) ? metric.highest : metric.lowest;
    const double parts[] = {metric.last, best, metric.mean, metric.lowest, metric.highest};
    return parts[static_cast<std::size_t>(part)];
}

QString partKey(MetricPart part) {
    return QLatin1String(kPartKeys[static_cast<std::size_t>(part)]);
}

std::optional<MetricPart> partOfKey(const QString& word) {
    const auto* found = std::ranges::find(kPartKeys, word, [](const char* key) { return QLatin1String(key); });
    return found == std::end(kPartKeys) ? std::nullopt : std::optional(MetricPart(found - std::begin(kPartKeys)));
}

}  // namespace trainyard::desktop
