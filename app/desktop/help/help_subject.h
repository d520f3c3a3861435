// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which page of the manual belongs to what is shown (F1).

#include <QString>

namespace trainyard::desktop {

class Page;

/// Returns the subject of HelpPage::activate(). Null: the comparison of runs in a window of its own.
QString manual_page_of(const Page* page);

}  // namespace trainyard::desktop
