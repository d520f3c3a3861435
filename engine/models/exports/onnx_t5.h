// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// T5 as a graph of ONNX: encoder and decoder in one, as networks/t5_network.h computes them.

#include "models/exports/onnx_graph.h"
#include "models/spec/model_config.h"

namespace trainyard::exports {

/// Inputs: input_ids and attention_mask [batch, sequence], decoder_input_ids [batch, target_sequence]. Outputs: logits
/// [batch, target_sequence, vocabulary], encoder_last_hidden_state [batch, sequence, width].
void build_t5(OnnxGraph& graph, const families::ModelConfig& config);

}  // namespace trainyard::exports
