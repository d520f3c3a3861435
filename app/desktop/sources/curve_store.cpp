// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/curve_store.h"

#include <algorithm>

namespace trainyard::desktop {

namespace {

/// `#<rank>` at the end of a tag, or nothing.
std::string_view group_of(std::string_view tag) {
    const std::size_t at = tag.find_last_not_of("0123456789");
    return at != std::string_view::npos && tag[at] == '#' && at + 1 < tag.size() ? tag.substr(at) : std::string_view();
}

}  // namespace

CurveStore::News CurveStore::take(const CurveBatch& batch) {
    News news;
    for (const TagInfo& info : batch.tags) {
        const auto [place, added] = places_.try_emplace(info.tag, tags_.size());
        if (added)
            tags_.push_back(info);
        else
            tags_[place->second] = info;
        news.tags = true;
    }
    if (batch.parameters) {
        news.labels = batch.parameters->size() != parameters_.size();
        parameters_ = *batch.parameters;
    }
    if (batch.labels && *batch.labels != labels_) {
        news.labels = true;
        labels_ = *batch.labels;
    }
    for (const CurveChange& change : batch.changes) {
        switch (change.kind) {
            case CurveChange::Kind::Reset:
                for (auto& [tag, series] : series_)
                    series.clear();
                for (auto& [tag, media] : media_)
                    media = {};
                news.curves = news.media = true;
                break;
            case CurveChange::Kind::Restart:
                for (auto& [tag, series] : series_)
                    if (group_of(tag) == change.tag)
                        series.dropFrom(change.step);
                for (auto& [tag, media] : media_)
                    if (group_of(tag) == change.tag) {
                        std::erase_if(media.points, [&](const auto& point) { return point->step >= change.step; });
                        news.media = true;
                    }
                news.curves = true;
                break;
            case CurveChange::Kind::Points: {
                if (places_.try_emplace(change.tag, tags_.size()).second) {
                    tags_.push_back({change.tag, TagKind::Scalar, {}});
                    news.tags = true;
                }
                widgets::Series& series = series_.try_emplace(change.tag, earlier_).first->second;
                for (const widgets::SealedChunk& chunk : change.chunks)
                    series.append(chunk);
                series.append(change.points);
                news.curves = true;
                break;
            }
            case CurveChange::Kind::Media:
                addMedia(media_[change.tag], change.media);
                news.media = true;
                break;
        }
    }
    return news;
}

/// Whether an earlier step begins a later passage (widgets::EarlierStep).
bool CurveStore::goesBack(const Media& media, std::int64_t step) const {
    return earlier_ == widgets::EarlierStep::Overtakes ||
           std::ranges::any_of(media.points, [step](const auto& point) { return point->step == step; });
}

void CurveStore::addMedia(Media& media, const MediaPoints& points) {
    const auto earlier = [](const auto& a, const auto& b) { return a->step < b->step; };
    for (const auto& point : points) {
        if (!media.points.empty() && point->step < media.points.back()->step && goesBack(media, point->step))
            std::erase_if(media.points, [&](const auto& other) { return other->step >= point->step; });
        // The newest is there whether its turn has come or not.
        if (media.extra)
            std::erase(media.points, media.extra);
        const bool its_turn = media.met++ % media.every == 0;
        media.extra = its_turn ? nullptr : point;
        media.points.insert(std::upper_bound(media.points.begin(), media.points.end(), point, earlier), point);
        if (media.points.size() <= kMostMedia)
            continue;
        media.every *= 2;
        MediaPoints kept;
        for (std::size_t i = 0; i < media.points.size(); ++i) {
            if (i % 2 == 0 || media.points[i] == media.extra)
                kept.push_back(media.points[i]);
            else if (i + 1 == media.points.size())
                kept.push_back(media.extra = media.points[i]);
        }
        media.points = std::move(kept);
    }
}

const widgets::Series& CurveStore::series(const std::string& tag) const {
    return series_.try_emplace(tag, earlier_).first->second;  // an unordered_map never moves what it holds
}

const MediaPoints& CurveStore::media(const std::string& tag) const {
    static const MediaPoints none;
    const auto found = media_.find(tag);
    return found == media_.end() ? none : found->second.points;
}

std::size_t CurveStore::mediaMet(const std::string& tag) const {
    const auto found = media_.find(tag);
    return found == media_.end() ? 0 : found->second.met;
}

double CurveStore::firstTime() const {
    double first = 0;
    for (const auto& [tag, series] : series_)
        if (!series.empty() && (first == 0 || series.wallTime(0) < first))
            first = series.wallTime(0);
    return first;
}

std::size_t CurveStore::points() const {
    std::size_t count = 0;
    for (const auto& [tag, series] : series_)
        count += series.size();
    return count;
}

std::size_t CurveStore::bytes() const {
    std::size_t count = 0;
    for (const auto& [tag, series] : series_)
        count += series.bytes();
    return count;
}

}  // namespace trainyard::desktop
