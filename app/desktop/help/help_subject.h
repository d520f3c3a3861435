// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which page of the manual belongs to what is shown (F1).

#include <QString>

#include "widgets/forward.h"

namespace trainyard::desktop {

/// Returns the subject of HelpPage::activate() for a page, or for a dialog: its own or that of the page it belongs to.
/// The wizard's follows its step. Empty: neither is in the table.
QString manual_page_of(const QWidget* shown);

}  // namespace trainyard::desktop
