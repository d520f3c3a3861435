#pragma once
// Reads the folder of runs in a thread of its own: state.json of each run when it has changed, and the train loss out of
// its event files for the small curve. Polls (250 ms while a run lives, 1 s else; works on every file system) and is
// woken by inotify. Only what changed is read again.

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "desktop/runs/run_summary.h"
#include "run/state.h"

namespace trainyard::desktop {

class LossTail;

class RunScanner : public QObject {
    Q_OBJECT
  public:
    explicit RunScanner(std::filesystem::path root);
    ~RunScanner() override;

  public slots:
    void start();
    void setRoot(const QString& root);
    void scan();

  signals:
    /// All runs, newest first. Sent after the first scan and whenever something has changed.
    void scanned(const trainyard::desktop::RunSummaries& runs);

  private:
    struct Entry {
        std::filesystem::file_time_type written{};
        std::uintmax_t size = 0;
        std::optional<run::RunState> state;
        std::string problem;
        std::unique_ptr<LossTail> tail;  ///< until everything of a run that is over has been read
        bool tail_done = false;
        RunSummary shown;
    };

    void readState(const std::filesystem::path& run, Entry& entry);
    RunSummary summarize(const std::filesystem::path& run, const Entry& entry, double now) const;
    void followLosses();
    void publish(bool always);

    std::filesystem::path root_;
    std::string host_;
    std::map<std::string, Entry> entries_;  ///< by run id, so oldest first
    QFileSystemWatcher* watcher_ = nullptr;
    QTimer* timer_ = nullptr;
    RunSummaries last_;
    bool first_ = true;
};

}  // namespace trainyard::desktop
