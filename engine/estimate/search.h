// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Answers: the largest batch and sequence that fit, the fewest devices, the fastest and the cheapest layout, single changes that save memory, and why something
// does not fit. All search with the same estimate, so that an answer is always what the estimate of its setup says.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "estimate/step_time.h"

namespace trainyard::estimate {

/// Which memory is too small, and by how many bytes; 0: it is large enough, or nobody said how large it is.
struct Shortage {
    double device = 0;  ///< of the fullest rank
    double host = 0;    ///< of one host, for what its devices offload
    bool any() const { return device > 0 || host > 0; }
};

/// Memory and time of one setup.
struct Answer {
    TrainingSetup setup;
    double memory = 0;  ///< of the fullest rank
    StepTime time;
    double price_per_token = 0;  ///< 0: the price is not known
};

class Search {
  public:
    Search(ModelParts model, Hardware hardware) : model_(std::move(model)), hardware_(std::move(hardware)) {}

    Answer answer(const TrainingSetup& setup) const;
    /// Device, host memory and what check_setup() says.
    bool fits(const TrainingSetup& setup) const;
    Shortage shortage(const MemoryEstimate& memory) const;
    /// Bytes of one host, or of its disk, that all of its devices together use.
    double of_host(const MemoryEstimate& memory, Place place) const;
    double limit() const { return usable_memory(hardware_.device); }

    /// Nothing: not even 1 fits. At most `most`.
    std::optional<Answer> largest_batch(const TrainingSetup& setup, std::int64_t most = 1 << 16) const;
    /// A multiple of `multiple` tokens, at most the model's positions.
    std::optional<Answer> longest_sequence(const TrainingSetup& setup, std::int64_t multiple = 64) const;
    /// Layouts of the fewest ranks, up to those of the hardware, with the same batch; the fastest of them.
    std::optional<Answer> fewest_devices(const TrainingSetup& setup) const;
    /// The layouts of `ranks` ranks that fit, with the most tokens per second first (per price, if the device has one); the batch of all ranks stays the same.
    std::vector<Answer> best_layouts(const TrainingSetup& setup, std::int64_t ranks, std::size_t most = 5) const;

    /// A change of one field: what it saves and what it costs.
    struct Saving {
        std::string field, value;
        double saved = 0;     ///< bytes of the fullest rank
        double slower = 0;    ///< share of the step time; negative: faster
        bool enough = false;  ///< it fits then
        TrainingSetup setup;
    };
    /// Those that save memory, with the least loss of speed per byte first.
    std::vector<Saving> savings(const TrainingSetup& setup) const;
    /// A sentence: the part that takes most, and the cheapest single change that is enough, or that none is. Empty if it fits.
    Message why_not(const TrainingSetup& setup) const;

    const ModelParts& model() const { return model_; }
    const Hardware& hardware() const { return hardware_; }

  private:
    std::optional<Answer> largest(const std::function<TrainingSetup(std::int64_t)>& with, std::int64_t most) const;
    ModelParts model_;
    Hardware hardware_;
};

}  // namespace trainyard::estimate
