// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The questions of the program about what others wrote: run.yaml of a folder that is started again, mirror.json of a
// folder that came from somewhere. Answers are kept in the program's own state (run/folder_record.h).

#include <functional>
#include <string>

#include <QString>

#include "run/paths.h"

namespace trainyard::desktop {

class AppContext;
struct StartLook;

/// Starts (`go`) what is trusted; asks about what may be started; says why the rest is not, and offers the wizard,
/// where nothing starts without a look at it. `checkpoint`: the run continues from it; empty: it starts from step 0.
void start_with_consent(AppContext* app, const StartLook& look, const QString& checkpoint, std::function<void()> go);

/// Calls `then` at once for a mirror whose source is known, else asks whether its host may be contacted.
void follow_with_consent(AppContext* app, const QString& folder, std::function<void()> then);

/// Copies a checkpoint (its name; empty: the newest) of the mirror `run` from its host, after the user was asked.
void fetch_checkpoint_of(AppContext* app, const run::RunPaths& run, const std::string& checkpoint,
                         std::function<void(const QString& folder)> then);

}  // namespace trainyard::desktop
