// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_filter.h"

#include <algorithm>

#include <QStringList>

#include "widgets/translate.h"

namespace trainyard::widgets {

bool LogFilter::matches(const LogLine& line, std::string_view text) const {
    if (!ranks.empty() && !std::binary_search(ranks.begin(), ranks.end(), static_cast<int>(line.rank)))
        return false;
    if (only ? line.level != least : line.level < least)
        return false;
    return pattern.empty() || pattern.found(text);
}

std::vector<int> parse_ranks(const QString& words, int ranks, QString& problem) {
    std::vector<int> found;
    problem.clear();
    const auto complain = [&](const QString& part) {
        problem = tr("%1 names no ranks: write 0 to %2, as in 0, 3-5.").arg(part.trimmed()).arg(ranks - 1);
        return std::vector<int>();
    };
    for (const QString& part : words.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QStringList ends = part.split(QLatin1Char('-'));
        bool fine = ends.size() <= 2;
        bool good = false;
        const int first = ends.front().trimmed().toInt(&good);
        fine = fine && good;
        const int last = ends.back().trimmed().toInt(&good);
        if (!fine || !good || first < 0 || last < first || last >= ranks)
            return complain(part);
        for (int rank = first; rank <= last; ++rank)
            found.push_back(rank);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace trainyard::widgets
