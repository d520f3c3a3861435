// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Averages of the weights over the steps of a training: exponential (EMA: recent steps count most) and uniform (SWA:
// all count alike). The average is often the better model; the training itself continues with the plain weights.
//
//     train::WeightAverage ema(parameters, train::exponential(0.999));
//     ... after every optimizer step: ema.update();
//     { auto swapped = ema.swap_in();  evaluate(); }        // the model has the averaged weights in here
//
// Closed forms, with p_1 ... p_n the weights of the counted updates and p_0 those at the start:
//   exponential: a_n = d^n p_0 + (1 - d) sum_k d^(n-k) p_k           uniform: a_n = (p_1 + ... + p_n) / n
// Polyak & Juditsky 1992; Izmailov et al., "Averaging Weights Leads to Wider Optima", UAI 2018. Decay warm-up min(d, (1 + n) / (10 + n)) as
// TensorFlow's ExponentialMovingAverage has it.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

#include "distributed/tensors/tree.h"

namespace trainyard::train {

struct WeightAverageOptions {
    enum class Kind { exponential, uniform };
    Kind kind = Kind::exponential;
    double decay = 0.999;  ///< exponential: share of the old average that is kept
    bool warm_up = false;  ///< exponential: forget the random start faster, decay_n = min(decay, (1 + n) / (10 + n))
    std::int64_t start_step = 0;    ///< calls of update() before it the average is just the weights
    std::int64_t update_every = 1;  ///< of the calls of update() after that, every how many-th counts
    bool use_buffers = false;       ///< average floating-point buffers too; else they are copied
};

WeightAverageOptions exponential(double decay, bool warm_up = false);
WeightAverageOptions uniform(std::int64_t start_step = 0, std::int64_t update_every = 1);

class WeightAverage final : public Stateful {
  public:
    /// Keeps handles of the tensors, which must stay the model's (updates in place, as all optimizers do). The averages of 16-bit weights are
    /// fp32: small steps would be lost otherwise. Throws UserError naming every option that makes no sense.
    explicit WeightAverage(NamedTensors parameters, WeightAverageOptions options = {}, NamedTensors buffers = {});

    /// After an optimizer step that was taken (not after a skipped one).
    void update();
    std::int64_t calls() const { return calls_; }        ///< of update()
    std::int64_t averaged() const { return averaged_; }  ///< that counted
    /// Decay of the n-th counted update (n from 1).
    double decay_at(std::int64_t n) const;

    /// The average under the model's names, in the dtype of the weights.
    NamedTensors averages() const;
    /// Overwrites the model's weights for good, e.g. at the end of the training.
    void copy_to_model();

    /// Puts the averages into the model until it dies. update() must not be called meanwhile.
    class [[nodiscard]] SwapGuard {
      public:
        explicit SwapGuard(WeightAverage& average);
        ~SwapGuard();
        SwapGuard(const SwapGuard&) = delete;
        SwapGuard& operator=(const SwapGuard&) = delete;

      private:
        WeightAverage& average_;
    };
    SwapGuard swap_in() { return SwapGuard(*this); }

    /// The averages themselves, to be saved or filled in place; with counts() they are all of the state.
    NamedTensors tensors() const;
    /// {"calls", "averaged"}
    Tree counts() const { return Tree::dict({{"calls", calls_}, {"averaged", averaged_}}); }
    void set_counts(const Tree& counts);

    /// counts() and {"average": {name: tensor}}
    Tree state_dict() const override;
    void load_state_dict(const Tree& state) override;

  private:
    void exchange();

    WeightAverageOptions options_;
    NamedTensors weights_;  // parameters, then buffers
    std::size_t parameter_count_;
    std::vector<at::Tensor> averages_;  // like weights_
    std::int64_t calls_ = 0, averaged_ = 0;
    std::vector<at::Tensor> plain_;  // the weights while the averages are in the model
    bool swapped_ = false;
};

}  // namespace trainyard::train
