// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/alarm_service.h"

#include "alarms/targets.h"
#include "base/error.h"
#include "desktop/alarms/desktop_notifier.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/view_state.h"
#include "desktop/text/qt_text.h"
#include "run/request_body.h"
#include "widgets/timers.h"

namespace trainyard::desktop {

namespace {

const QString kAlarmSettings = QStringLiteral("settings/alarms");
const QString kAlarmRules = QStringLiteral("rules");
constexpr const char* kAlarmSender = "alarm of the desktop";
constexpr const char* kAlarmOrder = "alarms.json";  // one write after the other

NoticeKind kind_of_end(const RunSummary& run) {
    const bool lost = run.phase == RunPhase::Lost || run.phase == RunPhase::Abandoned;
    return lost ? NoticeKind::Lost : run.hasFailed() ? NoticeKind::Failed : NoticeKind::Finished;
}

/// Records an alarm as a note among the events of the run, so that it can be found later. Without write access to the
/// run, nothing is recorded.
void write_note(const QString& path, const Message& message, std::int64_t step) {
    run::NoteRequest note{Message("alarm: {}", message), {}};
    if (step >= 0)
        note.step = step;
    const run::RunPaths run(path.toStdString());
    const auto drop = [run, request = run::make_request(note, kAlarmSender)] {
        try {
            run::drop_request(run, request);
        } catch (const std::exception&) {
        }
    };
    widgets::Executor::instance().run(drop, widgets::Executor::Kind::Computes, path.toStdString());
}

}  // namespace

struct AlarmService::Seen {
    std::map<QString, alarms::RunLook::Signs> signs;
};

AlarmService::AlarmService(RunStore* store, QObject* parent)
    : QObject(parent), store_(store), notifier_(new DesktopNotifier(this)) {
    widgets::act_every(timer_, kInterval, this, &AlarmService::look);
    clock_.start();
    connect(store_, &RunStore::changed, this, [this] {
        if (store_->liveCount() > 0)
            widgets::start_unless_active(timer_);
    });
    connect(store_, &RunStore::runEnded, this, &AlarmService::ended);
    connect(notifier_, &DesktopNotifier::openRequested, this, &AlarmService::openRequested);
}

AlarmService::~AlarmService() = default;

AlarmRules AlarmService::rules() {
    return AlarmRules().with(ViewState::instance().value(kAlarmSettings, kAlarmRules).toObject());
}

void AlarmService::setRules(const AlarmRules& rules) {
    const alarms::Rules before = AlarmService::rules().sent();
    ViewState::instance().set(kAlarmSettings, kAlarmRules, rules.toJson());
    if (before == rules.sent())
        return;
    const auto write = [before, sent = rules.sent()] {
        try {
            alarms::Settings settings = alarms::load_settings();
            // The file may have been edited: only what was changed here is written.
            for (std::size_t i = 0; i < kNoticeKinds; ++i)
                if (before.limits[i] != sent.limits[i])
                    settings.rules.limits[i] = sent.limits[i];
            if (before.metrics != sent.metrics)
                settings.rules.metrics = sent.metrics;
            alarms::save_settings(settings);
        } catch (const UserError&) {
            // The list of targets shows what is wrong with the file.
        }
    };
    widgets::Executor::instance().run(write, widgets::Executor::Kind::Computes, kAlarmOrder);
}

AlarmRules AlarmService::rulesOf(const QString& runPath) {
    return rules().with(ViewState::instance().value(runPath, QStringLiteral("alarms")).toObject());
}

void AlarmService::setRulesOf(const QString& runPath, const AlarmRules& own) {
    const QJsonObject differences = own.toJson(rules());
    ViewState::instance().set(runPath, QStringLiteral("alarms"), differences);
    const auto write = [run = run::RunPaths(runPath.toStdString()),
                        sent = differences.isEmpty() ? std::nullopt : std::optional(own.sent())] {
        try {
            alarms::save_rules_of(run, sent);
        } catch (const UserError&) {
            // Without write access to the run, the rules of all runs apply to what is sent.
        }
    };
    widgets::Executor::instance().run(write, widgets::Executor::Kind::Computes, kAlarmOrder);
}

bool AlarmService::wantsEnd(const RunSummary& run) {
    return rulesOf(run.path).rule(kind_of_end(run)).loudness != Loudness::Off;
}

void AlarmService::look() {
    if (looking_)
        return;
    std::map<QString, std::pair<std::shared_ptr<alarms::RunLook>, std::vector<alarms::MetricRule>>> looks;
    for (const RunSummary& run : store_->runs()) {
        if (!run.isLive() || run.phase == RunPhase::Queued)
            continue;
        auto& look = looks_[run.path];
        if (!look)
            look = std::make_shared<alarms::RunLook>(run::RunPaths(run.path.toStdString()));
        looks[run.path] = {look, rulesOf(run.path).metrics()};
    }
    std::erase_if(looks_, [&](const auto& one) { return !looks.contains(one.first); });
    if (looks.empty())
        return timer_.stop();
    looking_ = true;
    job_.submit(
        [looks] {
            Seen seen;
            for (const auto& [path, look] : looks)
                seen.signs[path] = look.first->look(look.second);
            return seen;
        },
        [this](const Seen& seen) {
            looking_ = false;
            take(seen);
        },
        [this](const QString&) { looking_ = false; });
}

void AlarmService::take(const Seen& seen) {
    for (const RunSummary& run : store_->runs()) {
        const auto signs = seen.signs.find(run.path);
        if (signs == seen.signs.end() || !run.isLive())
            continue;
        RunSight sight;
        sight.path = run.path;
        sight.name = run.name;
        sight.trains = run.phase == RunPhase::Running || run.phase == RunPhase::Stalled;
        sight.step = run.step;
        sight.loss = run.loss;
        sight.tokens_per_s = run.tokensPerSecond;
        sight.disk_free = signs->second.disk_free;
        sight.memory_share = signs->second.memory_share;
        sight.metrics = signs->second.metrics;
        sight.events = signs->second.events;
        const AlarmRules rules = rulesOf(run.path);
        for (Notice& notice : watch_.observe(sight, rules, static_cast<double>(clock_.elapsed()) / 1000)) {
            write_note(notice.path, notice.message, notice.step);
            tell(notice, rules);
        }
    }
}

void AlarmService::ended(const RunSummary& run) {
    watch_.forget(run.path);
    const NoticeKind kind = kind_of_end(run);
    // The list of notifications has its own line for the end of a run.
    if (rulesOf(run.path).rule(kind).loudness == Loudness::Desktop)
        notifier_->show(run.name, run.hasFailed() && !run.failure.isEmpty() ? run.failure : run.message, run.path,
                        kind != NoticeKind::Finished);
}

void AlarmService::tell(const Notice& notice, const AlarmRules& rules) {
    emit noticed(notice);
    if (rules.rule(notice.kind).loudness == Loudness::Desktop)
        notifier_->show(notice.name, qtSentence(notice.message), notice.path, true);
}

}  // namespace trainyard::desktop
