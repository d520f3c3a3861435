#pragma once
// The pages of the window, made when they are first asked for. Of pages with a subject (runs, logs) the ones used last are kept.

#include <QStackedWidget>
#include <QVector>

#include "desktop/location.h"

namespace trainyard::desktop {

class AppContext;
class Page;
struct PageEntry;

class PageStack : public QStackedWidget {
    Q_OBJECT
  public:
    explicit PageStack(AppContext* context, QWidget* parent = nullptr);

    /// Null: the registry has no such page.
    Page* at(const Location& location);
    /// at(), or the page that stands there for now.
    Page* standing(const Location& location);
    /// Null: not made yet. Of pages with a subject: the one used last.
    Page* made(const QString& key) const;
    /// Out of the stack, for a window of its own; the caller has it until giveBack().
    Page* take(const Location& location);
    void giveBack(const Location& location, Page* page);

  private:
    struct Made {
        Location location;  ///< with a subject only where each subject has a page
        Page* page;
    };
    /// What finds the page among those made.
    static Location keyOf(const PageEntry& entry, const Location& location);
    void dropOld(const PageEntry& entry);

    AppContext* context_;
    QVector<Made> made_;  ///< last used at the end
};

}  // namespace trainyard::desktop
