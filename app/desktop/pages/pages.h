#pragma once
// The registry of the window's pages. A page is one entry: its key, its place in the rail, its keys, and how it is made. The window, the
// rail, the history, the command palette, `--page` and windows of their own know pages by their entries alone. A new page is a file in
// this folder and a line in pages.cpp (see the README beside the window).

#include <functional>

#include <QKeySequence>
#include <QString>
#include <QVector>

#include "widgets/forward.h"

namespace trainyard::desktop {

class AppContext;
class Page;
struct FinderEntry;

/// Where the rail shows a page: among the places at its top, at its foot, or not at all.
enum class RailSection { None, Top, Foot };

struct PageEntry {
    using FoundEntries = std::function<void(const QVector<FinderEntry>&)>;

    QString key;                     ///< in Location::page, in `--page`, in the kept history
    QString icon;                    ///< of resources/icons
    std::function<QString()> title;  ///< translated when it is asked for
    RailSection rail = RailSection::None;
    QKeySequence shortcut = {};
    QString rail_key = {};  ///< the entry that the rail marks while this page is open; empty: this one
    /// 0: one page, whatever the subject. Else a page for each subject, and so many of those used last are kept.
    int kept = 0;
    bool transient = false;   ///< means nothing after a restart: not kept in the history
    bool own_window = false;  ///< can be moved to a window of its own
    /// `parent`: the stack of pages. A page that is made without it and moved there has the style sheet applied to each of its parts once more.
    std::function<Page*(AppContext*, const QString& subject, QWidget* parent)> make;
    /// The key of a page that stands here for now; empty: this one. Not set: always this one.
    std::function<QString(const AppContext*)> stand_in = {};
    /// What the command palette finds of this page; may call `found` later, too.
    std::function<void(AppContext*, const FoundEntries& found)> palette = {};
    bool palette_makes_page = false;  ///< so it is asked once the palette stands
};

/// In the order of the rail.
const QVector<PageEntry>& all_pages();
/// Null: there is no such page.
const PageEntry* find_page(const QString& key);

}  // namespace trainyard::desktop
