#include "desktop/runs/loss_tail.h"

#include <algorithm>

namespace trainyard::desktop {

namespace {
constexpr std::size_t kMostPoints = 256;
}

bool LossTail::poll(std::uint64_t limit_bytes) {
    any_ = false;
    return !files_.poll(*this, limit_bytes) || any_;
}

void LossTail::scalar(const std::string&, const io::Scalar& scalar) {
    any_ = true;
    // Of our own runs the first; the others are what programs of others write.
    if (scalar.tag != "train/loss" && scalar.tag != "loss" && scalar.tag != "train_loss")
        return;
    if (seen_++ % stride_ != 0)
        return;
    points_.emplace_back(scalar.step, scalar.value);
    if (points_.size() <= kMostPoints)
        return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < points_.size(); i += 2)
        points_[kept++] = points_[i];
    points_.resize(kept);
    stride_ *= 2;
}

void LossTail::restart(const std::string&, std::int64_t step) {
    any_ = true;
    std::erase_if(points_, [step](const auto& point) { return point.first >= step; });
}

void LossTail::reset() {
    any_ = true;
    points_.clear();
    stride_ = 1;
    seen_ = 0;
}

QPolygonF LossTail::points(std::int64_t of) const {
    QPolygonF polygon;
    polygon.reserve(static_cast<qsizetype>(points_.size()));
    for (const auto& [step, loss] : points_)
        polygon << QPointF(of > 0 ? std::min(1.0, static_cast<double>(step) / static_cast<double>(of)) : 0, loss);
    return polygon;
}

}  // namespace trainyard::desktop
