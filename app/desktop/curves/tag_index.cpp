// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/tag_index.h"

#include <algorithm>

#include <QCoreApplication>

#include "base/number.h"
#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

namespace {

constexpr QLatin1Char kLetters[] = {QLatin1Char('s'), QLatin1Char('h'), QLatin1Char('i'), QLatin1Char('t')};

/// Sorts the groups that users look for first to the front.
int groupRank(const QString& group) {
    static const QStringList first{QStringLiteral("train"),      QStringLiteral("training"), QStringLiteral("eval"),
                                   QStringLiteral("evaluation"), QStringLiteral("val"),      QStringLiteral("valid"),
                                   QStringLiteral("validation"), QStringLiteral("test")};
    const qsizetype at = first.indexOf(group.toLower());
    return at < 0 ? static_cast<int>(first.size()) : static_cast<int>(at);
}

/// Removes a suffix such as `#12` and returns its number; -1 without a suffix.
int takeRank(std::string& tag) {
    const std::size_t at = tag.rfind('#');
    if (at == std::string::npos || at == 0 || tag.size() - at - 1 == 0 || tag.size() - at - 1 > 6)
        return -1;
    const std::optional<int> rank = parse_number<int>(std::string_view(tag).substr(at + 1), 0);
    if (rank)
        tag.resize(at);
    return rank.value_or(-1);
}

}  // namespace

TagKind tag_kind(const QString& id) {
    for (int i = 0; i < 4; ++i)
        if (id.startsWith(kLetters[i]))
            return static_cast<TagKind>(i);
    return TagKind::Scalar;
}

bool natural_less(QStringView a, QStringView b) {
    qsizetype i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i].isDigit() && b[j].isDigit()) {
            while (i + 1 < a.size() && a[i] == QLatin1Char('0') && a[i + 1].isDigit())
                ++i;
            while (j + 1 < b.size() && b[j] == QLatin1Char('0') && b[j + 1].isDigit())
                ++j;
            qsizetype ends_i = i, ends_j = j;
            while (ends_i < a.size() && a[ends_i].isDigit())
                ++ends_i;
            while (ends_j < b.size() && b[ends_j].isDigit())
                ++ends_j;
            if (ends_i - i != ends_j - j)
                return ends_i - i < ends_j - j;
            for (; i < ends_i; ++i, ++j)
                if (a[i] != b[j])
                    return a[i] < b[j];
            continue;
        }
        const QChar x = a[i].toLower(), y = b[j].toLower();
        if (x != y)
            return x < y;
        ++i;
        ++j;
    }
    if ((i < a.size()) != (j < b.size()))
        return j < b.size();
    return a < b;
}

void TagFilter::setWords(const QString& words) {
    problem_.clear();
    const QString trimmed = words.trimmed();
    if (trimmed.startsWith(QLatin1Char('/')) && trimmed.size() > 1) {
        QString pattern = trimmed.mid(1);
        if (pattern.endsWith(QLatin1Char('/')))
            pattern.chop(1);
        const QRegularExpression expression(pattern, QRegularExpression::CaseInsensitiveOption);
        if (!expression.isValid()) {
            problem_ = QCoreApplication::translate("trainyard::desktop::TagFilter",
                                                   "%1 is not a valid regular expression: %2.")
                           .arg(trimmed, expression.errorString());
            return;
        }
        expression_ = expression;
        regular_ = true;
        parts_.clear();
    } else {
        parts_ = trimmed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        regular_ = false;
    }
    words_ = words;
}

bool TagFilter::matches(const QString& name) const {
    if (regular_)
        return expression_.match(name).hasMatch();
    return std::all_of(parts_.begin(), parts_.end(),
                       [&](const QString& part) { return name.contains(part, Qt::CaseInsensitive); });
}

void TagIndex::build(const QVector<CurveSource*>& sources) {
    entries_.clear();
    by_id_.clear();
    for (int i = 0; i < sources.size(); ++i)
        for (const TagInfo& info : sources[i]->tags()) {
            std::string bare = info.tag;
            const int rank = takeRank(bare);
            const QString name = qt(bare);
            const QString id = QString(kLetters[static_cast<int>(info.kind)]) + QLatin1Char(':') + name;
            const int at = by_id_.value(id, static_cast<int>(entries_.size()));
            if (at == static_cast<int>(entries_.size())) {
                by_id_.insert(id, at);
                const qsizetype slash = name.indexOf(QLatin1Char('/'));
                entries_.push_back(
                    {id, name, slash > 0 ? name.left(slash) : QString(), info.kind, qt(info.description), {}});
            }
            entries_[static_cast<std::size_t>(at)].holders.push_back({i, rank, info.tag});
        }
    QHash<QString, int> ranks;
    for (const TagEntry& entry : entries_)
        if (!ranks.contains(entry.group))
            ranks.insert(entry.group, groupRank(entry.group));
    std::sort(entries_.begin(), entries_.end(), [&ranks](const TagEntry& a, const TagEntry& b) {
        if (a.group != b.group) {
            const int first = ranks.value(a.group), second = ranks.value(b.group);
            return first != second ? first < second : natural_less(a.group, b.group);
        }
        return a.kind != b.kind ? a.kind < b.kind : natural_less(a.name, b.name);
    });
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        by_id_[entries_[i].id] = static_cast<int>(i);
        std::stable_sort(entries_[i].holders.begin(), entries_[i].holders.end(),
                         [](const TagHolder& a, const TagHolder& b) {
                             return a.source != b.source ? a.source < b.source : a.rank < b.rank;
                         });
    }
}

const TagEntry* TagIndex::find(const QString& id) const {
    const auto found = by_id_.constFind(id);
    return found == by_id_.cend() ? nullptr : &entries_[static_cast<std::size_t>(*found)];
}

}  // namespace trainyard::desktop
