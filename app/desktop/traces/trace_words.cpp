// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/trace_words.h"

#include <array>

#include <QFileInfo>
#include <QLocale>

#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "widgets/timeline/duration_text.h"

namespace trainyard::desktop {

namespace {
struct FamilyLook {
    const char* words;
    int color;
};
/// In the order of the enumeration.
constexpr std::array<FamilyLook, traces::kFamilies> kLooks{{
    {QT_TRANSLATE_NOOP("trainyard::desktop", "matmul"), 1},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "attention"), 6},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "norm"), 3},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "loss"), 7},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "optimizer"), 2},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "communication"), 8},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "copy"), 4},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "data"), 5},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "elementwise"), 10},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "other"), 0},
}};
}  // namespace

QString familyWords(traces::Family family) {
    return tr(kLooks[static_cast<std::size_t>(family)].words);
}

int familyColor(traces::Family family) {
    return kLooks[static_cast<std::size_t>(family)].color;
}

QString rankWords(std::int64_t rank) {
    return tr("rank %1").arg(rank);
}

QString trackWords(const traces::Track& track) {
    return !track.thread_name.empty() ? qt(track.thread_name)
           : track.stream             ? tr("stream %1").arg(*track.stream)
           : track.thread.empty()     ? tr("thread")
                                      : tr("thread %1").arg(qt(track.thread));
}

QString memoryWords(const traces::MemoryCounter& counter) {
    // c10::DeviceType
    return counter.device_type == 0   ? tr("memory of the processor")
           : counter.device_type == 1 ? tr("memory of GPU %1").arg(counter.device)
                                      : tr("memory of device %1").arg(counter.device);
}

QString traceFacts(const traces::RankSet& set) {
    QStringList facts;
    const QLocale locale;
    if (const std::vector<std::int64_t> steps = set.step_numbers(); steps.size() == 1)
        facts << tr("step %1").arg(locale.toString(qlonglong{steps.front()}));
    else if (!steps.empty())
        facts << tr("steps %1–%2")
                     .arg(locale.toString(qlonglong{steps.front()}), locale.toString(qlonglong{steps.back()}));
    std::uint64_t slices = 0, bytes = 0, unplaced = 0;
    double seconds = 0;
    for (const traces::RankTrace& rank : set.ranks) {
        slices += rank.trace->slices.size();
        bytes += rank.trace->reading.file_bytes;
        unplaced += rank.trace->reading.unplaced();
        seconds += rank.trace->reading.seconds;
    }
    facts << tr("%Ln ranks", nullptr, static_cast<int>(set.ranks.size()));
    facts << (unplaced == 0 ? tr("%1 slices, all placed").arg(locale.toString(qulonglong{slices}))
                            : tr("%1 slices, %2 entries without a place")
                                  .arg(locale.toString(qulonglong{slices}), locale.toString(qulonglong{unplaced})));
    facts << tr("%1 read in %2")
                 .arg(locale.formattedDataSize(static_cast<qint64>(bytes), 1, QLocale::DataSizeSIFormat),
                      widgets::nanosecond_words(static_cast<std::int64_t>(seconds * 1e9)));
    return facts.join(QStringLiteral("  \u00b7  "));
}

QString rankFacts(const traces::RankTrace& rank) {
    const traces::Trace& trace = *rank.trace;
    const QLocale locale;
    QStringList facts;
    for (const std::string& device : trace.device_names)
        facts << qt(device);
    facts << tr("%1 slices").arg(locale.toString(qulonglong{trace.slices.size()}));
    if (const std::size_t overlapping = trace.overlapping(); overlapping > 0)
        facts << tr("%Ln overlapping slices on an extra row", nullptr, static_cast<int>(overlapping));
    facts << (trace.reading.unplaced() == 0 ? tr("all placed") : qtClause(trace.reading.unplaced_words()));
    if (!trace.reading.remark_words().empty())
        facts << qtClause(trace.reading.remark_words());
    if (rank.correction != 0)
        facts << tr("clock moved by %1").arg(widgets::nanosecond_words(rank.correction));
    return facts.join(QStringLiteral("  \u00b7  "));
}

QStringList traceProblems(const traces::RankSet& set) {
    QStringList problems;
    for (const traces::RankTrace& rank : set.ranks) {
        const QString file = QFileInfo(qt(rank.trace->path)).fileName();
        for (const Message& problem : rank.trace->reading.problems)
            problems << (problem.text().find(file.toStdString()) == std::string::npos
                             ? file + QStringLiteral(": ") + qtClause(problem)
                             : qtSentence(problem));
        if (rank.trace->reading.unplaced() > 0)
            problems << tr("%1: %2 could not be placed.").arg(file, qtClause(rank.trace->reading.unplaced_words()));
    }
    return problems;
}

}  // namespace trainyard::desktop
