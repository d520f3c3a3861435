// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The recipe of the sample run: $TRAINYARD_SAMPLE, else share/trainyard/samples beside the installed program, else the
// source tree this program was built from.

#include <QString>

namespace trainyard::desktop {

/// Empty when there is none.
QString sampleRecipeFile();

}  // namespace trainyard::desktop
