// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarms/watcher.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>

#include "alarms/rule_watch.h"
#include "alarms/run_look.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/process.h"
#include "run/listing.h"
#include "run/state.h"

namespace trainyard::alarms {

namespace {

constexpr std::size_t kMostWaiting = 200;  // alarms of a target that does not answer

Sight sight_of(const run::RunState& state, RunLook::Signs signs) {
    Sight sight;
    const bool paused = std::ranges::find(state.ranks, "paused", &run::RankState::phase) != state.ranks.end();
    sight.trains = state.status == run::Status::running && !paused;
    sight.step = state.progress.step;
    sight.loss = state.progress.loss;
    sight.tokens_per_s = state.progress.tokens_per_s;
    sight.disk_free = signs.disk_free;
    sight.memory_share = signs.memory_share;
    sight.metrics = std::move(signs.metrics);
    sight.events = std::move(signs.events);
    return sight;
}

Notice notice_of_end(const run::RunState& state, bool is_lost) {
    if (is_lost)
        return {NoticeKind::Lost, run::shown_message(state, wall_seconds()), state.progress.step};
    if (state.status != run::Status::failed)
        return {NoticeKind::Finished, state.message, state.progress.step};
    return {NoticeKind::Failed, state.first_failure ? state.first_failure->message : state.message,
            state.progress.step};
}

class Watcher {
  public:
    Watcher(const run::RunPaths& run, const WatchOptions& options) : run_(run), options_(options), look_(run) {}

    void watch() {
        for (;;) {
            take_settings();
            if (couriers_.empty())
                return;  // nothing is sent; the window starts this again when a target is added
            const std::optional<run::RunState> state = read();
            if (!state) {  // the folder is gone or was never complete
                if (++unreadable_ > 5)
                    break;
            } else {
                unreadable_ = 0;
                const bool is_lost = run::is_lost(*state, wall_seconds());
                if (!is_lost && state->status != run::Status::queued)
                    for (const Notice& notice :
                         rule_watch_.observe(sight_of(*state, look_.look(rules_.metrics)), rules_, monotonic_seconds()))
                        send(*state, notice);
                if (is_lost || run::is_over(state->status)) {
                    if (const Notice end = notice_of_end(*state, is_lost); rules_.limit(end.kind))
                        send(*state, end);
                    break;
                }
            }
            const bool waits = state && state->status == run::Status::queued;
            std::this_thread::sleep_for(std::chrono::duration<double>(waits ? options_.queued_s : options_.look_s));
        }
        const double until = monotonic_seconds() + options_.after_end_s;
        for (auto& [name, courier] : couriers_)
            if (const std::size_t left = courier->finish(std::max(0.0, until - monotonic_seconds())); left > 0)
                report(Message("{} alarms were not sent to {}", left, name));
    }

  private:
    std::optional<run::RunState> read() {
        try {
            return run::read_state(run_);
        } catch (const UserError&) {
            return std::nullopt;  // while it is replaced
        }
    }

    /// Targets and rules may change while the run is active.
    void take_settings() {
        try {
            const Settings settings = load_settings();
            rules_ = rules_of(run_, settings);
            for (const Target& target : settings.targets) {
                auto& courier = couriers_[target.name];
                if (!target.enabled || (courier && courier->target() == target))
                    continue;
                courier = std::make_unique<Courier>(target, options_, [this](const Message& words) { report(words); });
            }
            std::erase_if(couriers_, [&](const auto& one) {
                const Target* target = settings.find(one.first);
                return one.second == nullptr || target == nullptr || !target->enabled;
            });
            complained_ = false;
        } catch (const UserError& error) {
            if (!std::exchange(complained_, true))
                report(Message("alarms are not sent: {}", error.message()));
        }
    }

    void send(const run::RunState& state, const Notice& notice) {
        std::string name = run::labels_or_none(run_).name;
        if (name.empty())
            name = state.name;
        Alarm alarm;
        alarm.kind = kind_key(notice.kind);
        alarm.title = fmt::format("{}: {}", name, kind_title(notice.kind).text());
        alarm.text = notice.message.text();
        alarm.run = run_.id();
        alarm.name = name;
        alarm.host = host_name();
        alarm.folder = run_.root().string();
        alarm.step = notice.step;
        alarm.time = wall_seconds();
        for (auto& [target, courier] : couriers_)
            courier->send(alarm);
    }

    /// An event of the run, so that it is in its list and its window.
    void report(const Message& words) {
        run::Event event;
        event.time = wall_seconds();
        event.kind = "warning";
        event.text = words;
        try {
            run::append_event(run_, event);
        } catch (const std::exception&) {
            // The folder is gone or its disk is full: there is no other place to report it.
        }
    }

    const run::RunPaths run_;
    const WatchOptions options_;
    RunLook look_;
    RuleWatch rule_watch_;
    Rules rules_;
    std::map<std::string, std::unique_ptr<Courier>> couriers_;
    bool complained_ = false;
    int unreadable_ = 0;
};

}  // namespace

Courier::Courier(Target target, const WatchOptions& options, std::function<void(const Message&)> report)
    : target_(std::move(target)),
      options_(options),
      report_(std::move(report)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

Courier::~Courier() = default;

void Courier::send(const Alarm& alarm) {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= kMostWaiting)
        ++left_out_;
    else
        queue_.push_back(alarm);
    changed_.notify_all();
}

std::size_t Courier::finish(double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return queue_.empty() && !is_working_; });
    return queue_.size() + left_out_;
}

bool Courier::wait(const std::stop_token& stop, double seconds) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
    return !stop.stop_requested();
}

void Courier::work(const std::stop_token& stop) {
    bool silent = false;
    double retry = options_.first_retry_s;
    while (true) {
        Alarm alarm;
        {
            std::unique_lock lock(mutex_);
            is_working_ = false;
            changed_.notify_all();
            if (!changed_.wait(lock, stop, [this] { return !queue_.empty(); }))
                return;
            const double now = monotonic_seconds();
            while (!sent_.empty() && sent_.front() <= now - options_.hour_s)
                sent_.pop_front();
            alarm = queue_.front();
            if (sent_.size() >= static_cast<std::size_t>(target_.per_hour)) {
                queue_.pop_front();
                ++left_out_;
                continue;
            }
            is_working_ = true;
            if (left_out_ > 0)
                alarm.text += fmt::format("\n({} alarms before this one were not sent: the limit is {} in an hour.)",
                                          left_out_, target_.per_hour);
        }
        const Delivery delivery = deliver(target_, alarm, options_.limits, stop);
        if (delivery.problem.empty()) {
            const std::lock_guard lock(mutex_);
            queue_.pop_front();
            left_out_ = 0;
            sent_.push_back(monotonic_seconds());
            silent = false;
            retry = options_.first_retry_s;
            continue;
        }
        // One event for each time that it stops answering, not one for each attempt.
        if (!std::exchange(silent, true))
            report_(delivery.may_retry ? Message("the alarm was not sent to {}: {}; it is sent again later",
                                                 target_.name, delivery.problem)
                                       : Message("the alarm was not sent to {}: {}", target_.name, delivery.problem));
        if (!delivery.may_retry) {
            const std::lock_guard lock(mutex_);
            queue_.pop_front();
            continue;
        }
        if (!wait(stop, std::exchange(retry, std::min(2 * retry, options_.last_retry_s))))
            return;
    }
}

bool watch_run(const run::RunPaths& run, const WatchOptions& options) {
    const FileDescriptor lock(
        ::open((run.root() / "alarms.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!lock)
        throw UserError("cannot watch run {}: its folder cannot be written", run.id());
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0)
        return false;
    Watcher(run, options).watch();
    return true;
}

}  // namespace trainyard::alarms
