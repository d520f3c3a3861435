// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens and epochs per step, for logs that count them in a curve (Transformers writes `train/epoch` and
// `num_input_tokens_seen`); logs of other programs have no other source. Computed from the newest point of that curve,
// assuming that every step counts the same.

#include <cstddef>
#include <string>

#include "desktop/sources/curve_store.h"

namespace trainyard::desktop {

class StepCounters {
  public:
    /// Looks for counters among new tags. Tags are checked only once.
    void look(const CurveStore& store);
    /// Fills in the counts found; other fields of `scale` stay unchanged.
    void fill(widgets::XScale& scale, const CurveStore& store) const;

  private:
    std::size_t seen_ = 0;
    std::string tokens_, epochs_;  ///< tags; empty: none
};

}  // namespace trainyard::desktop
