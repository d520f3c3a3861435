// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which rank holds up the others? In a synchronous run all ranks take equally long for a step, so what counts is a rank's own time: the
// step less the time it stood waiting in collectives (CollectiveStats::waited_seconds).

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::train {

struct StragglerOptions {
    std::int64_t every = 10;       ///< steps in one round
    double factor = 1.5;           ///< times the median of the other ranks
    double least_seconds = 0.001;  ///< and at least so much more a step
    std::int64_t persistence = 3;  ///< slow rounds in a row before the rank is reported, and reported again
};

struct Straggler {
    int rank = 0;
    double seconds = 0;  ///< own time of a step
    double median = 0;   ///< of the other ranks
    std::int64_t rounds = 0;
    Message sentence(std::int64_t step) const;
};

/// Judges rounds of own times.
class StragglerDetector {
  public:
    explicit StragglerDetector(StragglerOptions options = {}) : options_(options) {}
    /// Own seconds of a step of every rank. Those that are slow for the persistence-th time in a row (and every so many later).
    std::vector<Straggler> observe(std::span<const double> seconds_of_ranks);

  private:
    StragglerOptions options_;
    std::vector<std::int64_t> slow_rounds_;
};

/// Measures and gathers: an all-gather of 8 bytes every `every` steps.
class StragglerWatch {
  public:
    StragglerWatch(parallel::Communicator& communicator, StragglerOptions options = {});
    /// After each step, on all ranks: its wall seconds and those of them spent waiting. Collective every `every` calls.
    std::vector<Straggler> step(double seconds, double waited_seconds);
    /// Own seconds of a step of every rank in the newest round; empty before it.
    const std::vector<double>& seconds_of_ranks() const { return newest_; }

  private:
    parallel::Communicator& communicator_;
    StragglerOptions options_;
    StragglerDetector detector_;
    double own_ = 0;
    std::int64_t steps_ = 0;
    std::vector<double> newest_;
};

}  // namespace trainyard::train
