// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An average of a prepared model's weights (train/loop/weight_average.h: EMA, SWA): follows each update
// of the optimizer, is saved in checkpoints, and may replace the model's weights for an evaluation.
//
//     auto average = accelerator.prepare_average(model, train::exponential(0.999));
//     { auto swapped = average->swap_in();  evaluate(); }

#include <memory>
#include <optional>
#include <utility>

#include <trainyard/prepared_model.h>

#include "train/loop/weight_average.h"

namespace trainyard::accelerator {

/// An average of the weights of a prepared model, updated after every update of its optimizer and saved in checkpoints.
class PreparedAverage final : public Stateful {
  public:
    /// Starts with the present weights. Throws UserError naming every invalid option.
    PreparedAverage(std::shared_ptr<PreparedModel> model, const train::WeightAverageOptions& options);

    /// The averages are in the model until it dies.
    class [[nodiscard]] SwapGuard {
      public:
        /// Puts the averages into the model.
        explicit SwapGuard(PreparedAverage& average) : average_(average) {
            average_.wait_for_readers();
            inner_.emplace(average.average_);
            average_.publish();
        }
        ~SwapGuard() {
            average_.wait_for_readers();
            inner_.reset();
            average_.publish();
        }
        SwapGuard(const SwapGuard&) = delete;
        SwapGuard& operator=(const SwapGuard&) = delete;

      private:
        PreparedAverage& average_;
        std::optional<train::WeightAverage::SwapGuard> inner_;
    };
    /// Puts the averages into the model for the lifetime of the result. update() must not be called meanwhile.
    SwapGuard swap_in() { return SwapGuard(*this); }
    /// Overwrites the model's weights for good.
    void copy_to_model() {
        wait_for_readers();
        average_.copy_to_model();
        publish();
    }
    /// The average under the model's names. Where the ranks divide the weights (zero_stage 3): copies, on the main
    /// process; collective, and empty on the others.
    NamedTensors averages() const;
    /// Returns the number of updates in the average.
    std::int64_t averaged() const { return average_.averaged(); }
    /// The optimizer's step() calls it.
    void update() { average_.update(); }

    /// Returns the averages and counts, for checkpoints. Where the ranks divide the weights: whole averages on the main
    /// process, and its own elements of them, flat, on any other; collective.
    Tree state_dict() const override;
    /// Restores averages and counts, from whole averages or from this rank's elements of them.
    void load_state_dict(const Tree& state) override;

  private:
    void wait_for_readers();
    void publish();

    std::shared_ptr<PreparedModel> model_;
    train::WeightAverage average_;
};

}  // namespace trainyard::accelerator
