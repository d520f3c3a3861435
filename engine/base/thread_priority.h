// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard {

/// The calling thread, and processes that it starts from now on, get less of a busy processor than others: a third of
/// what a thread of usual priority gets (5 steps of nice), and their waking up interrupts no other thread
/// (SCHED_BATCH). For work that should not slow down a training. Best effort.
void lower_thread_priority();

}  // namespace trainyard
