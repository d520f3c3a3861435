// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/traces/selection.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "desktop/text/qt_text.h"
#include "desktop/traces/trace_words.h"

namespace trainyard::desktop {

namespace {

using RowsByName = std::map<std::pair<std::string, std::string>, traces::NameRow>;

void addNameRows(RowsByName& sum, const std::vector<traces::NameRow>& rows) {
    for (const traces::NameRow& row : rows) {
        traces::NameRow& into = sum[{row.category, row.name}];
        const traces::NameRow before = std::exchange(into, row);
        into.count += before.count;
        into.total += before.total;
        into.self += before.self;
    }
}

TraceRow rowOf(std::string_view name, std::string_view category, traces::Family family) {
    TraceRow row;
    row.name = qt(name);
    row.category = qt(category);
    row.family = familyWords(family);
    row.color = familyColor(family);
    return row;
}

/// Whether a role counts as an operation. Ranges that contain operations (steps, phases and blocks of a model, Python
/// functions) do not.
bool isOperation(traces::Role role) {
    return role == traces::Role::operation || role == traces::Role::runtime || role == traces::Role::collective;
}

/// Rows by name. Shares are self time relative to `time`, so that nested slices count once; if `time` is not given,
/// total time relative to the sum of all rows.
QVector<TraceRow> nameRows(const RowsByName& sum, std::optional<double> time = {}) {
    QVector<TraceRow> rows;
    double all = time.value_or(0);
    for (const auto& [key, row] : sum) {
        all += time ? 0 : static_cast<double>(row.total);
        rows << rowOf(row.name, row.category, row.family);
        rows.last().count = row.count;
        rows.last().total = row.total;
        rows.last().self = row.self;
    }
    for (TraceRow& row : rows)
        row.share = all > 0 ? static_cast<double>(time ? row.self : row.total) / all : 0;
    std::stable_sort(rows.begin(), rows.end(), [](const TraceRow& a, const TraceRow& b) { return a.share > b.share; });
    return rows;
}

/// Adds rows of calls, with shares of `time`.
void addCalls(QVector<TraceRow>& rows, const std::vector<traces::CallRow>& calls, double time) {
    if (calls.empty())
        return;
    // In reading order: a call before its children.
    std::vector<std::vector<std::size_t>> children(calls.size());
    for (std::size_t i = 1; i < calls.size(); ++i)
        children[calls[i].parent].push_back(i);
    for (auto& list : children)
        std::stable_sort(list.begin(), list.end(),
                         [&](std::size_t a, std::size_t b) { return calls[a].total > calls[b].total; });
    std::vector<std::size_t> open(children[0].rbegin(), children[0].rend());
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        const traces::CallRow& call = calls[at];
        TraceRow row = rowOf(call.name, {}, traces::family_of(call.name, traces::Role::operation));
        row.depth = static_cast<int>(call.depth) - 1;
        row.count = call.count;
        row.total = call.total;
        row.self = call.self;
        row.share = time > 0 ? static_cast<double>(call.total) / time : 0;
        rows << row;
        open.insert(open.end(), children[at].rbegin(), children[at].rend());
    }
}

bool inRange(const traces::Slice& slice, const traces::Span& range) {
    return slice.begin < range.end && slice.end() >= range.begin;
}

struct LongSlice {
    std::int64_t duration;
    int group;
    std::uint32_t slice;
};

void addSlices(std::vector<LongSlice>& found, std::uint64_t& count, const OpenedTrace& trace, int group,
               const traces::Span& own) {
    const auto longer = [](const LongSlice& a, const LongSlice& b) { return a.duration > b.duration; };
    const std::vector<traces::Slice>& slices = trace.trace(group).slices;
    for (std::uint32_t i = 0; i < slices.size(); ++i) {
        if (!inRange(slices[i], own))
            continue;
        ++count;
        found.push_back({slices[i].duration, group, i});
        if (found.size() >= 4 * kMostSliceRows) {
            std::nth_element(found.begin(), found.begin() + kMostSliceRows, found.end(), longer);
            found.resize(kMostSliceRows);
        }
    }
    std::stable_sort(found.begin(), found.end(), longer);
    if (found.size() > kMostSliceRows)
        found.resize(kMostSliceRows);
}

QVector<TraceRow> sliceRows(const OpenedTrace& trace, const std::vector<LongSlice>& found) {
    QVector<TraceRow> rows;
    for (const LongSlice& one : found) {
        const widgets::TimelinePlace place = trace.place(one.group, one.slice);
        const traces::Trace& of = trace.trace(one.group);
        const traces::Slice& slice = of.slices[one.slice];
        TraceRow row = rowOf(of.name(slice), of.category(slice), trace.family(one.group, one.slice));
        row.track = trace.groups()[one.group].lanes[place.lane].title;
        row.count = 1;
        row.total = one.duration;
        row.begin = trace.span(place).begin - trace.whole().begin;
        row.group = one.group;
        row.slice = one.slice;
        rows << row;
    }
    return rows;
}

}  // namespace

TraceSelection selectionOf(const OpenedTrace& trace, const widgets::TimeSpan& range, int group,
                           const widgets::Cancelled& cancelled) {
    TraceSelection selection;
    selection.range = range;
    selection.group = group;
    selection.whole = range == trace.whole();
    RowsByName kernels, operations, others;
    double of_steps = 0, of_range = 0;  // ns of all ranks together
    std::vector<LongSlice> longest;
    std::vector<traces::CallRow> calls;
    const traces::Span common{range.begin, range.end};
    for (int i = 0; i < trace.groups().size() && !cancelled; ++i) {
        if (group >= 0 && i != group)
            continue;
        const traces::Trace& one = trace.trace(i);
        // The selection of the whole trace includes events at its last timestamp.
        const traces::Span own{range.begin - trace.offset(i), range.end - trace.offset(i) + (selection.whole ? 1 : 0)};
        traces::TableFilter filter;
        filter.range = own;
        filter.roles = [](traces::Role role) { return traces::on_device(role); };
        addNameRows(kernels, traces::name_table(one, filter));
        filter.roles = isOperation;
        addNameRows(operations, traces::name_table(one, filter));
        filter.roles = [](traces::Role role) { return !traces::on_device(role); };
        addNameRows(others, traces::name_table(one, filter));
        if (!cancelled)
            traces::add_calls(calls, traces::call_tree(one, filter));
        addSlices(longest, selection.slices, trace, i, own);
        const traces::Span shown{std::max(own.begin, one.begin), std::min(own.end, one.end)};
        if (shown.end > shown.begin) {
            selection.share.add(trace.shares(i).share(shown));
            of_range += static_cast<double>(shown.end - shown.begin);
        }
        for (const traces::Step& step : one.steps) {
            selection.usual.add(trace.shares(i).share({step.begin, step.end}));
            of_steps += static_cast<double>(
                std::max<std::int64_t>(0, std::min(step.end, own.end) - std::max(step.begin, own.begin)));
        }
    }
    const double time = of_steps > 0 ? of_steps : of_range;
    addCalls(selection.tables[static_cast<std::size_t>(TraceTable::Calls)], calls, time);
    selection.tables[static_cast<std::size_t>(TraceTable::Kernels)] = nameRows(kernels);
    // A trace of another program has ranges of its own kinds only.
    selection.tables[static_cast<std::size_t>(TraceTable::Operations)] =
        nameRows(operations.empty() ? others : operations, time);
    selection.tables[static_cast<std::size_t>(TraceTable::Slices)] = sliceRows(trace, longest);
    selection.waits = trace.set().waits(common);
    double measured = 0, planned = 0, steps = 0;
    for (const traces::PlannedStep& step : trace.schedule().steps)
        if (const std::int64_t middle = step.measured.begin + (step.measured.end - step.measured.begin) / 2;
            middle >= range.begin && middle < range.end) {
            measured += step.measured_bubble;
            planned += step.planned_bubble;
            ++steps;
        }
    if (steps > 0) {
        selection.measured_bubble = measured / steps;
        selection.planned_bubble = planned / steps;
    }
    return selection;
}

std::vector<traces::SearchHit> slicesOfRow(const OpenedTrace& trace, const TraceRow& row,
                                           const widgets::TimeSpan& range, int group) {
    std::vector<traces::SearchHit> hits;
    const std::string name = row.name.toStdString(), category = row.category.toStdString();
    for (int i = 0; i < trace.groups().size(); ++i) {
        if (group >= 0 && i != group)
            continue;
        const traces::Trace& one = trace.trace(i);
        const auto number = one.names.find(name);
        if (!number)
            continue;
        const traces::Span own{range.begin - trace.offset(i), range.end - trace.offset(i)};
        for (std::uint32_t k = 0; k < one.slices.size(); ++k)
            if (one.slices[k].name == *number && inRange(one.slices[k], own) &&
                (category.empty() || one.category(one.slices[k]) == category))
                hits.push_back({static_cast<std::uint32_t>(i), k});
    }
    const auto begin = [&](const traces::SearchHit& hit) {
        const int of = static_cast<int>(hit.rank);
        return trace.trace(of).slices[hit.slice].begin + trace.offset(of);
    };
    std::stable_sort(hits.begin(), hits.end(), [&](const auto& a, const auto& b) { return begin(a) < begin(b); });
    return hits;
}

traces::TraceComparison compareRanks(const OpenedTrace& trace, int before, int after, const widgets::TimeSpan& range) {
    // The whole trace includes events at its last timestamp.
    const traces::Span span{range.begin, range.end + (range == trace.whole() ? 1 : 0)};
    const auto of = [&](int group) {
        return traces::summarise(traces::only_rank(trace.set(), static_cast<std::size_t>(group)), span);
    };
    return traces::compare(of(before), of(after));
}

QVector<TraceRow> comparedRows(const traces::TraceComparison& comparison) {
    QVector<TraceRow> rows;
    for (const traces::CompareRow& compared : comparison.rows) {
        const traces::Role role = traces::role_of(compared.category);
        TraceRow row = rowOf(compared.name, compared.category, traces::family_of(compared.name, role));
        row.before = compared.before;
        row.after = compared.after;
        row.count_before = compared.count_before;
        row.count_after = compared.count_after;
        rows << row;
    }
    return rows;
}

}  // namespace trainyard::desktop
