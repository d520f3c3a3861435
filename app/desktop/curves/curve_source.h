// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A source of curves, histograms, images and texts: a run (RunRecord), or a folder or file of logs of another program
// (LogRecord). Views depend only on this interface. Lives in the GUI thread; reading and parsing happen on other
// threads, and a source does no input or output of its own.

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <QObject>
#include <QString>
#include <QStringList>

#include "widgets/plot/series.h"

namespace trainyard::desktop {

enum class TagKind { Scalar, Histogram, Image, Text };

struct TagInfo {
    std::string tag;
    TagKind kind = TagKind::Scalar;
    std::string description;  ///< the writer's, often empty
};

/// A histogram as TensorBoard stores it: counts[i] is the number of values in [limits[i], limits[i + 1]).
struct HistogramPoint {
    std::vector<double> limits;  ///< ascending; one more than counts
    std::vector<double> counts;
};

/// An encoded image that is read from its file only when it is shown.
struct ImagePoint {
    std::string file;
    std::uint64_t offset = 0;  ///< bytes
    std::uint64_t length = 0;
    int width = 0, height = 0;
};

struct TextPoint {
    std::string text;
    bool cut = false;  ///< longer than what is kept
};

struct MediaPoint {
    std::int64_t step = 0;
    double wall_time = 0;  ///< seconds
    std::variant<HistogramPoint, ImagePoint, TextPoint> value;
};

using MediaPoints = std::vector<std::shared_ptr<const MediaPoint>>;  ///< by ascending step

/// Hyperparameters as text, in their order.
using ParameterWords = std::vector<std::pair<std::string, std::string>>;

class CurveSource : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Key under which view settings are saved (an absolute path). Constant for the life of the source.
    virtual QString key() const = 0;
    virtual QString name() const = 0;
    /// Number of its colour, from 1 (widgets::run_color).
    virtual int colorNumber() const = 0;

    /// Tags in the order of their first occurrence. The list only grows, unless the files were replaced.
    virtual const std::vector<TagInfo>& tags() const = 0;
    /// Returns the curve of a tag, empty if it has no points yet. The reference is valid for the life of the source.
    virtual const widgets::Series& series(const std::string& tag) const = 0;
    /// Histograms, images or texts of a tag; empty if the tag is a curve.
    virtual const MediaPoints& media(const std::string& tag) const = 0;
    /// Total number of these points. media() holds only an even selection of a very large number.
    virtual std::size_t mediaMet(const std::string& tag) const { return media(tag).size(); }
    virtual const ParameterWords& parameters() const = 0;
    /// Returns the conversion from its columns to positions on the axis (start of relative time, tokens and steps per
    /// epoch).
    virtual widgets::XScale scale(widgets::XUnit unit) const = 0;

    /// Whether everything that existed when the source was opened has been read.
    virtual bool isCaughtUp() const = 0;
    /// One message for each part that cannot be read.
    virtual QStringList complaints() const = 0;

  signals:
    void tagsChanged();
    void curvesChanged();  ///< at most every 50 ms
    void mediaChanged();
    void complaintsChanged();
};

}  // namespace trainyard::desktop
