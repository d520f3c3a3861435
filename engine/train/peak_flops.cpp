// SPDX-License-Identifier: GPL-3.0-or-later
#include "train/peak_flops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>

#include "base/clock.h"
#include "base/nvml.h"
#include "models/nn/kernels/products.h"

namespace trainyard::train {

namespace {

struct Named {
    std::string_view name;    ///< part of the driver's name, the first that fits counts
    double half, tf32, full;  ///< TFLOP/s: bf16 and fp16, TF32 (fp32 on GPUs without TF32), fp32
};

// NVIDIA's data sheets, dense figures.
constexpr std::array kNamed{
    Named{"H100 PCIe", 756, 378, 51},     Named{"H100 NVL", 835, 417.5, 60}, Named{"H200", 989.4, 494.7, 67},
    Named{"H100", 989.4, 494.7, 67},      Named{"GH200", 989.4, 494.7, 67},  Named{"B200", 2250, 1125, 80},
    Named{"A100", 312, 156, 19.5},        Named{"A800", 312, 156, 19.5},     Named{"L40S", 362, 183, 91.6},
    Named{"L4", 121, 60, 30.3},           Named{"A40", 149.7, 74.8, 37.4},   Named{"A30", 165, 82, 10.3},
    Named{"A10", 125, 62.5, 31.2},        Named{"V100", 125, 15.7, 15.7},    Named{"T4", 65, 8.1, 8.1},
    Named{"RTX 4090", 165.2, 82.6, 82.6}, Named{"RTX 3090", 71, 35.6, 35.6},
};

constexpr std::int64_t kSize = 512;
constexpr int kTries = 5;

/// The best of a few products of matrices, in FLOP/s.
template <class Product>
double best_rate(const at::Tensor& a, Product&& product) {
    at::Tensor result = product(a);
    double best = 0;
    for (int i = 0; i < kTries; ++i) {
        const double begin = monotonic_seconds();
        result = product(a);
        best = std::max(best, 2.0 * std::pow(kSize, 3) / (monotonic_seconds() - begin));
    }
    return best;
}

/// With the products that training uses (models/nn/kernels/products.h) and, in fp32, with LibTorch's: either may be the quicker one on a processor.
double measured_peak(c10::Device device, c10::ScalarType type) {
    at::NoGradGuard no_grad;
    const at::Tensor a = at::ones({kSize, kSize}, at::TensorOptions().device(device).dtype(type));
    const double ours = best_rate(a, [](const at::Tensor& x) { return models::product(x, x); });
    return type == c10::kFloat ? std::max(ours, best_rate(a, [](const at::Tensor& x) { return at::mm(x, x); })) : ours;
}

}  // namespace

double named_peak(const std::string& name, c10::ScalarType type, bool tf32) {
    auto found =
        std::find_if(kNamed.begin(), kNamed.end(), [&](const Named& one) { return name.find(one.name) != name.npos; });
    if (found == kNamed.end())
        return 0;
    const bool half = type == c10::kBFloat16 || type == c10::kHalf;
    return 1e12 * (half ? found->half : tf32 ? found->tf32 : found->full);
}

PeakFlops device_peak(c10::Device device, c10::ScalarType type, bool tf32) {
    if (device.is_cuda()) {
        Nvml nvml;
        const auto index = static_cast<std::size_t>(std::max<int>(device.index(), 0));
        const std::vector<GpuReading> gpus = nvml.read();
        return {index < gpus.size() ? named_peak(gpus[index].name, type, tf32) : 0, false};
    }
    return {measured_peak(device, type), true};
}

}  // namespace trainyard::train
