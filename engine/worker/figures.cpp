#include "worker/figures.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <ATen/Parallel.h>
#include <ATen/core/grad_mode.h>

#include "base/environment_names.h"
#include "estimate/known_peaks.h"

namespace trainyard::worker {

namespace {

constexpr std::int64_t kStepsBeforePeak = 20;
constexpr std::int64_t kMostElements = 65'536;  ///< of a tensor that its histogram counts
constexpr std::size_t kMostTensors = 512;

std::vector<float> sample(const at::Tensor& tensor) {
    at::NoGradGuard no_grad;
    at::Tensor flat = tensor.detach().reshape({-1});
    const std::int64_t stride = (flat.numel() + kMostElements - 1) / kMostElements;
    if (stride > 1)
        flat = flat.slice(0, 0, flat.numel(), stride);
    flat = flat.to(at::kCPU, at::kFloat).contiguous();
    const float* data = flat.const_data_ptr<float>();
    return {data, data + flat.numel()};
}

c10::ScalarType number_format(const std::string& precision) {
    return precision == "bf16" ? at::kBFloat16 : precision == "fp16" ? at::kHalf : at::kFloat;
}

}  // namespace

StepFigures::StepFigures(const config::Recipe& recipe, const train::Trainer& trainer, int world_size)
    : recipe_(recipe),
      trainer_(trainer),
      world_size_(world_size),
      tokens_per_step_(static_cast<double>(recipe.tokens_per_step(world_size))) {}

void StepFigures::after_step() {
    if (++steps_ != kStepsBeforePeak)
        return;
    const std::string& precision = recipe_.training.mixed_precision;
    peak_ = train::device_peak(trainer_.device(), number_format(precision), recipe_.training.tf32);
    if (!peak_.measured)
        return;
    const char* local = std::getenv(kEnvLocalWorldSize);
    const std::string key = estimate::peak_key(at::get_num_threads(), precision == "no" ? "fp32" : precision,
                                               local == nullptr ? world_size_ : std::max(1, std::atoi(local)));
    peak_.flops_per_s = estimate::highest_peak(key, peak_.flops_per_s).flops_per_s;
}

NamedNumbers StepFigures::of(const train::StepReport& report) {
    NamedNumbers figures{{"train/loss", report.loss},
                         {"train/lr", report.lr},
                         {"train/grad_norm", report.gradient_norm},
                         {"train/tokens_per_s", tokens_per_step_ / report.seconds},
                         {"train/step_time_s", report.seconds}};
    if (report.targets == 0)  // there is neither loss nor gradient, and a 0 would look like a perfect step
        std::erase_if(figures, [](const auto& figure) {
            return figure.first == "train/loss" || figure.first == "train/grad_norm";
        });
    for (std::size_t i = 0; i < train::kPhases; ++i)
        figures.emplace_back(std::string("phase/") + train::to_string(static_cast<train::Phase>(i)),
                             report.phases.seconds[i]);
    if (peak_.flops_per_s > 0 && flops_ < 0)
        flops_ = trainer_.flops_per_step();
    if (peak_.flops_per_s > 0 && flops_ > 0) {
        const double peak = peak_.flops_per_s * world_size_;
        figures.emplace_back("train/mfu", flops_ / (report.seconds * peak));
        if (!std::exchange(peak_told_, true))
            figures.emplace_back("train/peak_flops_per_s", peak);
    }
    if (recipe_.training.mixed_precision == "fp16") {
        figures.emplace_back("train/loss_scale", report.loss_scale);
        figures.emplace_back("train/skipped_steps", static_cast<double>(report.step - trainer_.updates()));
    }
    return figures;
}

std::vector<std::pair<std::string, std::vector<float>>> StepFigures::histograms() const {
    std::vector<std::pair<std::string, std::vector<float>>> all;
    for (const auto& [prefix, tensors] :
         {std::pair("weights/", trainer_.weights()), {"gradients/", trainer_.gradients()}})
        for (const auto& [name, tensor] : tensors) {
            if (all.size() == 2 * kMostTensors)
                return all;
            if (tensor.defined())
                all.emplace_back(prefix + name, sample(tensor));
        }
    return all;
}

}  // namespace trainyard::worker
