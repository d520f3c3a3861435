#pragma once
// Reads folders of runs in the threads of the pool (sources/read_pool.h): state.json and labels.json of each run when they have changed, run.yaml once, and its
// event files for the small curve and the metrics. Polls (250 ms while a run lives, 1 s else; works on every file system) and is woken by
// inotify. Live runs are looked at each time, the others in turn, so that ten thousand that are over cost nothing. The one who
// writes labels and moves runs to the trash, too: what it published before and after is in order.

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

#include "desktop/runs/run_summary.h"
#include "desktop/runs/summary_cache.h"
#include "desktop/sources/read_pool.h"
#include "run/state.h"

namespace trainyard::desktop {

class MetricsSummary;

/// A run lies in this folder: its run.yaml or state.json is there.
bool isRun(const std::filesystem::path& folder);

class RunScanner : public QObject, public PooledReader {
    Q_OBJECT
  public:
    using Wish = std::function<void(RunScanner&)>;
    explicit RunScanner(std::filesystem::path root, std::filesystem::path cache = SummaryCache::usualFile());
    ~RunScanner() override;  ///< does what is still wished
    /// What RunSummary::hosts calls the machine the window runs on.
    static QString thisMachine();

    /// Before the next scan, in the thread that scans; from any thread.
    void ask(Wish wish);
    int read() override;
    std::vector<std::filesystem::path> watched() const override;
    bool hearsWrites() const override { return false; }

    // Of wishes:
    void setRoot(const QString& root);
    /// Folders of runs beside the root, and folders of other programs' logs (each one row).
    void setMore(const QStringList& roots, const QStringList& imported);
    void writeLabels(const QString& path, const trainyard::run::Labels& labels, int ticket);
    void moveToTrash(const QStringList& paths);
    void restore(const QStringList& trashed);

  signals:
    /// All runs, newest first. Sent after the first scan and whenever something has changed.
    void scanned(const trainyard::desktop::RunSummaries& runs);
    void labelsWritten(int ticket);
    /// From where to where; what could not be done is told by failed().
    void trashed(const QStringList& paths, const QStringList& where);
    void restored();
    void failed(const QString& sentence);

  private:
    enum class EntryKind {
        Run,
        Imported,  ///< logs of others
        Missing,   ///< what people opened or watch and is not there
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
        double stepAt = 0;
        double lookAgain = 0;  ///< monotonic seconds; of logs of others
        bool fresh = true;
        RunSummary shown;
    };
    struct Root {
        std::filesystem::path path;
        std::uint64_t mark = 0;
        double listed = 0;                ///< wall seconds
        std::set<std::string> strangers;  ///< folders that are no runs yet
    };

    void doWishes();
    int scan();  ///< returns the milliseconds until the next one
    void listRoot(Root& root, std::set<std::string>& present);
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
};

}  // namespace trainyard::desktop
