// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads folders of runs in the thread pool (sources/read_pool.h): state.json and labels.json of each run when they
// change, run.yaml once, and its event files for the small curve and the metrics. Polls (every 250 ms while a run is
// active, else every 1 s; works on every file system) and is woken by inotify. Active runs are checked each time and
// others in turn, so that ten thousand ended runs cost little. Also writes labels and moves runs to the trash, so that
// these changes and the published lists are in order.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <QElapsedTimer>
#include <QObject>
#include <QStringList>

#include "desktop/runs/host_clock.h"
#include "desktop/runs/run_summary.h"
#include "desktop/runs/summary_cache.h"
#include "desktop/sources/read_pool.h"
#include "run/state.h"

namespace trainyard::desktop {

class MetricsSummary;

/// Returns whether the folder is a run: it has a run.yaml or a state.json.
bool isRun(const std::filesystem::path& folder);

class RunScanner : public QObject, public PooledReader {
    Q_OBJECT
  public:
    using Wish = std::function<void(RunScanner&)>;
    explicit RunScanner(std::filesystem::path root, std::filesystem::path cache = SummaryCache::usualFile());
    ~RunScanner() override;  ///< executes the pending requests
    /// Name of the machine of the window in RunSummary::hosts.
    static QString thisMachine();

    /// Queues a request, which the scanning thread executes before the next scan. May be called from any thread.
    void ask(Wish wish);
    int read() override;
    std::vector<std::filesystem::path> watched() const override;
    bool hearsWrites() const override { return false; }

    // The following functions are called by requests:
    void setRoot(const QString& root);
    /// Sets folders of runs besides the root, and folders of other programs' logs (one row each).
    void setMore(const QStringList& roots, const QStringList& imported);
    void writeLabels(const QString& path, const trainyard::run::Labels& labels, int ticket);
    void moveToTrash(const QStringList& paths);
    void restore(const QStringList& trashed);

  signals:
    /// All runs, newest first. Sent after the first scan and whenever something has changed.
    void scanned(const trainyard::desktop::RunSummaries& runs);
    void labelsWritten(int ticket);
    /// Runs were moved from `paths` to `where`. failed() reports errors.
    void trashed(const QStringList& paths, const QStringList& where);
    void restored();
    void failed(const QString& sentence);
    /// Folders of runs that cannot be read at present, or an empty sentence. Sent when it changes.
    void foldersUnreadable(const QString& sentence);

  private:
    enum class EntryKind {
        Run,
        Imported,  ///< logs of other programs
        Missing,   ///< a path that the user opened or watches and that does not exist
    };
    struct Entry {
        std::filesystem::path path;
        EntryKind kind = EntryKind::Run;
        std::uint64_t stateMark = 0, labelsMark = 0, configMark = 0;
        std::optional<run::RunState> state;
        Message problem;
        run::Labels labels;
        std::unique_ptr<MetricsSummary> tail;  ///< until everything of a run that is over has been read
        bool tailDone = false;
        bool metricsLooked = false;  ///< whether the cache has them
        std::int64_t step = -1;      ///< when last seen to change
        double stepAt = 0;           ///< monotonic seconds
        HostClock clock;
        double lookAgain = 0;  ///< monotonic seconds; for logs of other programs
        bool fresh = true;
        RunSummary shown;
    };
    struct Root {
        std::filesystem::path path;
        std::uint64_t mark = 0;
        double listed = 0;                ///< wall seconds
        std::set<std::string> strangers;  ///< folders that are not runs (yet)
        QString problem = {};             ///< why it cannot be read; its runs stay as they were read last
    };

    void doWishes();
    int scan();  ///< returns the milliseconds until the next one
    void listRoot(Root& root, std::set<std::string>& present);
    void keepRunsOf(Root& root, const std::error_code& error, std::set<std::string>& present);
    bool isCutOff(const Entry& entry) const;
    void tellProblems();
    void adopt(const std::filesystem::path& path, EntryKind kind);
    void adoptNamed(const QStringList& paths, EntryKind kind, std::set<std::string>& present);
    void look(Entry& entry, double now);
    void lookAtImported(Entry& entry);
    void lookAtMissing(Entry& entry);
    void summarize(Entry& entry, double now) const;
    /// `20261121-074512-gpt2-perldoc-4f2a` without time and digits, for a run whose state cannot be read.
    static QString nameFromId(const std::string& id);
    RunPhase phaseOf(const Entry& entry, double now) const;
    bool followMetrics();
    void readConfig(Entry& entry);
    void takeLabels(Entry& entry);
    void numberNewOnes();
    void publish(bool always);

    std::mutex mutex_;
    std::vector<Wish> wishes_;
    std::filesystem::path root_;
    QStringList more_roots_, imported_;
    std::string host_;
    std::vector<Root> roots_;
    std::map<std::string, Entry> entries_;  ///< by path
    std::vector<Entry*> order_;             ///< newest first
    std::size_t turn_ = 0;                  ///< of those that are over
    SummaryCache cache_;
    QElapsedTimer saved_;
    bool dirty_ = false;
    bool reorder_ = false;
    bool first_ = true;
    QString told_;  ///< by foldersUnreadable()
};

}  // namespace trainyard::desktop
