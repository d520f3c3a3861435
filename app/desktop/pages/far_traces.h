#pragma once
// Traces of runs on hosts, and of `host:path`, for the page of traces.

#include "desktop/traces/trace_reading.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

/// Copies them into a temporary folder, with progress; questions of the connection are dialogs over `window`, until that goes. What lies on this machine
/// is left as it is.
FetchTraces far_traces(QWidget* window);

}  // namespace trainyard::desktop
