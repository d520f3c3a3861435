// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The registry of the window's pages. An entry has the key of a page, its place in the rail, its shortcuts, and a
// function that creates it. The window, the rail, the history, the command palette, `--page` and separate windows use
// pages only by their entries. A new page is a file in this folder and a line in pages.cpp (see the README of the
// window).

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
    /// 0: one page for all subjects. Otherwise one page per subject, and the number of recently used pages that are
    /// kept.
    int kept = 0;
    bool transient = false;   ///< means nothing after a restart: not kept in the history
    bool own_window = false;  ///< can be moved to a window of its own
    /// `parent`: the stack of pages.
    std::function<Page*(AppContext*, const QString& subject, QWidget* parent)> make;
    /// Returns the key of the page that is shown instead of this one for now, or an empty string. Not set: never
    /// replaced.
    std::function<QString(const AppContext*)> stand_in = {};
    /// Reports the entries of this page for the command palette; may call `found` later, too.
    std::function<void(AppContext*, const FoundEntries& found)> palette = {};
    bool palette_makes_page = false;  ///< so it is called once the palette is visible
};

/// In the order of the rail.
const QVector<PageEntry>& all_pages();
/// Null: there is no such page.
const PageEntry* find_page(const QString& key);

}  // namespace trainyard::desktop
