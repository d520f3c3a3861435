#pragma once
// From losses to gradients that an optimizer may use: dividing by the number of micro-batches, loss scaling, the mean over what was counted,
// and unscaling before anybody looks. One for each Accelerator; prepared optimizers ask it before they step. Totals, norms and scales are those
// of train/step_core.h, which the recipe's trainer steps with, too.

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <ATen/core/Tensor.h>

#include "accelerator/gradient_state.h"
#include "accelerator/options.h"
#include "accelerator/prepared_model.h"
#include "optim/grad_scaler.h"
#include "parallel/process_state.h"
#include "train/step_core.h"

namespace trainyard::accelerator {

class PreparedOptimizer;

struct BackwardOptions {
    at::Tensor gradient = {};  ///< for losses that are no single number
    bool retain_graph = false;
    bool create_graph = false;
    /// What the loss, a sum, is to be divided by: tokens that count, samples. The gradients of the update are those of the sum of all losses of the
    /// group, over its micro-batches and all ranks, divided by the sum of all denominators: a mean over what was counted, however unevenly it was
    /// spread. Either every backward of a group has one or none.
    std::optional<double> denominator = std::nullopt;
    /// What the denominators of the whole update are expected to sum up to: gradients are made for it and corrected once the sum is known, so that
    /// they are never as large as those of a sum (fp16). Left out: that of the update before, under fp16.
    std::optional<double> expected = std::nullopt;
};

class GradientFlow {
  public:
    GradientFlow(std::int64_t num_steps, AccumulationOptions options, std::optional<optim::GradScalerOptions> scaler,
                 at::Device device, std::shared_ptr<parallel::ProcessState> process);

    GradientState& state() { return state_; }
    const GradientState& state() const { return state_; }
    const AccumulationOptions& options() const { return options_; }
    std::int64_t num_steps() const { return num_steps_; }
    void set_num_steps(std::int64_t num_steps);
    /// Accelerate's step counter: micro-steps since a loader ended.
    std::int64_t step() const { return step_; }
    void set_step(std::int64_t step) { step_ = step; }

    /// A micro-step begins: decides whether it ends with an update.
    void begin_micro_step();
    void backward(const at::Tensor& loss, const BackwardOptions& options);
    /// The gradients of this update become what they mean: divided by the denominators, and, for these optimizers, unscaled. Collective when
    /// denominators were given. Nothing while gradients accumulate.
    void finish_gradients();
    void unscale(PreparedOptimizer& optimizer);
    /// The gradients of a model that keeps them itself: their norm, to which the next step clips them.
    double clip(train::GradientStore& gradients, double max_norm, double norm_type);
    /// Steps unless a gradient is not finite. Returns whether it stepped.
    bool step(PreparedOptimizer& optimizer);
    /// No optimizer steps in this update.
    void skip_update() { skips_ = true; }
    /// The gradients that it would have updated from are not needed.
    void drop_gradients(PreparedOptimizer& optimizer);
    double mean_loss() const { return mean_loss_; }

    optim::GradScaler* scaler() { return scales_ ? &core_.scaler() : nullptr; }
    void add(std::shared_ptr<PreparedModel> model);
    void add(PreparedOptimizer& optimizer);
    void remove(PreparedOptimizer& optimizer);
    const std::vector<PreparedOptimizer*>& optimizers() const { return optimizers_; }
    void forget_models() { models_.clear(); }

  private:
    /// Those that are `.grad` of a parameter.
    std::vector<at::Tensor> gradients() const;
    std::vector<train::GradientStore*> stores() const;
    train::GradientStore* store_of(const PreparedOptimizer& optimizer) const;
    void update_scale();

    GradientState state_;
    AccumulationOptions options_;
    std::int64_t num_steps_;
    std::int64_t step_ = 0;
    std::int64_t group_ = 0;       ///< micro-steps since the last update, this one included
    bool group_rescaled_ = false;  ///< this micro-step's earlier gradients were brought to the short group's mean
    std::shared_ptr<parallel::ProcessState> process_;
    train::StepCore core_;
    bool scales_;                          ///< fp16
    bool counts_ = false, plain_ = false;  ///< backward calls of this group had denominators, had none
    double expected_ = 1;                  ///< targets that this group's gradients are made for
    double targets_ = 0;                   ///< of this rank's micro-batches so far
    at::Tensor loss_sum_;                  ///< their losses, 0-dim float64
    bool skips_ = false;                   ///< this update is passed over
    double mean_loss_ = std::numeric_limits<double>::quiet_NaN();
    std::map<const train::GradientStore*, double> clip_divisors_;  ///< of this update
    std::vector<std::shared_ptr<PreparedModel>> models_;
    std::vector<PreparedOptimizer*> optimizers_;
    std::set<PreparedOptimizer*> stepped_;  ///< since the scale was last updated
};

}  // namespace trainyard::accelerator
