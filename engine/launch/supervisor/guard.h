// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The guard of a process that has ranks: its parent, which does nothing but wait for it. The kernel's promise to end the ranks
// (PR_SET_PDEATHSIG) does not cover the processes that the ranks have started; when the parent of the ranks is killed,
// these become children of the guard (subreaper), which ends them. No process is looked up by its number: the guard
// ends its own children.
//
// Not for processes that start programs which are to outlive them.

namespace trainyard::launch {

/// From here on the caller is a child of its guard; the guard never returns from this. It forwards the signals that it
/// gets, exits with the caller's exit code, or 128 + signal, and keeps only the standard descriptors open. Call it
/// while the process has one thread. If the process cannot be created, the caller continues without a guard.
void go_on_under_guard();

/// The same for a daemon: the guard ignores signals and keeps no descriptors open.
void go_on_under_silent_guard();

/// The guard that hands on signals was killed, and with it what its starter knows of this process: its ranks must end.
bool guard_is_gone();

}  // namespace trainyard::launch
