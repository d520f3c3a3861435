// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/source_metrics.h"

#include "desktop/curves/curve_source.h"
#include "desktop/curves/tag_index.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {
/// The tag of a source under a name, with or without its rank.
const std::string* tag_of(const TagIndex& index, int source, QLatin1Char kind, const std::string& name) {
    QString id = QString(kind) + QLatin1Char(':') + qt(name);
    const TagEntry* entry = index.find(id);
    if (entry == nullptr)
        if (const qsizetype mark = id.lastIndexOf(QLatin1Char('#')); mark > 0)
            entry = index.find(id.left(mark));
    if (entry == nullptr)
        return nullptr;
    const std::string* found = nullptr;
    for (const TagHolder& holder : entry->holders)
        if (holder.source == source) {
            if (holder.tag == name)
                return &holder.tag;
            if (found == nullptr && qt(name) == entry->name)
                found = &holder.tag;
        }
    return found;
}
}  // namespace

const widgets::Series* SourceMetrics::find(const std::string& metric) const {
    const std::string* tag = tag_of(*index_, number_, QLatin1Char('s'), metric);
    return tag == nullptr ? nullptr : &source_->series(*tag);
}

std::optional<report::Bins> SourceMetrics::histogram(const std::string& name) const {
    const std::string* tag = tag_of(*index_, number_, QLatin1Char('h'), name);
    if (tag == nullptr || source_->media(*tag).empty())
        return std::nullopt;
    const auto* point = std::get_if<HistogramPoint>(&source_->media(*tag).back()->value);
    return point == nullptr ? std::nullopt : std::optional(report::Bins{point->limits, point->counts});
}

std::vector<std::string> SourceMetrics::metrics() const {
    std::vector<std::string> names;
    for (const TagInfo& info : source_->tags())
        if (info.kind == TagKind::Scalar)
            names.push_back(info.tag);
    return names;
}

widgets::XScale SourceMetrics::scale(widgets::XUnit unit) const {
    return source_->scale(unit);
}

}  // namespace trainyard::desktop
