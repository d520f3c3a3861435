// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_record.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/printable.h"
#include "desktop/dashboard/main_metric.h"
#include "desktop/dashboard/run_feed.h"
#include "desktop/dashboard/run_lineage.h"
#include "desktop/dashboard/tags.h"
#include "desktop/text/qt_text.h"
#include "run/idle_time.h"

namespace trainyard::desktop {

namespace {
/// In the order of run::Status.
constexpr RunStage kStages[] = {RunStage::Queued,   RunStage::Preparing, RunStage::Starting, RunStage::Running,
                                RunStage::Stopping, RunStage::Finished,  RunStage::Failed,   RunStage::Stopped};
static_assert(std::size(kStages) == static_cast<std::size_t>(run::Status::stopped) + 1);
}  // namespace

std::vector<std::string> hosts_of(const std::vector<run::RankState>& ranks) {
    std::vector<std::string> hosts;
    for (const run::RankState& rank : ranks)
        if (std::ranges::find(hosts, rank.host) == hosts.end())
            hosts.push_back(rank.host);
    return hosts;
}

RunRecord::RunRecord(run::RunPaths run, QObject* parent)
    : CurveSource(parent), paths_(run), feed_(std::make_unique<RunFeed>(std::move(run))), main_tag_(tag::kTrainLoss) {
    for (const char* kind : {"checkpoint", "nan", "phase", "profile", "restart", "resume"})
        positions_[kind];
    connect(feed_.get(), &RunFeed::batch, this, [this](const RunBatchPtr& batch) { take(*batch); });
}

RunRecord::~RunRecord() = default;

void RunRecord::start() {
    feed_->start();
}

void RunRecord::ask(const run::RequestBody& request) {
    feed_->ask(run::make_request(request, "desktop"));
}

void RunRecord::take(const RunBatch& batch) {
    // Curves first: receivers of stateChanged() may read them.
    const CurveStore::News news_of_curves = store_.take(batch.curves);
    const bool missing_changed = batch.missing != missing_;
    missing_ = batch.missing;
    const bool caught_up_now = batch.caught_up && !caught_up_;
    caught_up_ = caught_up_ || batch.caught_up;
    if (batch.facts)
        facts_ = batch.facts;
    if (news_of_curves.tags || batch.facts || caught_up_now)
        findMainTag();
    const bool first_output = !has_output_ && batch.log &&
                              (!batch.log->live.empty() ||
                               std::ranges::any_of(batch.log->lines, [](const auto& line) { return line.rank >= 0; }));
    has_output_ = has_output_ || first_output;
    if (batch.facts)
        emit factsChanged();
    if (batch.state) {
        state_ = batch.state;
        status_ = batch.status;
        disk_full_ = batch.disk_full;
        if (!isLive())
            pending_.clear();
    }
    if (batch.state || caught_up_now || missing_changed || first_output)
        emit stateChanged();
    if (news_of_curves.tags) {
        counters_.look(store_);
        emit tagsChanged();
    }
    if (news_of_curves.curves) {
        // The first step after a start ends the idle time.
        if (idle_ && std::isinf(idle_->back().second))
            findIdle();
        emit curvesChanged();
    }
    if (news_of_curves.media)
        emit mediaChanged();
    if (!batch.inherited.empty() || !batch.events.empty()) {
        events_.insert(events_.begin(), batch.inherited.begin(), batch.inherited.end());
        events_.insert(events_.end(), batch.events.begin(), batch.events.end());
        indexEvents(batch.inherited.empty() ? events_.size() - batch.events.size() : 0);
        findIdle();
        emit eventsChanged();
    }
    if (batch.checkpoints) {
        checkpoints_ = *batch.checkpoints;
        emit stateChanged();
    }
    if (batch.problems) {
        problems_ = *batch.problems;
        emit problemsChanged();
        emit complaintsChanged();
    }
    if (batch.classes) {
        classes_ = batch.classes;
        emit classesChanged();
    }
    if (batch.log)
        emit logCame(batch.log);
    for (const RequestNews& news : batch.requests) {
        if (news.stage == RequestNews::Stage::Answered)
            pending_.erase(news.kind);
        else
            pending_[news.kind] = news;
        emit requestChanged(news);
    }
}

RunStage RunRecord::stage() const {
    if (!state_)
        return missing_ ? RunStage::Missing : RunStage::Loading;
    if (status_ == "abandoned")
        return RunStage::Abandoned;
    if (status_ == "lost")
        return RunStage::Lost;
    return kStages[static_cast<std::size_t>(state_->status)];
}

bool RunRecord::isLive() const {
    return state_ && status_ != "lost" && status_ != "abandoned" && !run::is_over(state_->status);
}

QString RunRecord::key() const {
    return qt(paths_.root().string());
}

QStringList RunRecord::complaints() const {
    QStringList sentences;
    for (const Message& problem : problems_)
        sentences += qtSentence(problem);
    return sentences;
}

widgets::XScale RunRecord::scale(widgets::XUnit unit) const {
    widgets::XScale scale;
    scale.unit = unit;
    if (facts_ && facts_->lineage_start > 0)
        scale.start = facts_->lineage_start;
    else if (state_ && state_->started > 0)
        scale.start = state_->started;
    else if (const widgets::Series& loss = series(main_tag_); !loss.empty())
        scale.start = loss.wallTime(0);
    counters_.fill(scale, store_);
    if (facts_ && facts_->tokens_per_step > 0)
        scale.tokens_per_step = facts_->tokens_per_step;
    if (unit == widgets::XUnit::Epoch && state_ && state_->progress.epoch > 0 && state_->progress.step > 0)
        scale.steps_per_epoch = static_cast<double>(state_->progress.step) / state_->progress.epoch;
    if (scale.isTime()) {
        scale.idle = idle_;
        scale.idle_left_out = unit == widgets::XUnit::Time && active_time_;
    }
    return scale;
}

void RunRecord::setActiveTime(bool active) {
    if (std::exchange(active_time_, active) != active)
        emit curvesChanged();
}

void RunRecord::findMainTag() {
    main_tag_ = tag::kTrainLoss;
    if (isProgram() && series(main_tag_).empty())
        if (const std::vector<std::string> metrics = metrics_of(*this); !metrics.empty())
            main_tag_ = metrics.front();
}

void RunRecord::indexEvents(std::size_t first) {
    if (first == 0)
        for (auto& [kind, positions] : positions_)
            positions.clear();
    for (std::size_t i = first; i < events_.size(); ++i)
        if (const auto kind = positions_.find(events_[i].kind); kind != positions_.end())
            kind->second.push_back(i);
}

void RunRecord::findIdle() {
    std::vector<std::size_t> order;
    for (const char* kind : {"phase", "restart", "resume"})
        order.insert(order.end(), eventsOf(kind).begin(), eventsOf(kind).end());
    std::ranges::sort(order);
    const widgets::Series& loss = series("train/loss");
    widgets::XScale wall;
    wall.unit = widgets::XUnit::Wall;
    widgets::IdleTimes idle;
    for (const std::size_t position : order) {
        const run::Event& event = events_[position];
        if (event.kind == "phase") {
            if (run::ends_pause(event) && !idle.empty() && event.time < idle.back().second)
                idle.back().second = event.time;
            else if (run::begins_pause(event) && (idle.empty() || idle.back().second <= event.time))
                idle.emplace_back(event.time, HUGE_VAL);
        } else {
            // A pause ends with its ranks. Nothing is trained until the next step.
            if (!idle.empty() && idle.back().second > event.time)
                idle.back().second = event.time;
            const std::size_t next = loss.lowerBound(event.time, wall);
            // Nothing was trained between the end of a run and the start of the run that was resumed from it.
            if (event.kind == "resume") {
                const double last = next > 0 ? loss.wallTime(next - 1) : event.time;
                if (idle.empty() || idle.back().second <= last)
                    idle.emplace_back(last, next < loss.size() ? loss.wallTime(next) : HUGE_VAL);
                continue;
            }
            idle.emplace_back(event.time, next < loss.size() ? loss.wallTime(next) : HUGE_VAL);
        }
    }
    if (idle.empty() != (idle_ == nullptr) || (idle_ && *idle_ != idle))
        idle_ = idle.empty() ? nullptr : std::make_shared<const widgets::IdleTimes>(std::move(idle));
}

QString RunRecord::name() const {
    if (state_ && !state_->name.empty())
        return qt(text::printable(state_->name));
    return qt(text::printable(paths_.id()));
}

std::int64_t RunRecord::step() const {
    std::int64_t step = state_ ? state_->progress.step : 0;
    if (const widgets::Series& loss = series(main_tag_); !loss.empty())
        step = std::max(step, loss.step(loss.size() - 1));
    return step;
}

std::int64_t RunRecord::steps() const {
    if (state_ && state_->progress.of > 0)
        return state_->progress.of;
    return facts_ ? facts_->steps : 0;
}

double RunRecord::share() const {
    return steps() > 0 ? std::min(1.0, static_cast<double>(step()) / static_cast<double>(steps())) : 0;
}

std::optional<double> RunRecord::timeLeft() const {
    return isLive() ? state_->progress.eta_s : std::nullopt;
}

double RunRecord::peakRate() const {
    for (auto event = events_.rbegin(); event != events_.rend(); ++event)
        if (event->kind == "rate" && event->value > 0)
            return event->value;
    return facts_ ? facts_->peak_rate : 0;
}

double RunRecord::rate() const {
    const widgets::Series& rates = series(tag::kLearningRate);
    return rates.empty() ? 0 : rates.value(rates.size() - 1);
}

bool RunRecord::hasSteps() const {
    const widgets::Series& loss = series(main_tag_);
    return !loss.empty() && (!facts_ || loss.step(loss.size() - 1) > facts_->seam);
}

const SavedCheckpoint* RunRecord::bestCheckpoint() const {
    std::int64_t best = -1;
    double lowest = HUGE_VAL;
    for (const run::Event& event : events_) {
        const bool kept = std::ranges::find(checkpoints_, event.step, &SavedCheckpoint::step) != checkpoints_.end();
        if (event.kind == "best" && kept) {
            best = event.step;
            lowest = -HUGE_VAL;  // the run's own report has priority over its evaluations
        } else if (event.kind == "evaluation" && kept && event.value != 0 && event.value < lowest) {
            best = event.step;
            lowest = event.value;
        }
    }
    const auto found = std::ranges::find(checkpoints_, best, &SavedCheckpoint::step);
    return found == checkpoints_.end() ? nullptr : &*found;
}

bool RunRecord::isPaused() const {
    return isLive() && std::ranges::find(state_->ranks, "paused", &run::RankState::phase) != state_->ranks.end();
}

std::int64_t RunRecord::lastCheckpoint() const {
    std::int64_t last = -1;
    for (const std::size_t position : eventsOf("checkpoint"))
        last = std::max(last, events_[position].step);
    return last;
}

int RunRecord::ranksGone() const {
    if (!state_)
        return 0;
    return static_cast<int>(std::count_if(state_->ranks.begin(), state_->ranks.end(), [](const run::RankState& rank) {
        return rank.exit_code || rank.signal || rank.state == "finished" || rank.state == "failed" ||
               rank.state == "killed";
    }));
}

double RunRecord::peakMemory(int rank) const {
    double bytes = 0;
    if (state_)
        if (const auto one = std::ranges::find(state_->ranks, rank, &run::RankState::rank); one != state_->ranks.end())
            bytes = static_cast<double>(one->resident_bytes);
    const widgets::Series& memory = series("system/resident_bytes#" + std::to_string(rank));
    if (const widgets::Extremes found = memory.extremes(0, memory.size()); found.found)
        bytes = std::max(bytes, found.high);
    return bytes;
}

std::pair<int, double> RunRecord::largestMemory() const {
    std::pair<int, double> largest{-1, 0};
    if (state_)
        for (const run::RankState& rank : state_->ranks)
            if (const double bytes = peakMemory(rank.rank); bytes > largest.second)
                largest = {rank.rank, bytes};
    return largest;
}

}  // namespace trainyard::desktop
