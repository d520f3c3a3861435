// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Beam search: extends several continuations in parallel and keeps the most likely ones. Internal to the library.

#include "inference/generate/generate.h"
#include "inference/generate/model_steps.h"

namespace trainyard::generate {

/// As transformers' beam search with one returned sequence: 2 * num_beams candidates a step, complete ones scored by the sum of log
/// probabilities / new tokens^length_penalty.
Generated beam_search(ModelSteps& steps, const std::vector<std::int64_t>& prompt, std::int64_t most,
                      const GenerationOptions& options);

}  // namespace trainyard::generate
