#pragma once
// How things were last looked at: zoom, units, smoothing, pins, ticks, filters, the open place. One JSON object per key (the key of a
// source, or the name of a place), in $XDG_STATE_HOME/trainyard/views. Written kDelay after a change, aside and renamed, so that SIGKILL
// loses no more than that; a file that cannot be read is kept as .bad and told once (complaint()).
//
//     auto& views = ViewState::instance();
//     table_->setSort(views.value("place/runs", "sort").toString());            // when the view is made
//     views.set("place/runs", "sort", words);                                   // on every change, cheap
//
// Reading a key for the first time reads a file of a few KB on the local disk (at most kLargestFile); writing happens in a thread. Keys
// that were not used for long are forgotten beyond kMostKeys. GUI thread only.

#include <QHash>
#include <QJsonObject>
#include <QObject>
#include <QSet>
#include <QStringList>
#include <QTimer>

#include "widgets/job.h"

namespace trainyard::desktop {

/// `$XDG_STATE_HOME/trainyard`, else `~/.local/state/trainyard`.
QString stateFolder();

/// The words of an array as it was kept; what is no word is left out.
QStringList stringsOf(const QJsonValue& array);

class ViewState : public QObject {
    Q_OBJECT
  public:
    static constexpr int kDelay = 200;                  // ms between a change and the file
    static constexpr qint64 kLargestFile = 512 * 1024;  // bytes
    static constexpr int kMostKeys = 500;

    /// Of this process.
    static ViewState& instance();
    explicit ViewState(const QString& folder, QObject* parent = nullptr);
    ~ViewState() override;  ///< writes what is due

    QJsonValue value(const QString& key, const QString& name) { return view(key).value(name); }
    QJsonObject view(const QString& key);
    /// An undefined or null value removes the name; an empty object removes the key.
    void set(const QString& key, const QString& name, const QJsonValue& value);
    void setView(const QString& key, const QJsonObject& view);
    /// Writes what is due and waits for it, not for long on a disk that hangs. At the end of the program and in tests.
    void flush();
    /// Forgets what is in memory and reads from another folder: for tests.
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
    QSet<QString> changed_;
    QStringList complaints_;
    QTimer timer_;
    widgets::Job writing_;
};

}  // namespace trainyard::desktop
