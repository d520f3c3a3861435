// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The menu bar of the main window. A menu is filled when it opens: with the commands of the window and those of the
// page that is shown. If the bar is hidden, Alt shows it until it loses the focus.

#include <QObject>

#include "desktop/shell/commands.h"
#include "widgets/forward.h"
#include "widgets/job.h"

class QMenuBar;

namespace trainyard::desktop {

class AppContext;
class MainWindow;

class WindowMenus : public QObject {
    Q_OBJECT
  public:
    WindowMenus(MainWindow* window, AppContext* context, bool shown);
    bool isShown() const { return shown_; }
    void setShown(bool shown);
    /// Called for each event of the application: notices that Alt was pressed and released alone.
    void watch(const QObject* watched, const QEvent* event);

  private:
    void fill(QMenu* menu, MenuId id);
    void addDrafts(QMenu* menu);
    void addRecents(QMenu* menu);
    void showForNow();
    void hideAgain();

    MainWindow* window_;
    AppContext* context_;
    QMenuBar* bar_;
    bool shown_;
    bool alt_alone_ = false;
    bool sending_ = false;
    widgets::Job reading_;
};

}  // namespace trainyard::desktop
