#pragma once
// What a step is in tokens and epochs, where a curve of the log itself counts them: somebody else's programs tell it nowhere else
// (Transformers writes `train/epoch` and `num_input_tokens_seen`). Taken from the newest point of that curve: a step is worth the same
// throughout.

#include <cstddef>
#include <string>

#include "desktop/sources/curve_store.h"

namespace trainyard::desktop {

class StepCounters {
  public:
    /// After tags came; those that were looked at are not looked at again.
    void look(const CurveStore& store);
    /// Leaves alone what no curve counts.
    void fill(widgets::XScale& scale, const CurveStore& store) const;

  private:
    std::size_t seen_ = 0;
    std::string tokens_, epochs_;  ///< tags; empty: none
};

}  // namespace trainyard::desktop
