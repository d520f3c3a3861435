// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pages of the window, created on first use. Of pages with a subject (runs, logs), the most recently used ones are
// kept.

#include <QStackedWidget>
#include <QVector>

#include "desktop/shell/location.h"

namespace trainyard::desktop {

class AppContext;
class Page;
struct PageEntry;

class PageStack : public QStackedWidget {
    Q_OBJECT
  public:
    explicit PageStack(AppContext* context, QWidget* parent = nullptr);

    /// Null: the registry has no such page.
    Page* pageAt(const Location& location);
    /// Returns at(location), or its current substitute (see PageEntry::stand_in).
    Page* shownPage(const Location& location);
    /// Returns the page or null if it was not created yet. Of pages with a subject: the most recently used one.
    Page* existingPage(const QString& key) const;
    /// Takes a page out of the stack for its own window. The caller owns it until giveBack().
    Page* take(const Location& location);
    void giveBack(const Location& location, Page* page);
    /// The language or the text size has changed: each page is made again when it is requested next, unless it is
    /// busy (Page::isBusy()).
    void outdate();

  private:
    struct Made {
        Location location;  ///< with a subject only where each subject has a page
        Page* page;
    };
    /// Key under which made_ stores the page.
    static Location keyOf(const PageEntry& entry, const Location& location);
    Page* makePage(const PageEntry& entry, const QString& subject);
    void dropOld(const PageEntry& entry);

    AppContext* context_;
    QVector<Made> made_;  ///< last used at the end
};

}  // namespace trainyard::desktop
