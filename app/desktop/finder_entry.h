#pragma once
// What can be found in a Finder (finder.h), as a value.

#include <functional>

#include <QString>

namespace trainyard::desktop {

struct FinderEntry {
    QString text;         ///< the row
    QString right = {};   ///< shortcut, state, where it leads
    QString words = {};   ///< searched, too, but not shown
    QString icon = {};    ///< empty: an arrow
    int number = 0;       ///< of a run: its colour stands in place of the icon
    int kind = 0;         ///< the owner's; see Search::kinds
    bool seldom = false;  ///< behind what begins with the same word and is used often
    std::function<void()> go = {};
};

}  // namespace trainyard::desktop
