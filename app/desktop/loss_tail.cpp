#include "desktop/loss_tail.h"

#include <algorithm>

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {
constexpr std::size_t kMostPoints = 256;
}

bool LossTail::poll(std::uint64_t limit_bytes) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(metrics_, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("events.out.tfevents") && !readers_.contains(name))
            readers_.emplace(name, io::EventFileReader(entry.path()));
    }
    bool any = false;
    for (auto& [name, reader] : readers_) {
        const std::uint64_t before = reader.position();
        const std::vector<io::Scalar> scalars = reader.poll(limit_bytes);
        std::size_t next = 0;
        for (std::size_t i = 0; i <= scalars.size(); ++i) {
            while (next < reader.restarts().size() && reader.restarts()[next].scalars_before == i)
                forgetFrom(reader.restarts()[next++].step);
            if (i < scalars.size() && scalars[i].tag == "train/loss")
                add(scalars[i].step, scalars[i].value);
        }
        any = any || reader.position() != before;
    }
    return any;
}

void LossTail::add(std::int64_t step, double loss) {
    if (seen_++ % stride_ != 0)
        return;
    points_.emplace_back(step, loss);
    if (points_.size() <= kMostPoints)
        return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points_.size(); i += 2)
        points_[kept++] = points_[i];
    points_.resize(kept);
    stride_ *= 2;
}

void LossTail::forgetFrom(std::int64_t step) {
    std::erase_if(points_, [step](const auto& point) { return point.first >= step; });
}

QPolygonF LossTail::points(std::int64_t of) const {
    QPolygonF polygon;
    polygon.reserve(static_cast<qsizetype>(points_.size()));
    for (const auto& [step, loss] : points_)
        polygon << QPointF(of > 0 ? std::min(1.0, static_cast<double>(step) / static_cast<double>(of)) : 0, loss);
    return polygon;
}

}  // namespace trainyard::desktop
