#pragma once
// Where curves, histograms, pictures and texts come from: one run of ours (RunRecord), or one folder or file of somebody else's logs
// (LogRecord). Views know only this. Lives in the GUI thread; reading and parsing happen elsewhere, and a source does no input or
// output of its own.

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

/// Counts between limits, as TensorBoard keeps them: counts[i] lie in [limits[i], limits[i + 1]).
struct HistogramPoint {
    std::vector<double> limits;  ///< ascending; one more than counts
    std::vector<double> counts;
};

/// An encoded picture that stays in its file until it is looked at.
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

/// Hyper-parameters as words, in their order.
using ParameterWords = std::vector<std::pair<std::string, std::string>>;

class CurveSource : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;

    /// Stays the same for the life of the source: the key under which views are kept (an absolute path).
    virtual QString key() const = 0;
    virtual QString name() const = 0;
    /// Of its colour, from 1 (widgets::run_color).
    virtual int colorNumber() const = 0;

    /// In the order in which they were met; only ever grows, except when everything was void.
    virtual const std::vector<TagInfo>& tags() const = 0;
    /// The curve of a tag; empty as long as nothing came. The same object for the life of the source.
    virtual const widgets::Series& series(const std::string& tag) const = 0;
    /// What a tag that is no curve holds; empty for others.
    virtual const MediaPoints& media(const std::string& tag) const = 0;
    /// How many of them there are: of very many only an even selection is held.
    virtual std::size_t mediaMet(const std::string& tag) const { return media(tag).size(); }
    virtual const ParameterWords& parameters() const = 0;
    /// From its columns to positions on the axis (start of relative time, tokens and steps an epoch).
    virtual widgets::XScale scale(widgets::XUnit unit) const = 0;

    /// Everything that lay there when it was opened has been read.
    virtual bool isCaughtUp() const = 0;
    /// What cannot be read, one sentence each.
    virtual QStringList complaints() const = 0;

  signals:
    void tagsChanged();
    void curvesChanged();  ///< at most every 50 ms
    void mediaChanged();
    void complaintsChanged();
};

}  // namespace trainyard::desktop
