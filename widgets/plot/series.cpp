#include "widgets/plot/series.h"

#include <algorithm>
#include <cmath>

namespace trainyard::widgets {

namespace {

bool earlier_step(const SeriesPoint& a, const SeriesPoint& b) {
    return a.step < b.step;
}

/// First of `count` places whose x is not left of the wanted one; x ascends with the place.
template <class Where>
std::size_t first_not_left(std::size_t count, double wanted, Where where) {
    std::size_t first = 0;
    while (count > 0) {
        const std::size_t half = count / 2;
        if (where(first + half) < wanted) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

}  // namespace

double XScale::atStep(double step) const {
    switch (unit) {
        case XUnit::Tokens:
            return step * tokens_per_step + shift;
        case XUnit::Epoch:
            return step / steps_per_epoch + shift;
        default:
            return step + shift;
    }
}

double XScale::atTime(double wall_time) const {
    return (unit == XUnit::Wall ? wall_time : wall_time - start) + shift;
}

void Series::append(const SeriesPoint& point) {
    if (!empty() && point.step < lastStep()) {
        if (earlier_ == EarlierStep::IsSortedIn)
            return sortIn({point});
        dropFrom(point.step);
    }
    push(point);
}

void Series::append(const std::vector<SeriesPoint>& points) {
    if (earlier_ == EarlierStep::IsSortedIn && !points.empty() &&
        ((!empty() && points.front().step < lastStep()) || !std::is_sorted(points.begin(), points.end(), earlier_step)))
        return sortIn(points);
    for (const SeriesPoint& point : points)
        append(point);
}

void Series::append(const SealedChunk& chunk) {
    if (!empty()) {
        const SeriesPoint first = chunk->point(0);
        if (first.step < lastStep() && earlier_ == EarlierStep::Overtakes)
            dropFrom(first.step);
        if (!empty() && (first.step < lastStep() || first.wall_time < lastTime())) {
            std::vector<SeriesPoint> points;
            for (std::size_t i = 0; i < chunk->size(); ++i)
                points.push_back(chunk->point(i));
            return append(points);
        }
        sealTail();
    }
    pushEntry(chunk);
}

void Series::append(const SeriesPiece& piece) {
    for (const SealedChunk& chunk : piece.chunks)
        append(chunk);
    append(piece.points);
}

void Series::push(SeriesPoint point) {
    if (tail_.size() >= kOpenEnd)
        sealTail();
    if (!std::isfinite(point.value))
        not_finite_.push_back(static_cast<std::uint32_t>(size()));
    if (!empty()) {
        if (!(point.wall_time >= lastTime()))
            point.wall_time = lastTime();
    } else if (std::isnan(point.wall_time)) {
        point.wall_time = 0;
    }
    tail_.push_back(point);
}

/// The chunk's points are the next ones.
void Series::pushEntry(SealedChunk chunk) {
    for (const std::uint16_t at : chunk->notFinite())
        not_finite_.push_back(static_cast<std::uint32_t>(sealed_ + at));
    Entry entry;
    entry.start = sealed_;
    entry.first_step = chunk->step(0);
    entry.first_time = chunk->wallTime(0);
    if (const Extremes& found = chunk->values().extremes(); found.found) {
        entry.any_finite = true;
        entry.lowest = static_cast<std::uint16_t>(found.lowest);
        entry.highest = static_cast<std::uint16_t>(found.highest);
        entry.low = chunk->value(found.lowest);
        entry.high = chunk->value(found.highest);
    }
    sealed_ += chunk->size();
    entry.chunk = std::move(chunk);
    entries_.push_back(std::move(entry));
}

/// Closes the open end. A chunk that has room for it is made anew with it, so that chunks are long however points come.
void Series::sealTail() {
    if (tail_.empty())
        return;
    std::vector<SeriesPoint> points;
    if (!entries_.empty() && entries_.back().chunk->size() + tail_.size() <= SeriesChunk::kMost) {
        const SealedChunk last = std::move(entries_.back().chunk);
        entries_.pop_back();
        sealed_ -= last->size();
        points.reserve(last->size() + tail_.size());
        for (std::size_t i = 0; i < last->size(); ++i)
            points.push_back(last->point(i));
    }
    points.insert(points.end(), tail_.begin(), tail_.end());
    tail_.clear();
    while (!not_finite_.empty() && not_finite_.back() >= sealed_)
        not_finite_.pop_back();
    pushEntry(SeriesChunk::seal(points));
}

void Series::sortIn(std::vector<SeriesPoint> points) {
    std::stable_sort(points.begin(), points.end(), earlier_step);
    if (!empty() && points.front().step < lastStep()) {
        // What lies after the first of them comes again, in its turn.
        std::size_t first = 0;
        for (std::size_t count = size(); count > 0;) {
            const std::size_t half = count / 2;
            if (step(first + half) <= points.front().step) {
                first += half + 1;
                count -= half + 1;
            } else {
                count = half;
            }
        }
        std::vector<SeriesPoint> all;
        all.reserve(size() - first + points.size());
        forEach(first, size(), [&](std::size_t, const SeriesPoint& point) { all.push_back(point); });
        cut(first);
        const auto middle = static_cast<std::ptrdiff_t>(all.size());
        all.insert(all.end(), points.begin(), points.end());
        std::inplace_merge(all.begin(), all.begin() + middle, all.end(), earlier_step);
        points = std::move(all);
    }
    for (const SeriesPoint& point : points)
        push(point);
}

void Series::dropFrom(std::int64_t step) {
    if (empty() || lastStep() < step)
        return;
    std::size_t first = 0;
    for (std::size_t count = size(); count > 0;) {
        const std::size_t half = count / 2;
        if (this->step(first + half) < step) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    cut(first);
}

void Series::clear() {
    if (!empty())
        cut(0);
}

void Series::cut(std::size_t size) {
    ++cuts_;
    while (!not_finite_.empty() && not_finite_.back() >= size)
        not_finite_.pop_back();
    if (size >= sealed_) {
        tail_.resize(size - sealed_);
        return;
    }
    tail_.clear();
    while (!entries_.empty() && entries_.back().start >= size) {
        sealed_ = entries_.back().start;
        entries_.pop_back();
    }
    if (size == sealed_)
        return;
    const SealedChunk last = std::move(entries_.back().chunk);
    sealed_ = entries_.back().start;
    entries_.pop_back();
    for (std::size_t i = 0; sealed_ + i < size; ++i)
        tail_.push_back(last->point(i));
}

std::size_t Series::entryAt(std::size_t index) const {
    const auto after = std::upper_bound(entries_.begin(), entries_.end(), index,
                                        [](std::size_t at, const Entry& entry) { return at < entry.start; });
    return static_cast<std::size_t>(after - entries_.begin()) - 1;
}

const Series::Entry& Series::entryOf(std::size_t index) const {
    return entries_[entryAt(index)];
}

std::int64_t Series::step(std::size_t index) const {
    if (index >= sealed_)
        return tail_[index - sealed_].step;
    const Entry& entry = entryOf(index);
    return entry.chunk->step(index - entry.start);
}

double Series::wallTime(std::size_t index) const {
    if (index >= sealed_)
        return tail_[index - sealed_].wall_time;
    const Entry& entry = entryOf(index);
    return entry.chunk->wallTime(index - entry.start);
}

double Series::value(std::size_t index) const {
    if (index >= sealed_)
        return tail_[index - sealed_].value;
    const Entry& entry = entryOf(index);
    return entry.chunk->value(index - entry.start);
}

SeriesPoint Series::point(std::size_t index) const {
    if (index >= sealed_)
        return tail_[index - sealed_];
    const Entry& entry = entryOf(index);
    return entry.chunk->point(index - entry.start);
}

Extremes Series::extremes(std::size_t first, std::size_t last) const {
    Extremes found;
    double low = 0, high = 0;
    const auto take = [&](std::size_t lowest, double its_value, std::size_t highest, double other_value) {
        if (!found.found || its_value < low) {
            found.lowest = lowest;
            low = its_value;
        }
        if (!found.found || other_value > high) {
            found.highest = highest;
            high = other_value;
        }
        found.found = true;
    };
    if (first < sealed_ && first < last)
        for (std::size_t at = entryAt(first); at < entries_.size() && entries_[at].start < last; ++at) {
            const Entry& entry = entries_[at];
            const std::size_t count = entry.chunk->size();
            if (!entry.any_finite)
                continue;
            // A chunk whose extremes lie within those found, or in the stretch, need not be looked into.
            const bool whole = first <= entry.start && entry.start + count <= last;
            if (whole) {
                take(entry.start + entry.lowest, entry.low, entry.start + entry.highest, entry.high);
            } else if (!found.found || entry.low < low || entry.high > high) {
                const Extremes part = entry.chunk->values().extremes(first > entry.start ? first - entry.start : 0,
                                                                     std::min(count, last - entry.start));
                if (part.found)
                    take(entry.start + part.lowest, entry.chunk->value(part.lowest), entry.start + part.highest,
                         entry.chunk->value(part.highest));
            }
        }
    if (last > sealed_ && !tail_.empty()) {
        const Extremes part = plain_extremes(std::max(first, sealed_) - sealed_, last - sealed_,
                                             [&](std::size_t index) { return tail_[index].value; });
        if (part.found)
            take(sealed_ + part.lowest, tail_[part.lowest].value, sealed_ + part.highest, tail_[part.highest].value);
    }
    return found;
}

double Series::lowestAboveZero(std::size_t first, std::size_t last) const {
    double lowest = HUGE_VAL;
    if (first < sealed_ && first < last)
        for (std::size_t at = entryAt(first); at < entries_.size() && entries_[at].start < last; ++at) {
            const Entry& entry = entries_[at];
            const std::size_t count = entry.chunk->size();
            if (entry.any_finite && entry.high > 0)
                lowest = std::min(lowest,
                                  entry.chunk->values().lowestAboveZero(first > entry.start ? first - entry.start : 0,
                                                                        std::min(count, last - entry.start)));
        }
    for (std::size_t index = std::max(first, sealed_); index < last; ++index)
        if (const double value = tail_[index - sealed_].value; value > 0 && value < lowest)
            lowest = value;
    return lowest;
}

std::size_t Series::lowerBound(double x, const XScale& scale) const {
    const auto search = [&](auto at_entry, auto at_chunk, auto at_point) -> std::size_t {
        if (tail_.empty() || !(at_point(tail_.front()) < x)) {
            // Within the chunk before the first one that begins right of x.
            const std::size_t entry =
                first_not_left(entries_.size(), x, [&](std::size_t i) { return at_entry(entries_[i]); });
            if (entry == 0)
                return 0;
            const SeriesChunk& chunk = *entries_[entry - 1].chunk;
            return entries_[entry - 1].start +
                   first_not_left(chunk.size(), x, [&](std::size_t i) { return at_chunk(chunk, i); });
        }
        return sealed_ + first_not_left(tail_.size(), x, [&](std::size_t i) { return at_point(tail_[i]); });
    };
    if (scale.isTime())
        return search([&](const Entry& entry) { return scale.atTime(entry.first_time); },
                      [&](const SeriesChunk& chunk, std::size_t i) { return scale.atTime(chunk.wallTime(i)); },
                      [&](const SeriesPoint& point) { return scale.atTime(point.wall_time); });
    return search(
        [&](const Entry& entry) { return scale.atStep(static_cast<double>(entry.first_step)); },
        [&](const SeriesChunk& chunk, std::size_t i) { return scale.atStep(static_cast<double>(chunk.step(i))); },
        [&](const SeriesPoint& point) { return scale.atStep(static_cast<double>(point.step)); });
}

std::size_t Series::nearest(double at, const XScale& scale) const {
    const std::size_t right = lowerBound(at, scale);
    if (right == 0)
        return 0;
    if (right == size())
        return size() - 1;
    return at - x(right - 1, scale) <= x(right, scale) - at ? right - 1 : right;
}

std::size_t Series::bytes() const {
    std::size_t total = entries_.capacity() * sizeof(Entry) + tail_.capacity() * sizeof(SeriesPoint) +
                        not_finite_.capacity() * sizeof(std::uint32_t);
    for (const Entry& entry : entries_)
        total += entry.chunk->bytes();
    return total;
}

}  // namespace trainyard::widgets
