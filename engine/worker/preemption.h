// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SIGTERM and SIGUSR1 to a rank: its machine will be taken away. The rank asks all ranks to save a checkpoint after the step under way and to
// stop; a second SIGTERM ends it at once.

namespace trainyard::worker {

/// Catches the signals from now on.
void watch_for_preemption();
/// The signal that came, 0: none.
int preempted_by();

}  // namespace trainyard::worker
