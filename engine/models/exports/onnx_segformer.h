// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SegFormer as a graph of ONNX, as networks/segformer_network.h computes it.

#include "models/exports/onnx_graph.h"
#include "models/spec/model_config.h"

namespace trainyard::exports {

/// Input: pixel_values [batch, channels, height, width], of any size that leaves positions in each stage. Output:
/// logits [batch, classes], or of semantic_segmentation [batch, classes, rows, columns] as transformers gives them: of
/// the positions of the first stage, not yet as large as the image.
void build_segformer(OnnxGraph& graph, const families::ModelConfig& config);

}  // namespace trainyard::exports
