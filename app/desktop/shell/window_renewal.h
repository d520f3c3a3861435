// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Makes what the main window and its side windows show again, in the language and text size of now: at once, or when no
// dialog or menu is open and no page is busy. The focus returns to the same control. Models stay, and with them drafts,
// undo histories and work in progress.

#include <QObject>
#include <QTimer>

#include "desktop/shell/focus_return.h"

namespace trainyard::desktop {

class MainWindow;
class PageStack;
class SideWindows;

class WindowRenewal : public QObject {
    Q_OBJECT
  public:
    WindowRenewal(MainWindow* window, PageStack* stack, SideWindows* sides);
    /// Everything has another language or text size.
    void outdate();
    /// Looks again soon whether an outdated page that is shown is no longer busy.
    void attemptLater();

  signals:
    /// The parts around the pages must be made again.
    void partsOutdated();
    /// The page of the location must be shown again; it may be another widget now.
    void pageOutdated();

  private:
    void attempt();
    void renew();

    MainWindow* window_;
    PageStack* stack_;
    SideWindows* sides_;
    bool outdated_ = false;  ///< everything
    QTimer timer_;
    FocusReturn focus_;
};

}  // namespace trainyard::desktop
