// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard {

/// Mode of a file that the user asked for (weights, exported models, recipes, tables): open() removes the bits of the
/// umask, as for files of other programs. Files of runs, caches and records are private (0600).
inline constexpr int kUserFileMode = 0666;

}  // namespace trainyard
