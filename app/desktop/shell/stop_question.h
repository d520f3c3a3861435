// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The question before a run is stopped by a key or from the tray.

#include "widgets/forward.h"

namespace trainyard::desktop {

class RunStore;
struct RunSummary;

/// Requests the stop after a checkpoint once the user has agreed.
void ask_to_stop(QWidget* parent, RunStore* store, const RunSummary& run);

}  // namespace trainyard::desktop
