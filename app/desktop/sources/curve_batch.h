// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A batch of changes that the reading thread of a source of curves passes to the window: parsed values only.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "desktop/curves/curve_source.h"
#include "widgets/plot/series_chunk.h"

namespace trainyard::desktop {

/// One change of curves or media. A batch lists them in order.
struct CurveChange {
    enum class Kind {
        Points,   ///< appends `chunks`, then `points` to the curve `tag`
        Media,    ///< appends `media` to the media `tag`
        Restart,  ///< writing restarted at `step`: drops points at or after it from the group (tags ending in `tag`)
        Reset,    ///< discards everything read so far
    };
    Kind kind = Kind::Points;
    std::string tag;  ///< for Restart: the group, empty or `#<rank>`
    std::int64_t step = 0;
    std::vector<widgets::SeriesPoint> points;
    std::vector<widgets::SealedChunk> chunks = {};
    MediaPoints media = {};
};

/// Name, tags and note that the program which wrote a log stored with it.
struct LogLabels {
    std::string name;  ///< empty: none
    std::vector<std::string> tags = {};
    std::string note = {};
    bool operator==(const LogLabels&) const = default;
};

struct CurveBatch {
    std::vector<TagInfo> tags;  ///< new tags, and known tags with a new description
    std::vector<CurveChange> changes;
    std::optional<ParameterWords> parameters;
    std::optional<LogLabels> labels;
    std::optional<std::vector<Message>> problems;  ///< everything that cannot be read now, one message each

    bool empty() const { return tags.empty() && changes.empty() && !parameters && !labels && !problems; }
};

}  // namespace trainyard::desktop
