// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sequentials with every layer that export_onnx() writes, with parameters that do not depend on random numbers.

#include <map>
#include <string>
#include <utility>

#include <torch/nn/modules.h>

namespace trainyard::test {

struct OnnxModel {
    torch::nn::Sequential model;
    at::Tensor input;
};

/// Values between -1 and 1, none of them twice in a row.
inline at::Tensor steady_values(at::IntArrayRef shape, double factor = 0.37) {
    const at::Tensor places = at::arange(c10::multiply_integers(shape), at::kFloat);
    return at::sub(at::remainder(at::mul(places, factor), 2), 1).reshape(shape);
}

inline std::map<std::string, OnnxModel> onnx_models() {
    namespace nn = torch::nn;
    std::map<std::string, OnnxModel> all;
    all["convolutions"] = {
        nn::Sequential(nn::Conv2d(nn::Conv2dOptions(3, 8, 3).stride(2).padding(1)), nn::BatchNorm2d(8), nn::ReLU(),
                       nn::MaxPool2d(nn::MaxPool2dOptions(3).stride(2).padding(1).ceil_mode(true)),
                       nn::Conv2d(nn::Conv2dOptions(8, 12, {3, 4}).padding(torch::kSame).groups(4).bias(false)),
                       nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2)),
                       nn::AvgPool2d(nn::AvgPool2dOptions(3).stride(2).padding(1)),
                       nn::AdaptiveAvgPool2d(nn::AdaptiveAvgPool2dOptions({1, 1})), nn::Flatten(), nn::Dropout(0.5),
                       nn::Linear(12, 5), nn::LogSoftmax(1)),
        steady_values({4, 3, 32, 32})};
    all["functions"] = {
        nn::Sequential(nn::Linear(6, 16), nn::GELU(), nn::Linear(16, 16),
                       nn::GELU(nn::GELUOptions().approximate("tanh")), nn::SiLU(), nn::Mish(),
                       nn::LayerNorm(nn::LayerNormOptions({16})), nn::ELU(nn::ELUOptions().alpha(0.7)), nn::Softplus(),
                       nn::Hardtanh(nn::HardtanhOptions().min_val(-0.4).max_val(0.9)), nn::ReLU6(), nn::SELU(),
                       nn::Tanh(), nn::Sigmoid(), nn::Identity(), nn::Softmax(1)),
        steady_values({5, 6})};
    all["tokens"] = {
        nn::Sequential(nn::Embedding(20, 8), nn::LayerNorm(nn::LayerNormOptions({8}).elementwise_affine(false)),
                       nn::Linear(nn::LinearOptions(8, 8).bias(false)), nn::Flatten(), nn::Linear(56, 3)),
        at::remainder(at::arange(21).mul(7), 20).reshape({3, 7})};
    all["signals"] = {nn::Sequential(nn::Conv1d(nn::Conv1dOptions(4, 6, 5).padding(2).dilation(2)),
                                     nn::BatchNorm1d(nn::BatchNorm1dOptions(6).affine(false)),
                                     nn::MaxPool1d(nn::MaxPool1dOptions(2).stride(1)),
                                     nn::AdaptiveAvgPool1d(nn::AdaptiveAvgPool1dOptions(1)), nn::Flatten()),
                      steady_values({2, 4, 20})};
    all["images"] = {
        nn::Sequential(
            nn::ZeroPad2d(nn::ZeroPad2dOptions({1, 0, 2, 1})), nn::GroupNorm(nn::GroupNormOptions(1, 3).affine(false)),
            nn::ConvTranspose2d(nn::ConvTranspose2dOptions(3, 8, 3).stride(2).padding(1).output_padding(1)),
            nn::GroupNorm(nn::GroupNormOptions(4, 8)), nn::PReLU(nn::PReLUOptions().num_parameters(8)),
            nn::Upsample(nn::UpsampleOptions()
                             .scale_factor(std::vector<double>{2, 2})
                             .mode(torch::kBilinear)
                             .align_corners(false)),
            nn::PixelShuffle(nn::PixelShuffleOptions(2)),
            nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2, 3}).mode(torch::kNearest)),
            nn::AdaptiveMaxPool2d(nn::AdaptiveMaxPool2dOptions({1, 1})), nn::Flatten()),
        steady_values({2, 3, 6, 5})};
    all["shrinks"] = {nn::Sequential(nn::Linear(6, 16), nn::PReLU(), nn::CELU(nn::CELUOptions().alpha(0.7)),
                                     nn::GLU(nn::GLUOptions(1)), nn::Linear(8, 8), nn::Softsign(), nn::Linear(8, 8),
                                     nn::Tanhshrink(), nn::Linear(8, 8), nn::Softshrink(nn::SoftshrinkOptions(0.1)),
                                     nn::Hardshrink(nn::HardshrinkOptions(0.05)), nn::LogSigmoid()),
                      steady_values({5, 6})};
    for (auto& [name, one] : all) {
        const torch::NoGradGuard no_grad;
        double factor = 0.11;
        for (at::Tensor& tensor : one.model->parameters())
            tensor.copy_(steady_values(tensor.sizes(), factor += 0.23).mul(0.4));
        for (const auto& buffer : one.model->named_buffers())
            if (buffer.value().is_floating_point())
                buffer.value().copy_(steady_values(buffer.value().sizes(), factor += 0.19).abs().add(0.5));
        one.model->eval();
    }
    return all;
}

}  // namespace trainyard::test
