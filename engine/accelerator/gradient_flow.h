// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A program's calls as an update: which micro-step ends with one, what its losses are divided by, and which calls
// stand for the parts of train/loop/update_flow.h, which the recipe's trainer drives, too. One for each Accelerator;
// prepared optimizers ask it before they step.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include <trainyard/gradient_state.h>
#include <trainyard/options.h>
#include <trainyard/prepared_model.h>

#include "distributed/parallel/process_state.h"
#include "optim/grad_scaler.h"
#include "train/loop/update_flow.h"

namespace trainyard::accelerator {

class PreparedOptimizer;

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
    /// The gradients of this update become what they mean: divided by the denominators, and, for these optimizers,
    /// unscaled. Collective when denominators were given. Nothing while gradients accumulate.
    void finish_gradients();
    void unscale(PreparedOptimizer& optimizer);
    /// The gradients of a model that keeps them itself: their norm, to which the next step clips them.
    double clip(train::GradientStore& gradients, double max_norm, double norm_type);
    /// An update whose program does not clip is clipped to this norm; 0: it is not.
    void set_clipping(double max_norm) { clipping_ = max_norm; }
    double clipping() const { return clipping_; }
    /// The program clips this update itself.
    void note_clipped() { clipped_ = true; }
    /// Steps unless a gradient is not finite. Returns whether it stepped.
    bool step(PreparedOptimizer& optimizer);
    /// An update of an optimizer that computes the loss several times. Collective. Returns the loss of its first call,
    /// the mean over the ranks.
    double step(PreparedOptimizer& optimizer, const std::function<double()>& closure);
    /// Before a change of the values that `optimizer` updates.
    void wait_for_readers(PreparedOptimizer& optimizer);
    /// After a change of the values that `optimizer` updates: on all ranks, and in the copies that a model computes
    /// with.
    void publish(PreparedOptimizer& optimizer);
    /// Throws UserError naming `what` when one of the optimizers that update these parameters does not support the
    /// feature. Empty: of any parameters.
    void require(config::TrainingFeature feature, const std::string& what,
                 const std::vector<at::Tensor>& parameters = {}) const;
    /// An optimizer that updates one of these parameters at weights that are not those to be evaluated; null: none.
    const PreparedOptimizer* training_weights(const std::vector<at::Tensor>& parameters) const;
    /// Loss scale, health, what follows an optimizer's steps.
    train::UpdateFlow& update() { return update_; }
    /// The gradients that it would have updated from are not needed.
    void drop_gradients(PreparedOptimizer& optimizer);
    double mean_loss() const { return mean_loss_; }

    optim::GradScaler* scaler() { return scales_ ? &update_.scaler() : nullptr; }
    void add(std::shared_ptr<PreparedModel> model);
    void add(PreparedOptimizer& optimizer);
    void remove(PreparedOptimizer& optimizer);
    const std::vector<PreparedOptimizer*>& optimizers() const { return optimizers_; }
    void forget_models();

  private:
    /// Those that are `.grad` of a parameter.
    std::vector<at::Tensor> gradients() const;
    /// Modules whose optimizers exchange what they make of each rank's own gradients are not reduced.
    void hold_gradients();
    void clip_as_launched(PreparedOptimizer& optimizer);
    void finish_update();

    GradientState state_;
    AccumulationOptions options_;
    std::int64_t num_steps_;
    std::int64_t step_ = 0;
    std::int64_t group_ = 0;       ///< micro-steps since the last update, this one included
    bool group_rescaled_ = false;  ///< this micro-step's earlier gradients were brought to the short group's mean
    std::shared_ptr<parallel::ProcessState> process_;
    train::UpdateFlow update_;
    double clipping_ = 0;
    bool clipped_ = false;                 ///< this update, by the program
    bool scales_;                          ///< fp16
    bool counts_ = false, plain_ = false;  ///< backward calls of this group had denominators, had none
    double expected_ = 1;                  ///< targets that this group's gradients are made for
    double mean_loss_ = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::shared_ptr<PreparedModel>> models_;
    std::vector<PreparedOptimizer*> optimizers_;
};

}  // namespace trainyard::accelerator
