// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The actions of the window's commands.

#include <QObject>

#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class AppContext;
class MainWindow;

class WindowCommands : public QObject {
    Q_OBJECT
  public:
    WindowCommands(MainWindow* window, AppContext* context);
    /// What can be done now, for the palette: the commands of the window and of the shown page, other actions of the
    /// page, and the recently opened files.
    QList<QAction*> all();
    /// Runs a command of the window. Returns false if it is not one.
    bool run(const QString& id);

  private:
    void addPages();
    void addLooks();
    void print();
    void reportProblem();
    void sendToFocus(Qt::Key key);

    MainWindow* window_;
    AppContext* context_;
    QList<QAction*> recents_;
    widgets::Job reading_;
};

}  // namespace trainyard::desktop
