// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/tables.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace trainyard::traces {

namespace {

struct OpenSlice {
    std::int64_t end = 0;
    std::size_t row = 0;
};

std::int64_t clipped_length(const Slice& slice, const Span& range) {
    return std::max<std::int64_t>(0, std::min(slice.end(), range.end) - std::max(slice.begin, range.begin));
}

bool in_window(const Slice& slice, const Span& range) {
    return slice.begin < range.end &&
           (slice.end() > range.begin || (slice.duration == 0 && slice.begin >= range.begin));
}

/// Calls `visit(slice, number, parent row)`, which returns the slice's row, for all slices of a table in the order of their tracks.
template <typename Visit>
void walk(const Trace& trace, const TableFilter& filter, std::size_t root, Visit visit) {
    const std::vector<Role> roles = roles_of(trace);
    std::vector<bool> wanted;
    for (const Role role : roles)
        wanted.push_back(!filter.roles || filter.roles(role));
    std::vector<OpenSlice> open;
    for (const Track& track : trace.tracks) {
        open.clear();
        for (std::size_t i = track.first; i < track.first + track.count; ++i) {
            const Slice& slice = trace.slices[i];
            if (slice.begin >= filter.range.end)
                break;
            const std::uint32_t number = static_cast<std::uint32_t>(i);
            if (!wanted[slice.category] || slice.kind == SliceKind::instant || !in_window(slice, filter.range) ||
                (filter.slices && !filter.slices(slice, number)))
                continue;
            while (!open.empty() && (open.back().end < slice.end() || open.back().end <= slice.begin))
                open.pop_back();
            const std::size_t row = visit(slice, open.empty() ? root : open.back().row);
            open.push_back({slice.end(), row});
        }
    }
}

}  // namespace

std::vector<NameRow> name_table(const Trace& trace, const TableFilter& filter) {
    std::vector<NameRow> rows;
    std::unordered_map<std::uint64_t, std::size_t> numbers;  // by category and name
    const std::vector<Role> roles = roles_of(trace);
    constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
    walk(trace, filter, kNone, [&](const Slice& slice, std::size_t parent) {
        const auto [place, added] = numbers.try_emplace(std::uint64_t{slice.category} << 32 | slice.name, rows.size());
        if (added)
            rows.push_back({std::string(trace.category(slice)), std::string(trace.name(slice)),
                            family_of(trace.name(slice), roles[slice.category]), 0, 0, 0, 0});
        const std::int64_t took = clipped_length(slice, filter.range);
        NameRow& row = rows[place->second];
        row.count += 1;
        row.total += took;
        row.self += took;
        row.longest = std::max(row.longest, slice.duration);
        if (parent != kNone)
            rows[parent].self -= took;
        return place->second;
    });
    std::sort(rows.begin(), rows.end(), [](const NameRow& a, const NameRow& b) {
        return a.total != b.total ? a.total > b.total : std::tie(a.category, a.name) < std::tie(b.category, b.name);
    });
    return rows;
}

std::vector<CallRow> call_tree(const Trace& trace, const TableFilter& filter, std::size_t most) {
    std::vector<CallRow> rows(1);
    rows[0].name = "all";
    std::unordered_map<std::uint64_t, std::size_t> numbers;  // by parent and name
    walk(trace, filter, 0, [&](const Slice& slice, std::size_t parent) {
        const std::uint64_t key = std::uint64_t{parent} << 32 | slice.name;
        auto found = numbers.find(key);
        if (found == numbers.end()) {
            if (rows.size() >= most)
                return parent;
            found = numbers.emplace(key, rows.size()).first;
            rows.push_back({std::string(trace.name(slice)), parent, rows[parent].depth + 1, 0, 0, 0});
        }
        CallRow& row = rows[found->second];
        const std::int64_t took = clipped_length(slice, filter.range);
        row.count += 1;
        row.total += took;
        row.self += took;
        rows[parent].self -= took;
        if (parent == 0) {
            rows[0].total += took;
            rows[0].self += took;
        }
        return found->second;
    });
    return rows;
}

void add_calls(std::vector<CallRow>& into, const std::vector<CallRow>& tree, std::size_t most) {
    if (tree.empty())
        return;
    if (into.empty()) {
        into = tree;
        return;
    }
    std::map<std::pair<std::size_t, std::string>, std::size_t> numbers;  // by parent and name
    for (std::size_t i = 1; i < into.size(); ++i)
        numbers.emplace(std::pair(into[i].parent, into[i].name), i);
    std::vector<std::size_t> places(tree.size());  // rows of `into`
    into[0].total += tree[0].total;
    into[0].self += tree[0].self;
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const CallRow& call = tree[i];
        const std::size_t parent = places[call.parent];
        const auto [found, added] = numbers.try_emplace(std::pair(parent, call.name), into.size());
        if (added && into.size() >= most) {
            numbers.erase(found);
            places[i] = parent;
            into[parent].self += call.self;
            continue;
        }
        if (added)
            into.push_back({call.name, parent, into[parent].depth + 1, 0, 0, 0});
        places[i] = found->second;
        CallRow& row = into[found->second];
        row.count += call.count;
        row.total += call.total;
        row.self += call.self;
    }
}

Spans busy(const Trace& trace, const TableFilter& filter) {
    Spans spans;
    const std::vector<Role> roles = roles_of(trace);
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
        const Slice& slice = trace.slices[i];
        if ((filter.roles && !filter.roles(roles[slice.category])) || !in_window(slice, filter.range) ||
            (filter.slices && !filter.slices(slice, static_cast<std::uint32_t>(i))))
            continue;
        spans.push_back({std::max(slice.begin, filter.range.begin), std::min(slice.end(), filter.range.end)});
    }
    return union_of(std::move(spans));
}

Correlations::Correlations(const Trace& trace) : trace_(&trace), roles_(roles_of(trace)) {
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
        const Slice& slice = trace.slices[i];
        if (slice.correlation == 0)
            continue;
        if (roles_[slice.category] == Role::runtime)
            launches_.emplace_back(slice.correlation, static_cast<std::uint32_t>(i));
        else if (on_device(roles_[slice.category]))
            work_.emplace_back(slice.correlation, static_cast<std::uint32_t>(i));
    }
    std::sort(launches_.begin(), launches_.end());
    std::sort(work_.begin(), work_.end());
}

std::optional<std::uint32_t> Correlations::launch_of(std::uint32_t slice) const {
    const std::uint64_t id = trace_->slices[slice].correlation;
    if (id == 0 || !on_device(roles_[trace_->slices[slice].category]))
        return std::nullopt;
    const auto found = std::lower_bound(launches_.begin(), launches_.end(), std::pair(id, std::uint32_t{0}));
    return found != launches_.end() && found->first == id ? std::optional(found->second) : std::nullopt;
}

std::vector<std::uint32_t> Correlations::work_of(std::uint32_t slice) const {
    std::vector<std::uint32_t> result;
    const std::uint64_t id = trace_->slices[slice].correlation;
    if (id == 0 || roles_[trace_->slices[slice].category] != Role::runtime)
        return result;
    for (auto found = std::lower_bound(work_.begin(), work_.end(), std::pair(id, std::uint32_t{0}));
         found != work_.end() && found->first == id; ++found)
        result.push_back(found->second);
    return result;
}

}  // namespace trainyard::traces
