// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is started from a draft: the files that a launch reads, the request to start them, and the base of a sweep.

#include <functional>

#include "desktop/launch/launch_request.h"
#include "desktop/sweeps/sweep_base.h"
#include "desktop/wizard/run_draft.h"

namespace trainyard::desktop {

struct LaunchFiles {
    QString settings;
    QString recipe;  ///< empty: a program
    QString run;     ///< run.yaml of a program on this machine that has a ProgramPlace; otherwise empty
};

/// Returns a function that writes the files, for another thread. It throws UserError.
std::function<LaunchFiles()> launch_files_writer(const RunDraft& draft);
LaunchRequest launch_request(const RunDraft& draft, const LaunchFiles& files);
SweepBase sweep_base(const RunDraft& draft, const QString& name);

}  // namespace trainyard::desktop
