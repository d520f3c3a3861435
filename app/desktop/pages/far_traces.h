// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Traces of runs on hosts, and of `host:path`, for the page of traces.

#include "desktop/traces/trace_reading.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

/// Copies traces of remote hosts into a temporary folder, with progress. Questions of the connection are dialogs over
/// `window`, until it is destroyed. Local traces are used in place.
FetchTraces far_traces(QWidget* window);

}  // namespace trainyard::desktop
