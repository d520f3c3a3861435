// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tags of several sources as one sorted list, and the sources that each chart shows. A tag with a rank at its end
// (`system/x#3`) belongs to the chart of the tag without it, so that ranks are overlaid.

#include <string>
#include <vector>

#include <QHash>
#include <QRegularExpression>
#include <QString>
#include <QVector>

#include "desktop/curves/curve_source.h"

namespace trainyard::desktop {

/// One curve (or histogram, ...) of an entry.
struct TagHolder {
    int source = 0;  ///< index in the list of sources
    int rank = -1;   ///< -1: the tag names none
    std::string tag;
};

struct TagEntry {
    QString id;     ///< `s:train/loss`; h: histogram, i: image, t: text
    QString name;   ///< `train/loss`
    QString group;  ///< part before the first slash; empty without a slash
    TagKind kind = TagKind::Scalar;
    QString description;
    std::vector<TagHolder> holders;  ///< by source, then rank
};

/// Returns the kind of a tag from its id. The tag need not exist.
TagKind tag_kind(const QString& id);

/// Digits count as numbers: `layer 2` comes before `layer 10`. Without case.
bool natural_less(QStringView a, QStringView b);

/// Words without case, all of which must occur, or one `/regular expression/`.
class TagFilter {
  public:
    /// Sets the filter. An invalid expression does not change it; problem() then returns an error message.
    void setWords(const QString& words);
    const QString& words() const { return words_; }
    const QString& problem() const { return problem_; }
    bool isEmpty() const { return !regular_ && parts_.isEmpty(); }
    bool matches(const QString& name) const;

  private:
    QString words_;
    QString problem_;
    QStringList parts_;
    QRegularExpression expression_;
    bool regular_ = false;
};

class TagIndex {
  public:
    /// Builds the whole index again, about 20 ms for 12,345 tags.
    void build(const QVector<CurveSource*>& sources);
    /// Groups in the order of their names, train and evaluation first; within a group by name.
    const std::vector<TagEntry>& entries() const { return entries_; }
    const TagEntry* find(const QString& id) const;

  private:
    std::vector<TagEntry> entries_;
    QHash<QString, int> by_id_;
};

}  // namespace trainyard::desktop
