#pragma once
// Named places where a test lets the program die or fail, as in FoundationDB's and RocksDB's practice. Without the variable a pass
// costs one comparison.
//
//   TRAINYARD_FAILPOINT=checkpoint.write:kill@2      the second pass raises SIGKILL
//   TRAINYARD_FAILPOINT=file.write:enospc@1   the first pass fails as a full disk does
//   TRAINYARD_FAILPOINT=rank.step:nan@3              the place asks failpoint_hit() and acts itself

namespace trainyard {

/// Passes the place `name`: may raise SIGKILL or throw UserError ("No space left on device").
void failpoint(const char* name);

/// True when this pass of `name` is the one chosen for `action`.
bool failpoint_hit(const char* name, const char* action);

}  // namespace trainyard
