#include "desktop/runs/run_scanner.h"

#include <algorithm>

#include <QElapsedTimer>

#include "base/clock.h"
#include "base/error.h"
#include "desktop/runs/loss_tail.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {
constexpr int kLiveInterval = 250;
constexpr int kIdleInterval = 1000;
constexpr int kReadBudgetMs = 150;  ///< of event files a scan, so that states stay fresh
constexpr std::uint64_t kReadBytes = 2ull << 20;

RunPhase phaseOf(const run::RunState& state, double now) {
    if (run::is_lost(state, now))
        return RunPhase::Lost;
    switch (state.status) {
        case run::Status::preparing:
            return RunPhase::Preparing;
        case run::Status::starting:
            return RunPhase::Starting;
        case run::Status::running:
            return RunPhase::Running;
        case run::Status::stopping:
            return RunPhase::Stopping;
        case run::Status::finished:
            return RunPhase::Finished;
        case run::Status::failed:
            return RunPhase::Failed;
        case run::Status::stopped:
            return RunPhase::Stopped;
    }
    return RunPhase::Unreadable;
}

/// `20261121-074512-gpt2-perldoc-4f2a` without time and digits, for a run whose state cannot be read.
QString nameFromId(const std::string& id) {
    const QStringList parts = QString::fromStdString(id).split(QLatin1Char('-'));
    return parts.size() > 3 ? parts.mid(2, parts.size() - 3).join(QLatin1Char('-')) : QString::fromStdString(id);
}
}  // namespace

RunScanner::RunScanner(fs::path root) : root_(std::move(root)), host_(host_name()) {
    qRegisterMetaType<trainyard::desktop::RunSummaries>();
}

RunScanner::~RunScanner() = default;

void RunScanner::start() {
    watcher_ = new QFileSystemWatcher(this);
    connect(watcher_, &QFileSystemWatcher::directoryChanged, this, [this] {
        // Several changes come together: one scan for all of them.
        if (timer_->remainingTime() > 30)
            timer_->start(30);
    });
    timer_ = new QTimer(this);
    timer_->setSingleShot(true);
    connect(timer_, &QTimer::timeout, this, &RunScanner::scan);
    scan();
}

void RunScanner::setRoot(const QString& root) {
    root_ = root.toStdString();
    entries_.clear();
    last_.clear();
    first_ = true;
    if (!watcher_->directories().isEmpty())
        watcher_->removePaths(watcher_->directories());
    scan();
}

void RunScanner::readState(const fs::path& run, Entry& entry) {
    const fs::path file = run::RunPaths(run).state();
    std::error_code error;
    const auto written = fs::last_write_time(file, error);
    const auto size = error ? 0 : fs::file_size(file, error);
    if (!error && written == entry.written && size == entry.size)
        return;
    entry.written = written;
    entry.size = size;
    try {
        entry.state = run::read_state(run::RunPaths(run));
        entry.problem.clear();
    } catch (const UserError& problem) {
        entry.state.reset();
        entry.problem = problem.what();
    }
}

RunSummary RunScanner::summarize(const fs::path& run, const Entry& entry, double now) const {
    RunSummary summary = entry.shown;
    summary.id = QString::fromStdString(run.filename().string());
    summary.path = QString::fromStdString(run.string());
    if (!entry.state) {
        summary.name = nameFromId(run.filename().string());
        summary.phase = entry.problem.empty() ? RunPhase::Preparing : RunPhase::Unreadable;
        summary.failure = QString::fromStdString(entry.problem);
        return summary;
    }
    const run::RunState& state = *entry.state;
    summary.name = QString::fromStdString(state.name);
    summary.phase = phaseOf(state, now);
    summary.step = state.progress.step;
    summary.of = state.progress.of;
    summary.loss = state.progress.loss;
    summary.validationLoss = state.progress.validation_loss;
    summary.tokensPerSecond = state.progress.tokens_per_s;
    summary.eta = state.progress.eta_s;
    summary.created = state.created;
    summary.started = state.started;
    summary.ended = state.ended;
    summary.heartbeat = state.heartbeat;
    summary.ranks = static_cast<int>(state.ranks.size());
    summary.hosts.clear();
    for (const run::RankState& rank : state.ranks) {
        const QString host = rank.host.empty() || rank.host == host_ || rank.host == "localhost"
                                 ? tr("this machine")
                                 : QString::fromStdString(rank.host);
        if (!summary.hosts.contains(host))
            summary.hosts << host;
    }
    summary.message = QString::fromStdString(state.message);
    summary.failure = state.first_failure ? QString::fromStdString(state.first_failure->message) : QString();
    if (summary.phase == RunPhase::Lost && summary.failure.isEmpty())
        summary.failure = tr("Nobody looks after this run any more: its supervisor is gone.");
    return summary;
}

void RunScanner::scan() {
    std::error_code error;
    std::map<std::string, fs::path> found;
    for (const fs::directory_entry& folder : fs::directory_iterator(root_, error)) {
        std::error_code ignored;
        const fs::path& path = folder.path();
        if (!folder.is_directory(ignored) || path.filename().string().starts_with("."))
            continue;
        const run::RunPaths paths(path);
        if (fs::exists(paths.spec(), ignored) || fs::exists(paths.state(), ignored))
            found.emplace(path.filename().string(), path);
    }
    std::erase_if(entries_, [&](const auto& entry) { return !found.contains(entry.first); });
    const double now = wall_seconds();
    int number = 0;
    for (const auto& [id, path] : found) {
        Entry& entry = entries_[id];
        readState(path, entry);
        entry.shown = summarize(path, entry, now);
        entry.shown.number = ++number;
    }
    // The names and states first: the curves of many runs take longer.
    publish(first_);
    first_ = false;
    followLosses();
    publish(false);

    QStringList wanted;
    bool live = false;
    if (fs::is_directory(root_, error))
        wanted << QString::fromStdString(root_.string());
    for (const auto& [id, entry] : entries_)
        if (entry.shown.isLive()) {
            live = true;
            wanted << entry.shown.path;
        }
    for (const QString& path : watcher_->directories())
        if (!wanted.contains(path))
            watcher_->removePath(path);
    for (const QString& path : std::as_const(wanted))
        if (!watcher_->directories().contains(path))
            watcher_->addPath(path);
    timer_->start(live ? kLiveInterval : kIdleInterval);
}

void RunScanner::followLosses() {
    QElapsedTimer clock;
    clock.start();
    for (auto it = entries_.rbegin(); it != entries_.rend(); ++it) {
        Entry& entry = it->second;
        if (entry.tail_done)
            continue;
        if (clock.elapsed() > kReadBudgetMs)
            return;
        const bool over = !entry.shown.isLive();
        if (!entry.tail)
            entry.tail = std::make_unique<LossTail>(run::RunPaths(entry.shown.path.toStdString()).metrics());
        const bool more = entry.tail->poll(kReadBytes);
        if (more)
            entry.shown.spark = entry.tail->points(entry.shown.of);
        if (over && !more) {
            entry.tail.reset();
            entry.tail_done = true;
        }
    }
}

void RunScanner::publish(bool always) {
    RunSummaries runs;
    runs.reserve(static_cast<qsizetype>(entries_.size()));
    for (auto it = entries_.rbegin(); it != entries_.rend(); ++it)
        runs << it->second.shown;
    if (!always && runs == last_)
        return;
    last_ = runs;
    emit scanned(runs);
}

}  // namespace trainyard::desktop
