#pragma once
// The event files of a run as changes of curves. Rank r's system metrics get the tag `<tag>#<r>`. Runs in the reading thread.

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "desktop/dashboard/run_batch.h"
#include "io/event_folder.h"

namespace trainyard::desktop {

class MetricsTail : private io::EventListener {
  public:
    explicit MetricsTail(std::filesystem::path folder);

    /// Appends what is new to `changes`; at most `limit_bytes` of each file. False: there is more, call again at once.
    bool poll(std::vector<CurveChange>& changes, std::uint64_t limit_bytes);
    std::vector<std::string> problems() const { return files_.problems(); }

  private:
    void scalar(const std::string& group, const io::Scalar& scalar) override;
    void restart(const std::string& group, std::int64_t step) override;
    void reset() override;

    io::EventFolder files_;
    std::vector<CurveChange>* changes_ = nullptr;  ///< of the poll under way
    /// Where the points of a tag go until the next restart: a step has five scalars, and a batch thousands of steps.
    std::unordered_map<std::string, std::size_t> places_;
};

}  // namespace trainyard::desktop
