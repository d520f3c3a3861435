// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps the draft over restarts in $XDG_STATE_HOME/trainyard/drafts/current.json (0600): written 1 s after a change in
// another thread, read at the start. A file that cannot be read becomes current.json.bad, and is said once. Drafts that
// were set aside for another one are files of their own next to it.

#include <QJsonObject>
#include <QObject>
#include <QTimer>
#include <QVector>

#include "desktop/wizard/run_draft.h"
#include "widgets/job.h"

namespace trainyard::desktop {

/// A draft that was set aside.
struct ParkedDraft {
    QString file;
    QString name;
    double time = 0;  ///< when it was set aside, in seconds since 1970
    bool operator==(const ParkedDraft&) const = default;
};

class DraftKeeper : public QObject {
    Q_OBJECT
  public:
    explicit DraftKeeper(RunDraft* draft, QObject* parent = nullptr);
    /// Writes what is not written yet.
    ~DraftKeeper() override;

    /// Reads the kept draft; then restored() or nothing(), and complaint() when the file was bad.
    void start();
    /// Page, mode: whatever the page wants back.
    void setPlace(const QJsonObject& place);
    void changed();
    bool isReading() const { return reading_.isRunning(); }
    static QString file();

    /// Writes the draft to a file of its own under this name.
    void park(const QString& name);
    /// Reads the drafts that were set aside, the newest first. Blocks.
    static QVector<ParkedDraft> readParked();
    /// Newest first.
    const QVector<ParkedDraft>& parked() const { return parked_; }
    /// Reads a parked draft into the form and removes its file; then restored(), or complaint().
    void resume(const QString& file);
    void discard(const QString& file);

  signals:
    void parkedChanged();
    void restored(const QJsonObject& place);
    void nothing();
    void complaint(const QString& sentence);
    void saved(bool all);

  private:
    QByteArray content() const;
    void setParked(QVector<ParkedDraft> parked);
    void write();

    RunDraft* draft_;
    QJsonObject place_;
    QVector<ParkedDraft> parked_;
    QTimer wait_;
    bool dirty_ = false;
    bool failed_ = false;
    bool started_ = false;
    widgets::Job reading_;
    widgets::Job writing_;
};

/// The draft with its keeper. It outlives the page, which is made again in another language or text size.
class KeptDraft : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    RunDraft draft;
    DraftKeeper keeper{&draft};
};

}  // namespace trainyard::desktop
