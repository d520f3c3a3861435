// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which of the curves of a program the main chart shows. The curves of a recipe's run have fixed names (tags.h), those
// of a program have any.

#include <string>
#include <vector>

#include "desktop/curves/curve_source.h"

namespace trainyard::desktop {

/// Whether a curve measures training, rather than a rank or a machine.
bool is_training_metric(const TagInfo& info);
/// Whether the name of a curve says that it is a loss: `loss`, `train/loss`, `val_loss`.
bool is_loss_name(const std::string& tag);
/// Returns the curves with points that the main chart offers: losses first, those of training before those of
/// evaluation, curves that the program wrote before what it printed, then by number of points.
std::vector<std::string> metrics_of(const CurveSource& run);

}  // namespace trainyard::desktop
