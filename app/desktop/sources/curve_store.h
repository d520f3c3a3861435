// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The curves and media of one source, built up from batches. Shared by RunRecord and LogRecord. GUI thread.

#include <string>
#include <unordered_map>
#include <vector>

#include "desktop/sources/curve_batch.h"

namespace trainyard::desktop {

class CurveStore {
  public:
    explicit CurveStore(widgets::EarlierStep earlier = widgets::EarlierStep::Overtakes) : earlier_(earlier) {}

    /// Kinds of data that a batch changed.
    struct News {
        bool tags = false, curves = false, media = false;
        bool labels = false;  ///< or the keys of the parameters
    };
    News take(const CurveBatch& batch);

    const std::vector<TagInfo>& tags() const { return tags_; }
    const widgets::Series& series(const std::string& tag) const;
    const MediaPoints& media(const std::string& tag) const;
    std::size_t mediaMet(const std::string& tag) const;  ///< number received, stored or not
    const ParameterWords& parameters() const { return parameters_; }
    const LogLabels& labels() const { return labels_; }
    /// Wall time of the first point of all curves; 0 if there are no points.
    double firstTime() const;
    std::size_t points() const;  ///< of all curves
    std::size_t bytes() const;   ///< of all curves, on the heap

  private:
    /// Media are many and large: for each tag, an even selection of at most this many points is stored.
    static constexpr std::size_t kMostMedia = 500;

    struct Media {
        MediaPoints points;
        std::size_t every = 1, met = 0;           ///< one of `every` is stored
        std::shared_ptr<const MediaPoint> extra;  ///< the newest, unless it is in the selection
    };
    bool goesBack(const Media& media, std::int64_t step) const;
    void addMedia(Media& media, const MediaPoints& points);

    widgets::EarlierStep earlier_;
    std::vector<TagInfo> tags_;
    std::unordered_map<std::string, std::size_t> places_;  ///< in tags_
    mutable std::unordered_map<std::string, widgets::Series> series_;
    std::unordered_map<std::string, Media> media_;
    ParameterWords parameters_;
    LogLabels labels_;
};

}  // namespace trainyard::desktop
