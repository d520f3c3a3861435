// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/events/scalar_folder.h"

#include <algorithm>

namespace trainyard::events {

bool ScalarFolder::poll() {
    changed_ = false;
    while (!files_.poll(*this)) {
    }
    return changed_;
}

void ScalarFolder::scalar(int tag, std::int64_t step, double wall_time, double value) {
    curves_[files_.tag_name(tag)].push_back({step, wall_time, value});
    changed_ = true;
}

void ScalarFolder::restart(const std::string&, std::int64_t step) {
    for (auto& [tag, points] : curves_)
        std::erase_if(points, [&](const CurvePoint& point) { return point.step >= step; });
    changed_ = true;
}

void ScalarFolder::reset() {
    curves_.clear();
    changed_ = true;
}

}  // namespace trainyard::events
