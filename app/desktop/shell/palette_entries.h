// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the command palette finds: actions, keys of the page that is open, runs, and what pages say of themselves in
// their entries.

#include <QVector>

#include "desktop/shell/finder.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class AppContext;

/// At once, without reading anything.
QVector<FinderEntry> palette_entries(AppContext& context, const QList<QAction*>& actions);

}  // namespace trainyard::desktop
