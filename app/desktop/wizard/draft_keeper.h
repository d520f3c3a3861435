#pragma once
// Keeps the draft over restarts in $XDG_STATE_HOME/trainyard/drafts/current.json (0600): written 1 s after a change in another
// thread, read at the start. A file that cannot be read becomes current.json.bad, and is said once.

#include <QJsonObject>
#include <QObject>
#include <QTimer>

#include "widgets/job.h"

namespace trainyard::desktop {

class RunDraft;

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

  signals:
    void restored(const QJsonObject& place);
    void nothing();
    void complaint(const QString& sentence);
    void saved(bool all);

  private:
    QByteArray content() const;
    void write();

    RunDraft* draft_;
    QJsonObject place_;
    QTimer wait_;
    bool dirty_ = false;
    bool failed_ = false;
    bool started_ = false;
    widgets::Job reading_;
    widgets::Job writing_;
};

}  // namespace trainyard::desktop
