#pragma once
// What a reading thread of a source of curves hands to the window at a time: values only, all parsing done.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "desktop/curves/curve_source.h"
#include "widgets/plot/series_chunk.h"

namespace trainyard::desktop {

/// What happened to curves and media, in order.
struct CurveChange {
    enum class Kind {
        Points,  ///< `chunks`, then `points` come to the end of the curve `tag`
        Media,   ///< `media` come to the end of the media `tag`
        Restart,  ///< writing went on from `step`: everything of the group (tags ending in `tag`) loses what lies at or after it
        Reset,  ///< everything read so far is void
    };
    Kind kind = Kind::Points;
    std::string tag;  ///< of a restart: the group, empty or `#<rank>`
    std::int64_t step = 0;
    std::vector<widgets::SeriesPoint> points;
    std::vector<widgets::SealedChunk> chunks = {};
    MediaPoints media = {};
};

struct CurveBatch {
    std::vector<TagInfo> tags;  ///< new ones, and known ones whose description became known
    std::vector<CurveChange> changes;
    std::optional<ParameterWords> parameters;
    std::optional<std::vector<Message>> problems;  ///< all that cannot be read now, one sentence each

    bool empty() const { return tags.empty() && changes.empty() && !parameters && !problems; }
};

}  // namespace trainyard::desktop
