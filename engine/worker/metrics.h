#pragma once
// Curves of a run: scalars go through a bounded queue to a thread that writes the event files, so that training never waits for a disk.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trainyard::worker {

struct MetricsPoint {
    std::int64_t step = 0;
    double wall_time = 0;
    std::vector<std::pair<std::string, double>> scalars;
};

class MetricsWriter {
  public:
    /// `training` (rank 0): also events.out.tfevents.*; every rank writes system-<rank>.*. `first_step` > 0 marks a restart there.
    MetricsWriter(const std::filesystem::path& folder, int rank, bool training, std::int64_t first_step);
    /// Writes what is queued.
    ~MetricsWriter();

    /// Blocks only when `kQueueLimit` points wait to be written.
    void add(MetricsPoint point);
    static constexpr std::size_t kQueueLimit = 4096;
    /// First problem of writing, once; empty when all is well.
    std::string take_problem();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::worker
