// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/series.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::widgets {

namespace {

bool earlier_step(const SeriesPoint& a, const SeriesPoint& b) {
    return a.step < b.step;
}

/// Returns the first of `count` positions whose x is not below the wanted one; x is ascending. Since x is mostly evenly
/// spaced, the search starts at the interpolated position and widens from there.
template <class Where>
std::size_t first_not_left(std::size_t count, double wanted, Where where) {
    if (count == 0)
        return 0;
    const double first = where(0), last = where(count - 1);
    if (!(first < wanted))
        return 0;
    if (last < wanted)
        return count;
    std::size_t left = 0, right = count - 1;  // left of it, not left of it
    const double share = (wanted - first) / (last - first);
    std::size_t probe = static_cast<std::size_t>((share > 0 && share < 1 ? share : 0.5) * static_cast<double>(right));
    for (std::size_t stride = 1; left + 1 < right; stride *= 2) {
        probe = std::clamp(probe, left + 1, right - 1);
        if (where(probe) < wanted) {
            left = probe;
            probe += stride;
        } else {
            right = probe;
            probe -= std::min(probe, stride);
        }
        if (stride > right - left)
            probe = left + (right - left) / 2;
    }
    return right;
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
    if (unit == XUnit::Wall || unit == XUnit::Value)
        return wall_time + shift;
    double left_out = 0;
    if (idle && idle_left_out)
        for (const auto& [from, to] : *idle) {
            if (from >= wall_time)
                break;
            left_out += std::min(wall_time, to) - from;
        }
    return wall_time - start - left_out + shift;
}

void Series::append(const SeriesPoint& point) {
    if (!empty() && point.step < lastStep()) {
        if (earlier_ == EarlierStep::RepeatOvertakes)
            return appendPassages({point});
        dropFrom(point.step);
    }
    push(point);
}

void Series::append(const std::vector<SeriesPoint>& points) {
    if (earlier_ == EarlierStep::RepeatOvertakes && !points.empty() &&
        ((!empty() && points.front().step < lastStep()) || !std::is_sorted(points.begin(), points.end(), earlier_step)))
        return appendPassages(points);
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

/// Appends the points of a chunk.
void Series::pushEntry(SealedChunk chunk) {
    for (const std::uint16_t at : chunk->notFinite())
        not_finite_.push_back(static_cast<std::uint32_t>(sealed_ + at));
    Entry entry;
    entry.start = sealed_;
    entry.first_step = chunk->step(0);
    entry.even = chunk->isEven();
    entry.stride = chunk->stride();
    entry.first_time = chunk->wallTime(0);
    if (const Extremes& found = chunk->values().extremes(); found.found) {
        entry.any_finite = true;
        entry.lowest = static_cast<std::uint16_t>(found.lowest);
        entry.highest = static_cast<std::uint16_t>(found.highest);
        entry.low = found.low;
        entry.high = found.high;
    }
    sealed_ += chunk->size();
    entry.chunk = std::move(chunk);
    entries_.push_back(std::move(entry));
}

/// Seals the open end. If the last chunk has room for it, that chunk is rebuilt with it, so that chunks are long even
/// if points arrive in small batches.
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
        // Existing points after the first new one are removed and merged with the new points.
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

/// Appends points in the order in which they were written.
void Series::appendPassages(const std::vector<SeriesPoint>& points) {
    std::multimap<std::int64_t, SeriesPoint> late;
    for (const SeriesPoint& point : points) {
        if (empty() || point.step >= lastStep()) {
            push(point);
        } else if (const std::size_t first = firstAt(point.step); step(first) == point.step) {
            cut(first);
            late.erase(late.lower_bound(point.step), late.end());
            push(point);
        } else {
            late.emplace(point.step, point);
        }
    }
    std::vector<SeriesPoint> sorted;
    for (const auto& [step, point] : late)
        sorted.push_back(point);
    if (!sorted.empty())
        sortIn(std::move(sorted));
}

void Series::dropFrom(std::int64_t step) {
    if (!empty() && lastStep() >= step)
        cut(firstAt(step));
}

/// Returns the index of the first point at or after `step`; size() if there is none.
std::size_t Series::firstAt(std::int64_t step) const {
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
    return first;
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
    // Chunks have at most kMost points, and most have exactly that many: the entry is the guessed one or a later one.
    const std::size_t guess = index / SeriesChunk::kMost;
    if (guess + 1 == entries_.size() || (guess + 1 < entries_.size() && index < entries_[guess + 1].start))
        return guess;
    const auto after = std::upper_bound(entries_.begin() + static_cast<std::ptrdiff_t>(guess), entries_.end(), index,
                                        [](std::size_t at, const Entry& entry) { return at < entry.start; });
    return static_cast<std::size_t>(after - entries_.begin()) - 1;
}

std::int64_t Series::step(std::size_t index) const {
    if (index >= sealed_)
        return tail_[index - sealed_].step;
    const Entry& entry = entryOf(index);
    return entry.step(index - entry.start);
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
    if (first >= last)
        return {};
    Extremes within;  // of the chunks completely within the range, then of all chunks but the first
    const Entry *head = nullptr, *tail = nullptr;
    if (first < sealed_) {
        std::size_t at = entryAt(first);
        if (entries_[at].start < first)
            head = &entries_[at++];
        for (; at < entries_.size() && entries_[at].start < last; ++at) {
            if (const std::size_t end = at + 1 < entries_.size() ? entries_[at + 1].start : sealed_; end > last)
                tail = &entries_[at];
            else
                within.add(entries_[at].extremes(), entries_[at].start);
        }
    }
    // A chunk at either end is only read if its extremes may exceed those found so far.
    if (tail && tail->any_finite && (!within.found || tail->low < within.low || tail->high > within.high))
        within.add(tail->chunk->values().extremes(0, last - tail->start), tail->start);
    if (last > sealed_)
        within.add(plain_extremes(std::max(first, sealed_) - sealed_, last - sealed_,
                                  [&](std::size_t index) { return tail_[index].value; }),
                   sealed_);
    if (!head || !head->any_finite || (within.found && head->low > within.low && head->high < within.high))
        return within;
    const std::size_t end = std::min(head->chunk->size(), last - head->start);
    Extremes found;
    found.add(head->chunk->values().extremes(first - head->start, end), head->start);
    found.add(within, 0);
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
    const auto search = [&](auto at_entry, auto in_entry, auto at_point) -> std::size_t {
        if (tail_.empty() || !(at_point(tail_.front()) < x)) {
            // In the chunk before the first one that begins right of x.
            const std::size_t entry =
                first_not_left(entries_.size(), x, [&](std::size_t i) { return at_entry(entries_[i]); });
            if (entry == 0)
                return 0;
            const Entry& before = entries_[entry - 1];
            const std::size_t end = entry < entries_.size() ? entries_[entry].start : sealed_;
            return before.start +
                   first_not_left(end - before.start, x, [&](std::size_t i) { return in_entry(before, i); });
        }
        return sealed_ + first_not_left(tail_.size(), x, [&](std::size_t i) { return at_point(tail_[i]); });
    };
    if (scale.isTime())
        return search([&](const Entry& entry) { return scale.atTime(entry.first_time); },
                      [&](const Entry& entry, std::size_t i) { return scale.atTime(entry.chunk->wallTime(i)); },
                      [&](const SeriesPoint& point) { return scale.atTime(point.wall_time); });
    return search([&](const Entry& entry) { return scale.atStep(static_cast<double>(entry.first_step)); },
                  [&](const Entry& entry, std::size_t i) { return scale.atStep(static_cast<double>(entry.step(i))); },
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
