// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The download of one name of the hub: asks for its size, offers the download with that size, shows how far it is and
// what went wrong, and can be cancelled. Works in another thread. The part that every field for names of the hub has.

#include <functional>

#include <QWidget>

#include "desktop/hub/hub_items.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class HubLine : public QWidget {
    Q_OBJECT
  public:
    /// `label`: of the field, for the names of buttons; empty: there is only one.
    explicit HubLine(HubItem item, const QString& label = {}, QWidget* parent = nullptr);

    /// Work with a name: runs in another thread and returns what to do in that of the window. Throws UserError.
    using Done = std::function<void()>;
    using Work =
        std::function<Done(const widgets::Operation& operation, const std::function<void(const QString&)>& tell)>;

    /// The name that the button is about. Another one than before ends what was under way.
    void setName(const QString& name);
    /// Asks how much is missing. found() follows at once if nothing is; else the button has the size.
    void prepare(const QString& name);
    /// Other work of the same line, which it cancels with its button.
    void run(const QString& words, Work work);
    void cancel();
    /// Forgets what was said, and ends what is under way.
    void clear();
    void say(const QString& words, bool problem = false);

    bool isRunning() const { return job_.isRunning(); }
    bool hasFailed() const { return failed_; }
    /// The size is known, and the button waits.
    bool isOffered() const { return !offered_.isEmpty(); }
    QString words() const;
    /// "Download", or "Download 548 MB"; the owner places it and hides it where a name is not downloaded.
    QPushButton* button() const { return start_; }
    QPushButton* cancelButton() const { return cancel_; }

  signals:
    /// The folder in the cache.
    void found(const QString& name, const QString& folder);
    /// State, words or buttons have changed.
    void changed();

  private:
    void download();
    void arrange();

    const HubItem item_;
    QString name_;     ///< that is asked for or downloaded, or was last
    QString offered_;  ///< whose size is known
    bool failed_ = false, downloading_ = false;
    QPushButton* start_;
    QPushButton* cancel_;
    QLabel* state_;
    QProgressBar* bar_;
    widgets::Job job_;
};

/// Offers recent names and those of the cache while a name is typed into a line. They are read when it gets the focus.
/// `chosen`: one of them was.
void offerHubNames(QLineEdit* line, HubItem item, std::function<void(const QString& name)> chosen = {});

}  // namespace trainyard::desktop
