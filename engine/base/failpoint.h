#pragma once
// Named places where a test lets the program die or fail, as in FoundationDB's and RocksDB's practice. Without the variable a pass
// costs one comparison.
//
//   TRAINYARD_FAILPOINT=checkpoint.write:kill@2      the second pass raises SIGKILL
//   TRAINYARD_FAILPOINT=file.write:enospc@1   the first pass fails as a full disk does
//   TRAINYARD_FAILPOINT=rank.step:nan@3              the place asks failpoint_hit() and acts itself
//   TRAINYARD_FAILPOINT=phase.1.forward:sleep@2+     the second pass and every later one takes 1.5 s longer
//   TRAINYARD_FAILPOINT=file.pwrite:eio@3-6    the third to the sixth pass fail as a broken disk does
//
// Actions of failpoint(): kill, term, stop (the signals), sleep, block (in the kernel, for good, as on a file system that does not answer),
// enospc (throws).

namespace trainyard {

/// Whether any place is named: for places whose own name costs something to make.
bool failpoints_on();

/// Passes the place `name`: may raise a signal, sleep or throw UserError ("No space left on device").
void failpoint(const char* name);

/// True when this pass of `name` is the one chosen for `action`.
bool failpoint_hit(const char* name, const char* action);

}  // namespace trainyard
