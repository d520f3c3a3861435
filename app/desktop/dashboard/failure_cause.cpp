// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/failure_cause.h"

#include <algorithm>
#include <functional>

#include <QRegularExpression>
#include <QStringList>

#include "base/text.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/text/words.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

constexpr std::int64_t kBefore = 200;  // steps before the failure in which a loss that is not finite matters

QString size_words(std::uint64_t bytes) {
    return qtNumber(text::memory_size(bytes)).replace(u' ', QChar(0xA0));
}

/// Returns the message and the lines of the log as one text to search in.
QString all_words(const run::Failure& failure) {
    QString words = qt(failure.message);
    for (const std::string& line : failure.log)
        words += QLatin1Char('\n') + qt(line);
    return words;
}

QString part_words(const std::string& part) {
    return word_in({{"weights", tr("weights")},
                    {"compute_copy", tr("copy for computing")},
                    {"gradients", tr("gradients")},
                    {"optimizer", tr("optimizer")},
                    {"activations", tr("activations")},
                    {"logits", tr("logits")},
                    {"workspace", tr("workspace")},
                    {"base", tr("program")}},
                   part);
}

QString out_of_memory(const RunRecord& run, const run::Failure& failure) {
    if (!run.facts() || run.facts()->memory.empty())
        return tr("A rank ran out of memory. Use a smaller batch, shorter sequences or more ranks.");
    std::vector<std::pair<std::string, std::uint64_t>> parts = run.facts()->memory;
    std::ranges::stable_sort(parts, std::greater(), &std::pair<std::string, std::uint64_t>::second);
    QStringList split;
    for (const auto& [part, bytes] : parts)
        if (bytes > 0 && split.size() < 4)
            split << tr("%1 %2").arg(part_words(part), size_words(bytes));
    QString words = tr("A rank was estimated to need %1: %2.")
                        .arg(size_words(run.facts()->memoryTotal()), widgets::list_text(split));
    std::uint64_t held = 0;
    if (failure.rank >= 0)
        held = static_cast<std::uint64_t>(run.peakMemory(failure.rank));
    // The memory that the rank held was available, so a configuration that needs less will fit.
    const auto fits = std::ranges::find_if(
        run.facts()->smaller, [held](const SmallerRecipe& smaller) { return held == 0 || smaller.bytes <= held; });
    if (fits == run.facts()->smaller.end())
        return words;
    const QString needs = held == 0 ? tr("%1 would need %2.") : tr("%1 would need %2 and fit into the %3 it held.");
    return words + QLatin1Char(' ') +
           (held == 0 ? needs.arg(fits->words, size_words(fits->bytes))
                      : needs.arg(fits->words, size_words(fits->bytes), size_words(held)));
}

/// Returns the ranks with the fewest collectives: all waiting ranks wait for them.
QString not_arrived(const run::RunState& state) {
    static const QRegularExpression number(QStringLiteral("#(\\d+)"));
    std::vector<std::pair<qint64, const run::RankState*>> places;
    for (const run::RankState& rank : state.ranks)
        if (const auto match = number.match(qt(rank.last_collective)); match.hasMatch())
            places.emplace_back(match.captured(1).toLongLong(), &rank);
    if (places.size() < 2 || places.size() < state.ranks.size())
        return {};
    const auto [least, most] = std::ranges::minmax_element(places, {}, &decltype(places)::value_type::first);
    if (least->first == most->first)
        return {};
    QStringList behind;
    for (const auto& [place, rank] : places)
        if (place == least->first)
            behind << tr("rank %1 on %2").arg(qt(run::rank_name(rank->rank, rank->place)), qt(rank->host));
    return tr("%1 did not reach %2, where the other ranks waited.")
        .arg(widgets::list_text(behind), qt(most->second->last_collective));
}

const run::Event* first_not_finite(const RunRecord& run, std::int64_t step) {
    const run::Event* found = nullptr;
    for (const std::size_t position : run.eventsOf("nan"))
        if (const run::Event& event = run.events()[position]; event.step >= step - kBefore)
            found = found == nullptr || event.step < found->step ? &event : found;
    return found;
}

}  // namespace

Explanation explain_failure(const RunRecord& run) {
    if (!run.state() || !run.state()->first_failure)
        return {};
    const run::RunState& state = *run.state();
    const run::Failure& failure = *state.first_failure;
    const QString words = all_words(failure);
    const auto says = [&](const char* pattern) {
        return words.contains(QRegularExpression(QLatin1String(pattern), QRegularExpression::CaseInsensitiveOption));
    };
    const auto lost = std::ranges::find_if(
        state.ranks, [&](const run::RankState& rank) { return rank.rank == failure.rank && rank.state == "lost"; });
    if (lost != state.ranks.end())
        return {FailureCause::HostLost, tr("%1 no longer answers: it was switched off, is restarting, or has lost its "
                                           "network. Its ranks ended automatically.")
                                            .arg(qt(lost->host))};
    // A colon follows the name of the kernel's out-of-memory killer only if it was the cause.
    if (says("out of memory|out-of-memory killer:|OutOfMemoryError|bad_alloc"))
        return {FailureCause::OutOfMemory, out_of_memory(run, failure)};
    if (says("no space left on device|disk quota exceeded"))
        return {FailureCause::DiskFull, tr("Nothing more could be written. Checkpoints take the most space: keep fewer "
                                           "of them with checkpoint.keep_last, or choose a folder on a larger disk.")};
    if (says("it hangs, nothing has moved|watchdog caught collective operation timeout|collective.*timed? ?out")) {
        const QString who = not_arrived(state);
        return {FailureCause::Collective,
                who.isEmpty()
                    ? tr("A collective operation waits for every rank, and one of them did not call it in time.")
                    : who};
    }
    if (const run::Event* event = first_not_finite(run, failure.step))
        return {FailureCause::NotFinite, tr("Before that, at step %1: %2. A lower learning rate, gradient clipping or "
                                            "health.on_non_finite: skip can prevent this.")
                                             .arg(stepText(event->step), qtClause(event->text))};
    return {};
}

int error_line(const std::vector<std::string>& lines) {
    static const QRegularExpression level(QStringLiteral("\\b(ERROR|CRITICAL|FATAL)\\b"));
    static const QRegularExpression name(QStringLiteral("\\w*(Error|Exception)\\b|\\berror:|what\\(\\)"));
    for (const QRegularExpression& pattern : {level, name})
        for (int i = static_cast<int>(lines.size()) - 1; i >= 0; --i)
            if (qt(lines[static_cast<std::size_t>(i)]).contains(pattern))
                return i;
    return -1;
}

}  // namespace trainyard::desktop
