// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The questions of the program before it acts: about what others wrote (run.yaml of a folder that is started again,
// mirror.json of a folder that came from somewhere; answers are kept in the program's own state, run/folder_record.h),
// and before a run is stopped by a key or from the tray.

#include <functional>
#include <string>

#include <QString>

#include "run/paths.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class AppContext;
class RunStore;
struct RunSummary;
struct StartLook;

/// Starts (`go`) what is trusted; asks about what may be started; says why the rest is not, and offers the wizard,
/// where nothing starts without a look at it. `checkpoint`: the run continues from it; empty: it starts from step 0.
void start_with_consent(AppContext* app, const StartLook& look, const QString& checkpoint, std::function<void()> go);

/// Calls `then` at once for a mirror whose source is known, else asks whether its host may be contacted.
void follow_with_consent(AppContext* app, const QString& folder, std::function<void()> then);

/// Copies a checkpoint (its name; empty: the newest) of the mirror `run` from its host, after the user was asked.
void fetch_checkpoint_of(AppContext* app, const run::RunPaths& run, const std::string& checkpoint,
                         std::function<void(const QString& folder)> then);

/// Requests the stop of a run after a checkpoint once the user has agreed.
void ask_to_stop(QWidget* parent, RunStore* store, const RunSummary& run);

}  // namespace trainyard::desktop
