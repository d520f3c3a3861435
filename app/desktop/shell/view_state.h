// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The last state of each view: zoom, units, smoothing, pins, ticks, filters, the open page. One JSON object per key
// (the key of a source, or the name of a page), in $XDG_STATE_HOME/trainyard/views. Written kDelay after a change to a
// temporary file that is then renamed, so that SIGKILL loses no more than that. A file that cannot be read is renamed
// to .bad and reported once (complaint()).
//
//     auto& views = ViewState::instance();
//     table_->setSort(views.value("place/runs", "sort").toString());            // when the view is made
//     views.set("place/runs", "sort", words);                                   // on every change, cheap
//
// The first access to a key reads a file of a few KB from the local disk (at most kLargestFile); writing happens in a
// thread. If there are more than kMostKeys keys, those that were not used for the longest time are deleted. GUI thread
// only.

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QStringList>
#include <QTimer>

#include "widgets/job.h"

namespace trainyard::desktop {

/// `$XDG_STATE_HOME/trainyard`, else `~/.local/state/trainyard`.
QString stateFolder();

/// The strings of a stored JSON array; other values are skipped.
QStringList stringsOf(const QJsonValue& array);

class ViewState : public QObject {
    Q_OBJECT
  public:
    static constexpr int kDelay = 200;                  // ms between a change and the file
    static constexpr qint64 kLargestFile = 512 * 1024;  // bytes
    static constexpr int kMostKeys = 500;

    /// The instance of this process.
    static ViewState& instance();
    explicit ViewState(const QString& folder, QObject* parent = nullptr);
    ~ViewState() override;  ///< writes pending changes

    QJsonValue value(const QString& key, const QString& name) { return view(key).value(name); }
    QJsonObject view(const QString& key);
    /// An undefined or null value removes the name; an empty object removes the key.
    void set(const QString& key, const QString& name, const QJsonValue& value);
    void setView(const QString& key, const QJsonObject& view);
    /// Writes pending changes and waits for them, with a time-out for a disk that hangs. For the end of the program and
    /// for tests.
    void flush();
    /// Discards the state in memory and reads from another folder, for tests.
    void setFolder(const QString& folder);
    QString folder() const { return folder_; }
    QStringList complaints() const { return complaints_; }

  signals:
    void complaint(const QString& sentence);

  private:
    QString fileOf(const QString& key) const;
    QJsonObject read(const QString& key);
    void save();
    void complain(const QString& sentence);

    QString folder_;
    QHash<QString, QJsonObject> views_;
    QStringList changed_;  ///< keys in the order of their last changes, which is that of the files: a kill in between
                           ///< loses the newest changes, not an older one that they depend on
    QStringList complaints_;
    QTimer timer_;
    widgets::Job writing_;
};

}  // namespace trainyard::desktop
