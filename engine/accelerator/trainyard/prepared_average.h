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
    PreparedAverage(std::shared_ptr<PreparedModel> model, const train::WeightAverageOptions& options)
        : model_(std::move(model)), average_(model_->parameters(), options, model_->buffers()) {}

    /// The averages are in the model until it dies.
    class [[nodiscard]] SwapGuard {
      public:
        /// Puts the averages into the model.
        explicit SwapGuard(PreparedAverage& average) : average_(average) {
            inner_.emplace(average.average_);
            average_.publish();
        }
        ~SwapGuard() {
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
        average_.copy_to_model();
        publish();
    }
    /// The average under the model's names.
    NamedTensors averages() const { return average_.averages(); }
    /// Returns the number of updates in the average.
    std::int64_t averaged() const { return average_.averaged(); }
    /// The optimizer's step() calls it.
    void update() { average_.update(); }

    /// Returns the averages and counts, for checkpoints.
    Tree state_dict() const override { return average_.state_dict(); }
    /// Restores averages and counts.
    void load_state_dict(const Tree& state) override { average_.load_state_dict(state); }

  private:
    void publish() {
        if (model_->gradients() != nullptr)
            model_->gradients()->publish_values();
    }

    std::shared_ptr<PreparedModel> model_;
    train::WeightAverage average_;
};

}  // namespace trainyard::accelerator
