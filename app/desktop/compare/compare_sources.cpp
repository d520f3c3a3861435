// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/compare/compare_sources.h"

#include <algorithm>

#include <QSet>

#include "desktop/dashboard/run_record.h"
#include "desktop/sources/log_record.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

CompareSources::CompareSources(QObject* parent) : QObject(parent) {}

CompareSources::~CompareSources() = default;

void CompareSources::setRuns(const RunSummaries& runs) {
    QStringList wanted;
    for (const RunSummary& run : runs)
        if (wanted.size() < kMost && run.phase != RunPhase::Unreadable && run.phase != RunPhase::Missing)
            wanted << run.path;
    if (wanted == order_)
        return;
    order_ = wanted;
    std::erase_if(sources_, [&](const auto& source) { return !wanted.contains(source.first); });
    for (const RunSummary& run : runs) {
        if (!wanted.contains(run.path) || sources_.contains(run.path))
            continue;
        std::unique_ptr<CurveSource> source;
        if (run.phase == RunPhase::Imported) {
            auto log = std::make_unique<LogRecord>(run.path.toStdString(),
                                                   kind_of_log(run.path.toStdString()).value_or(LogKind::Events),
                                                   run.name, run.number);
            log->start();
            source = std::move(log);
        } else {
            auto record = std::make_unique<RunRecord>(run::RunPaths(run.path.toStdString()));
            record->setColorNumber(run.number);
            record->start();
            source = std::move(record);
        }
        connect(source.get(), &CurveSource::curvesChanged, this, &CompareSources::curvesChanged);
        connect(source.get(), &CurveSource::tagsChanged, this, &CompareSources::tagsChanged);
        sources_.emplace(run.path, std::move(source));
    }
    emit tagsChanged();
}

CurveSource* CompareSources::find(const QString& path) const {
    const auto at = sources_.find(path);
    return at == sources_.end() ? nullptr : at->second.get();
}

QVector<CurveSource*> CompareSources::all() const {
    QVector<CurveSource*> all;
    for (const QString& path : order_)
        if (CurveSource* source = find(path))
            all << source;
    return all;
}

QStringList CompareSources::tags() const {
    QSet<QString> found;
    for (const auto& [path, source] : sources_)
        for (const TagInfo& tag : source->tags())
            if (tag.kind == TagKind::Scalar && tag.tag.find('#') == std::string::npos)
                found.insert(qt(tag.tag));
    QStringList tags = found.values();
    std::sort(tags.begin(), tags.end());
    for (const char* first : {"eval/loss", "train/loss"})
        if (tags.removeAll(QLatin1String(first)) > 0)
            tags.prepend(QLatin1String(first));
    return tags;
}

std::int64_t CompareSources::failureOf(const QString& path, QString* words) const {
    const auto* record = qobject_cast<const RunRecord*>(find(path));
    if (record == nullptr || !record->state() || !record->state()->first_failure)
        return -1;
    *words = qtSentence(record->state()->first_failure->message);
    return record->state()->first_failure->step;
}

}  // namespace trainyard::desktop
