// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/stage_words.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include <QDateTime>
#include <QLocale>

#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Chip;
using widgets::Token;

namespace {

struct StageLook {
    const char* word;
    const char* icon;
    Token color;
};
/// In the order of RunStage.
constexpr StageLook kStageLooks[] = {
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Reading"), "clock", Token::TextSecondary},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Missing"), "warn", Token::Error},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Queued"), "pause", Token::Info},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Queued, but its process has ended"), "warn", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Preparing"), "clock", Token::Info},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Launching"), "clock", Token::Info},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Running"), "play", Token::Ok},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Stopping"), "stop", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Finished"), "check", Token::TextSecondary},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Stopped"), "stop", Token::Warn},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Failed"), "error", Token::Error},
    {QT_TRANSLATE_NOOP("trainyard::desktop", "Lost"), "warn", Token::Error},
};
static_assert(std::size(kStageLooks) == static_cast<std::size_t>(RunStage::Lost) + 1);

}  // namespace

Chip stage_chip(const RunRecord& run) {
    const RunStage stage = run.stage();
    if (run.isLive() && run.isDiskFull())
        return {tr("Disk full"), QStringLiteral("warn"), Token::Error};
    if (stage == RunStage::Running && run.isPaused())
        return {tr("Paused"), QStringLiteral("pause"), Token::Warn};
    const StageLook& look = kStageLooks[static_cast<std::size_t>(stage)];
    QString words = tr(look.word);
    if (stage == RunStage::Queued && run.state()->queue_place > 0)
        words = tr("Queued, number %1").arg(run.state()->queue_place);
    if (const auto& state = run.state(); stage == RunStage::Stopping && !state->ranks.empty())
        words = tr("Stopping, %1 of %2 ranks ended").arg(run.ranksGone()).arg(state->ranks.size());
    return {words, QLatin1String(look.icon), look.color};
}

QString facts_line(const RunRecord& run, double now) {
    QStringList words;
    if (const auto& facts = run.facts()) {
        words << tr("%Ln ranks", nullptr, facts->ranks);
        if (facts->hosts > 1)
            words << tr("%Ln hosts", nullptr, facts->hosts);
        words << facts->device;
        if (!facts->precision.isEmpty())
            words << facts->precision;
        if (facts->parameters > 0)
            words << tr("%1 parameters").arg(widgets::value_number(static_cast<double>(facts->parameters), 3));
    }
    if (const auto& state = run.state()) {
        const double begin = state->started > 0 ? state->started : state->created;
        if (state->ended) {
            const std::optional<double> active = run::active_seconds(*state, *state->ended);
            words << (active ? tr("took %1").arg(widgets::duration_words(*active))
                             : tr("waited %1").arg(widgets::duration_words(*state->ended - begin)));
            if (const double idle = run::idle_seconds(*state, *state->ended); idle >= 1)
                words << tr("%1 paused or restarting").arg(widgets::duration_words(idle));
            words << tr("ended %1").arg(clock_text(*state->ended, now));
        } else if (begin > 0 && run.isLive())
            words << (run.stage() == RunStage::Queued ? tr("queued %1 ago") : tr("started %1 ago"))
                         .arg(whole_seconds(now - begin));
        if (state->restarts > 0)
            words << tr("%Ln restarts", nullptr, state->restarts);
    }
    if (run.facts() && !run.facts()->resumed_from.isEmpty())
        words << tr("resumed from %1").arg(run.facts()->resumed_from);
    return words.join(QStringLiteral("  ·  "));
}

QString word_in(const WordTable& words, const std::string& key) {
    const auto* found = std::ranges::find(words, key, &WordTable::value_type::first);
    return found != words.end() ? found->second : qt(key);
}

// Written out for lupdate; as small as in a table.
QString rank_state_word(const std::string& state) {
    return word_in({{"starting", tr("starting", "state of a rank")},
                    {"running", tr("running", "state of a rank")},
                    {"finished", tr("finished", "state of a rank")},
                    {"failed", tr("failed", "state of a rank")},
                    {"killed", tr("killed", "state of a rank")},
                    {"lost", tr("lost", "state of a rank")},
                    {"unknown", tr("unknown", "state of a rank")}},
                   state);
}

QString phase_word(const std::string& phase) {
    return word_in({{"init", tr("init", "phase of a rank")},
                    {"data", tr("data", "phase of a rank")},
                    {"forward", tr("forward", "phase of a rank")},
                    {"backward", tr("backward", "phase of a rank")},
                    {"reduce", tr("reduce", "phase of a rank")},
                    {"optimizer", tr("optimizer", "phase of a rank")},
                    {"evaluate", tr("evaluate", "phase of a rank")},
                    {"save", tr("save", "phase of a rank")},
                    {"paused", tr("paused", "phase of a rank")}},
                   phase);
}

QString whole_seconds(double seconds) {
    const double whole = std::floor(std::max(0.0, seconds));
    return whole < 10 ? QStringLiteral("%1").arg(whole) + QChar(0xA0) + QLatin1Char('s')
                      : widgets::duration_words(whole);
}

QString clock_text(double wall, double now) {
    const QDateTime then = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(wall * 1000));
    const QDateTime today = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(now * 1000));
    if (then.date() == today.date())
        return then.toString(QStringLiteral("HH:mm"));
    return QLocale().toString(then, tr("d MMM HH:mm", "format of a date"));
}

QString StartStage::text(double now) const {
    QStringList parts{words};
    if (current && of > 1)
        parts << tr("%1 of %2").arg(ranks).arg(of);
    if (current && began > 0)
        parts << whole_seconds(now - began);
    else if (done && began > 0 && ended >= began)
        parts << widgets::duration_words(ended - began);
    return parts.join(QStringLiteral("  ·  "));
}

QVector<StartStage> start_stages(const RunRecord& run) {
    // The ranks' phases tell how far the slowest one is: init until it has its model and data, then the phases of a
    // step.
    const auto& state = run.state();
    const bool known = state.has_value();
    const int all = known ? static_cast<int>(state->ranks.size()) : 0;
    int alive = 0, built = 0;
    if (known)
        for (const run::RankState& rank : state->ranks) {
            alive += rank.process.pid > 0 || rank.state != "starting";
            built += !rank.phase.empty() && rank.phase != "init";
        }
    const int ranks = run.facts() ? run.facts()->ranks : std::max(1, all);
    const bool program = run.isProgram();
    QVector<StartStage> stages{
        {program ? tr("write the run folder") : tr("check the recipe and write the run folder"),
         run.facts().has_value(), false},
        {tr("start %Ln ranks", nullptr, ranks), all > 0 && alive == all, false},
        {program ? tr("first output") : tr("build the model and open the data on %Ln ranks", nullptr, ranks),
         program ? run.hasOutput() : all > 0 && built == all, false},
        {program ? tr("running", "stage of a program") : tr("first step"),
         program ? run.stage() == RunStage::Finished : run.hasSteps(), false}};
    // The journal tells when each began; the newest start counts.
    const auto when = [&run](const char* beginning) {
        for (const std::size_t position : run.eventsOf("phase") | std::views::reverse)
            if (const run::Event& event = run.events()[position]; event.text.text().starts_with(beginning))
                return event.time;
        return 0.0;
    };
    const double up = when("connecting"), builds = when("building");
    stages[0].began = known ? state->created : 0;
    stages[0].ended = stages[1].began = known ? state->started : 0;
    stages[1].ended = up > 0 ? up : builds;
    stages[2].began = builds;
    for (const auto& [place, so_far] : {std::pair(1, alive), std::pair(2, built)}) {
        stages[place].ranks = so_far;
        stages[place].of = place == 2 && program ? 0 : all;
    }
    if (program)
        stages[1].ended = stages[2].began = stages[3].began = known ? state->started : 0;
    for (int i = static_cast<int>(stages.size()) - 1; i > 0; --i)
        stages[i - 1].done = stages[i - 1].done || stages[i].done;
    if (const auto next = std::ranges::find(stages, false, &StartStage::done); next != stages.end())
        next->current = true;
    return stages;
}

}  // namespace trainyard::desktop
