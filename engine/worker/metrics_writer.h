// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Curves of a run: scalars go through a bounded queue to a thread that writes the event files, so that training never waits for a disk.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "config/recipe/recipe.h"
#include "formats/events/event_summary.h"

namespace trainyard::worker {

using NamedNumbers = std::vector<std::pair<std::string, double>>;

struct MetricsPoint {
    std::int64_t step = 0;
    double wall_time = 0;
    NamedNumbers scalars;                                                ///< of the run: rank 0
    NamedNumbers own;                                                    ///< of this rank
    std::vector<std::pair<std::string, std::vector<float>>> histograms;  ///< of the run; counted in the writing thread
    std::vector<std::pair<std::string, std::string>> texts{};            ///< of the run
};

/// Every key of the recipe and the number of ranks, for TensorBoard's HParams page.
events::HyperParameters hyper_parameters(const config::Recipe& recipe, int world_size);

/// Steps between two points of a rank's own curves: 1 up to step 20,000, then 2, 4, ... so that their number grows with the logarithm of
/// the steps only. The same on all ranks, so that points can be compared.
std::int64_t own_stride(std::int64_t step);

/// A rank's own figures of each step, as their means over a stride. One that is not a number makes its mean one: it is seen.
class OwnMeans {
  public:
    /// Empty until a stride is full. The same names in the same order at every step.
    NamedNumbers add(std::int64_t step, const NamedNumbers& figures);

  private:
    NamedNumbers sums_;
    int steps_ = 0;
};

class MetricsWriter {
  public:
    /// Every rank writes its own figures into its folder of `metrics` (formats/events/event_layout.h); with `training` (rank 0) also the run's curves, behind
    /// its hyper-parameters. `first_step` > 0 marks a restart there.
    MetricsWriter(const std::filesystem::path& metrics, int rank, const events::HyperParameters* training,
                  std::int64_t first_step);
    /// Writes what is queued.
    ~MetricsWriter();

    /// Blocks only when `kQueueLimit` points wait to be written.
    void add(MetricsPoint point);
    static constexpr std::size_t kQueueLimit = 4096;
    /// First problem of writing, once; empty when all is well.
    Message take_problem();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::worker
