// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All logs below a folder as sources. Each folder with TensorBoard files is one source (all its files together, as in
// TensorBoard, with hyper-parameters of hparams_folders.h), and each file of another format that looks like metrics is
// one (metrics_tail.h lists the formats).
// Sources are named by their path relative to the opened folder. New ones are found while the tree exists; a source
// stays when its files are deleted, with a message. The path of a single file is a tree of one source. Scanning runs in
// the pool. GUI thread.

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

    QString root() const { return QString::fromStdString(root_.string()); }
    /// Sources in the order in which they were found, within one scan by name. Sources are never removed.
    const std::vector<LogRecord*>& sources() const { return sources_; }
    LogRecord* source(const QString& key) const;
    bool isScanned() const { return scanned_; }  ///< the first scan is complete
    bool isCaughtUp() const;                     ///< also, every started source has been read
    /// Problems of the scan (an unreadable folder, an exceeded limit), one sentence each; sources have their own.
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
    bool scanned_ = false;
    std::size_t caught_up_ = 0;  ///< sources
    std::vector<LogRecord*> sources_;
    std::unordered_map<std::string, LogRecord*> by_place_;
    QStringList complaints_;
    widgets::Mailbox mailbox_;
    PooledWork scanning_;
};

}  // namespace trainyard::desktop
