// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Loss scaling for fp16: the loss is multiplied by a large factor so that small gradients survive in fp16; before the step they are divided
// by it again, a step whose gradients are not all finite is skipped, and the factor follows: times `backoff_factor` after a skipped step, times
// `growth_factor` after `growth_interval` good ones in a row. On the ATen operators of torch.amp.GradScaler (CPU and GPU), with its arithmetic
// and its state dictionary {scale, growth_factor, backoff_factor, growth_interval, _growth_tracker}, which is what scaler.pt of Accelerate holds.
//
//     backward(scaler.scale(loss));
//     scaler.unscale(optimizer);
//     if (!scaler.found_non_finite(&optimizer)) optimizer.step();
//     scaler.update();
//
// Micikevicius et al., "Mixed Precision Training", ICLR 2018.

#include <cstdint>
#include <map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "optim/optimizer.h"

namespace trainyard::optim {

struct GradScalerOptions {
    double init_scale = 65536.0;
    double growth_factor = 2.0;
    double backoff_factor = 0.5;
    std::int64_t growth_interval = 2000;  ///< good steps in a row after which the scale grows
    bool enabled = true;                  ///< false: everything passes through unchanged
};

class GradScaler final : public Stateful {
  public:
    /// Throws UserError naming every option that makes no sense. `device` is where the scale lives: that of the losses.
    explicit GradScaler(GradScalerOptions options = {}, at::Device device = at::Device(at::kCPU));

    bool enabled() const { return options_.enabled; }
    /// The loss times the scale; differentiable.
    at::Tensor scale(const at::Tensor& loss) const;

    /// Divides the gradients by the scale, in place, and notes whether one of them is not finite. Until update() a second call for the same owner
    /// does nothing (clipping, logging and the step may all ask for it). `owner` is whatever steps: an optimizer, a flat buffer.
    void unscale(Optimizer& optimizer);
    void unscale(const void* owner, const std::vector<at::Tensor>& gradients);
    bool is_unscaled(const void* owner) const { return found_.contains(owner); }
    /// Whether unscale() met an infinity or NaN. One value is read from the device.
    bool found_non_finite(const void* owner) const;
    /// Tensors [1], one per device of the gradients: 1 where something was not finite. Ranks that hold different slices of the gradients add them up
    /// in place before asking, so that all of them take the same decision.
    std::vector<at::Tensor> found_flags(const void* owner) const;

    /// Once after every owner has stepped: the next scale.
    void update();

    double scale_value() const;           ///< 1 when not enabled
    std::int64_t growth_tracker() const;  ///< good steps since the scale last changed
    const GradScalerOptions& options() const { return options_; }

    Tree state_dict() const override;  ///< an empty dictionary when not enabled
    void load_state_dict(const Tree& state) override;

  private:
    GradScalerOptions options_;
    at::Tensor scale_, growth_tracker_;                     // [1] fp32, [1] int32
    std::map<const void*, std::vector<at::Tensor>> found_;  // since the last update()
};

}  // namespace trainyard::optim
