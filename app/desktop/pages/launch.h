// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The page of checks before a start, for other entries.

namespace trainyard::desktop {

class AppContext;
struct LaunchRequest;

/// Shows the page of checks, which starts the run.
void open_launch(AppContext* app, const LaunchRequest& request);

}  // namespace trainyard::desktop
