#pragma once
// All logs below a folder as sources: every folder that holds TensorBoard files is one (all files together, as TensorBoard does), every file
// of another format that looks like metrics is one (metrics_tail.h names them), named by its path below the folder that was
// opened. New ones are found while the tree lives; a source stays when its files go (it complains). The path of a single file is a tree
// of one source. Scanning happens in the pool. GUI thread.

#include <filesystem>
#include <unordered_map>
#include <vector>

#include <QObject>
#include <QStringList>

#include "desktop/sources/log_record.h"

namespace trainyard::desktop {

class LogTree : public QObject {
    Q_OBJECT
  public:
    static constexpr int kDeepest = 16;  ///< folders below the root
    static constexpr std::size_t kMostFolders = 100'000;
    static constexpr std::size_t kMostSources = 5'000;

    explicit LogTree(const QString& root, QObject* parent = nullptr);

    void start();
    /// Whether sources are started as they are found (else whoever shows one starts it). Set before start(); on by default.
    void setReadsAll(bool on) { reads_all_ = on; }

    QString root() const { return QString::fromStdString(root_.string()); }
    /// In the order in which they were found: within one scan by name. Only ever grows.
    const std::vector<LogRecord*>& sources() const { return sources_; }
    LogRecord* source(const QString& key) const;
    bool isScanned() const { return scanned_; }  ///< the first scan has ended
    bool isCaughtUp() const;                     ///< and every source that was started has been read
    /// Of the scan (a folder that cannot be read, a limit that was reached), one sentence each; sources have their own.
    QStringList complaints() const { return complaints_; }

  signals:
    void sourcesAdded(int first, int count);
    void scanned();
    void caughtUp();
    void complaintsChanged();

  private:
    class Scanner;
    struct Found;
    void take(const std::vector<Found>& found, const QStringList& complaints, bool is_last);

    std::filesystem::path root_;
    bool reads_all_ = true;
    bool scanned_ = false;
    std::size_t caught_up_ = 0;  ///< sources
    std::vector<LogRecord*> sources_;
    std::unordered_map<std::string, LogRecord*> by_place_;
    QStringList complaints_;
    widgets::Mailbox mailbox_;
    PooledWork scanning_;
};

}  // namespace trainyard::desktop
