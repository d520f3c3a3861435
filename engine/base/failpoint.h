// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Named points in the code where a test makes the program die or fail, as in FoundationDB and RocksDB. While the
// variable is not set, a failpoint costs one comparison.
//
//   TRAINYARD_FAILPOINT=checkpoint.write:kill@2      the second hit raises SIGKILL
//   TRAINYARD_FAILPOINT=file.write:enospc@1          the first hit fails as on a full disk
//   TRAINYARD_FAILPOINT=rank.step:nan@3              the code calls failpoint_hit() and acts itself
//   TRAINYARD_FAILPOINT=phase.1.forward:sleep@2+     the second and every later hit takes 1.5 s longer
//   TRAINYARD_FAILPOINT=file.pwrite:eio@3-6          the third to the sixth hit fail as on a broken disk
//
// Actions of failpoint(): kill, term, stop (signals), sleep, block (uninterruptibly in the kernel, forever, as on a
// network file system that hangs), enospc (throws).

namespace trainyard {

/// Whether any failpoint is active. For callers that would otherwise build a name for nothing.
bool failpoints_on();

/// Hits the failpoint `name`: may raise a signal, sleep, or throw UserError ("No space left on device").
void failpoint(const char* name);

/// True if this hit of `name` is the one selected for `action`.
bool failpoint_hit(const char* name, const char* action);

}  // namespace trainyard
