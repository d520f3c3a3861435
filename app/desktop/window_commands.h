// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The actions of the window: each has a name, most have keys, all are found in the command palette.

#include <functional>

#include <QObject>

#include "widgets/forward.h"

namespace trainyard::desktop {

class AppContext;
class MainWindow;

class WindowCommands : public QObject {
    Q_OBJECT
  public:
    WindowCommands(MainWindow* window, AppContext* context);
    /// The window's own, those of the page that is open, and what was opened lately, as the list is now.
    QList<QAction*> all();

  private:
    void add(const QString& text, const QString& icon, const QString& keys, const std::function<void()>& run);

    MainWindow* window_;
    AppContext* context_;
    QList<QAction*> recents_;
};

}  // namespace trainyard::desktop
