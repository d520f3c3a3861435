// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The curves of one log folder as TensorBoard shows them: event files are joined, points that a restart invalidated are
// dropped, and growing files are followed.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/message.h"
#include "formats/events/event_folder.h"

namespace trainyard::events {

struct CurvePoint {
    std::int64_t step = 0;
    double wall_time = 0;
    double value = 0;
};

class ScalarFolder : private EventListener {
  public:
    /// Follows the files of `folder` whose names begin with `prefix`.
    explicit ScalarFolder(std::filesystem::path folder, const std::string& prefix = "events.out.tfevents")
        : files_(std::move(folder), prefix) {}

    /// Reads all new data. Returns true if a curve changed.
    bool poll();
    const std::map<std::string, std::vector<CurvePoint>>& curves() const { return curves_; }
    /// One sentence for each problem in reading.
    std::vector<Message> problems() const { return files_.problems(); }

  private:
    void scalar(int tag, std::int64_t step, double wall_time, double value) override;
    void restart(const std::string& group, std::int64_t step) override;
    void reset() override;

    EventFolder files_;
    std::map<std::string, std::vector<CurvePoint>> curves_;
    bool changed_ = false;
};

}  // namespace trainyard::events
