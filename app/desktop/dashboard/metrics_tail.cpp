#include "desktop/dashboard/metrics_tail.h"

#include <optional>

namespace trainyard::desktop {

namespace {

constexpr std::string_view kTraining = "events.out.tfevents";
constexpr std::string_view kSystem = "system-";

/// `system-00003.events...` -> 3; -1 for another name.
int rank_of(const std::string& name) {
    if (!name.starts_with(kSystem) || name.find(kTraining) == std::string::npos)
        return -1;
    int rank = 0;
    std::size_t at = kSystem.size();
    for (; at < name.size() && name[at] >= '0' && name[at] <= '9' && rank < 100000; ++at)
        rank = rank * 10 + (name[at] - '0');
    return at > kSystem.size() ? rank : -1;
}

}  // namespace

MetricsTail::MetricsTail(std::filesystem::path folder)
    : files_(std::move(folder), [](const std::string& name) -> std::optional<std::string> {
          if (name.starts_with(kTraining))
              return "";
          const int rank = rank_of(name);
          return rank >= 0 ? std::optional("#" + std::to_string(rank)) : std::nullopt;
      }) {}

bool MetricsTail::poll(std::vector<CurveChange>& changes, std::uint64_t limit_bytes) {
    changes_ = &changes;
    places_.clear();
    return files_.poll(*this, limit_bytes);
}

void MetricsTail::scalar(const std::string& group, const io::Scalar& scalar) {
    const auto [place, added] = places_.try_emplace(scalar.tag + group, changes_->size());
    if (added)
        changes_->push_back({CurveChange::Kind::Points, scalar.tag + group, 0, {}});
    (*changes_)[place->second].points.push_back({scalar.step, scalar.wall_time, scalar.value});
}

void MetricsTail::restart(const std::string& group, std::int64_t step) {
    places_.clear();
    changes_->push_back({CurveChange::Kind::Restart, group, step, {}});
}

void MetricsTail::reset() {
    places_.clear();
    changes_->assign(1, {CurveChange::Kind::Reset, {}, 0, {}});
}

}  // namespace trainyard::desktop
