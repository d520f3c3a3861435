// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/run_scanner.h"

#include <algorithm>

#include "base/clock.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/regular_file.h"
#include "base/text.h"
#include "desktop/runs/metrics_summary.h"
#include "desktop/text/qt_text.h"
#include "run/spec_keys.h"
#include "run/trash.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {
constexpr int kLiveInterval = 250;
constexpr int kIdleInterval = 1000;
constexpr int kReadBudgetMs = 150;       ///< of event files a scan, so that states stay fresh
constexpr int kSaveIntervalMs = 20'000;  ///< of the cache while much is read
constexpr std::uint64_t kReadBytes = 2ull << 20;
constexpr std::uint64_t kLargestSpec = 4ull << 20;
constexpr double kListAgain = 5;    ///< seconds; where times of folders do not tell
constexpr std::size_t kTurn = 200;  ///< runs that are over, looked at in one scan

std::uint64_t folderTime(const fs::path& folder) {
    std::error_code error;
    const auto time = fs::last_write_time(folder, error);
    return error ? 0 : static_cast<std::uint64_t>(time.time_since_epoch().count());
}

double fileAge(const fs::path& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    return error ? 0 : std::chrono::duration<double>(fs::file_time_type::clock::now() - time).count();
}
}  // namespace

bool isRun(const fs::path& folder) {
    std::error_code ignored;
    const run::RunPaths paths(folder);
    return fs::exists(paths.spec(), ignored) || fs::exists(paths.state(), ignored);
}

RunScanner::RunScanner(fs::path root, fs::path cache)
    : root_(std::move(root)), host_(host_name()), cache_(std::move(cache)) {
    qRegisterMetaType<trainyard::desktop::RunSummaries>();
    qRegisterMetaType<trainyard::run::Labels>("trainyard::run::Labels");
}

RunScanner::~RunScanner() {
    doWishes();
    cache_.save();
}

void RunScanner::ask(Wish wish) {
    const std::lock_guard lock(mutex_);
    wishes_.push_back(std::move(wish));
}

void RunScanner::doWishes() {
    std::vector<Wish> wishes;
    {
        const std::lock_guard lock(mutex_);
        wishes.swap(wishes_);
    }
    for (const Wish& wish : wishes)
        wish(*this);
}

int RunScanner::read() {
    if (!saved_.isValid()) {
        cache_.load();
        saved_.start();
    }
    doWishes();
    return scan();
}

std::vector<fs::path> RunScanner::watched() const {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const Root& root : roots_)
        if (fs::is_directory(root.path, error))
            folders.push_back(root.path);
    for (const Entry* entry : order_)
        if (entry->shown.isLive())
            folders.push_back(entry->path);
    return folders;
}

void RunScanner::setRoot(const QString& root) {
    root_ = root.toStdString();
    entries_.clear();
    order_.clear();
    roots_.clear();
    first_ = true;
}

void RunScanner::setMore(const QStringList& roots, const QStringList& imported) {
    more_roots_ = roots;
    imported_ = imported;
    roots_.clear();
}

void RunScanner::adopt(const fs::path& path, EntryKind kind) {
    if (const auto known = entries_.find(path.string()); known != entries_.end()) {
        if (known->second.kind == kind)
            return;
        entries_.erase(known);  // it went or came back
    }
    Entry& entry = entries_[path.string()];
    entry.path = path;
    entry.kind = kind;
    entry.tailDone = entry.metricsLooked = kind == EntryKind::Missing;
    entry.shown.path = qt(path.string());
    entry.shown.id = qt(path.filename().string());
    entry.shown.ownName = entry.shown.name =
        kind == EntryKind::Run ? nameFromId(path.filename().string()) : entry.shown.id;
    reorder_ = true;
}

/// Adds the paths that the user opened or watches. Paths of other hosts are skipped.
void RunScanner::adoptNamed(const QStringList& paths, EntryKind kind, std::set<std::string>& present) {
    for (const QString& named : paths) {
        const fs::path path = named.toStdString();
        std::error_code ignored;
        if (!path.is_absolute() || present.contains(path.string()))
            continue;
        const bool there = fs::exists(path, ignored);
        if (there && kind == EntryKind::Missing)
            continue;
        adopt(path, there ? kind : EntryKind::Missing);
        present.insert(path.string());
    }
}

void RunScanner::listRoot(Root& root, std::set<std::string>& present) {
    const std::uint64_t time = folderTime(root.path);
    const double now = wall_seconds();
    // A folder that is created in the same clock tick as the listing does not change the modification time.
    const bool listed = root.mark == time && time != 0 && now - root.listed < kListAgain && fileAge(root.path) > 2;
    if (listed) {
        for (auto it = root.strangers.begin(); it != root.strangers.end();)
            if (isRun(*it)) {
                adopt(*it, EntryKind::Run);
                it = root.strangers.erase(it);
            } else {
                ++it;
            }
        for (const auto& [path, entry] : entries_)
            if (entry.kind == EntryKind::Run && entry.path.parent_path() == root.path)
                present.insert(path);
        return;
    }
    root.mark = time;
    root.listed = now;
    root.strangers.clear();
    std::error_code error;
    for (fs::directory_iterator folder(root.path, error), end; !error && folder != end; folder.increment(error)) {
        std::error_code ignored;
        const fs::path& path = folder->path();
        if (path.filename().string().starts_with(".") || !folder->is_directory(ignored))
            continue;
        if (entries_.contains(path.string()) ? fs::exists(path, ignored) : isRun(path)) {
            adopt(path, EntryKind::Run);
            present.insert(path.string());
        } else {
            root.strangers.insert(path.string());
        }
    }
    root.problem.clear();
    if (error)
        keepRunsOf(root, error, present);
}

/// A folder that is missing or cannot be read, for example on a disk that is not connected, does not empty the list. A
/// runs folder without runs is not missed, and another one that is missing is a row.
void RunScanner::keepRunsOf(Root& root, const std::error_code& error, std::set<std::string>& present) {
    const bool missing = error == std::errc::no_such_file_or_directory;
    bool has_runs = false;
    for (const auto& [path, entry] : entries_)
        has_runs = has_runs || (entry.kind == EntryKind::Run && entry.path.parent_path() == root.path);
    if (missing && (!has_runs || root.path != root_))
        return;
    for (const auto& [path, entry] : entries_)
        if (entry.kind == EntryKind::Run && entry.path.parent_path() == root.path)
            present.insert(path);
    const QString folder = qt(root.path.string());
    root.problem = missing ? tr("%1 was not found: it was moved or deleted, or its disk is not connected.").arg(folder)
                           : tr("%1 cannot be read: %2.").arg(folder, qt(error.message()));
    if (has_runs)
        root.problem += QLatin1Char(' ') + tr("Its runs are shown as they were read last.");
}

bool RunScanner::isCutOff(const Entry& entry) const {
    return entry.kind == EntryKind::Run && std::ranges::any_of(roots_, [&entry](const Root& root) {
               return !root.problem.isEmpty() && entry.path.parent_path() == root.path;
           });
}

void RunScanner::tellProblems() {
    QStringList problems;
    for (const Root& root : roots_)
        if (!root.problem.isEmpty())
            problems << root.problem;
    if (const QString told = problems.join(QLatin1Char('\n')); told != told_) {
        told_ = told;
        emit foldersUnreadable(told);
    }
}

void RunScanner::look(Entry& entry, double now) {
    const run::RunPaths paths(entry.path);
    const std::uint64_t state_mark = fileMark(paths.state());
    const std::uint64_t labels_mark = fileMark(run::labels_file(paths));
    bool changed = std::exchange(entry.fresh, false) || entry.shown.isLive();
    if (state_mark != entry.stateMark) {
        entry.stateMark = state_mark;
        changed = true;
        try {
            entry.state = run::read_state(paths);
            if (entry.state)
                entry.clock.hear(entry.state->heartbeat);
            entry.problem = {};
        } catch (const UserError& problem) {
            entry.state.reset();
            entry.problem = problem.message();
        }
    }
    if (labels_mark != entry.labelsMark) {
        entry.labelsMark = labels_mark;
        entry.labels = run::labels_or_none(paths);
        changed = true;
    }
    if (!changed)
        return;
    const RunSummary before = entry.shown;
    summarize(entry, now);
    if (entry.shown != before)
        dirty_ = true;
}

void RunScanner::lookAtImported(Entry& entry) {
    // An imported folder may have a hundred thousand files: scanning it takes at most one twentieth of the time.
    const double begin = monotonic_seconds();
    if (!entry.fresh && begin < entry.lookAgain)
        return;
    std::error_code ignored;
    const std::uint64_t mark = fs::is_directory(entry.path, ignored) ? folderMark(entry.path) : fileMark(entry.path);
    const double end = monotonic_seconds();
    entry.lookAgain = end + 20 * (end - begin);
    const bool grown = mark != entry.stateMark;
    entry.stateMark = mark;
    if (!std::exchange(entry.fresh, false) && !grown)
        return;
    entry.tailDone = false;
    entry.shown.phase = RunPhase::Imported;
    entry.shown.created = wall_seconds() - fileAge(entry.path);
    entry.shown.hosts.clear();
    dirty_ = true;
}

void RunScanner::lookAtMissing(Entry& entry) {
    if (!std::exchange(entry.fresh, false))
        return;
    entry.shown.phase = RunPhase::Missing;
    entry.shown.failure =
        tr("%1 was not found: it was moved or deleted, or its disk is not connected.").arg(entry.shown.path);
    dirty_ = true;
}

int RunScanner::scan() {
    if (roots_.empty()) {
        roots_.push_back({root_, 0, 0, {}});
        for (const QString& more : std::as_const(more_roots_))
            if (more.toStdString() != root_)
                roots_.push_back({more.toStdString(), 0, 0, {}});
    }
    std::set<std::string> present;
    for (Root& root : roots_)
        listRoot(root, present);
    tellProblems();
    adoptNamed(imported_, EntryKind::Imported, present);
    adoptNamed(more_roots_, EntryKind::Missing, present);
    const auto gone = std::erase_if(entries_, [&](const auto& entry) { return !present.contains(entry.first); });
    if (gone > 0)
        reorder_ = true;
    if (reorder_)
        numberNewOnes();

    const double now = wall_seconds();
    const std::size_t most = first_ ? order_.size() : kTurn;
    for (std::size_t i = 0; i < order_.size(); ++i) {
        Entry& entry = *order_[i];
        const bool in_turn = (i + order_.size() - turn_ % order_.size()) % order_.size() < most;
        if ((!entry.fresh && !entry.shown.isLive() && !in_turn) || isCutOff(entry))
            continue;
        switch (entry.kind) {
            case EntryKind::Run:
                look(entry, now);
                break;
            case EntryKind::Imported:
                lookAtImported(entry);
                break;
            case EntryKind::Missing:
                lookAtMissing(entry);
                break;
        }
    }
    if (!order_.empty())
        turn_ = (turn_ + most) % order_.size();
    // Publish names and states first; settings and curves of many runs take longer.
    publish(first_);
    first_ = false;
    const bool more = followMetrics();
    publish(false);
    if (!more || saved_.elapsed() > kSaveIntervalMs) {
        cache_.save();
        saved_.restart();
    }
    const bool live =
        std::any_of(order_.begin(), order_.end(), [](const Entry* entry) { return entry->shown.isLive(); });
    return more ? 0 : live ? kLiveInterval : kIdleInterval;
}

void RunScanner::numberNewOnes() {
    reorder_ = false;
    dirty_ = true;
    order_.clear();
    for (auto& [path, entry] : entries_)
        order_.push_back(&entry);
    // Names of folders begin with the time; the path decides between two of one name.
    std::sort(order_.begin(), order_.end(), [](const Entry* a, const Entry* b) {
        const std::string left = a->path.filename().string();
        const std::string right = b->path.filename().string();
        return left != right ? left > right : a->path > b->path;
    });
    int highest = cache_.highestOrder();
    std::set<QString> ids;
    for (auto it = order_.rbegin(); it != order_.rend(); ++it) {
        Entry& entry = **it;
        CachedRun& cached = cache_.run(entry.path.string());
        if (cached.order == 0) {
            cached.order = ++highest;
            cache_.changed();
        }
        entry.shown.order = cached.order;
        entry.shown.number = entry.shown.color > 0 ? entry.shown.color : cached.order;
        entry.shown.id = qt(entry.path.filename().string());
        if (!ids.insert(entry.shown.id).second)
            entry.shown.id = entry.shown.path;
    }
}

void RunScanner::readConfig(Entry& entry) {
    const run::RunPaths paths(entry.path);
    const std::uint64_t mark = entry.kind == EntryKind::Run ? fileMark(paths.spec()) : 0;
    if (mark == entry.configMark)
        return;
    entry.configMark = mark;
    CachedRun& cached = cache_.run(entry.path.string());
    if (cached.configMark != mark || !cached.config) {
        QVector<ConfigEntry> config;
        try {
            for (const auto& [key, text] : run::flat_keys(read_regular_file(paths.spec(), kLargestSpec))) {
                ConfigEntry one{qt(key), qt(text)};
                bool ok = false;
                const double number = one.text.toDouble(&ok);
                if (ok)
                    one.number = number;
                config << one;
            }
        } catch (const UserError&) {
            // The dashboard reports the error of the file; here its columns are empty.
        }
        cached.configMark = mark;
        cached.config = std::make_shared<const RunConfig>(std::move(config));
        cache_.changed();
    }
    entry.shown.config = cached.config;
    dirty_ = true;
}

bool RunScanner::followMetrics() {
    QElapsedTimer clock;
    clock.start();
    // First take the metrics of all runs that are in the cache.
    for (Entry* entry : order_) {
        if (isCutOff(*entry))
            continue;
        if (std::exchange(entry->metricsLooked, true))
            continue;
        readConfig(*entry);
        const fs::path folder = entry->kind == EntryKind::Run ? run::RunPaths(entry->path).metrics() : entry->path;
        const CachedRun* cached = cache_.find(entry->path.string());
        if (!entry->shown.isLive() && cached != nullptr && cached->metrics &&
            cached->metricsMark == folderMark(folder)) {
            entry->shown.metrics = cached->metrics;
            entry->shown.spark = cached->spark;
            if (entry->kind == EntryKind::Imported && cached->configMark == cached->metricsMark)
                entry->shown.config = cached->config;
            entry->tailDone = true;
            dirty_ = true;
        }
        if (clock.elapsed() > 2 * kReadBudgetMs)
            return true;
    }
    bool behind = false;
    for (Entry* at : order_) {
        Entry& entry = *at;
        if (isCutOff(entry))
            continue;
        if (entry.shown.isLive() && entry.tailDone)  // the run was resumed after its end
            entry.tailDone = false;
        if (entry.tailDone)
            continue;
        if (clock.elapsed() > kReadBudgetMs)
            return true;
        const fs::path folder = entry.kind == EntryKind::Run ? run::RunPaths(entry.path).metrics() : entry.path;
        const bool over = !entry.shown.isLive();
        const std::uint64_t mark = over ? folderMark(folder) : 0;
        if (!entry.tail) {
            readConfig(entry);
            entry.tail = std::make_unique<MetricsSummary>(folder, entry.kind == EntryKind::Imported);
        }
        const bool more = entry.tail->poll(kReadBytes);
        behind = behind || more;
        if (more) {
            entry.shown.spark = entry.tail->lossPoints(entry.shown.of);
            entry.shown.metrics = entry.tail->metrics();
            if (entry.kind == EntryKind::Imported)
                takeLabels(entry);
            dirty_ = true;
        }
        if (!over || more)
            continue;
        if (const QString problem = entry.tail->problems().join(QLatin1Char('\n'));
            problem != entry.shown.metricsProblem) {
            entry.shown.metricsProblem = problem;
            dirty_ = true;
        }
        if (!entry.shown.metrics) {  // it has none, and that is known now
            entry.shown.metrics = entry.tail->metrics();
            dirty_ = true;
        }
        if (entry.shown.metricsProblem.isEmpty()) {  // else it is read and told again at the next start
            CachedRun& cached = cache_.run(entry.path.string());
            cached.metrics = entry.tail->metrics();
            cached.metricsMark = mark;
            cached.spark = entry.shown.spark;
            if (entry.kind == EntryKind::Imported) {
                cached.config = entry.shown.config;
                cached.configMark = entry.shown.config ? mark : 0;
            }
            cache_.changed();
        }
        entry.tail.reset();
        entry.tailDone = true;
    }
    return behind;
}

/// The name, tags, note and hyper-parameters that another program wrote with its logs.
void RunScanner::takeLabels(Entry& entry) {
    const LogLabels& labels = entry.tail->labels();
    RunSummary& shown = entry.shown;
    shown.config = entry.tail->config();
    shown.ownName = shown.name =
        labels.name.empty() ? qt(entry.path.filename().string()) : qt(text::printable(labels.name));
    shown.note = qt(labels.note);
    shown.tags.clear();
    for (const std::string& tag : labels.tags)
        shown.tags << qt(text::printable(tag));
}

void RunScanner::publish(bool always) {
    if (!always && !dirty_)
        return;
    dirty_ = false;
    RunSummaries runs;
    runs.reserve(static_cast<qsizetype>(order_.size()));
    for (const Entry* entry : order_)
        runs << entry->shown;
    emit scanned(runs);
}

void RunScanner::writeLabels(const QString& path, const run::Labels& labels, int ticket) {
    try {
        run::write_labels(run::RunPaths(path.toStdString()), labels);
    } catch (const UserError& error) {
        emit failed(qtSentence(message_of(error)));
    }
    if (const auto at = entries_.find(path.toStdString()); at != entries_.end()) {
        at->second.labelsMark = 0;  // read again, whatever came of it
        at->second.fresh = true;
        look(at->second, wall_seconds());
    }
    publish(true);
    emit labelsWritten(ticket);
}

void RunScanner::moveToTrash(const QStringList& paths) {
    QStringList moved, where;
    QStringList problems;
    for (const QString& path : paths)
        try {
            where << qt(run::move_to_trash(run::RunPaths(path.toStdString())).string());
            moved << path;
        } catch (const UserError& error) {
            problems << qtSentence(message_of(error));
        }
    // Report the new path before the run disappears from the list, so that an immediate undo finds it.
    if (!moved.isEmpty())
        emit trashed(moved, where);
    for (Root& root : roots_)
        root.listed = 0;
    scan();
    if (!problems.isEmpty())
        emit failed(problems.join(QLatin1Char('\n')));
}

void RunScanner::restore(const QStringList& trashed) {
    for (const QString& folder : trashed)
        try {
            run::restore_from_trash(folder.toStdString());
        } catch (const UserError& error) {
            emit failed(qtSentence(message_of(error)));
        }
    for (Root& root : roots_)
        root.listed = 0;
    scan();
    emit restored();
}

}  // namespace trainyard::desktop
