#include "desktop/dashboard/stage_words.h"

#include <algorithm>
#include <cmath>

#include <QDateTime>
#include <QLocale>

#include "desktop/qt_text.h"
#include "desktop/translate.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Chip;
using widgets::Token;

Chip stage_chip(const RunRecord& run) {
    switch (run.stage()) {
        case RunStage::Loading:
            return {tr("Reading"), QStringLiteral("clock"), Token::TextSecondary};
        case RunStage::Missing:
            return {tr("Missing"), QStringLiteral("warn"), Token::Error};
        case RunStage::Queued:
            return {run.state()->queue_place > 0 ? tr("Queued, number %1").arg(run.state()->queue_place) : tr("Queued"),
                    QStringLiteral("pause"), Token::Info};
        case RunStage::Abandoned:
            return {tr("Queued, no process waits"), QStringLiteral("warn"), Token::Warn};
        case RunStage::Preparing:
            return {tr("Preparing"), QStringLiteral("clock"), Token::Info};
        case RunStage::Starting:
            return {tr("Launching"), QStringLiteral("clock"), Token::Info};
        case RunStage::Running:
            if (run.isPaused())
                return {tr("Paused"), QStringLiteral("pause"), Token::Warn};
            return {tr("Running"), QStringLiteral("play"), Token::Ok};
        case RunStage::Stopping: {
            const int all = static_cast<int>(run.state()->ranks.size());
            return {all > 0 ? tr("Stopping, %1 of %2 ranks gone").arg(run.ranksGone()).arg(all) : tr("Stopping"),
                    QStringLiteral("stop"), Token::Warn};
        }
        case RunStage::Finished:
            return {tr("Finished"), QStringLiteral("check"), Token::TextSecondary};
        case RunStage::Stopped:
            return {tr("Stopped"), QStringLiteral("stop"), Token::Warn};
        case RunStage::Failed:
            return {tr("Failed"), QStringLiteral("error"), Token::Error};
        case RunStage::Lost:
            return {tr("Lost"), QStringLiteral("warn"), Token::Error};
    }
    return {};
}

QString facts_line(const RunRecord& run, double now) {
    QStringList words;
    if (const auto& facts = run.facts()) {
        words << tr("%n ranks", nullptr, facts->ranks);
        if (facts->hosts > 1)
            words << tr("%n hosts", nullptr, facts->hosts);
        words << facts->device;
        if (!facts->precision.isEmpty())
            words << facts->precision;
        if (facts->parameters > 0)
            words << tr("%1 parameters").arg(widgets::value_number(static_cast<double>(facts->parameters), 3));
    }
    if (const auto& state = run.state()) {
        const double begin = state->started > 0 ? state->started : state->created;
        if (state->ended)
            words << (state->started > 0 ? tr("took %1") : tr("waited %1"))
                         .arg(widgets::duration_words(*state->ended - begin))
                  << tr("ended %1").arg(clock_text(*state->ended, now));
        else if (begin > 0 && run.isLive())
            words << (run.stage() == RunStage::Queued ? tr("queued %1 ago") : tr("started %1 ago"))
                         .arg(whole_seconds(now - begin));
        if (state->restarts > 0)
            words << tr("%n restarts", nullptr, state->restarts);
    }
    if (run.facts() && !run.facts()->resumed_from.isEmpty())
        words << tr("resumed from %1").arg(run.facts()->resumed_from);
    return words.join(QStringLiteral("  ·  "));
}

QString rank_state_word(const std::string& state) {
    // Written out for lupdate; as small as in a table.
    const std::pair<std::string_view, QString> words[] = {
        {"starting", tr("starting", "state of a rank")}, {"running", tr("running", "state of a rank")},
        {"finished", tr("finished", "state of a rank")}, {"failed", tr("failed", "state of a rank")},
        {"killed", tr("killed", "state of a rank")},     {"lost", tr("lost", "state of a rank")}};
    const auto* found = std::ranges::find(words, state, &std::pair<std::string_view, QString>::first);
    return found != std::end(words) ? found->second : qt(state);
}

QString phase_word(const std::string& phase) {
    const std::pair<std::string_view, QString> words[] = {
        {"init", tr("init", "phase of a rank")},         {"data", tr("data", "phase of a rank")},
        {"forward", tr("forward", "phase of a rank")},   {"backward", tr("backward", "phase of a rank")},
        {"reduce", tr("reduce", "phase of a rank")},     {"optimizer", tr("optimizer", "phase of a rank")},
        {"evaluate", tr("evaluate", "phase of a rank")}, {"save", tr("save", "phase of a rank")},
        {"paused", tr("paused", "phase of a rank")}};
    const auto* found = std::ranges::find(words, phase, &std::pair<std::string_view, QString>::first);
    return found != std::end(words) ? found->second : qt(phase);
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

QString StartStage::told(double now) const {
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
    // The ranks' phases tell how far the slowest one is: init until it has its model and data, then the phases of a step.
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
    QVector<StartStage> stages{
        {tr("check the recipe and write the run folder"), run.facts().has_value(), false},
        {tr("start %n ranks", nullptr, ranks), all > 0 && alive == all, false},
        {tr("build the model and open the data on %n ranks", nullptr, ranks), all > 0 && built == all, false},
        {tr("first step"), run.hasSteps(), false}};
    // The journal tells when each began; the newest start counts.
    const auto when = [&run](const char* beginning) {
        double time = 0;
        for (const run::Event& event : run.events())
            if (event.kind == "phase" && event.text.starts_with(beginning))
                time = event.time;
        return time;
    };
    const double up = when("connecting"), builds = when("building");
    stages[0].began = known ? state->created : 0;
    stages[0].ended = stages[1].began = known ? state->started : 0;
    stages[1].ended = up > 0 ? up : builds;
    stages[2].began = builds;
    for (const auto& [place, so_far] : {std::pair(1, alive), std::pair(2, built)}) {
        stages[place].ranks = so_far;
        stages[place].of = all;
    }
    for (int i = static_cast<int>(stages.size()) - 1; i > 0; --i)
        stages[i - 1].done = stages[i - 1].done || stages[i].done;
    for (StartStage& stage : stages)
        if (!stage.done) {
            stage.current = true;
            break;
        }
    return stages;
}

}  // namespace trainyard::desktop
