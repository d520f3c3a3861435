// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// GPT-2: names, shapes and keys of transformers' GPT2Config and GPT2LMHeadModel. Linear weights are [in, out] (Conv1D).
// Radford et al., "Language models are unsupervised multitask learners", 2019. The network itself is gpt2_network.h.

#include "models/spec/family.h"

namespace trainyard::families {

const Family& gpt2_family();

/// Hidden width of the feed-forward layers.
std::int64_t inner_width(const ModelConfig& config);

}  // namespace trainyard::families
