// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The download of a model or data set that a field of the wizard names on the hub: a button next to the field, and
// below it a line with how far it is, what went wrong, and a button that cancels. Works in another thread.

#include <QWidget>

#include "desktop/hub_fetch.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class RunDraft;

class HubDownload : public QWidget {
    Q_OBJECT
  public:
    /// `label` is that of the field.
    HubDownload(RunDraft* draft, const QString& key, const QString& label, QWidget* parent = nullptr);

    static bool isFor(const QString& key);
    /// Next to the field; hidden unless its value is a name that is not in the cache.
    QPushButton* button() const { return start_; }
    bool isRunning() const { return job_.isRunning(); }
    /// Whether the line shows the error of the last download; the field then shows none of its own.
    bool hasFailed() const { return failed_; }
    const QString& key() const { return key_; }
    QString words() const;
    /// After a check of the draft.
    void refresh();

  signals:
    /// Whether the line has something to show.
    void needed(bool shown);

  private:
    void begin();
    void cancel();
    void say(const QString& words, bool problem);

    RunDraft* draft_;
    QString key_;
    QString name_;  ///< downloaded now or last
    bool failed_ = false;
    QPushButton* start_;
    QPushButton* cancel_;
    QLabel* state_;
    widgets::Job job_;
};

}  // namespace trainyard::desktop
