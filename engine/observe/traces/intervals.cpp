// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/intervals.h"

#include <algorithm>

namespace trainyard::traces {

Spans union_of(Spans spans) {
    std::erase_if(spans, [](const Span& span) { return span.end <= span.begin; });
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::size_t kept = 0;
    for (const Span& span : spans) {
        if (kept > 0 && span.begin <= spans[kept - 1].end)
            spans[kept - 1].end = std::max(spans[kept - 1].end, span.end);
        else
            spans[kept++] = span;
    }
    spans.resize(kept);
    return spans;
}

Spans common(const Spans& a, const Spans& b) {
    Spans result;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const Span both{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
        if (both.begin < both.end)
            result.push_back(both);
        if (a[i].end < b[j].end)
            ++i;
        else
            ++j;
    }
    return result;
}

Spans without(const Spans& a, const Spans& b) {
    Spans result;
    std::size_t j = 0;
    for (Span left : a) {
        while (j < b.size() && b[j].end <= left.begin)
            ++j;
        for (std::size_t k = j; k < b.size() && b[k].begin < left.end; ++k) {
            if (b[k].begin > left.begin)
                result.push_back({left.begin, b[k].begin});
            left.begin = std::max(left.begin, b[k].end);
        }
        if (left.begin < left.end)
            result.push_back(left);
    }
    return result;
}

std::int64_t length(const Spans& spans) {
    std::int64_t sum = 0;
    for (const Span& span : spans)
        sum += span.end - span.begin;
    return sum;
}

}  // namespace trainyard::traces
