// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// T5: names, shapes and keys of transformers' T5Config and T5ForConditionalGeneration, with those of T5 1.1 (gated
// feed-forward layers, a head of its own). Raffel et al., "Exploring the limits of transfer learning with a unified
// text-to-text transformer", 2020. The network is t5_network.h.

#include "models/spec/activation.h"
#include "models/spec/family.h"

namespace trainyard::families {

const Family& t5_family();

/// The feed-forward layer that a value of feed_forward_proj selects.
struct T5FeedForward {
    Activation activation = Activation::relu;
    bool gated = false;
    bool known = true;
};
T5FeedForward t5_feed_forward(const ModelConfig& config);
/// Blocks of the decoder.
std::int64_t t5_decoder_layers(const ModelConfig& config);

}  // namespace trainyard::families
