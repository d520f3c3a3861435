// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker/figures.h"

#include <algorithm>
#include <cstdlib>
#include <set>
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

at::Tensor sample(const at::Tensor& tensor) {
    at::NoGradGuard no_grad;
    at::Tensor flat = tensor.detach().reshape({-1});
    const std::int64_t stride = (flat.numel() + kMostElements - 1) / kMostElements;
    if (stride > 1)
        flat = flat.slice(0, 0, flat.numel(), stride);
    return flat.to(at::kCPU, at::kFloat, /*non_blocking=*/false, /*copy=*/true).contiguous();
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
    const Precision precision = recipe_.training.mixed_precision;
    peak_ = train::device_peak(trainer_.device(), scalar_type(precision), recipe_.training.tf32);
    if (!peak_.measured)
        return;
    const char* local = std::getenv(kEnvLocalWorldSize);
    const std::string key =
        estimate::peak_key(at::get_num_threads(), precision == Precision::no ? "fp32" : choice_name(precision),
                           local == nullptr ? world_size_ : std::max(1, std::atoi(local)));
    peak_.flops_per_s = estimate::highest_peak(key, peak_.flops_per_s).flops_per_s;
}

NamedNumbers StepFigures::numbers(const train::StepReport& report) {
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
    if (recipe_.training.mixed_precision == Precision::fp16) {
        figures.emplace_back("train/loss_scale", report.loss_scale);
        figures.emplace_back("train/skipped_steps", static_cast<double>(report.step - trainer_.updates()));
    }
    return figures;
}

std::vector<std::pair<std::string, std::vector<float>>> StepFigures::histograms() const {
    Tree own = Tree::dict();
    const auto add = [&](const std::string& name, const at::Tensor& tensor) {
        if (tensor.defined() && own.entries().size() < 2 * kMostTensors)
            own.set(name, sample(tensor));
    };
    trainer_.visit_weights([&](const parallel::Parameter& parameter, const at::Tensor& value) {
        add("weights/" + parameter.name(), value);
    });
    for (const auto& [name, gradient] : trainer_.gradients())
        add("gradients/" + name, gradient);
    std::vector<std::pair<std::string, std::vector<float>>> all;
    std::set<std::string> known;  // several ranks of a pipeline have tied weights
    for (const Tree& part : trainer_.from_first_pipeline(own, "histograms"))
        for (const Tree::Entry& entry : part.entries())
            if (all.size() < 2 * kMostTensors && known.insert(to_string(entry.key)).second) {
                const at::Tensor& values = entry.value.as_tensor();
                const float* data = values.const_data_ptr<float>();
                all.emplace_back(to_string(entry.key), std::vector<float>(data, data + values.numel()));
            }
    return all;
}

}  // namespace trainyard::worker
