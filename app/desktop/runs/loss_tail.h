#pragma once
// The train loss of a run as at most 256 points, read from its event files as they grow. For the small curve in the list;
// the dashboard keeps every point.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <QPolygonF>

#include "io/event_folder.h"

namespace trainyard::desktop {

class LossTail : private io::EventListener {
  public:
    explicit LossTail(std::filesystem::path metrics) : files_(std::move(metrics)) {}
    /// Reads at most `limit_bytes` of what is new; true when there was something.
    bool poll(std::uint64_t limit_bytes);
    /// x = step / of (0..1).
    QPolygonF points(std::int64_t of) const;

  private:
    void scalar(const std::string& group, const io::Scalar& scalar) override;
    void restart(const std::string& group, std::int64_t step) override;
    void reset() override;

    io::EventFolder files_;
    std::vector<std::pair<std::int64_t, double>> points_;
    std::int64_t stride_ = 1;  ///< every stride-th point is kept
    std::int64_t seen_ = 0;
    bool any_ = false;  ///< heard something in this poll
};

}  // namespace trainyard::desktop
