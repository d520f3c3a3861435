#pragma once
// The guard of a process that has ranks: its parent, which does nothing but wait for it. The kernel's promise to end the ranks
// (PR_SET_PDEATHSIG) does not reach what they have started; when the process that has them is killed, that comes to the guard
// (sub-reaper), which ends it. Nothing is looked for by number: the guard ends its own children.
//
// Not for processes that start something which is to outlive them.

namespace trainyard::launch {

/// From here on the caller is a child of its guard; the guard never returns from this. It hands on the signals that people send it, ends with
/// the caller's exit code, or 128 + signal, and has none of its descriptors but the standard ones. To be called while there is one thread.
/// Where no process can be made the caller goes on without one.
void go_on_under_guard();

/// The same for a daemon: the guard heeds no signal and keeps no descriptor.
void go_on_under_silent_guard();

/// The guard that hands on signals was killed, and with it what its starter knows of this process: its ranks must end.
bool guard_is_gone();

}  // namespace trainyard::launch
