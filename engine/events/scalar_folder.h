#pragma once
// The curves of one log folder as TensorBoard shows them: its event files joined, points that a restart went over dropped, files
// that still grow followed.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "events/event_folder.h"

namespace trainyard::events {

struct CurvePoint {
    std::int64_t step = 0;
    double wall_time = 0;
    double value = 0;
};

class ScalarFolder : private EventListener {
  public:
    /// Follows the files of `folder` whose name begins with `prefix`.
    explicit ScalarFolder(std::filesystem::path folder, const std::string& prefix = "events.out.tfevents")
        : files_(std::move(folder), prefix) {}

    /// Reads all that is new. True when curves changed.
    bool poll();
    const std::map<std::string, std::vector<CurvePoint>>& curves() const { return curves_; }
    /// What cannot be read, one sentence each.
    std::vector<std::string> problems() const { return files_.problems(); }

  private:
    void scalar(int tag, std::int64_t step, double wall_time, double value) override;
    void restart(const std::string& group, std::int64_t step) override;
    void reset() override;

    EventFolder files_;
    std::map<std::string, std::vector<CurvePoint>> curves_;
    bool changed_ = false;
};

}  // namespace trainyard::events
