// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The windows beside the main one, each with one page of it. A page is either in the main window or in one of these.
// They go with the main window and are there again on the next start.

#include <functional>

#include <QMap>
#include <QObject>

#include "desktop/shell/location.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class AppContext;
class Page;
class PageStack;
class SideWindow;

class SideWindows : public QObject {
    Q_OBJECT
  public:
    /// `kept`: whether those that are open are remembered for the next start.
    SideWindows(AppContext* context, PageStack* stack, std::function<bool()> kept, QObject* parent = nullptr);
    ~SideWindows() override;

    /// The window with that page; null: it cannot have one of its own. `compare` is the comparison of ticked runs.
    SideWindow* show(const Location& location, const QList<QAction*>& program);
    SideWindow* find(const Location& location) const { return windows_.value(location.text()); }
    QVector<Location> shown() const;
    /// Their pages, without the comparison, which belongs to a page of the main window.
    QVector<const Page*> pages() const;
    /// Those of the last start.
    QVector<Location> kept() const;
    /// Pages go back into the stack.
    void closeAll();

  signals:
    /// The main window has lost this page to a window of its own.
    void taken(const trainyard::desktop::Location& location);

  private:
    QWidget* takePage(const Location& location);
    void putBack(SideWindow* window);
    void closed(const QString& key);
    void closeLost();
    void keep();

    AppContext* context_;
    PageStack* stack_;
    std::function<bool()> is_kept_;
    QMap<QString, SideWindow*> windows_;  ///< by Location::text()
};

}  // namespace trainyard::desktop
