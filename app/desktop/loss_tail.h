#pragma once
// The train loss of a run as at most 256 points, read from its event files as they grow. For the small curve in the list;
// the dashboard keeps every point.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <QPolygonF>

#include "io/event_file.h"

namespace trainyard::desktop {

class LossTail {
  public:
    explicit LossTail(std::filesystem::path metrics) : metrics_(std::move(metrics)) {}
    /// Reads at most `limit_bytes` of what is new; true when there was something.
    bool poll(std::uint64_t limit_bytes);
    /// x = step / of (0..1).
    QPolygonF points(std::int64_t of) const;

  private:
    void add(std::int64_t step, double loss);
    void forgetFrom(std::int64_t step);

    std::filesystem::path metrics_;
    std::map<std::string, io::EventFileReader> readers_;  ///< by file name, so oldest first
    std::vector<std::pair<std::int64_t, double>> points_;
    std::int64_t stride_ = 1;  ///< every stride-th point is kept
    std::int64_t seen_ = 0;
};

}  // namespace trainyard::desktop
