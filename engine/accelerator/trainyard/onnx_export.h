// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A torch::nn::Sequential of a program as an ONNX file, for onnxruntime and others: what it computes in evaluation, in
// fp32, with operators of set 17. Models of Trainyard's own families are written by `trainyard checkpoints export`.

#include <filesystem>

#include <torch/nn/modules/container/sequential.h>

namespace trainyard {

/// `example`: an input as the model takes it, fp32, or int64 for an embedding; its first dimension may have any size
/// later, the others stay. The file has one input, `input`, and one output, `output`.
///
/// Layers: Linear, Conv1d to 3d, ConvTranspose1d to 3d, BatchNorm1d to 3d, GroupNorm, LayerNorm, Embedding, MaxPool1d
/// to 3d, AvgPool1d to 3d, AdaptiveAvgPool1d to 3d and AdaptiveMaxPool1d to 3d of size 1, Flatten, ZeroPad2d, Upsample
/// (nearest, bilinear), PixelShuffle, Dropout, Identity, ReLU, ReLU6, LeakyReLU, PReLU, ELU, CELU, SELU, GELU, GLU,
/// SiLU, Mish, Sigmoid, LogSigmoid, Tanh, Softplus, Softsign, Softmax, LogSoftmax, Hardtanh, Hardshrink, Softshrink,
/// Tanhshrink. Throws UserError naming another one, an option that has no operators, and a layer whose parameters are
/// not in this process (export before they are sharded).
void export_onnx(const torch::nn::Sequential& model, const at::Tensor& example, const std::filesystem::path& file);

}  // namespace trainyard
