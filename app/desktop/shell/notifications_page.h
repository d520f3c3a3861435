// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What happened while nobody looked: runs that finished, stopped, failed or were lost, newest first. The newest fifty
// are there again after a restart (view_state.h); how many older ones were dropped is said below them.

#include <QString>
#include <QVector>

#include "desktop/runs/run_summary.h"
#include "desktop/shell/page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class NotificationsPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "notifications";  ///< in the registry of pages
    explicit NotificationsPage(QWidget* parent = nullptr);
    void add(const RunSummary& run);
    /// An alarm of a run.
    void addAlarm(const QString& title, const QString& text, const QString& runId);
    void addText(const QString& title, const QString& text);
    int unread() const { return unread_; }
    void markRead();
    void takeOver(Page& before) override { unread_ = static_cast<NotificationsPage&>(before).unread_; }
    void activate(const QString&) override { markRead(); }

  signals:
    void unreadChanged(int unread);
    void runActivated(const QString& runId);

  private:
    struct Entry {
        widgets::Chip chip;
        QString title, text, runId;
        double time = 0;  ///< wall seconds
    };
    void tell(const Entry& notice);
    void insert(const Entry& notice);
    void tellDropped();
    void restore();
    void keep() const;

    QVector<Entry> notices_;  ///< newest first
    QStackedLayout* stack_;
    QVBoxLayout* list_;
    QLabel* rest_;  ///< says that older ones were dropped
    int dropped_ = 0;
    int unread_ = 0;
};

}  // namespace trainyard::desktop
