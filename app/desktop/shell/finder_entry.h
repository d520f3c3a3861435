// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An entry of a Finder (finder.h), as a value.

#include <functional>

#include <QString>

namespace trainyard::desktop {

struct FinderEntry {
    QString text;         ///< the row
    QString right = {};   ///< shortcut, state, where it leads
    QString words = {};   ///< searched, too, but not shown
    QString icon = {};    ///< empty: an arrow
    int number = 0;       ///< of a run, whose colour is shown instead of the icon
    int kind = 0;         ///< the owner's; see Search::kinds
    bool seldom = false;  ///< sorted after frequent entries that begin with the same word
    std::function<void()> go = {};
};

}  // namespace trainyard::desktop
